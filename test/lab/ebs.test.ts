import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, ListDashboardsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeVolumesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { ListBucketsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { environmentsAccount } from '../../lib/doctor/aws/account';
import { LAB_ACCOUNT, LAB_REGION } from '../../lib/lab/emulator';
import { PUBLISHED } from '../../lib/price/prices';
import { describeArms } from '../../lib/run/deployed';
import { DEPLOYMENT_OUTPUT, type Deployment } from '../../lib/schema/deployment';
import { storageNamed, storageOf } from '../../lib/storage/lookup';
import { ebsStacks } from '../storage/ebs/bench';
import { labForTests, PROJECT } from './support';

const run = promisify(execFile);
const lab = labForTests();

/** The real CDK command line; throws with its output when it fails. */
async function cdk(args: readonly string[]): Promise<void> {
  const cwd = join(lab().root, 'empty');
  mkdirSync(cwd, { recursive: true });
  const options = { cwd, env: { ...process.env, CI: 'true' }, maxBuffer: 1 << 24 };
  await run(join(PROJECT, 'node_modules/.bin/cdk'), [...args, '--no-notices', '--no-version-check'], options);
}

const volumes = async () => (await new EC2Client({}).send(new DescribeVolumesCommand({}))).Volumes ?? [];

/** What the storage itself finds of its arms, as `leftovers` asks it. */
const armsBuckets = async () =>
  storageNamed('mountpoint-s3').account.search?.find(await environmentsAccount(), {
    ...{ region: LAB_REGION, book: PUBLISHED, stacks: ['EbsBench'] },
  });

/** All but those of CDK and of results. */
const buckets = async (): Promise<string[]> =>
  ((await new S3Client({ forcePathStyle: true }).send(new ListBucketsCommand({}))).Buckets ?? []).flatMap(
    ({ Name = '' }) => (/^(cdk|benchresults)-/.test(Name) ? [] : Name),
  );

test('a benchmark with arms of EBS and a bucket is deployed by the CDK command line, and leaves no volume and no bucket when it is destroyed', async () => {
  const out = join(lab().root, 'cdk.out');
  ebsStacks(out).app.synth();
  await cdk(['bootstrap', `aws://${LAB_ACCOUNT}/${LAB_REGION}`]);
  await cdk(['deploy', '--all', '--require-approval', 'never', '--app', out]);

  const { Stacks = [] } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: 'EbsBench' }));
  const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === DEPLOYMENT_OUTPUT);
  const { Parameter } = await new SSMClient({}).send(new GetParameterCommand({ Name: output?.OutputValue }));
  const { arms } = JSON.parse(Parameter?.Value ?? '{}') as Deployment;
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

  await cdk(['destroy', 'EbsBench', '--force', '--app', out]);
  expect(await volumes()).toEqual([]);
  expect(await buckets()).toEqual([]);
  expect(await armsBuckets()).toEqual([]);
  expect((await new CloudWatchClient({}).send(new ListDashboardsCommand({}))).DashboardEntries).toEqual([]);
}, 240_000);
