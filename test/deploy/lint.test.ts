import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ebsStacks } from '../storage/ebs/bench';
import { efsStacks } from '../storage/efs/bench';
import { moosefsStacks } from '../storage/moosefs/bench';
import { stacksWith } from '../support/cdk';
import { cfnLint } from '../support/cfnLint';
import { drawn } from '../support/drawn';
import { contextWithVpc, ENV, subnets, VPC_ID } from '../support/existingVpc';
import { expiring, monitored } from '../support/importer';
import { lustreDashboard } from '../support/lustreDashboard';
import { EVERY_OPTION } from '../support/options';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-lint-'));
});

/** Files by what they hold: options that make the very same template have it looked at once. */
const files = new Map<string, string>();

function written(name: string, stack: Stack): string {
  const template = JSON.stringify(Template.fromStack(stack).toJSON(), null, 1);
  const file = files.get(template) ?? join(folder, `${name.replaceAll(/\W+/g, '-')}.${stack.stackName}.json`);
  files.set(template, file);
  writeFileSync(file, template);
  return file;
}

/** Findings of a file with a wrong property, and those of all templates: cfn-lint starts once, since that takes longer than a template. */
let [heard, found]: string[] = [];

beforeAll(() => {
  // The published form of each benchmark, and an eighth of the others.
  const eighths = drawn([0, 1, 2, 3, 4, 5, 6, 7]);
  const options = EVERY_OPTION.filter(([name], at) => name.includes('published') || eighths.includes(at % 8));
  const templates = options.flatMap(([name, settings, definition]) => {
    const { results, bench } = stacksWith(settings, undefined, undefined, definition);
    return [written(name, results), written(name, bench)];
  });
  const inVpc = stacksWith({ vpcId: VPC_ID }, { env: ENV }, contextWithVpc(subnets('Private', ['us-east-1a'])));
  templates.push(written('existing VPC', inVpc.bench));
  templates.push(written('watched', lustreDashboard({ metadataIops: 192_000, alarmEmail: 'ops@example.com' })));
  templates.push(written('imported', monitored().stack), written('expiring', expiring()));
  for (const { bench } of [efsStacks(), ebsStacks(), moosefsStacks()]) templates.push(written('storages', bench));
  const wrong = join(folder, 'wrong.json');
  writeFileSync(wrong, JSON.stringify({ Resources: { A: { Type: 'AWS::S3::Bucket', Properties: { Nonsense: 1 } } } }));
  const findings = cfnLint([...new Set(templates), wrong]).split(/\n{2,}/);
  [heard, found] = [true, false].map((of) => findings.filter((one) => one.includes(wrong) === of).join('\n\n'));
});

test('writes templates that cfn-lint has nothing to say about, for every stack, scale and option, also in an existing VPC', () => {
  expect(found?.trim()).toBe('');
});

test('would hear cfn-lint', () => {
  expect(heard).toContain('E3002');
});
