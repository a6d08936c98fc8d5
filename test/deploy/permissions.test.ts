import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { buildSync } from 'esbuild';
import { clusterBench } from '../../lib/benchmark/cluster';
import { compressionBench } from '../../lib/benchmark/compression';
import { storageBench } from '../../lib/benchmark/storage';
import { DEPLOYABLE_KINDS } from '../../lib/constructs/storage/registry';
import type { StorageConfiguration } from '../../lib/schema/deployment';
import { lustreWatch } from '../../lib/storage/lustre/watch';
import { SMALLEST } from '../storage/cases';
import { ofType, type Resource, resourcesOf, stacksWith, theOnly } from '../support/cdk';
import { DEPLOYED } from '../support/deployed';
import { FILE_SYSTEM, lustreDashboard } from '../support/lustreDashboard';
import { ACCOUNT, type Call, isAllowed, type Principal, principalsOf, REGION, RESULTS } from '../support/policies';
import { type GrantRow, grantRows } from '../support/roles';

/*
 * A simulation of the policies that the stacks have: what a run calls is allowed, and a list of what it never needs is refused.
 */
const ROOT = join(__dirname, '..', '..');
const { bench } = stacksWith();
const resources = resourcesOf(bench);
const named = (name: string, of: Readonly<Record<string, Resource>> = resources): Principal => {
  const found = principalsOf(of).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name} among ${principalsOf(of).map((one) => one.name)}`);
  return found;
};
const client = named('Clients of the benchmark');
const builder = named('Builder of what the clients run');

const s3 = (key: string): string => `arn:aws:s3:::${RESULTS}/${key}`;
const of = (service: string, resource: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
const RUN = s3('runs/CompressionBench/20261122T090000Z-abcd/samples.jsonl');
const logGroup = Object.keys(resources).find((id) => resources[id]?.Type === 'AWS::Logs::LogGroup' && /^Logs/.test(id));
const key = Object.keys(resources).find((id) => resources[id]?.Type === 'AWS::EC2::KeyPair');

/** Actions of IAM that calls in the driver's sources need. */
const DRIVER: Readonly<Record<string, readonly Call[]>> = {
  GetObjectCommand: [{ action: 's3:GetObject', resource: RUN }],
  // Parts of large files; what is left of a failed one is removed (S3 user guide, mpuoverview: permissions).
  Upload: [
    { action: 's3:PutObject', resource: RUN },
    { action: 's3:AbortMultipartUpload', resource: RUN },
  ],
  ListObjectsV2Command: [{ action: 's3:ListBucket', resource: `arn:aws:s3:::${RESULTS}` }],
  PutMetricDataCommand: [
    { action: 'cloudwatch:PutMetricData', resource: '*', context: { 'cloudwatch:namespace': 'fsxbench' } },
  ],
};

/** Calls of the command line, with the permissions of whoever runs it: they stand in plug-ins, which the driver carries as well. */
const OPERATOR: Readonly<Record<string, Call>> = {
  DescribeAutoScalingGroupsCommand: { action: 'autoscaling:DescribeAutoScalingGroups', resource: '*' },
  DescribeFileSystemsCommand: { action: 'fsx:DescribeFileSystems', resource: '*' },
  DescribeInstancesCommand: { action: 'ec2:DescribeInstances', resource: '*' },
  DescribeVolumesCommand: { action: 'ec2:DescribeVolumes', resource: '*' },
};

/** Actions that the scripts, the agents and the shell of a client need. */
const CLIENT: readonly Call[] = [
  { action: 's3:GetObject', resource: s3('build-cache/CompressionBench/ior.tar.gz') },
  { action: 'ssm:GetParameter', resource: of('ssm', `parameter/ec2/keypair/${key}`) },
  { action: 'ssm:UpdateInstanceInformation', resource: of('ec2', 'instance/i-0a1b2c3d') },
  { action: 'ssmmessages:OpenDataChannel', resource: '*' },
  { action: 'logs:CreateLogStream', resource: of('logs', `log-group:${logGroup}:log-stream:boot`) },
  { action: 'logs:PutLogEvents', resource: of('logs', `log-group:${logGroup}:log-stream:boot`) },
  { action: 'cloudformation:SignalResource', resource: of('cloudformation', 'stack/Stack/1') },
];

/** Actions that would be a loss, a leak or a bill. */
const REFUSED: readonly Call[] = [
  ...Object.values(OPERATOR),
  { action: 's3:DeleteObject', resource: RUN },
  { action: 's3:DeleteObjectVersion', resource: RUN },
  { action: 's3:PutLifecycleConfiguration', resource: `arn:aws:s3:::${RESULTS}` },
  { action: 's3:PutObject', resource: s3('started/CompressionBench/20261122T090000Z-abcd.json') },
  { action: 's3:PutObject', resource: s3('runs/AnotherBench/20261122T090000Z-abcd/samples.jsonl') },
  { action: 's3:GetObject', resource: s3('runs/AnotherBench/20261122T090000Z-abcd/samples.jsonl') },
  // Clients run as root what is there.
  { action: 's3:PutObject', resource: s3('build-cache/CompressionBench/ior.tar.gz') },
  { action: 's3:GetObject', resource: 'arn:aws:s3:::payroll/2026.csv' },
  { action: 's3:PutBucketPolicy', resource: `arn:aws:s3:::${RESULTS}` },
  { action: 's3:PutBucketVersioning', resource: `arn:aws:s3:::${RESULTS}` },
  { action: 's3:ListAllMyBuckets', resource: '*' },
  { action: 'ssm:GetParameter', resource: of('ssm', 'parameter/production/database-password') },
  { action: 'ssm:GetParameter', resource: of('ssm', 'parameter/ec2/keypair/key-of-another-stack') },
  { action: 'ssm:SendCommand', resource: of('ec2', 'instance/i-0a1b2c3d') },
  { action: 'ssm:PutParameter', resource: of('ssm', 'parameter/ec2/keypair/x') },
  { action: 'secretsmanager:GetSecretValue', resource: of('secretsmanager', 'secret:x') },
  { action: 'iam:PassRole', resource: `arn:aws:iam::${ACCOUNT}:role/Admin` },
  { action: 'iam:CreateUser', resource: `arn:aws:iam::${ACCOUNT}:user/x` },
  { action: 'sts:AssumeRole', resource: `arn:aws:iam::${ACCOUNT}:role/Admin` },
  { action: 'ec2:RunInstances', resource: '*' },
  { action: 'ec2:TerminateInstances', resource: of('ec2', 'instance/i-0a1b2c3d') },
  { action: 'ec2:AuthorizeSecurityGroupIngress', resource: of('ec2', 'security-group/sg-0a1b2c3d') },
  { action: 'fsx:CreateFileSystem', resource: '*' },
  { action: 'fsx:DeleteFileSystem', resource: of('fsx', 'file-system/fs-0a1b2c3d') },
  { action: 'logs:DeleteLogGroup', resource: of('logs', `log-group:${logGroup}`) },
  { action: 'logs:PutLogEvents', resource: of('logs', 'log-group:other:log-stream:x') },
  { action: 'cloudwatch:PutMetricData', resource: '*', context: { 'cloudwatch:namespace': 'AWS/Billing' } },
  { action: 'cloudwatch:DeleteAlarms', resource: '*' },
  { action: 'cloudformation:DeleteStack', resource: of('cloudformation', 'stack/Stack/1') },
  { action: 'kms:Decrypt', resource: of('kms', 'key/x') },
  { action: 'sns:Publish', resource: of('sns', 'alarms') },
];

const inWords = ({ action, resource, context }: Call): string =>
  [action, resource, ...Object.values(context ?? {})].join(' ');

test('the tables have every call of the driver and of what it carries, and no other', () => {
  const { metafile } = buildSync({
    entryPoints: [join(ROOT, 'bin', 'driver.ts')],
    bundle: true,
    metafile: true,
    write: false,
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
    absWorkingDir: ROOT,
  });
  const calls = Object.keys(metafile.inputs)
    // Those of the emulator run without IAM.
    .filter((file) => !file.startsWith('lib/lab/'))
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bnew (\w+Command|Upload)\(/g)])
    .map(([, name = '']) => name);
  expect([...new Set(calls)].sort()).toEqual(Object.keys({ ...DRIVER, ...OPERATOR }).sort());
});

test('the scripts of machines call no other service than those that are simulated', () => {
  const files = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? files(path) : [path];
    });
  const scripts = ['client', 'server', 'storage'].flatMap((folder) => files(join(ROOT, 'assets', folder)));
  const calls = scripts.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\d+ aws (s3 cp|\w+ [a-z-]+)/g)]);
  expect([...new Set(calls.map(([, call]) => call))].sort()).toEqual([
    'cloudformation signal-resource',
    'cloudwatch put-metric-data',
    'ec2 attach-volume',
    'logs create-log-stream',
    'logs put-log-events',
    's3 cp',
    'ssm get-parameter',
  ]);
});

test.each([...Object.values(DRIVER).flat(), ...CLIENT].map((call) => [inWords(call), call] as const))(
  'a client may: %s',
  (_, call) => expect(isAllowed(client, call, resources)).toBe(true),
);

test.each(REFUSED.map((call) => [inWords(call), call] as const))('a client may not: %s', (_, call) =>
  expect(isAllowed(client, call, resources)).toBe(false),
);

test('the builder may write builds of its benchmark, and reads no run', () => {
  const build = s3('build-cache/CompressionBench/ior.tar.gz');
  expect(isAllowed(builder, { action: 's3:PutObject', resource: build }, resources)).toBe(true);
  expect(isAllowed(builder, { action: 's3:GetObject', resource: build }, resources)).toBe(true);
  const refused = [
    ...REFUSED.filter(({ resource }) => resource !== build),
    { action: 's3:GetObject', resource: RUN },
    { action: 's3:PutObject', resource: RUN },
    { action: 's3:PutObject', resource: s3('build-cache/MetadataBench/ior.tar.gz') },
    { action: 'ssm:UpdateInstanceInformation', resource: '*' },
    { action: 'ssm:GetParameter', resource: of('ssm', `parameter/ec2/keypair/${key}`) },
  ];
  expect(refused.filter((call) => isAllowed(builder, call, resources)).map(inWords)).toEqual([]);
});

/** Roles that delete the stack when its time is over may do more than any machine, and only to its own stack. */
const EXPIRY = 'Deletes the stack when its time is over';
/** Actions of the stack's state machines that are refused to machines. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  [EXPIRY]: ['cloudformation:DeleteStack', 'ec2:DescribeInstances'],
  'Ends a deployment whose clients cannot be started': ['autoscaling:DescribeAutoScalingGroups'],
};

test('the expiry may delete its own stack, and runs nothing but its own document on its own leaders', () => {
  const expiry = named(EXPIRY);
  const may = (action: string, resource: string, context?: Call['context']): boolean =>
    isAllowed(expiry, { action, resource, context }, resources);
  expect(may('cloudformation:DeleteStack', of('cloudformation', 'stack/Stack/1'))).toBe(true);
  expect(may('cloudformation:DeleteStack', of('cloudformation', 'stack/Other/1'))).toBe(false);
  expect(may('cloudformation:UpdateStack', of('cloudformation', 'stack/Stack/1'))).toBe(false);
  expect(may('ssm:SendCommand', 'arn:aws:ssm:us-east-1::document/AWS-RunShellScript')).toBe(false);
  expect(may('ssm:SendCommand', of('ec2', 'instance/i-0a1b2c3d'), { 'ssm:resourceTag/Name': 'other' })).toBe(false);
  const own = { 'ssm:resourceTag/fsxbench:clients-of': 'CompressionBench' };
  expect(may('ssm:SendCommand', of('ec2', 'instance/i-0a1b2c3d'), own)).toBe(true);
  expect(may('s3:GetObject', RUN)).toBe(false);
});

test('clients make grants on a key of the account for volumes alone, and only where they attach some', () => {
  const may = (definition: typeof storageBench, name: string, action: string, service: string): boolean => {
    const all = resourcesOf(stacksWith({}, undefined, undefined, definition).bench);
    const context = { 'kms:ViaService': `${service}.${REGION}.amazonaws.com`, 'kms:GrantIsForAWSResource': 'true' };
    return isAllowed(named(name, all), { action, resource: of('kms', 'key/x'), context }, all);
  };
  expect(may(storageBench, 'Clients of the benchmark', 'kms:CreateGrant', 'ec2')).toBe(true);
  expect(may(storageBench, 'Clients of the benchmark', 'kms:CreateGrant', 's3')).toBe(false);
  expect(may(storageBench, 'Clients of the benchmark', 'kms:Decrypt', 'ec2')).toBe(false);
  expect(may(compressionBench, 'Clients of the benchmark', 'kms:CreateGrant', 'ec2')).toBe(false);
  expect(may(clusterBench, 'Nodes of the cluster', 'kms:Decrypt', 'ec2')).toBe(true);
  expect(may(clusterBench, 'Nodes of the cluster', 'kms:Decrypt', 's3')).toBe(false);
});

const granted: GrantRow[] = [];

describe.each(DEPLOYED.map((definition) => [definition.name, definition] as const))('%s', (name, definition) => {
  const all = resourcesOf(stacksWith({}, undefined, undefined, definition).bench);
  granted.push(...grantRows(all));
  // Runs and builds are each benchmark's own; StorageBench's clients attach their own volumes.
  const refused = REFUSED.filter(({ resource }) => !resource.includes('CompressionBench') || /Delete/.test(resource));

  test('grants no role what nobody needs', () => {
    const open = principalsOf(all).flatMap((principal) =>
      refused
        .filter(({ action }) => !EXCEPTIONS[principal.name]?.includes(action))
        .filter((call) => isAllowed(principal, call, all))
        .map((call) => `${principal.name}: ${inWords(call)}`),
    );
    expect(principalsOf(all).length).toBeGreaterThan(1);
    expect(open).toEqual([]);
  });

  test('has no action with a wildcard, and none on every resource but those that know no other', () => {
    const statements = principalsOf(all).flatMap((principal) => principal.statements);
    const actions = statements.flatMap(({ Action }) => Action);
    expect(actions.filter((action) => String(action).includes('*'))).toEqual([]);
    const everywhere = statements.filter(({ Resource }) => Resource === '*').flatMap(({ Action }) => Action as string);
    expect(
      everywhere.filter(
        (action) =>
          !/^(ssmmessages|ec2messages):|^ssm:(UpdateInstanceInformation|List(Instance)?Associations)$|^ssm:List(Commands|CommandInvocations)$|^ec2:DescribeInstances$|^autoscaling:DescribeAutoScalingGroups$|^cloudwatch:PutMetricData$/.test(
            action,
          ),
      ),
    ).toEqual([]);
  });

  test(`lets each role be assumed by a service of AWS alone, and none from ${name} by a person`, () => {
    const trusted = Object.values(all)
      .filter(({ Type }) => Type === 'AWS::IAM::Role')
      .flatMap(({ Properties }) => Properties.AssumeRolePolicyDocument.Statement)
      .map(({ Principal: { Service, ...others } }) => [Service, others]);
    expect(
      trusted.filter(([service, others]) => typeof service !== 'string' || Object.keys(others).length > 0),
    ).toEqual([]);
  });
});

describe('what the rules of an account ask for', () => {
  const boundary = 'arn:aws:iam::123456789012:policy/Boundary';
  const kmsKeyArn = 'arn:aws:kms:us-east-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666';
  const settings = { permissionsBoundary: boundary, kmsKeyArn, flowLogs: true, logLevel: 'WARN_ERROR' };
  const guarded = resourcesOf(stacksWith(settings).bench);
  granted.push(...grantRows(guarded));
  const every = (type: string): Resource[] => Object.values(guarded).filter(({ Type }) => Type === type);

  test('is on every role, log group and topic, those of storages too', () => {
    expect(every('AWS::IAM::Role').map(({ Properties }) => Properties.PermissionsBoundary)).toEqual(
      every('AWS::IAM::Role').map(() => boundary),
    );
    expect(every('AWS::IAM::Role').length).toBeGreaterThan(2);
    expect(every('AWS::Logs::LogGroup').length).toBeGreaterThan(2);
    for (const { Properties } of every('AWS::Logs::LogGroup')) expect(Properties.KmsKeyId).toBe(kmsKeyArn);
    for (const { Properties } of every('AWS::SNS::Topic')) expect(Properties.KmsMasterKeyId).toBe(kmsKeyArn);
  });

  test('is on every file system, and on buckets', () => {
    const persistent = { kmsKeyArn, deploymentType: 'PERSISTENT_2', perUnitStorageThroughput: 125 } as const;
    const arms = ['lustre', 'efs', 'openzfs', 's3'];
    const { bench, results } = stacksWith({ ...persistent, arms }, undefined, {}, storageBench);
    const keys = (type: string) =>
      Object.values(resourcesOf(bench)).flatMap(({ Type, Properties }) => (Type === type ? [Properties.KmsKeyId] : []));
    expect(keys('AWS::FSx::FileSystem')).toEqual([kmsKeyArn, kmsKeyArn]);
    expect(keys('AWS::EFS::FileSystem')).toEqual([kmsKeyArn]);
    const rule = {
      BucketKeyEnabled: true,
      ServerSideEncryptionByDefault: { KMSMasterKeyID: kmsKeyArn, SSEAlgorithm: 'aws:kms' },
    };
    for (const stack of [bench, results])
      expect(theOnly(resourcesOf(stack), 'AWS::S3::Bucket').Properties.BucketEncryption).toEqual({
        ServerSideEncryptionConfiguration: [rule],
      });
    granted.push(...grantRows(resourcesOf(bench)));
    granted.push(...grantRows(resourcesOf(stacksWith(persistent, undefined, {}, clusterBench).bench)));
  });

  test('is not on scratch file systems, which are refused', () => {
    expect(() => stacksWith({ kmsKeyArn, deploymentType: 'SCRATCH_2', storageCapacityGiB: 2400 })).toThrow(
      /^'kmsKeyArn' \("arn:.*"\) cannot be combined with SCRATCH_2: FSx encrypts it with a key of the service only\. Set 'deploymentType' to a persistent type, or leave the arm out with 'arms'\.$/,
    );
  });

  test('is your own topic: alarms, the expiry and a budget publish there, and the stack has none', () => {
    const alarmEmail = 'arn:aws:sns:us-east-1:123456789012:ops';
    const resources = resourcesOf(stacksWith({ alarmEmail, maxCostUsd: 100 }).bench);
    expect(JSON.stringify(resources)).not.toContain('"AWS::SNS::');
    for (const [, { Properties }] of ofType(resources, 'AWS::CloudWatch::Alarm'))
      if (Properties.AlarmActions !== undefined) expect(Properties.AlarmActions).toEqual([alarmEmail]);
    expect(JSON.stringify(resources)).toContain(`"Action":"sns:Publish","Effect":"Allow","Resource":"${alarmEmail}"`);
    expect(theOnly(resources, 'AWS::Budgets::Budget').Properties.NotificationsWithSubscribers).toMatchObject([
      { Notification: { Threshold: 80 }, Subscribers: [{ SubscriptionType: 'SNS', Address: alarmEmail }] },
      { Notification: { Threshold: 100 }, Subscribers: [{ SubscriptionType: 'SNS', Address: alarmEmail }] },
    ]);
  });

  test('is a budget on the tag of the stack, whose topic it may publish to', () => {
    const { bench } = stacksWith({ maxCostUsd: 100 });
    const resources = resourcesOf(bench);
    const { Budget } = theOnly(resources, 'AWS::Budgets::Budget').Properties;
    expect(Budget).toEqual({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 100, Unit: 'USD' },
      CostFilters: { TagKeyValue: ['user:fsxbench:stack$CompressionBench'] },
    });
    for (const [, { Properties }] of ofType(resources, 'AWS::FSx::FileSystem'))
      expect(Properties.Tags).toContainEqual({ Key: 'fsxbench:stack', Value: 'CompressionBench' });
    const { Statement } = theOnly(resources, 'AWS::SNS::TopicPolicy').Properties.PolicyDocument;
    expect(JSON.stringify(Statement)).toContain('"Service":"budgets.amazonaws.com"');
    Annotations.fromStack(bench).hasInfo(
      '*',
      Match.stringLikeRegexp(
        "'maxCostUsd' ends this stack by list prices.*activate the cost allocation tag fsxbench:stack",
      ),
    );
  });

  test('is on the topic of a file system that is only watched', () => {
    const { Properties } = theOnly(resourcesOf(lustreDashboard({ kmsKeyArn })), 'AWS::SNS::Topic');
    expect(Properties.KmsMasterKeyId).toBe(kmsKeyArn);
    const asked = lustreWatch.asked({ fileSystemId: FILE_SYSTEM, kmsKeyArn });
    expect(asked?.watched).toMatchObject({ fileSystemId: FILE_SYSTEM, kmsKeyArn });
  });

  test('records the flows of the whole VPC, as long as the logs of clients are kept', () => {
    expect(
      every('AWS::EC2::FlowLog').map(({ Properties }) => [Properties.ResourceType, Properties.TrafficType]),
    ).toEqual([['VPC', 'ALL']]);
    expect(new Set(every('AWS::Logs::LogGroup').map(({ Properties }) => Properties.RetentionInDays))).toEqual(
      new Set([30]),
    );
  });

  test('is absent unless it is asked for', () => {
    const text = JSON.stringify(resources);
    for (const word of ['PermissionsBoundary', 'KmsKeyId', 'KmsMasterKeyId', 'FlowLog'])
      expect(text).not.toContain(`"${word}"`);
  });

  test('is refused where the roles are made by somebody else', () => {
    expect(() => stacksWith({ permissionsBoundary: boundary }, undefined, undefined, clusterBench)).toThrow(
      `'permissionsBoundary' ("${boundary}") cannot be combined with fleet parallelcluster: its roles are created outside this stack`,
    );
  });
});

test('the page says of each role what it may do, on what and why, and of no role what it may not', () => {
  const build = { url: 's3://builds/zfs.tar.gz', sha256: 'a'.repeat(64) };
  const zfs = { kind: 'lustre-zfs', instanceType: 'i4i.32xlarge', compression: 'gzip-6', offload: 'own-build', build };
  // For every storage, since a benchmark can only have named ones as arms.
  const storages = [...DEPLOYABLE_KINDS.map((kind) => SMALLEST[kind] as StorageConfiguration), zfs];
  const arms = storages.map((storage, index) => ({ name: `arm${index}`, storage }));
  const definition = { ...storageBench, arms: () => arms };
  // The type has local disks.
  const settings = { inputs: ['s3://my-data/reads/'], instanceType: 'c5d.2xlarge' };
  granted.push(...grantRows(resourcesOf(stacksWith(settings, undefined, undefined, definition).bench)));

  const page = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');
  const items = /## Roles\n[\s\S]*?\n\n(- [\s\S]*?)\n\n/.exec(page)?.[1]?.replaceAll('\n ', '').split('\n') ?? [];
  const shown = items.map((item) => /^- ([\w ,]+): (.+?) on ([^(]+) \(.+\)$/.exec(item)?.slice(1) ?? []);
  const perAction = (roles: string, may: string, on: string): string[] =>
    roles.split(', ').flatMap((role) => may.split(', ').map((action) => `${role} | ${action} | ${on}`));
  expect(shown.flatMap(([roles = '', may = '', on = '']) => perAction(roles, may, on)).sort()).toEqual([
    ...new Set(granted.flatMap(({ role, may, on }) => perAction(role, may, on)).sort()),
  ]);
});

describe('the simulation', () => {
  const all: Principal = { name: 'all', statements: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] };
  const call = { action: 's3:GetObject', resource: 'arn:aws:s3:::a/b' };

  test('hears a denial', () => {
    const denied = {
      ...all,
      statements: [...all.statements, { Effect: 'Deny', Action: 's3:Get*', Resource: '*' } as const],
    };
    expect([isAllowed(all, call), isAllowed(denied, call)]).toEqual([true, false]);
  });

  test('notices a wider permission', () => {
    const wider = {
      ...client,
      statements: [...client.statements, { Effect: 'Allow', Action: 'S3:Put*', Resource: '*' } as const],
    };
    expect(REFUSED.filter((one) => isAllowed(wider, one, resources)).map(({ action }) => action)).toContain(
      's3:PutBucketPolicy',
    );
  });

  test.each([[{ Condition: { NumericLessThan: { x: '1' } } }], [{ NotResource: 'x' }]])(
    'does not pass over what it does not know: %j',
    (part) => {
      const unknown = { name: 'x', statements: [{ Effect: 'Allow', Action: '*', Resource: '*', ...part } as never] };
      expect(() => isAllowed(unknown, call)).toThrow('the simulation does not know');
    },
  );
});
