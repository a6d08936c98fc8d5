/**
 * Processor time of `npx cdk synth CompressionBench`, as users type it, as a multiple of an application with one resource as created by
 * `cdk init` (ts-node, our feature flags), through the same command line, in the same rounds; with and without CDK's own template check, which
 * our application leaves to the tests (docs/decisions/synthesis.md).
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUICK } from './shared/quick';
import { printTimes, ratioOf, timeCommands } from './shared/rounds';
import { tell } from './shared/row';

const ROUNDS = QUICK ? 3 : 7;
const APP = `import { App, CfnResource, Stack } from 'aws-cdk-lib';
new CfnResource(new Stack(new App(), 'Empty'), 'Topic', { type: 'AWS::SNS::Topic' });
`;

const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-bench-'));
const cdkJson = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')) as object;
mkdirSync(join(folder, 'empty'));
for (const name of ['node_modules', 'tsconfig.json']) symlinkSync(join(root, name), join(folder, 'empty', name));
const app = 'node_modules/.bin/ts-node --transpile-only --prefer-ts-exts app.ts';
writeFileSync(join(folder, 'empty', 'cdk.json'), JSON.stringify({ ...cdkJson, app }));
writeFileSync(join(folder, 'empty', 'app.ts'), APP);

const synth = (stack: string, project: string) => [
  'sh',
  '-c',
  `cd ${project} && exec npx cdk synth ${stack} --output ${join(folder, 'cdk.out')}`,
];
const EMPTY = 'an application with one topic';
for (const [title, validation, most] of [
  ['as typed', {}, 0.8],
  ["without CDK's own check in either", { CDK_VALIDATION: 'false' }, undefined],
] as const) {
  const environment = { AWS_REGION: 'us-east-1', AWS_EC2_METADATA_DISABLED: 'true', ...validation };
  console.log(title);
  const commands = {
    [EMPTY]: synth('Empty', join(folder, 'empty')),
    CompressionBench: synth('CompressionBench', root),
  };
  const times = timeCommands(commands, ROUNDS, { ...process.env, ...environment });
  printTimes(times);
  const value = ratioOf(times, 'CompressionBench', EMPTY);
  tell({
    what: `\`cdk synth CompressionBench\`, ${title}`,
    against: EMPTY,
    value,
    unit: '×',
    ...(most === undefined ? {} : { most }),
  });
}
rmSync(folder, { recursive: true });
