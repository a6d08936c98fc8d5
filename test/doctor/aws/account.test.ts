import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { compressionBench } from '../../../lib/benchmark/compression';
import { metadataBench } from '../../../lib/benchmark/metadata';
import { storageBench } from '../../../lib/benchmark/storage';
import { renderAccount } from '../../../lib/cli/account/doctorAws';
import type { Account } from '../../../lib/common/aws/account';
import { resolveBenchmark } from '../../../lib/config/benchmark';
import { environmentsAccount, isReadOnly } from '../../../lib/doctor/aws/account';
import type { CheckedDeployment } from '../../../lib/doctor/aws/check';
import { quotas } from '../../../lib/doctor/aws/quotas';
import { BOOTSTRAP_VERSIONS, stack, updates } from '../../../lib/doctor/aws/stacks';
import { routes } from '../../../lib/doctor/aws/subnet';
import { PUBLISHED } from '../../../lib/price/prices';
import { emptyStack } from '../../support/cdk';
import { examineRecorded as examine, recordedAccount } from '../recorded';

const VPC = 'vpc-2d55a7c47dbdd414a';

test.each([
  ['a VPC of its own', {}],
  ['an existing VPC', { vpcId: VPC }],
  ['a zone by its id', { availabilityZone: 'use1-az6' }],
] as const)('finds nothing where all is well, with %s', async (_, settings) => {
  const { findings, wrong, accountId } = await examine('all-well', settings);
  expect(wrong).toEqual([]);
  expect(accountId).toBe('123456789012');
  expect(findings.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'AWS credentials',
      'AWS Region',
      'instance type',
      'image',
      'dry run',
      'vCPU quota',
      'CDK bootstrap',
      'prices',
    ]),
  );
});

test('says what is used of a quota, own stack apart, and asks for as much as is needed', async () => {
  const { wrong } = await examine('quota-too-small');
  expect(wrong.slice(0, -1)).toMatchSnapshot();
  expect(wrong.at(-1)).toMatchObject({ name: 'left over', found: expect.stringContaining('i-0a1b2c3d4e5f60721') });
});

test('counts spot instances on their own quota, and what is on demand beside them on the other', async () => {
  const { of } = await examine('quota-too-small', { purchase: 'spot' });
  expect([...of('vCPU quota, Spot'), ...of('vCPU quota')]).toEqual([
    expect.objectContaining({ state: 'missing', found: 'needed: 288, in use: 2 of 5 vCPUs' }),
    expect.objectContaining({ state: 'missing', found: 'needed: 36, in use: 2 of 32 vCPUs' }),
  ]);
});

test('takes the default of a quota that was never raised', async () => {
  const { of } = await examine(
    'all-well',
    { scale: 'smoke', instanceType: 'c5n.9xlarge' },
    { definition: metadataBench },
  );
  expect(of('PERSISTENT_2 file systems')).toEqual([
    expect.objectContaining({ state: 'ok', found: 'needed: 3, in use: 0 of 100 file systems' }),
  ]);
});

test('a type that the first zone of this account lacks is found, with a zone that has it', async () => {
  const { wrong, asked } = await examine('type-absent');
  expect(wrong).toMatchSnapshot();
  // Do not try an instance type that is not offered.
  expect(asked.map(({ call }) => call)).not.toContain('ec2:RunInstances');
});

test('proposes a zone by its name where CDK knows names only', async () => {
  const { of } = await examine('type-absent', { vpcId: VPC });
  expect(of('instance type')[0]?.command).toBe('npx cdk deploy CompressionBench -c availabilityZone=us-east-1b');
});

test('a zone that the account has not got is told', async () => {
  const { of } = await examine('all-well', { availabilityZone: 'us-east-1z' });
  expect(of('instance type')[0]).toMatchObject({
    state: 'missing',
    found: 'us-east-1z is not a zone of this account in us-east-1',
    command: 'npx cdk deploy CompressionBench -c availabilityZone=use1-az6',
  });
});

test('says how to deploy a type that the table does not know there yet', async () => {
  const { of } = await examine('all-well', {}, { refusal: "'instanceType' must be …" });
  expect(of('instance type')[0]).toMatchObject({
    state: 'missing',
    command: 'npx cdk deploy CompressionBench -c checkOfferings=false',
  });
});

test('a full subnet is found, with another that has room', async () => {
  // 8 clients, their builder, 2 × (6 file servers and a metadata server).
  expect((await examine('subnet-full', { vpcId: VPC })).wrong).toMatchSnapshot();
});

test('a subnet without a way to AWS, in a VPC without names, is found', async () => {
  expect((await examine('no-way-out', { vpcId: VPC })).wrong).toMatchSnapshot();
});

test('a subnet without internet access is refused to servers that fetch from there, and must have what clients call besides', async () => {
  const missing = async (arm: string) => {
    const arms = storageBench.arms('published').filter(({ name }) => name === arm);
    const configuration = resolveBenchmark({ ...compressionBench, arms: () => arms }, { clients: 1, vpcId: VPC });
    const { account } = recordedAccount('no-way-out');
    const subnet = { id: 'subnet-0a1b2c3d', zone: 'us-east-1a', freeAddresses: 9, table: undefined, others: [] };
    return routes({ account, configuration, region: 'us-east-1' }, VPC, subnet);
  };
  expect(await missing('moosefs')).toEqual([
    expect.objectContaining({
      state: 'missing',
      found: expect.stringMatching(
        /has no default route, which must be there with arm moosefs, whose servers fetch the MooseFS source$/,
      ),
      advice: "add a NAT gateway, or leave the arm out with 'arms'",
    }),
  ]);
  expect(await missing('xfs')).toEqual([
    expect.objectContaining({ found: expect.stringMatching(/ssmmessages, cloudformation, logs, monitoring, ec2$/) }),
  ]);
});

test('an account that was never bootstrapped is told the command', async () => {
  const { wrong } = await examine('not-bootstrapped');
  expect(wrong).toMatchSnapshot();
});

test.each([
  ['no-credentials', 'aws configure sso', /^there are no AWS credentials/],
  ['expired', 'aws sso login', /^the AWS credentials have expired$/],
])('%s: nothing else is asked', async (name, command, found) => {
  const { findings, asked, accountId } = await examine(name);
  expect(findings[0]).toMatchObject({ state: 'missing', command, found: expect.stringMatching(found) });
  expect(asked.map(({ call }) => call)).toEqual(['sts:GetCallerIdentity']);
  expect(accountId).toBeNull();
});

test('a question that may not be asked is no good news; a dry run that may not be made stops nothing', async () => {
  const { of, wrong } = await examine('quotas-denied');
  expect(of('vCPU quota')[0]).toMatchObject({ state: 'unknown', found: expect.stringMatching(/^not allowed: User: /) });
  expect(of('dry run')[0]).toMatchObject({
    state: 'limited',
    advice: expect.stringContaining('cdk-hnb659fds-cfn-exec-role-123456789012-us-east-1'),
  });
  expect([...new Set(wrong.map(({ name }) => name))].sort()).toEqual([
    'EBS gp3 storage',
    'Elastic IP addresses',
    'PERSISTENT_1 file systems',
    'PERSISTENT_1 storage',
    'VPCs',
    'dry run',
    'vCPU quota',
  ]);
});

test('file systems of earlier runs are named with their price, those of others are not, and all count on the quota', async () => {
  const { wrong, of } = await examine('left-over');
  // Prices are newer with each release.
  const priced = wrong.map(({ found, ...one }) => ({ ...one, found: found.replace(/\d+\.\d\d USD/, 'X USD') }));
  expect(priced).toMatchSnapshot();
  expect(of('PERSISTENT_1 storage')[0]?.found).toBe('needed: 28800, in use: 15600 of 100800 GiB');
});

// Those of the stack itself are updated by its deployment, and need nothing more.
test.each([
  ['MetadataBench', true, 0],
  ['MetadataBench', false, 12_000],
  ['CompressionBench', true, 12_000],
  [undefined, false, 12_000],
])('a file system of the stack %s, which stands: %s, takes %d GiB from MetadataBench', async (of, standing, used) => {
  const deploymentType = 'PERSISTENT_2' as const;
  const configuration = { kind: 'lustre' as const, deploymentType, storageCapacityGiB: 12_000 };
  const existing = [{ id: 'fs-1', what: '', lines: [], remove: '', stack: of, standing, configuration }];
  const account = { region: 'us-east-1', ask: async () => ({ Quota: { Value: 1e6 } }) } as unknown as Account;
  const subject = {
    account,
    configuration: resolveBenchmark(metadataBench, {}),
    launches: [],
  } as unknown as CheckedDeployment;
  const found = await quotas(subject, existing);
  expect(found.find(({ name }) => name === 'PERSISTENT_2 storage')?.found).toMatch(`in use: ${used} of 1000000 GiB`);
});

test('stacks that cannot be deployed as they are', async () => {
  const { wrong } = await examine('stack-stuck');
  expect(wrong.map(({ name, found, command }) => [name, found, command])).toEqual([
    ['stack BenchResults', 'UPDATE_IN_PROGRESS', 'aws cloudformation describe-stack-events --stack-name BenchResults'],
    ['stack CompressionBench', 'DELETE_FAILED', 'aws cloudformation delete-stack --stack-name CompressionBench'],
    ['left over', 'CompressionBench: DELETE_FAILED: its events have the reason', 'npx cdk destroy CompressionBench'],
  ]);
});

test.each([
  ['CREATE_COMPLETE', 'ok', null],
  ['UPDATE_ROLLBACK_COMPLETE', 'ok', null],
  ['ROLLBACK_COMPLETE', 'ok', null],
  ['REVIEW_IN_PROGRESS', 'ok', null],
  ['CREATE_IN_PROGRESS', 'missing', 'aws cloudformation describe-stack-events --stack-name Any'],
  ['UPDATE_ROLLBACK_FAILED', 'missing', 'aws cloudformation continue-update-rollback --stack-name Any'],
  ['ROLLBACK_FAILED', 'missing', 'aws cloudformation delete-stack --stack-name Any'],
  ['DELETE_COMPLETE', 'ok', null],
])('a stack in %s is %s', async (StackStatus, state, command) => {
  const account: Account = {
    region: 'us-east-1',
    ask: async () => ({ Stacks: [{ StackName: 'Any', CreationTime: new Date(0), StackStatus }] }) as never,
  };
  const configuration = resolveBenchmark(compressionBench, {});
  const subject = {
    account,
    configuration,
    accountId: '1',
    region: 'us-east-1',
    qualifier: 'q',
    refusal: null,
    book: PUBLISHED,
    launches: [],
    tags: {},
  };
  expect(await stack({ ...subject, now: new Date() }, 'Any')).toEqual([expect.objectContaining({ state, command })]);
});

test('old prices are told', async () => {
  const { wrong } = await examine('all-well', {}, { now: '2027-06-01' });
  expect(wrong).toEqual([
    expect.objectContaining({
      name: 'prices',
      state: 'limited',
      command: 'npx fsxbench cost CompressionBench --refresh',
    }),
  ]);
});

test('asks for the bootstrap that the synthesizer asks for', () => {
  const stack = emptyStack();
  new CfnBucket(stack, 'Bucket');
  expect((stack.node.root as App).synth().getStackArtifact(stack.artifactId).requiresBootstrapStackVersion).toBe(
    BOOTSTRAP_VERSIONS.deploy,
  );
});

describe('it changes nothing', () => {
  const accounts = readdirSync(join(__dirname, '../../fixtures/aws-accounts')).filter((name) => name.endsWith('.json'));
  test.each(accounts.map((name) => name.replace('.json', '')))('in %s', async (name) => {
    const asked = [...(await examine(name)).asked, ...(await examine(name, { vpcId: VPC })).asked];
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ call, input }) => !isReadOnly(call, input))).toEqual([]);
  });

  test.each([
    ['ec2:RunInstances', {}, false],
    ['ec2:RunInstances', { DryRun: false }, false],
    ['ec2:RunInstances', { DryRun: true }, true],
    ['ec2:CreateVpc', { DryRun: true }, false],
    ['fsx:DeleteFileSystem', {}, false],
    ['ssm:GetParameter', {}, true],
    ['ec2:Getaway', {}, false],
  ])('%s with %j: %s', (call, input, expected) => {
    expect(isReadOnly(call, input)).toBe(expected);
  });

  test('whatever is asked of the real account', async () => {
    const account = await environmentsAccount();
    await expect(account.ask('ec2:RunInstances', { DryRun: false } as never)).rejects.toThrow(
      'doctor is read-only: refusing to call ec2:RunInstances',
    );
  });
});

test('prints what was found, then what to do', async () => {
  const { findings } = await examine('not-bootstrapped');
  const text = renderAccount('CompressionBench', findings, false);
  expect(text).toMatch(/^missing {2}CDK bootstrap {2,}not done in us-east-1/m);
  expect(text).toMatch(
    /\nCDK bootstrap: bootstrap this account and Region, version 6 or later\n {4}npx cdk bootstrap aws:\/\/123456789012\/us-east-1\n\nnot ready for: npx cdk deploy CompressionBench\n$/,
  );
});

test.each([
  ['published', 'smoke', ['fs-1: capacity can only grow, from 14400 GiB, not to 1200']],
  ['smoke', 'published', []],
  ['smoke', 'smoke', []],
] as const)('over file systems of the %s scale those of the %s scale meet %j', (deployed, scale, problems) => {
  const configuration = resolveBenchmark(compressionBench, { scale });
  const standing = compressionBench
    .arms(deployed)
    .map(({ storage }) => ({
      id: 'fs-1',
      what: '',
      stack: 'CompressionBench',
      standing: true,
      lines: [],
      remove: '',
      configuration: storage,
    }));
  const found = updates({ configuration } as CheckedDeployment, standing);
  expect([...new Set(found.map((one) => one.found))]).toEqual(problems);
  for (const { state, command } of found)
    expect([state, command]).toEqual(['missing', 'npx cdk destroy CompressionBench']);
});
