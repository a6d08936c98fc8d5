import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand, ListDashboardsCommand } from '@aws-sdk/client-cloudwatch';
import {
  DescribeAddressesCommand,
  DescribeInstancesCommand,
  DescribeKeyPairsCommand,
  DescribeLaunchTemplatesCommand,
  DescribeNatGatewaysCommand,
  DescribeNetworkInterfacesCommand,
  DescribePlacementGroupsCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  DescribeVpcEndpointsCommand,
  DescribeVpcsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { DescribeDataRepositoryAssociationsCommand, DescribeFileSystemsCommand, FSxClient } from '@aws-sdk/client-fsx';
import { GetObjectCommand, ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { GetParameterCommand, ListDocumentsCommand, SSMClient } from '@aws-sdk/client-ssm';
import { emulatorEnvironment, LAB_ACCOUNT, LAB_REGION, secretOf, startEmulator } from '../../lib/lab/emulator';
import { labPaths } from '../../lib/lab/paths';
import { endProcesses, processesOfLab } from '../../lib/lab/processes';
import { ensureVenv } from '../../lib/lab/venv';
import { labProject, PROJECT } from './support';

const run = promisify(execFile);

let root: string;
let remove: () => void;
let environment: NodeJS.ProcessEnv;
let sdk: { region: string; endpoint: string; credentials: { accessKeyId: string; secretAccessKey: string } };

beforeAll(async () => {
  ({ root, remove } = await labProject());
  const paths = labPaths(root);
  const { endpoint } = await startEmulator({ paths, python: await ensureVenv(PROJECT), record: async () => {} });
  environment = emulatorEnvironment(paths, endpoint);
  sdk = { region: LAB_REGION, endpoint, credentials: { accessKeyId: secretOf(paths), secretAccessKey: 'lab' } };
  mkdirSync(join(root, 'empty'));
  // From an empty folder: elsewhere it synthesises the application first.
  await cdk(['bootstrap', `aws://${LAB_ACCOUNT}/${LAB_REGION}`], {}, join(root, 'empty'));
});

afterAll(async () => {
  await endProcesses(() => processesOfLab(labPaths(root).lab));
  remove();
});

test("the emulator's key is in no file that other users can read", () => {
  const { lab } = labPaths(root);
  const { stdout } = spawnSync('grep', ['-rlF', sdk.credentials.accessKeyId, lab], { encoding: 'utf8' });
  const files = stdout.split('\n').filter(Boolean);
  expect(files.length).toBeGreaterThan(1);
  const isClosed = (path: string, bit: number): boolean =>
    path !== lab && ((statSync(path).mode & bit) === 0 || isClosed(dirname(path), 0o1));
  expect(files.filter((file) => !isClosed(file, 0o4))).toEqual([]);
});

/** Runs the real CDK command line; throws with its output when it fails. */
async function cdk(args: string[], variables: Record<string, string> = {}, cwd = root): Promise<string> {
  const cli = join(PROJECT, 'node_modules', '.bin', 'cdk');
  const env = { ...process.env, ...environment, CDK_VALIDATION: 'false', CI: 'true', ...variables };
  const quiet = ['--no-notices', '--no-version-check'];
  const { stdout, stderr } = await run(cli, [...args, ...quiet], { cwd, env, maxBuffer: 1 << 24 });
  return stdout + stderr;
}

const APP = ['--app', `${process.execPath} ${join(__dirname, 'app', 'app.cjs')}`];
const deploy = (variables?: Record<string, string>) =>
  cdk(['deploy', '--all', '--require-approval', 'never', ...APP], variables);

/** Everything of the application's that exists, by name of its family, found through the services' own APIs. */
async function existing() {
  const [ec2, fsx, ssm] = [new EC2Client(sdk), new FSxClient(sdk), new SSMClient(sdk)];
  const [cloudwatch, scaling] = [new CloudWatchClient(sdk), new AutoScalingClient(sdk)];
  const ownVpcs = ((await ec2.send(new DescribeVpcsCommand({}))).Vpcs ?? []).filter((vpc) => !vpc.IsDefault);
  const own = new Set(ownVpcs.map((vpc) => vpc.VpcId));
  const reservations = (await ec2.send(new DescribeInstancesCommand({}))).Reservations ?? [];
  const instances = reservations.flatMap((reservation) => reservation.Instances ?? []);
  const found = {
    vpcs: ownVpcs,
    subnets: ((await ec2.send(new DescribeSubnetsCommand({}))).Subnets ?? []).filter(({ VpcId }) => own.has(VpcId)),
    groups: ((await ec2.send(new DescribeSecurityGroupsCommand({}))).SecurityGroups ?? []).filter(
      ({ GroupName }) => GroupName !== 'default',
    ),
    gateways: ((await ec2.send(new DescribeNatGatewaysCommand({}))).NatGateways ?? []).filter(
      ({ State }) => State !== 'deleted',
    ),
    addresses: (await ec2.send(new DescribeAddressesCommand({}))).Addresses ?? [],
    endpoints: ((await ec2.send(new DescribeVpcEndpointsCommand({}))).VpcEndpoints ?? []).filter(
      ({ State }) => (State as string) !== 'deleted',
    ),
    instances: instances.filter(({ State }) => State?.Name !== 'terminated'),
    volumes: (await ec2.send(new DescribeVolumesCommand({}))).Volumes ?? [],
    interfaces: (await ec2.send(new DescribeNetworkInterfacesCommand({}))).NetworkInterfaces ?? [],
    templates: (await ec2.send(new DescribeLaunchTemplatesCommand({}))).LaunchTemplates ?? [],
    placements: (await ec2.send(new DescribePlacementGroupsCommand({}))).PlacementGroups ?? [],
    keys: (await ec2.send(new DescribeKeyPairsCommand({}))).KeyPairs ?? [],
    fileSystems: (await fsx.send(new DescribeFileSystemsCommand({}))).FileSystems ?? [],
    links: (await fsx.send(new DescribeDataRepositoryAssociationsCommand({}))).Associations ?? [],
    fleets: (await scaling.send(new DescribeAutoScalingGroupsCommand({}))).AutoScalingGroups ?? [],
    alarms: ((await cloudwatch.send(new DescribeAlarmsCommand({}))).MetricAlarms ?? []).map(
      ({ AlarmName }) => AlarmName,
    ),
    dashboards: (await cloudwatch.send(new ListDashboardsCommand({}))).DashboardEntries ?? [],
    documents:
      (await ssm.send(new ListDocumentsCommand({ Filters: [{ Key: 'Owner', Values: ['Self'] }] })))
        .DocumentIdentifiers ?? [],
    buckets: ((await new S3Client(sdk).send(new ListBucketsCommand({}))).Buckets ?? []).filter(
      ({ Name }) => !Name?.startsWith('cdk-'),
    ),
  };
  return found;
}

async function deployed(stack: string): Promise<Record<string, string>> {
  const client = new CloudFormationClient(sdk);
  const { StackResourceSummaries = [] } = await client.send(new ListStackResourcesCommand({ StackName: stack }));
  return Object.fromEntries(
    StackResourceSummaries.map((item) => [item.LogicalResourceId, item.PhysicalResourceId ?? '']),
  );
}

const counts = (found: Awaited<ReturnType<typeof existing>>) =>
  Object.fromEntries(Object.entries(found).map(([name, items]) => [name, items.length]));

// One story, since each part begins where the one before it ended.
test('the CDK command line deploys, finds nothing changed, updates and destroys', async () => {
  expect(Object.values(counts(await existing())).every((count) => count === 0)).toBe(true);

  await deploy();
  const first = await deployed('SmallBench');
  const declared = JSON.parse(readFileSync(join(root, 'cdk.out', 'SmallBench.template.json'), 'utf8')).Resources;
  expect(Object.keys(first).sort()).toEqual(Object.keys(declared).sort());
  const made = await existing();
  expect(counts(made)).toMatchObject({
    vpcs: 1,
    subnets: 2,
    gateways: 1,
    addresses: 1,
    endpoints: 2,
    instances: 2,
    templates: 1,
    placements: 1,
    keys: 1,
    fileSystems: 1,
    links: 1,
    fleets: 1,
    dashboards: 1,
    documents: 1,
    buckets: 1,
  });
  expect(made.fileSystems[0]).toMatchObject({
    FileSystemId: first.FileSystem,
    Lifecycle: 'AVAILABLE',
    StorageCapacity: 1200,
    LustreConfiguration: { DeploymentType: 'PERSISTENT_1', DataCompressionType: 'LZ4', PerUnitStorageThroughput: 50 },
  });
  expect(made.subnets.map(({ SubnetId }) => SubnetId)).toContain(made.fileSystems[0]?.SubnetIds?.[0]);
  expect(made.alarms).toEqual(expect.arrayContaining([expect.stringContaining('SmallBench-Alarm')]));
  expect(made.instances[0]).toMatchObject({ InstanceType: 'c5n.large' });
  expect(made.instances[0]?.Tags).toContainEqual({ Key: 'aws:cloudformation:stack-name', Value: 'SmallBench' });
  // BucketDeployment's own handler, with the AWS CLI of its layer, has really put the file there.
  const object = new GetObjectCommand({ Bucket: made.buckets[0]?.Name, Key: 'README' });
  const readme = await new S3Client(sdk).send(object);
  expect(await readme.Body?.transformToString()).toBe('what this bucket holds');

  expect(await deploy()).toMatch(/SmallResults \(no changes\)[\s\S]*SmallBench \(no changes\)/);
  expect(await cdk(['diff', ...APP])).toContain('Number of stacks with differences: 0');

  await deploy({ CLIENTS: '3', THROUGHPUT: '100' });
  const updated = await existing();
  expect(counts(updated)).toEqual({
    ...counts(made),
    instances: 3,
    volumes: expect.any(Number),
    interfaces: expect.any(Number),
  });
  expect(updated.fileSystems[0]).toMatchObject({
    FileSystemId: first.FileSystem,
    LustreConfiguration: { PerUnitStorageThroughput: 100 },
  });
  const after = await deployed('SmallBench');
  const parameter = Object.entries(after).find(([id]) => id.startsWith('Parameter'))?.[1];
  const { Parameter } = await new SSMClient(sdk).send(new GetParameterCommand({ Name: parameter }));
  expect(Parameter?.Value).toBe('clients=3');

  await cdk(['destroy', '--all', '--force', ...APP]);
  expect(Object.entries(counts(await existing())).filter(([, count]) => count !== 0)).toEqual([]);
});

test('a resource type that the lab does not know fails the deployment by name, and it can be deployed again', async () => {
  const only = ['deploy', 'SmallBench', '--exclusively', '--require-approval', 'never', ...APP];
  await cdk(['deploy', 'SmallResults', '--require-approval', 'never', ...APP]);
  await expect(cdk(only, { ODD: '1' })).rejects.toMatchObject({
    stderr: expect.stringContaining('fsxbench lab: resource type AWS::Foo::Bar is not supported'),
  });
  expect((await existing()).vpcs).toEqual([]);
  await cdk(only);
  expect((await existing()).vpcs).toHaveLength(1);
  await cdk(['destroy', '--all', '--force', ...APP]);
});
