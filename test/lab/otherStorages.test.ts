import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand, ListDashboardsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeInstancesCommand, DescribeVolumesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { DescribeFileSystemsCommand as DescribeFileSystems, EFSClient } from '@aws-sdk/client-efs';
import { DescribeFileSystemsCommand, FSxClient } from '@aws-sdk/client-fsx';
import { ListBucketsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { environmentsAccount } from '../../lib/doctor/aws/account';
import { LAB_ACCOUNT, LAB_REGION } from '../../lib/lab/emulator';
import { PUBLISHED } from '../../lib/price/prices';
import { describeArms } from '../../lib/run/manifest';
import { DEPLOYMENT_OUTPUT, type Deployment, type StorageConfiguration } from '../../lib/schema/deployment';
import { storageNamed, storageOf } from '../../lib/storage/lookup';
import { ebsStacks } from '../storage/ebs/bench';
import { efsStacks, PROVISIONED } from '../storage/efs/bench';
import { moosefsStacks } from '../storage/moosefs/bench';
import { labForTests, PROJECT } from './support';

const run = promisify(execFile);
// One account for all: each benchmark is gone before the next is deployed.
const lab = labForTests();
beforeAll(() => cdk('bootstrap', `aws://${LAB_ACCOUNT}/${LAB_REGION}`));

/** The real CDK command line; throws with its output when it fails. */
async function cdk(...args: readonly string[]): Promise<void> {
  const cwd = join(lab().root, 'empty');
  mkdirSync(cwd, { recursive: true });
  const options = { cwd, env: { ...process.env, CI: 'true' }, maxBuffer: 1 << 24 };
  await run(join(PROJECT, 'node_modules/.bin/cdk'), [...args, '--no-notices', '--no-version-check'], options);
}

/** Deploys a benchmark by the CDK command line. @returns what its deployment says of its arms, and what destroys it */
async function deployed(name: string, stacks: typeof ebsStacks) {
  const out = join(lab().root, `${name}.out`);
  stacks(out).app.synth();
  await cdk('deploy', '--all', '--require-approval', 'never', '--app', out);
  const { Stacks = [] } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: name }));
  const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === DEPLOYMENT_OUTPUT);
  const { Parameter } = await new SSMClient({}).send(new GetParameterCommand({ Name: output?.OutputValue }));
  const { arms } = JSON.parse(Parameter?.Value ?? '{}') as Deployment;
  return { arms, destroy: () => cdk('destroy', name, '--force', '--app', out) };
}

const volumes = async () => (await new EC2Client({}).send(new DescribeVolumesCommand({}))).Volumes ?? [];

const dashboards = async () => (await new CloudWatchClient({}).send(new ListDashboardsCommand({}))).DashboardEntries;

/** Instances that run. */
async function running(): Promise<string[]> {
  const { Reservations = [] } = await new EC2Client({}).send(
    new DescribeInstancesCommand({ Filters: [{ Name: 'instance-state-name', Values: ['pending', 'running'] }] }),
  );
  return Reservations.flatMap(({ Instances = [] }) => Instances).flatMap(({ InstanceId }) => InstanceId ?? []);
}

/** Arms that the storage itself finds, as `leftovers` asks it. */
const armsBuckets = async () =>
  storageNamed('mountpoint-s3').account.search?.find(await environmentsAccount(), {
    region: LAB_REGION,
    book: PUBLISHED,
    stacks: ['EbsBench'],
  });

/** All but those of CDK and of results, and that of wait conditions, which on AWS is CloudFormation's own. */
const buckets = async (): Promise<string[]> =>
  ((await new S3Client({ forcePathStyle: true }).send(new ListBucketsCommand({}))).Buckets ?? []).flatMap(
    ({ Name = '' }) => (/^(cdk|benchresults|cloudformation-waitcondition)-/.test(Name) ? [] : Name),
  );

test('a benchmark with arms of EBS and a bucket is deployed by the CDK command line, and leaves no volume and no bucket when it is destroyed', async () => {
  const { arms, destroy } = await deployed('EbsBench', ebsStacks);
  expect(arms.map(({ fileSystemId }) => fileSystemId.split('+').length)).toEqual([1, 2, 1, 1, 1]);
  // The service is asked, and its answer read as the configuration that was asked for.
  const described = await describeArms(arms);
  for (const { fileSystemId, configuration } of arms)
    expect(
      storageOf(configuration).account.fromDescription(described.get(fileSystemId) ?? null, configuration),
    ).toEqual(configuration);
  const gone = arms.map((arm) => ({ ...arm, fileSystemId: `${arm.fileSystemId}+vol-0123456789abcdef0` })).slice(1, 2);
  expect([...(await describeArms(gone)).values()]).toEqual([null]);

  const bucket = arms.find(({ name }) => name === 's3')?.fileSystemId ?? '';
  expect(await buckets()).toEqual([bucket]);
  expect(await armsBuckets()).toEqual([expect.objectContaining({ id: bucket, stack: 'EbsBench' })]);
  const object = new PutObjectCommand({ Bucket: bucket, Key: 'a/file', Body: 'of a run that was cut off' });
  await new S3Client({ forcePathStyle: true }).send(object);

  await destroy();
  expect(await volumes()).toEqual([]);
  expect(await buckets()).toEqual([]);
  expect(await armsBuckets()).toEqual([]);
  expect(await dashboards()).toEqual([]);
});

test('a benchmark with arms of EFS is deployed by the CDK command line, and leaves nothing when it is destroyed', async () => {
  const { arms, destroy } = await deployed('EfsBench', efsStacks);
  const { FileSystems = [] } = await new EFSClient({}).send(new DescribeFileSystems({}));
  expect(FileSystems.map(({ ThroughputMode }) => ThroughputMode).sort()).toEqual([
    'bursting',
    'elastic',
    'provisioned',
  ]);
  const provisioned = FileSystems.find(({ ThroughputMode }) => ThroughputMode === 'provisioned');
  expect(provisioned).toMatchObject({
    LifeCycleState: 'available',
    Encrypted: true,
    NumberOfMountTargets: 1,
    ProvisionedThroughputInMibps: PROVISIONED.provisionedThroughputMiBps,
  });
  expect((await new FSxClient({}).send(new DescribeFileSystemsCommand({}))).FileSystems).toHaveLength(2);
  expect(arms).toContainEqual(
    expect.objectContaining({
      name: 'provisioned',
      fileSystemId: provisioned?.FileSystemId,
      configuration: PROVISIONED,
    }),
  );
  // Each storage asks its own service, and reads the answer as the configuration that was asked for; how files are laid out, clients choose.
  const described = await describeArms(arms);
  for (const { fileSystemId, configuration } of arms) {
    const { stripeCount: _, ...asked } = configuration as StorageConfiguration & { stripeCount?: number };
    expect(storageOf(configuration).account.fromDescription(described.get(fileSystemId) ?? null)).toMatchObject(asked);
  }
  const gone = arms.map((arm) => ({ ...arm, fileSystemId: 'fs-0123456789abcdef0' })).slice(1, 2);
  expect([...(await describeArms(gone)).values()]).toEqual([null]);
  const alarms = (await new CloudWatchClient({}).send(new DescribeAlarmsCommand({}))).MetricAlarms ?? [];
  expect(alarms.map(({ AlarmName }) => AlarmName)).toContainEqual(
    'Permitted throughput of provisioned above 95 % (EfsBench)',
  );

  await destroy();
  expect((await new EFSClient({}).send(new DescribeFileSystems({}))).FileSystems).toEqual([]);
  expect(await dashboards()).toEqual([]);
});

test('a benchmark with an arm of MooseFS is deployed by the CDK command line, and leaves no server when it is destroyed', async () => {
  const { arms, destroy } = await deployed('MooseBench', moosefsStacks);
  const moose = arms.find(({ name }) => name === 'moose');
  expect(moose).toMatchObject({
    fileSystemId: expect.stringMatching(/^i-/),
    description: expect.stringContaining('MooseFS 4.57.5, 2 × c5.2xlarge'),
  });
  const instances = await running();
  // Four clients, the builder, a master and two chunkservers.
  expect(instances).toHaveLength(8);
  expect(instances).toContain(moose?.fileSystemId);

  await destroy();
  expect(await running()).toEqual([]);
});
