import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { EC2Client, RunInstancesCommand, StopInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { DeleteBucketPolicyCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { GetParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { bootstrap, deploy } from '../../lib/lab/deploy';
import { LAB_REGION } from '../../lib/lab/emulator';
import { findDeployment, findResultsBucket } from '../../lib/run/deployed';
import { readText } from '../../lib/schema/document';
import { S3Store } from '../../lib/store/bucket';
import { STATUS } from '../../lib/store/documents';
import { fsxbenchIn } from '../cli/support';
import { until } from '../support/patience';
import { labForTests } from './support';

const STACK = 'CompressionBench';
// The schedule looks every minute, and the state machine waits for a third of one: here two seconds, and less than one.
process.env.FSXBENCH_LAB_MINUTE_SECONDS = '2';
// A driver does not give up a bucket that refuses at once: long enough for one upload on a busy machine.
process.env.FSXBENCH_UPLOAD_SECONDS = '5';
const lab = labForTests(['bin', 'cdk.json', 'dist']);

const messages: string[] = [];
let subscriber: Server;
let ssm: SSMClient;

beforeAll(async () => {
  ssm = new SSMClient({});
  subscriber = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      messages.push((JSON.parse(body) as { Message?: string }).Message ?? '');
      response.end();
    });
  });
  await new Promise<void>((resolve) => subscriber.listen(0, '127.0.0.1', resolve));
});
afterAll(() => subscriber.close());

const parameter = async (Name: string) => (await ssm.send(new GetParameterCommand({ Name }))).Parameter?.Value ?? '';

async function stackStatus(): Promise<string> {
  const ask = new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: STACK }));
  return (await ask.catch(() => ({ Stacks: [] }))).Stacks?.[0]?.StackStatus ?? 'gone';
}

test('a stack deletes itself once its results are in the bucket, and not while they are not', async () => {
  await bootstrap({ lab: lab().lab, onProgress: () => {} });
  const context = ['scale=smoke', 'expiresAfterHours=0.5'];
  await deploy({ lab: lab().lab, stacks: [STACK], context, onProgress: () => {} });
  const { deployment } = await findDeployment(STACK);
  const deadline = deployment.expiry?.deadline ?? '';
  const setAt = Date.now();
  await until('the deadline', async () => /^\d{4}-/.test(await parameter(deadline)));
  expect(Date.parse(await parameter(deadline)) - setAt).toBeLessThan(31 * 60_000);
  expect(Date.parse(await parameter(deadline)) - setAt).toBeGreaterThan(25 * 60_000);
  await subscribe(await topicArn());
  const here = { root: lab().root, environment: process.env };

  const before = await fsxbenchIn(here, ['leftovers', '--json']);
  expect(before.status).toBe(1);
  expect(before.err).toBe('');
  const billed = (JSON.parse(before.out) as { leftovers: { what: string; stack: string; kept: boolean }[] }).leftovers;
  expect(billed).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        what: expect.stringMatching(/^PERSISTENT_1/),
        stack: STACK,
        hourlyUsd: expect.any(Number),
      }),
      expect.objectContaining({ what: expect.stringMatching(/^instance /), stack: STACK, standing: true }),
      expect.objectContaining({ what: 'NAT gateway', remove: `npx cdk destroy ${STACK}` }),
    ]),
  );
  const old = Date.parse(await parameter(deadline));
  expect(await fsxbenchIn(here, ['extend', STACK, '--hours', '2d'])).toMatchObject({ status: 0, err: '' });
  expect(Date.parse(await parameter(deadline)) - old).toBe(48 * 3_600_000);

  // A run that would last for hours, whose bucket begins to refuse.
  const started = await fsxbenchIn(here, [
    ...['run', STACK, '--detach', '--json', '--results', lab().root],
    ...['--set', 'repeats=3', '--', 'sh', '-c', 'sleep 7200; ls {dir}'],
  ]);
  expect(started.err).toContain('keeps running after you disconnect');
  const { run } = JSON.parse(started.out) as { run: string };
  const bucket = await findResultsBucket();
  const store = new S3Store(bucket);
  const status = async () => {
    const text = await store.get(`runs/${STACK}/${run}/${STATUS.file}`);
    return text === null ? null : readText(STATUS.schema, text.toString());
  };
  await until('a running step', async () => (await status())?.state === 'running');
  const refuse = { Effect: 'Deny', Principal: '*', Action: 's3:PutObject', Resource: `arn:aws:s3:::${bucket}/runs/*` };
  const s3 = new S3Client({});
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [refuse] });
  await s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));

  const expire = () =>
    ssm.send(new PutParameterCommand({ Name: deadline, Value: new Date(0).toISOString(), Overwrite: true }));
  await expire();
  await until('a message', () => messages.some((message) => message.includes('could not be deleted')));
  const said = messages.find((message) => message.includes('could not be deleted'));
  expect(said).toContain('Its clients have results that are not in the bucket');
  expect(said).toMatch(new RegExp(`${run}: .*s3://${bucket}.*not uploaded`));
  expect(said).toContain(`npx fsxbench extend ${STACK}`);
  expect(await stackStatus()).toBe('CREATE_COMPLETE');

  const told = await fsxbenchIn(here, ['leftovers']);
  expect(told.status).toBe(1);
  expect(told.err).toMatch(new RegExp(`${STACK}: its expiry failed at \\S+: .*${run}: .*: npx cdk destroy ${STACK}\n`));

  await s3.send(new DeleteBucketPolicyCommand({ Bucket: bucket }));
  // Stopped, it does not answer, and its disk may hold results.
  const ec2 = new EC2Client({});
  const { Instances = [] } = await ec2.send(
    new RunInstancesCommand({
      ImageId: deployment.image,
      InstanceType: 'c5.large',
      MinCount: 1,
      MaxCount: 1,
      TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'fsxbench:clients-of', Value: STACK }] }],
    }),
  );
  const InstanceIds = Instances.map(({ InstanceId = '' }) => InstanceId);
  await ec2.send(new StopInstancesCommand({ InstanceIds }));
  await expire();
  await until('a message about it', () =>
    messages.some((message) => message.endsWith(`or may have: ${InstanceIds[0]} is not reached by Systems Manager`)),
  );
  expect(await stackStatus()).toBe('CREATE_COMPLETE');

  await ec2.send(new TerminateInstancesCommand({ InstanceIds }));
  await expire();
  await until('the end of the stack', async () => (await stackStatus()) === 'gone');
  expect(await status()).toMatchObject({ state: 'interrupted', endedAt: expect.any(String) });
  const after = await fsxbenchIn(here, ['leftovers', '--json']);
  expect(after).toMatchObject({ status: 0, err: '' });
  const { leftovers } = JSON.parse(after.out) as { leftovers: { kept: boolean; what: string }[] };
  expect(leftovers.filter(({ kept }) => !kept)).toEqual([]);
  expect(leftovers.map(({ what }) => what)).toContain('bucket with the results');
});

async function topicArn(): Promise<string> {
  const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: STACK }));
  return Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'AlarmTopic')?.OutputValue ?? '';
}

/** Subscribes this test to the topic; the emulator checks no signature. */
async function subscribe(topic: string): Promise<void> {
  const { port } = subscriber.address() as AddressInfo;
  const answer = await fetch(lab().lab.endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `AWS4-HMAC-SHA256 Credential=${process.env.AWS_ACCESS_KEY_ID}/20260101/${LAB_REGION}/sns/aws4_request, SignedHeaders=host, Signature=none`,
    },
    body: new URLSearchParams({
      Action: 'Subscribe',
      Version: '2010-03-31',
      TopicArn: topic,
      Protocol: 'http',
      Endpoint: `http://127.0.0.1:${port}/`,
    }),
  });
  expect(answer.status).toBe(200);
}
