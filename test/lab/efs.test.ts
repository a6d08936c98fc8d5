import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand, ListDashboardsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeFileSystemsCommand as DescribeFileSystems, EFSClient } from '@aws-sdk/client-efs';
import { DescribeFileSystemsCommand, FSxClient } from '@aws-sdk/client-fsx';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { LAB_ACCOUNT, LAB_REGION } from '../../lib/lab/emulator';
import { describeArms } from '../../lib/run/deployed';
import { DEPLOYMENT_OUTPUT, type Deployment } from '../../lib/schema/deployment';
import { storageOf } from '../../lib/storage/lookup';
import type { StorageConfiguration } from '../../lib/storage/storage';
import { efsStacks, PROVISIONED } from '../storage/efs/bench';
import { labForTests, PROJECT } from './support';

const run = promisify(execFile);
const lab = labForTests();

/** The real CDK command line; throws with its output when it fails. */
async function cdk(args: readonly string[]): Promise<string> {
  const cwd = join(lab().root, 'empty');
  mkdirSync(cwd, { recursive: true });
  const options = ['--no-notices', '--no-version-check'];
  const env = { ...process.env, CI: 'true' };
  const { stdout, stderr } = await run(join(PROJECT, 'node_modules/.bin/cdk'), [...args, ...options], {
    ...{ cwd, env, maxBuffer: 1 << 24 },
  });
  return stdout + stderr;
}

test('a benchmark with arms of EFS is deployed by the CDK command line, and leaves nothing when it is destroyed', async () => {
  const out = join(lab().root, 'cdk.out');
  efsStacks(out).app.synth();
  await cdk(['bootstrap', `aws://${LAB_ACCOUNT}/${LAB_REGION}`]);
  await cdk(['deploy', '--all', '--require-approval', 'never', '--app', out]);

  const { FileSystems = [] } = await new EFSClient({}).send(new DescribeFileSystems({}));
  expect(FileSystems.map(({ ThroughputMode }) => ThroughputMode).sort()).toEqual([
    'bursting',
    'elastic',
    'provisioned',
  ]);
  const provisioned = FileSystems.find(({ ThroughputMode }) => ThroughputMode === 'provisioned');
  expect(provisioned).toMatchObject({
    ...{ LifeCycleState: 'available', Encrypted: true, NumberOfMountTargets: 1 },
    ProvisionedThroughputInMibps: PROVISIONED.provisionedThroughputMiBps,
  });
  expect((await new FSxClient({}).send(new DescribeFileSystemsCommand({}))).FileSystems).toHaveLength(2);
  const { Stacks = [] } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: 'EfsBench' }));
  const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === DEPLOYMENT_OUTPUT);
  const { Parameter } = await new SSMClient({}).send(new GetParameterCommand({ Name: output?.OutputValue }));
  const { arms } = JSON.parse(Parameter?.Value ?? '{}') as Deployment;
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

  await cdk(['destroy', 'EfsBench', '--force', '--app', out]);
  expect((await new EFSClient({}).send(new DescribeFileSystems({}))).FileSystems).toEqual([]);
  expect((await new CloudWatchClient({}).send(new ListDashboardsCommand({}))).DashboardEntries).toEqual([]);
});
