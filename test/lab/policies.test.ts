import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeFileSystemsCommand, FSxClient } from '@aws-sdk/client-fsx';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { PolicyDocument } from '../../lib/doctor/aws/policies';
import { LAB_ACCOUNT, LAB_REGION } from '../../lib/lab/emulator';
import { findDeployment } from '../../lib/run/deployed';
import { fsxbenchIn } from '../cli/support';
import { until } from '../support/patience';
import { labForTests } from './support';

/*
 * The emulator decides by actions, and by resources of S3 and of assumed roles (assets/lab/fsxbench_lab/permissions.py). CloudFormation
 * makes its calls as the execution role.
 */
const STACK = 'CompressionBench';
// The schedule looks every minute: here every two seconds.
process.env.FSXBENCH_LAB_MINUTE_SECONDS = '2';
const lab = labForTests(['bin', 'cdk.json', 'dist']);
const here = () => ({ root: lab().root, environment: process.env });
const fsxbench = (...argv: string[]) => fsxbenchIn(here(), argv);

/** The CDK CLI with the credentials of the moment. @returns all that it said, or throws it */
async function cdk(...args: string[]): Promise<string> {
  const cwd = args[0] === 'bootstrap' ? lab().lab.paths.lab : lab().root;
  const env = { ...process.env, CI: 'true', FORCE_COLOR: '0' };
  const program = join(lab().root, 'node_modules', '.bin', 'cdk');
  const { stdout } = await promisify(execFile)(program, args, { cwd, env, maxBuffer: 1 << 24 });
  return stdout;
}
/** Settings of a platform team, by `-c`. */
let settings: readonly string[];
/** The application of an owner, made once: a command with it does nothing but call AWS. @returns its options */
async function applicationOf(owner: string): Promise<string[]> {
  const made = join(lab().root, `${owner}.out`);
  await cdk('synth', STACK, '--quiet', '--output', made, ...settings, '-c', `owner=${owner}`);
  return ['--app', made];
}
let ofAlice: readonly string[];
const deploy = (application = ofAlice) => cdk('deploy', STACK, '--require-approval', 'never', ...application);
const destroy = () => cdk('destroy', STACK, '--force', ...ofAlice);

const arnOf = (name: string): string => `arn:aws:iam::${LAB_ACCOUNT}:policy/${name}`;
let key: string;
let own: { readonly kmsKeyArn: string; readonly alarmEmail: string };
const documents: Record<string, PolicyDocument> = {};

/** A call by the account's root user; the emulator checks no signature. */
async function asRoot(service: string, body: string | URLSearchParams, headers = {}): Promise<string> {
  const scope = `${key}/20260101/${LAB_REGION}/${service}/aws4_request`;
  const answer = await fetch(lab().lab.endpoint, {
    method: 'POST',
    headers: { Authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`, ...headers },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${service}: ${text}`);
  return text;
}
/** @returns its answer, which is XML */
const iam = (Action: string, parameters: Readonly<Record<string, string>>): Promise<string> =>
  asRoot('iam', new URLSearchParams({ Action, Version: '2010-05-08', ...parameters }));
/** A call of a service that speaks JSON. */
const json = (service: string, target: string, body: object): Promise<string> =>
  asRoot(service, JSON.stringify(body), { 'X-Amz-Target': target, 'Content-Type': 'application/x-amz-json-1.1' });

/** Replaces a policy by itself, or by itself without an action. */
async function set(name: string, without?: string): Promise<void> {
  const document = documents[name] as PolicyDocument;
  const Statement = document.Statement.map((one) => ({
    ...one,
    Action: one.Action.filter((each) => each !== without),
  })).filter(({ Action }) => Action.length > 0);
  expect(JSON.stringify(Statement) === JSON.stringify(document.Statement)).toBe(without === undefined);
  const PolicyDocument = JSON.stringify({ ...document, Statement });
  await iam('CreatePolicyVersion', { PolicyArn: arnOf(name), PolicyDocument, SetAsDefault: 'true' });
}

beforeAll(async () => {
  key = process.env.AWS_ACCESS_KEY_ID ?? '';
  const { KeyMetadata } = JSON.parse(await json('kms', 'TrentService.CreateKey', {}));
  const topic = await asRoot('sns', new URLSearchParams({ Action: 'CreateTopic', Version: '2010-03-31', Name: 'ops' }));
  own = { kmsKeyArn: KeyMetadata.Arn, alarmEmail: /<TopicArn>(.*?)</.exec(topic)?.[1] ?? '' };
  const chosen = { ...own, maxCostUsd: 100, owner: 'alice', tags: 'CostCenter=42', scale: 'smoke' };
  settings = Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  for (const name of ['operator', 'execution']) {
    const { out, err } = await fsxbench('policy', STACK, name, ...settings);
    expect(err).not.toContain('fsxbench:');
    documents[name] = JSON.parse(out) as PolicyDocument;
    await iam('CreatePolicy', { PolicyName: name, PolicyDocument: out });
  }
  const target = `aws://${LAB_ACCOUNT}/${LAB_REGION}`;
  await cdk('bootstrap', target, '--cloudformation-execution-policies', arnOf('execution'));
  await iam('CreateUser', { UserName: 'operator' });
  await iam('AttachUserPolicy', { UserName: 'operator', PolicyArn: arnOf('operator') });
  const made = await iam('CreateAccessKey', { UserName: 'operator' });
  process.env.AWS_ACCESS_KEY_ID = /<AccessKeyId>(.*?)</.exec(made)?.[1];
  process.env.AWS_SECRET_ACCESS_KEY = /<SecretAccessKey>(.*?)</.exec(made)?.[1];
  ofAlice = await applicationOf('alice');
});

async function stackStatus(): Promise<string> {
  const ask = new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: STACK }));
  return (await ask.catch(() => ({ Stacks: [] }))).Stacks?.[0]?.StackStatus ?? 'gone';
}

test('a deployment without an action of the execution policy fails, and names the action', async () => {
  await set('execution', 'fsx:CreateFileSystem');
  await expect(deploy()).rejects.toThrow(/is\s+not\s+authorized\s+to\s+perform:\s+fsx:CreateFileSystem/);
  await set('execution');
  await destroy();
});

test('two policies are enough to deploy, run, collect, report, extend, expire and destroy', async () => {
  await deploy();
  expect(await stackStatus()).toBe('CREATE_COMPLETE');
  const { FileSystems = [] } = await new FSxClient({}).send(new DescribeFileSystemsCommand({}));
  expect(FileSystems.map(({ KmsKeyId }) => KmsKeyId)).toEqual([own.kmsKeyArn, own.kmsKeyArn]);
  for (const { Tags } of FileSystems) expect(Tags).toContainEqual({ Key: 'CostCenter', Value: '42' });
  const { MetricAlarms = [], CompositeAlarms = [] } = await new CloudWatchClient({}).send(
    new DescribeAlarmsCommand({}),
  );
  const notified = [...MetricAlarms, ...CompositeAlarms].flatMap(({ AlarmActions = [] }) => AlarmActions);
  expect(new Set(notified)).toEqual(new Set([own.alarmEmail]));
  const budgets = await json('budgets', 'AWSBudgetServiceGateway.DescribeBudgets', { AccountId: LAB_ACCOUNT });
  expect(JSON.parse(budgets).Budgets).toMatchObject([{ BudgetLimit: { Amount: '100', Unit: 'USD' } }]);
  await expect(deploy(await applicationOf('bob'))).rejects.toThrow(/created by someone other than bob/);
  const done = async (...argv: string[]) => {
    const { status, out, err } = await fsxbench(...argv);
    expect(err).not.toContain('not authorized');
    expect({ argv, status, err }).toEqual({ argv, status: 0, err: expect.any(String) });
    return out;
  };
  const results = ['--results', lab().root];
  const program = ['--set', 'repeats=1', '--', 'sh', '-c', 'ls {dir}'];
  const started = await done('run', STACK, '--json', ...results, ...program);
  const { run } = JSON.parse(started) as { run: string };
  await done('list', ...results);
  await done('collect', run, ...results);
  await done('report', run, ...results);
  await done('dashboard', run, ...results);
  await done('extend', STACK, '--hours', '1');
  expect((await fsxbench('leftovers')).err).not.toContain('not authorized');
  expect((await fsxbench('doctor', '--aws', STACK)).out).not.toContain('not authorized to perform');

  await set('operator', 'ssm:SendCommand');
  const refused = await fsxbench('run', STACK, ...results, ...program);
  expect(refused).toMatchObject({
    status: 1,
    err: expect.stringMatching(/operator is not authorized .*ssm:SendCommand/),
  });
  await set('operator');

  await destroy();
  expect(await stackStatus()).toBe('gone');
  await deploy();
  const { deployment } = await findDeployment(STACK);
  const Name = deployment.expiry?.deadline;
  await new SSMClient({}).send(new PutParameterCommand({ Name, Value: new Date(0).toISOString(), Overwrite: true }));
  await until('the end of the stack', async () => (await stackStatus()) === 'gone');
});
