import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storageBench } from '../../lib/benchmark/storage';
import { DEPLOYABLE_KINDS } from '../../lib/constructs/storage/registry';
import {
  actionsOf,
  executionPolicy,
  MOST_POLICY_CHARACTERS,
  operatorPolicy,
  type PolicyDocument,
  type StackTemplate,
} from '../../lib/doctor/aws/policies';
import type { StorageConfiguration } from '../../lib/schema/deployment';
import { SMALLEST } from '../storage/cases';
import { resourcesOf, stacksWith } from '../support/cdk';
import { lustreDashboard } from '../support/lustreDashboard';
import { EVERY_OPTION } from '../support/options';
import { ACCOUNT, type Call, isAllowed, REGION } from '../support/policies';

const ROOT = join(__dirname, '..', '..');

/** Services with another name in IAM than their SDK package. */
const SERVICES: Readonly<Record<string, string>> = { 'auto-scaling': 'autoscaling', efs: 'elasticfilesystem' };
/** Actions with another name in IAM than their operation. */
const ACTIONS: Readonly<Record<string, string>> = {
  's3:ListObjectsV2': 's3:ListBucket',
  's3:ListBuckets': 's3:ListAllMyBuckets',
};
const actionOf = (call: string): string => ACTIONS[call] ?? call;

/** Calls in a source, as IAM names them. @throws if no package of the source has an operation that it names */
function callsOf(path: string, text: string): string[] {
  const packages = [...new Set([...text.matchAll(/@aws-sdk\/client-([\w-]+)/g)].map(([, name = '']) => name))];
  const operations = [...text.matchAll(/\b(?:paginate([A-Z]\w+)\(|new (?:\w+\.)?([A-Z]\w+)Command\()/g)].map(
    ([, paged, sent]) => paged ?? (sent as string),
  );
  const calls = operations.map((operation) => {
    const name = packages.find((one) => `${operation}Command` in require(`@aws-sdk/client-${one}`));
    if (name === undefined) throw new Error(`${path}: no package has ${operation}`);
    return `${SERVICES[name] ?? name}:${operation}`;
  });
  // Doctor asks by the names of the calls.
  const asked = [...text.matchAll(/'([a-z0-9]+:(?:Describe|Get|List)[A-Z]\w+)'/g)].map(([, call = '']) => call);
  // Actions of a multipart upload.
  const upload = text.includes('@aws-sdk/lib-storage') ? ['s3:AbortMultipartUpload', 's3:PutObject'] : [];
  return [...calls, ...asked, ...upload].map(actionOf).filter((call) => call !== 'sts:GetCallerIdentity');
}

/** Sources that call AWS with the user's credentials: the lab has an emulator, the driver has the role of its client, and stacks have roles. */
const isUsers = (path: string): boolean =>
  !/^(?:lab|run\/driver|deploy|constructs)\/|^doctor\/aws\/policies/.test(path);
const calls = (readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' }) as string[])
  .filter((path) => path.endsWith('.ts') && isUsers(path))
  .flatMap((path) => callsOf(path, readFileSync(join(ROOT, 'lib', path), 'utf8')));

const template = (name: string, resources: StackTemplate['resources']): StackTemplate => ({ name, resources });
const results = template('BenchResults', resourcesOf(stacksWith().results));

/** The stack of every benchmark with every option, of all storages, and of a file system that is only watched. */
const STACKS: readonly (readonly [name: string, stack: StackTemplate])[] = [
  ...EVERY_OPTION.map(([option, settings, definition]) => {
    const { bench } = stacksWith(settings, undefined, undefined, definition);
    return [`${definition.name}: ${option}`, template(definition.name, resourcesOf(bench))] as const;
  }),
  ['LustreDashboard', template('LustreDashboard', resourcesOf(lustreDashboard({ alarmEmail: 'ops@example.com' })))],
];
const everyStorage = (() => {
  const arms = DEPLOYABLE_KINDS.map((kind) => ({ name: kind, storage: SMALLEST[kind] as StorageConfiguration }));
  const definition = { ...storageBench, arms: () => arms };
  const { bench } = stacksWith({ instanceType: 'c5d.2xlarge' }, undefined, undefined, definition);
  return template(storageBench.name, resourcesOf(bench));
})();
const [, published] = STACKS[0] as (typeof STACKS)[number];

const operator = operatorPolicy(published, results);
const execution = executionPolicy([published, results]);
const actionsIn = ({ Statement }: PolicyDocument): string[] => Statement.flatMap(({ Action }) => Action);

test('the operator’s policy allows every call of lib/ with the user’s credentials, and no other', () => {
  expect(new Set(calls).size).toBeGreaterThan(45);
  expect(actionsIn(operator).toSorted()).toEqual([...new Set([...calls, 'sts:AssumeRole'])].sort());
});

test('a call that the policy lacks is noticed by its name', () => {
  const source =
    "const { FSxClient, CreateBackupCommand } = await import('@aws-sdk/client-fsx'); new CreateBackupCommand({})";
  expect(callsOf('x.ts', source)).toEqual(['fsx:CreateBackup']);
  expect(actionsIn(operator)).not.toContain('fsx:CreateBackup');
});

test('the operator changes nothing but what belongs to the stack', () => {
  const open = operator.Statement.filter(({ Resource, Condition }) => Resource === '*' && Condition === undefined);
  expect(open.flatMap(({ Action }) => Action).filter((action) => !/:(?:Describe|Get|List)/.test(action))).toEqual([]);
});

test('a resource type without known actions is named', () => {
  const stack = template('S', { Queue: { Type: 'AWS::SQS::Queue' } });
  expect(() => executionPolicy([stack])).toThrow('no actions are known for resources of type AWS::SQS::Queue');
});

test.each([...STACKS, ['every storage', everyStorage] as const])(
  'the execution policy allows what the resource types call, and fits the quota of IAM: %s',
  (_, stack) => {
    const policy = executionPolicy([stack, results]);
    const allowed = actionsIn(policy);
    const types = new Set(
      [stack, results].flatMap(({ resources }) => Object.values(resources).map(({ Type }) => Type)),
    );
    expect([...types].flatMap(actionsOf).filter((action) => !allowed.includes(action))).toEqual([]);
    expect(JSON.stringify(policy).length).toBeLessThanOrEqual(MOST_POLICY_CHARACTERS);
    expect(JSON.stringify(operatorPolicy(stack, results)).length).toBeLessThanOrEqual(MOST_POLICY_CHARACTERS);
  },
);

describe('the simulation of IAM', () => {
  const of = (service: string, resource: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
  const role = (name: string): string => `arn:aws:iam::${ACCOUNT}:role/${name}`;
  const tag = (stack: string) => ({ 'aws:ResourceTag/aws:cloudformation:stack-name': stack });
  const passedTo = (service: string) => ({ 'iam:PassedToService': `${service}.amazonaws.com` });
  const may = (policy: PolicyDocument, call: Call) =>
    isAllowed({ name: '', statements: policy.Statement as never }, call);

  test.each<[boolean, string, string, Call['context']?]>([
    [true, 'iam:CreateRole', role('CompressionBench-FleetRole427BC000-AbC')],
    [false, 'iam:CreateRole', role('Admin')],
    [false, 'iam:PutRolePolicy', role('cdk-hnb659fds-cfn-exec-role-1-us-east-1')],
    [true, 'iam:PassRole', role('CompressionBench-FleetRole427BC000-AbC'), passedTo('ec2')],
    [false, 'iam:PassRole', role('CompressionBench-FleetRole427BC000-AbC'), passedTo('lambda')],
    [false, 'iam:PassRole', role('Admin'), passedTo('ec2')],
    [true, 'iam:CreateServiceLinkedRole', role('aws-service-role/fsx.amazonaws.com/AWSServiceRoleForAmazonFSx')],
    [true, 'fsx:CreateFileSystem', of('fsx', 'file-system/*')],
    [true, 'fsx:DeleteFileSystem', of('fsx', 'file-system/fs-1'), tag('CompressionBench')],
    [false, 'fsx:DeleteFileSystem', of('fsx', 'file-system/fs-1'), tag('Production')],
    [false, 'fsx:DeleteFileSystem', of('fsx', 'file-system/fs-1')],
    [true, 'ec2:TerminateInstances', of('ec2', 'instance/i-1'), tag('CompressionBench')],
    [false, 'ec2:TerminateInstances', of('ec2', 'instance/i-1'), tag('Production')],
    [true, 's3:CreateBucket', 'arn:aws:s3:::benchresults-bucket83908e77-abc'],
    [false, 's3:DeleteBucket', 'arn:aws:s3:::payroll'],
    [false, 's3:GetObject', 'arn:aws:s3:::benchresults-bucket83908e77-abc/runs/x'],
    [false, 's3:DeleteObject', 'arn:aws:s3:::benchresults-bucket83908e77-abc/runs/x'],
    [true, 'sns:CreateTopic', of('sns', 'CompressionBench-AlarmsTopic3A2DFEBA-AbC')],
    [false, 'sns:Publish', of('sns', 'pager')],
    [true, 'ssm:PutParameter', of('ssm', 'parameter/CFN-ExpiryDeadline522D4A88-AbC')],
    [true, 'ssm:GetParameters', 'arn:aws:ssm:us-east-1::parameter/aws/service/ami-amazon-linux-latest/x'],
    [false, 'ssm:PutParameter', of('ssm', 'parameter/production/password')],
    [false, 'ssm:SendCommand', of('ec2', 'instance/i-1')],
    [true, 'states:CreateStateMachine', of('states', 'stateMachine:ExpiryMachine78456EE8-AbC')],
    [false, 'states:DeleteStateMachine', of('states', 'stateMachine:Billing')],
    [false, 'lambda:CreateFunction', of('lambda', 'function:CompressionBench-X')],
    [false, 'organizations:LeaveOrganization', '*'],
  ])('CloudFormation: %s for %s on %s %j', (expected, action, resource, ...[context]) =>
    expect(may(execution, { action, resource, context })).toBe(expected),
  );

  test.each<[boolean, string, string, Call['context']?]>([
    [true, 'sts:AssumeRole', role('cdk-hnb659fds-deploy-role-123456789012-us-east-1')],
    [false, 'sts:AssumeRole', role('cdk-hnb659fds-cfn-exec-role-123456789012-us-east-1')],
    [false, 'sts:AssumeRole', role('Admin')],
    [true, 's3:PutObject', 'arn:aws:s3:::benchresults-b/started/CompressionBench/x.json'],
    [true, 's3:GetObject', 'arn:aws:s3:::benchresults-b/runs/CompressionBench/x/plan.json'],
    [false, 's3:PutObject', 'arn:aws:s3:::benchresults-b/build-cache/CompressionBench/x'],
    [false, 's3:PutObject', 'arn:aws:s3:::benchresults-b/runs/MetadataBench/x/plan.json'],
    [false, 's3:DeleteObject', 'arn:aws:s3:::benchresults-b/runs/CompressionBench/x/plan.json'],
    [true, 'ssm:SendCommand', of('ssm', 'document/CompressionBench-RunDocument422812F1-x')],
    [false, 'ssm:SendCommand', 'arn:aws:ssm:us-east-1::document/AWS-RunShellScript'],
    [true, 'ssm:PutParameter', of('ssm', 'parameter/CFN-ExpiryDeadline522D4A88-AbC')],
    [false, 'ssm:GetParameter', of('ssm', 'parameter/production/password')],
    [true, 'fsx:UpdateFileSystem', of('fsx', 'file-system/fs-1'), tag('CompressionBench')],
    [false, 'fsx:UpdateFileSystem', of('fsx', 'file-system/fs-1'), tag('Production')],
    [false, 'ec2:RunInstances', '*'],
  ])('the operator: %s for %s on %s %j', (expected, action, resource, ...[context]) =>
    expect(may(operator, { action, resource, context })).toBe(expected),
  );
});

describe('with your own key and topic', () => {
  const [options, settings, definition] = EVERY_OPTION.find(([, { kmsKeyArn }]) => kmsKeyArn !== undefined) ?? [];
  const { bench, results: encrypted } = stacksWith(settings, undefined, undefined, definition);
  const stack = template('CompressionBench', resourcesOf(bench));
  const bucket = template('BenchResults', resourcesOf(encrypted));
  const [key, topic] = [String(settings?.kmsKeyArn), String(settings?.alarmEmail)];
  const another = (arn: string): string => `${arn}1`;
  const via = (service: string) => ({ 'kms:ViaService': `${service}.${REGION}.amazonaws.com` });
  const policies = {
    operator: operatorPolicy(stack, bucket),
    'operator with nothing of your own': operator,
    'operator with another key for results': operatorPolicy(
      stack,
      template('BenchResults', JSON.parse(JSON.stringify(resourcesOf(encrypted)).replaceAll(key, another(key)))),
    ),
    execution: executionPolicy([stack, bucket]),
  };

  test.each<[boolean, keyof typeof policies, string, string, Call['context']?]>([
    [true, 'operator', 'kms:Decrypt', key, via('s3')],
    [true, 'operator', 'kms:GenerateDataKey', key, via('s3')],
    [false, 'operator', 'kms:Decrypt', key],
    [false, 'operator', 'kms:Decrypt', key, via('fsx')],
    [false, 'operator', 'kms:Decrypt', another(key), via('s3')],
    [false, 'operator with nothing of your own', 'kms:Decrypt', key, via('s3')],
    [true, 'operator with another key for results', 'kms:Decrypt', another(key), via('s3')],
    [true, 'execution', 'kms:CreateGrant', key, via('fsx')],
    [true, 'execution', 'kms:DescribeKey', key, via('fsx')],
    [false, 'execution', 'kms:CreateGrant', key],
    [false, 'execution', 'kms:CreateGrant', another(key), via('fsx')],
    [false, 'execution', 'kms:ScheduleKeyDeletion', key, via('fsx')],
    [false, 'execution', 'sns:DeleteTopic', topic],
  ])('%s: %s, %s on %s %j', (expected, name, action, resource, ...[context]) =>
    expect(isAllowed({ name, statements: policies[name].Statement as never }, { action, resource, context })).toBe(
      expected,
    ),
  );

  test('both policies fit the quota of IAM', () => {
    expect(options).toBeDefined();
    for (const policy of Object.values(policies))
      expect(JSON.stringify(policy).length).toBeLessThanOrEqual(MOST_POLICY_CHARACTERS);
  });
});

/** Actions of a service as the Service Authorization Reference has them, from cfn-lint. */
type Authorization = Readonly<
  Record<
    string,
    {
      readonly Actions: Readonly<Record<string, { readonly Resources?: readonly string[] }>>;
      readonly Resources: Readonly<
        Record<string, { readonly ARNFormats: readonly string[]; readonly ConditionKeys?: readonly string[] }>
      >;
    }
  >
>;

test('IAM knows each action, and each is allowed only on resources and tags that it takes', () => {
  const site = join(ROOT, '.lab/venv/lib');
  const [python = ''] = readdirSync(site);
  const file = join(site, python, 'site-packages/cfnlint/data/AdditionalSpecs/Policies.json');
  const reference = JSON.parse(readFileSync(file, 'utf8')) as Authorization;
  const wrong = [
    operator,
    ...[...STACKS.map(([, stack]) => stack), everyStorage].map((stack) => executionPolicy([stack, results])),
  ]
    .flatMap(({ Statement }) => Statement)
    .flatMap(({ Action, Resource, Condition }) => {
      const tagged = JSON.stringify(Condition ?? {}).includes('aws:ResourceTag');
      return Action.flatMap((action) => {
        const [service = '', name = ''] = action.split(':');
        const pattern = new RegExp(`^${name.toLowerCase().replaceAll('*', '.*')}$`);
        const found = Object.entries(reference[service]?.Actions ?? {}).filter(([one]) => pattern.test(one));
        if (found.length === 0) return [`${action} is unknown`];
        const types = found.flatMap(([, { Resources = [] }]) => Resources);
        const known = types.map(
          (type) => reference[service]?.Resources[type.toLowerCase()] ?? reference[service]?.Resources[type],
        );
        if (tagged && !known.some((type) => type?.ConditionKeys?.some((key) => key.startsWith('aws:ResourceTag'))))
          return [`${action} takes no tags`];
        // The service in the format of a resource.
        const services = known.flatMap((type) => type?.ARNFormats.map((format) => format.split(':')[2]) ?? []);
        const named = Resource === '*' ? [] : [Resource].flat();
        return named.length === 0 || named.some((arn) => services.includes(arn.split(':')[2]))
          ? []
          : [`${action} takes no ${named.join(', ')}`];
      });
    });
  expect([...new Set(wrong)]).toEqual([]);
});
