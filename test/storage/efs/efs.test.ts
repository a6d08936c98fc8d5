import { Match, Template } from 'aws-cdk-lib/assertions';
import { storageBench } from '../../../lib/benchmark/storage';
import { documentedPlan } from '../../../lib/cli/plan';
import { violationMessage } from '../../../lib/common/violation';
import type { EfsStorage } from '../../../lib/storage/efs/configuration';
import { storageNamed, storageOf } from '../../../lib/storage/lookup';
import { BURSTING, ELASTIC, efsStacks, PROVISIONED } from './bench';

const efs = storageNamed('efs');
const limit = (name: string, ...args: Parameters<typeof efs.documented.limits>) =>
  efs.documented.limits(...args).find((one) => one.name === name);

test('says in words what it is', () => {
  expect([BURSTING, ELASTIC, PROVISIONED].map((one) => storageOf(one).configuration.describe(one))).toEqual([
    'EFS Regional, bursting throughput',
    'EFS One Zone, elastic throughput',
    'EFS Regional, provisioned throughput 256 MiB/s',
  ]);
});

describe('what EFS would refuse is refused with what is allowed', () => {
  test.each<[Partial<EfsStorage>, string]>([
    [
      { throughputMode: 'bursting', provisionedThroughputMiBps: 64 },
      "'efsProvisionedThroughput' (64) cannot be combined with bursting throughput: it cannot be set. Leave it out",
    ],
    [
      { throughputMode: 'provisioned' },
      "'efsProvisionedThroughput' must be a whole number of MiB/s from 1 to 3414 with provisioned throughput, got nothing.",
    ],
    ...[0, 1.5, 3415].map((provisionedThroughputMiBps): [Partial<EfsStorage>, string] => [
      { throughputMode: 'provisioned', provisionedThroughputMiBps },
      `must be a whole number of MiB/s from 1 to 3414 with provisioned throughput, got ${provisionedThroughputMiBps}.`,
    ]),
  ])('%j', (change, message) => {
    const { check, words } = efs.configuration;
    expect(check({ ...BURSTING, ...change }).errors.map((error) => violationMessage(error, words))).toEqual([
      expect.stringContaining(message),
    ]);
  });

  test('what EFS takes is not', () => {
    const least = { ...PROVISIONED, provisionedThroughputMiBps: 1 };
    const most = { ...PROVISIONED, provisionedThroughputMiBps: 3414 };
    for (const one of [BURSTING, ELASTIC, PROVISIONED, least, most])
      expect(efs.configuration.check(one).errors).toEqual([]);
  });
});

test('warns of credits, and of nothing else', () => {
  const warned = (change: Partial<EfsStorage>) =>
    efs.configuration
      .check({ ...PROVISIONED, ...change })
      .warnings.map(({ id, message }) => [id, message.slice(0, 30)]);
  expect(warned({})).toEqual([]);
  expect(warned({ throughputMode: 'bursting' })).toEqual([
    ['fsxbench:efs-burst-credits', 'bursting throughput depends on'],
  ]);
});

describe('limits', () => {
  test('of elastic throughput are those of the file system: nothing is metered but the bill', () => {
    expect(limit('metered_throughput', ELASTIC)).toBeUndefined();
    // One Zone: 1 GiB/s of writes.
    expect(limit('file_system', ELASTIC)?.burstMBps).toBeCloseTo(1073.742, 3);
  });

  test('of clients are 1,500 MiB/s with elastic throughput in several zones, and 500 MiB/s elsewhere', () => {
    const clients = { count: 4, networkBaselineMbps: 50_000 };
    const regional = { ...ELASTIC, availability: 'regional' };
    expect(limit('client_efs_path', regional, { clients })?.baselineMBps).toBeCloseTo(4 * 1572.864, 3);
    expect(limit('client_efs_path', ELASTIC, { clients })?.baselineMBps).toBeCloseTo(4 * 524.288, 3);
    expect(limit('client_nic', ELASTIC, { clients })?.baselineMBps).toBe(25_000);
  });
});

describe('costs', () => {
  test('are what is stored where that includes more throughput than is provisioned, and all of it where nobody knows what is', () => {
    const usd = (storedGiB?: number) =>
      efs.price.cost(PROVISIONED, { region: 'us-east-1', ...(storedGiB !== undefined && { storedGiB }) })[1]?.hourly;
    expect(usd(10_000)).toBe(0);
    expect(usd()).toBeCloseTo((256 * 6) / 730, 6);
  });

  test('have no sum while nobody knows what is stored or moved, and say so', () => {
    const lines = efs.price.cost(ELASTIC, { region: 'us-east-1' });
    expect(lines.map(({ hourly }) => hourly)).toEqual([null, null, null]);
    expect(lines.map(({ reason }) => reason)).toEqual([
      'storage is elastic: stored data is billed',
      'elastic throughput is billed by the bytes that are moved',
      'elastic throughput is billed by the bytes that are moved',
    ]);
  });
});

test('reads back what the service says of a file system', () => {
  const described = {
    ThroughputMode: 'provisioned',
    ProvisionedThroughputInMibps: 512,
    PerformanceMode: 'generalPurpose',
    Encrypted: true,
  };
  expect(efs.account.fromDescription(described)).toEqual({
    kind: 'efs',
    throughputMode: 'provisioned',
    provisionedThroughputMiBps: 512,
    availability: 'regional',
    performanceMode: 'general-purpose',
  });
  expect(efs.account.fromDescription({ ThroughputMode: 'unheard of' })).toBeNull();
  expect(efs.account.fromDescription(null, BURSTING)).toEqual(BURSTING);
});

test('settings change it, and another mode drops what was provisioned for the first', () => {
  expect(efs.configuration.withSettings(PROVISIONED, { efsThroughputMode: 'elastic' })).toEqual({
    kind: 'efs',
    throughputMode: 'elastic',
  });
  expect(
    efs.configuration.withSettings(BURSTING, { efsThroughputMode: 'provisioned', efsProvisionedThroughput: 64 }),
  ).toEqual({ kind: 'efs', throughputMode: 'provisioned', provisionedThroughputMiBps: 64 });
});

test('a file that is larger than any of EFS is refused before it is written', () => {
  const issuesOf = (largeBlocks: number) =>
    documentedPlan(
      { ...storageBench, arms: () => [{ name: 'efs', storage: ELASTIC }] },
      { plan: 'published', scale: 'published', set: [`largeBlocks=${largeBlocks}`], program: [] },
    ).issues.filter(({ id }) => id === 'file-too-large');
  expect(issuesOf(500_000)).toEqual([]);
  expect(issuesOf(510_000)).toMatchObject([
    { severity: 'error', message: 'A file of this size cannot be on arm efs.' },
  ]);
});

test('the alarm on throughput compares a percentage with 95 %', () => {
  Template.fromStack(efsStacks().bench).hasResourceProperties('AWS::CloudWatch::Alarm', {
    Threshold: 95,
    Metrics: Match.arrayWith([
      Match.objectLike({ Expression: '100 * metered_bursting / PERIOD(metered_bursting) / permitted_bursting' }),
    ]),
  });
});
