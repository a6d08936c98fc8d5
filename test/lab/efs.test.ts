import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand, ListDashboardsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeFileSystemsCommand, FSxClient } from '@aws-sdk/client-fsx';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { LAB_ACCOUNT, LAB_REGION } from '../../lib/lab/emulator';
import { DEPLOYMENT_OUTPUT } from '../../lib/schema/deployment';
import { efsStacks, PROVISIONED } from '../storage/efs/bench';
import { labForTests, PROJECT } from './support';

const run = promisify(execFile);
const lab = labForTests();

/** What EFS itself answers; nothing else here needs a client of it. */
async function efs(path: string): Promise<Record<string, Record<string, unknown>[]>> {
  // The emulator looks no further than the name of the service.
  const credential = `Credential=test/20260101/${LAB_REGION}/elasticfilesystem/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=0`;
  const answer = await fetch(`${lab().lab.endpoint}/2015-02-01/${path}`, { headers: { authorization } });
  return (await answer.json()) as Record<string, Record<string, unknown>[]>;
}

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

  const { FileSystems = [] } = await efs('file-systems');
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
  expect((await new FSxClient({}).send(new DescribeFileSystemsCommand({}))).FileSystems).toHaveLength(1);
  const { Stacks = [] } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: 'EfsBench' }));
  const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === DEPLOYMENT_OUTPUT);
  const { Parameter } = await new SSMClient({}).send(new GetParameterCommand({ Name: output?.OutputValue }));
  expect(JSON.parse(Parameter?.Value ?? '{}').arms).toContainEqual(
    expect.objectContaining({
      name: 'provisioned',
      fileSystemId: provisioned?.FileSystemId,
      configuration: PROVISIONED,
    }),
  );
  const alarms = (await new CloudWatchClient({}).send(new DescribeAlarmsCommand({}))).MetricAlarms ?? [];
  expect(alarms.map(({ AlarmName }) => AlarmName)).toContainEqual(expect.stringContaining('Throughputprovisioned'));

  await cdk(['destroy', 'EfsBench', '--force', '--app', out]);
  expect((await efs('file-systems')).FileSystems).toEqual([]);
  expect((await new CloudWatchClient({}).send(new ListDashboardsCommand({}))).DashboardEntries).toEqual([]);
});
