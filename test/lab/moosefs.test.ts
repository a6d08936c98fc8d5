import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { LAB_ACCOUNT, LAB_REGION } from '../../lib/lab/emulator';
import { DEPLOYMENT_OUTPUT, type Deployment } from '../../lib/schema/deployment';
import { moosefsStacks } from '../storage/moosefs/bench';
import { labForTests, PROJECT } from './support';

const run = promisify(execFile);
const lab = labForTests();

/** The real CDK command line; throws with its output when it fails. */
async function cdk(args: readonly string[]): Promise<void> {
  const cwd = join(lab().root, 'empty');
  mkdirSync(cwd, { recursive: true });
  const env = { ...process.env, CI: 'true' };
  await run(join(PROJECT, 'node_modules/.bin/cdk'), [...args, '--no-notices', '--no-version-check'], {
    ...{ cwd, env, maxBuffer: 1 << 24 },
  });
}

/** Instances that run, by their names. */
async function running(): Promise<string[]> {
  const { Reservations = [] } = await new EC2Client({}).send(
    new DescribeInstancesCommand({ Filters: [{ Name: 'instance-state-name', Values: ['pending', 'running'] }] }),
  );
  return Reservations.flatMap(({ Instances = [] }) => Instances).flatMap(({ InstanceId }) => InstanceId ?? []);
}

test('a benchmark with an arm of MooseFS is deployed by the CDK command line, and leaves no server when it is destroyed', async () => {
  const out = join(lab().root, 'cdk.out');
  moosefsStacks(out).app.synth();
  await cdk(['bootstrap', `aws://${LAB_ACCOUNT}/${LAB_REGION}`]);
  await cdk(['deploy', '--all', '--require-approval', 'never', '--app', out]);

  const { Stacks = [] } = await new CloudFormationClient({}).send(
    new DescribeStacksCommand({ StackName: 'MooseBench' }),
  );
  const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === DEPLOYMENT_OUTPUT);
  const { Parameter } = await new SSMClient({}).send(new GetParameterCommand({ Name: output?.OutputValue }));
  const { arms } = JSON.parse(Parameter?.Value ?? '{}') as Deployment;
  const moose = arms.find(({ name }) => name === 'moose');
  expect(moose).toMatchObject({
    fileSystemId: expect.stringMatching(/^i-/),
    description: expect.stringContaining('MooseFS 4.57.5, 2 × c5.2xlarge'),
  });
  const instances = await running();
  // Four clients, the builder, a master and two chunkservers.
  expect(instances).toHaveLength(8);
  expect(instances).toContain(moose?.fileSystemId);

  await cdk(['destroy', 'MooseBench', '--force', '--app', out]);
  expect(await running()).toEqual([]);
});
