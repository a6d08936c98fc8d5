import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks, NIST80053R5Checks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { FIELDS } from '../../lib/config/fields';
import { stacksWith } from '../support/cdk';
import { NIST } from '../support/exceptions';
import { expiring, monitored } from '../support/importer';
import { lustreDashboard } from '../support/lustreDashboard';
import { EVERY_OPTION } from '../support/options';

/** Findings of cdk-nag, as `rule at construct`. */
function findingsIn(
  scope: IConstruct,
  checks: AwsSolutionsChecks | NIST80053R5Checks = new AwsSolutionsChecks(),
): string[] {
  return checks
    .validateScope(scope)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map((resource) => `${ruleName} at ${(resource as { constructPath?: string }).constructPath}`),
    );
}

/** Reads findings whether they are acknowledged or not. */
class DeafChecks extends AwsSolutionsChecks {
  constructor() {
    super();
    (this as unknown as { isAcknowledged: () => boolean }).isAcknowledged = () => false;
  }
}

/** The acknowledgements in a tree: rule, construct, reason. */
function acknowledgements(scope: IConstruct) {
  return scope.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => ({ rule: id.replace(/^annotation::/i, ''), path: node.path, reason })),
  );
}

const PREFIX = 'NIST.800.53.R5-';

/** Exceptions of NIST 800-53 R5 that some stack needed. */
const needed = new Set<(typeof NIST)[number]>();

/** Findings of both collections of rules that the exceptions do not explain. */
function unexplained(scope: IConstruct): string[] {
  const others = findingsIn(scope, new NIST80053R5Checks()).filter((finding) => {
    const [rule = '', path = ''] = finding.slice(PREFIX.length).split(' at ');
    const exception = NIST.find((one) => one.rule === rule && one.where.test(path));
    if (exception !== undefined) needed.add(exception);
    return exception === undefined;
  });
  return [...findingsIn(scope), ...others];
}

/** Each benchmark's stack by its option, made once; the results stack has no options. */
const STACKS = EVERY_OPTION.map(([name, settings, definition]): [string, IConstruct] => [
  name,
  stacksWith(settings, undefined, undefined, definition).bench,
]);
const watched = lustreDashboard({ metadataIops: 192_000, alarmEmail: 'ops@example.com' });

test.each([...STACKS, ['BenchResults', stacksWith().results] as const, ['LustreDashboard', watched] as const])(
  'leaves no finding of cdk-nag without a reason: %s',
  (_, stack) => {
    expect(unexplained(stack)).toEqual([]);
  },
);
test('neither collection of rules has anything to say about the constructs of another application', () => {
  const { fileSystem, alarms, dashboard } = monitored();
  expect([fileSystem, alarms, dashboard, expiring()].flatMap((construct) => unexplained(construct))).toEqual([]);
});

test('has no exception of NIST 800-53 that no stack needs', () => {
  expect(NIST.filter((exception) => !needed.has(exception))).toEqual([]);
});

test('would notice a machine that is open to the world', () => {
  const { bench } = stacksWith();
  const vpc = new ec2.Vpc(bench, 'Other', { restrictDefaultSecurityGroup: false });
  new ec2.SecurityGroup(bench, 'Open', { vpc }).addIngressRule(ec2.Peer.anyIpv4(), ec2.Port.SSH);
  const found = unexplained(bench);
  expect(found).toContain('AwsSolutions-EC23 at CompressionBench/Open/Resource');
  expect(found.filter((finding) => finding.startsWith(PREFIX) && finding.includes('/Open/'))).not.toEqual([]);
});

test('would notice a wider permission of the clients', () => {
  const { bench } = stacksWith();
  const role = bench.node.findChild('Fleet').node.findChild('Role') as iam.Role;
  role.addToPolicy(new iam.PolicyStatement({ actions: ['s3:*'], resources: ['arn:aws:s3:::other'] }));
  expect(findingsIn(bench).join()).toContain('AwsSolutions-IAM5[Action::s3:*]');
});

test('gives a reason for each acknowledgement, and has none that nothing needs', () => {
  const stacks = [...STACKS.map(([, stack]) => stack), stacksWith().results, lustreDashboard()];
  const found = stacks.flatMap((stack) => findingsIn(stack, new DeafChecks()));
  for (const { rule, path, reason } of stacks.flatMap(acknowledgements)) {
    expect(reason.length).toBeGreaterThan(40);
    // Those of CDK's own check of templates are tried where that check is on: ownCheck.test.ts.
    if (rule.startsWith('CloudFormation-Validate::')) continue;
    expect(found.filter((finding) => finding.startsWith(`${rule} at ${path}`))).not.toEqual([]);
  }
});

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');

test('the page has every exception with its reason, and no other', () => {
  const shown = page.split('## Exceptions\n')[1]?.match(/^- `.*$/gm);
  const reasons = [...new Set(NIST.map(({ reason }) => reason))];
  const rulesFor = (of: string) =>
    [...new Set(NIST.filter(({ reason }) => reason === of).map(({ rule }) => `\`${rule}\``))].join(', ');
  expect(shown).toEqual(reasons.map((reason) => `- ${rulesFor(reason)}: ${reason}`));
});

test('each defence names a test that is there, and each setting one that can be set', () => {
  const tests = [...page.matchAll(/`(test\/[\w/.-]+)`/g)].map(([, path = '']) => path);
  expect(tests.length).toBeGreaterThan(10);
  expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const settings = [...page.matchAll(/`(\w+)=(ARN|true|endpoints|parallelcluster)`/g)].map(([, name = '']) => name);
  expect(settings.length).toBeGreaterThan(4);
  expect(settings.filter((name) => !['fleet', ...Object.keys(FIELDS)].includes(name))).toEqual([]);
});
