import { type Advice, advise as adviseAny, type Requirement } from '../../lib/advise';
import { STORAGE_KINDS } from '../../lib/advise/requirement';
import { caveatsOf } from '../../lib/advise/search';
import { describeOption } from '../../lib/advise/wording';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { resolveAll } from '../../lib/config/app';
import { DEPLOYABLE_KINDS } from '../../lib/constructs/storage/registry';
import { instanceType, instanceTypeNames } from '../../lib/fleet/instanceTypes';
import { predict } from '../../lib/predict';
import { PUBLISHED } from '../../lib/price/prices';
import { checkEbs } from '../../lib/storage/ebs/configuration';
import { storageOf } from '../../lib/storage/lookup';
import { CHUNKSERVER_TYPES } from '../../lib/storage/moosefs';
import { STORAGES } from '../../lib/storage/registry';

/** Advice without head-room, whose bounds the tests compute. */
const advise = (requirement: Requirement) => adviseAny({ headroom: 0, ...requirement });

const NEED: Requirement = { writeMBps: 1000, capacityTB: 5 };
const kindOf = ({ configuration }: Advice['options'][number]) => storageOf(configuration).kind;
const of = (kind: string, requirement: Requirement) => advise({ maxFill: 1, ...requirement, storages: [kind] });

describe('volumes that one client mounts', () => {
  test('are no answer for several clients, and say why', () => {
    const { options, rejected } = of('ebs', { ...NEED, clients: { count: 4, instanceType: 'c6in.4xlarge' } });
    expect(options).toEqual([]);
    expect(new Set(rejected.map(({ reason }) => reason))).toEqual(
      new Set(['at any size: EBS can be mounted by one client at a time, and 4 need it']),
    );
  });

  test('are no answer to a budget of several clients either, but to that of one', () => {
    const bought = (count: number) =>
      advise({ maxMonthlyUsd: 2000, storages: ['ebs', 'lustre'], clients: { count, instanceType: 'c6in.4xlarge' } });
    const several = bought(4);
    expect(new Set(several.options.map(kindOf))).toEqual(new Set(['lustre']));
    expect(several.rejected.map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining('EBS can be mounted by one client at a time, and 4 need it'),
    );
    expect(new Set(bought(1).options.map(kindOf))).toEqual(new Set(['lustre', 'ebs']));
  });

  test('are one for a single client, whose path to EBS counts', () => {
    const one = (instanceType: string) => of('ebs', { ...NEED, clients: { count: 1, instanceType } });
    expect(one('c6in.4xlarge').options.length).toBeGreaterThan(0);
    // 287.5 MB/s sustained to EBS.
    expect(one('c5.2xlarge').rejected[0]?.reason).toBe('at any size: writes reach 0.2875 of 1 GB/s (client_ebs_path)');
  });

  test('are no answer as long as nobody said that one client is enough', () => {
    const { options, nearest } = of('ebs', NEED);
    expect(options).toEqual([]);
    expect(nearest[0]?.unmet).toEqual([expect.objectContaining({ demand: 'clients', met: null, offered: 1 })]);
    expect(nearest.map(({ configuration }) => describeOption(configuration))[0]).toMatch(/, one client$/);
  });

  test('are predicted for one client alone', () => {
    const configuration = { kind: 'ebs', filesystem: 'xfs', volumeType: 'gp3', volumeGiB: 100 };
    expect(() => predict({ configuration, clients: { count: 4, instanceType: 'c6in.4xlarge' } })).toThrow(
      "'clients.count' must be at most 1 with EBS, which no more can mount at a time, got 4",
    );
  });

  test('cost what any smaller throughput or fewer IOPS would not do: brute force finds nothing cheaper', () => {
    const needed = [
      [300, 0.1],
      [900, 3],
      [1500, 40],
      [4000, 1],
    ] as const;
    for (const [writeMBps, capacityTB] of needed) {
      const clients = { count: 1, instanceType: 'c6in.32xlarge' };
      const { options } = of('ebs', { writeMBps, capacityTB, clients });
      const best = Math.min(...options.map(({ monthlyUsd }) => monthlyUsd ?? Number.POSITIVE_INFINITY));
      const gib = (capacityTB * 1e12) / 2 ** 30;
      for (const volumes of [1, 2, 4, 11])
        for (let throughputMiBps = 125; throughputMiBps <= 2000; throughputMiBps += 25)
          for (const iops of [3000, 4000, 8000]) {
            const volumeGiB = Math.ceil(gib / volumes);
            const configuration = {
              kind: 'ebs',
              filesystem: 'xfs',
              volumeType: 'gp3',
              volumeGiB,
              volumes,
              iops,
              throughputMiBps,
            } as const;
            if (checkEbs(configuration).errors.length > 0) continue;
            if (predict({ configuration }).throughputMBps.baseline < writeMBps) continue;
            const hourly = storageOf(configuration)
              .price.cost(configuration, { region: 'us-east-1' })
              .reduce((sum, line) => sum + (line.hourly ?? Number.NaN), 0);
            expect(hourly * 730).toBeGreaterThanOrEqual(best - 0.01);
          }
    }
  });
});

test('chunkservers are of the family with the most sustained bandwidth to EBS for its price', () => {
  const value = (name: string): number => {
    const { ebsBaselineMBps = 0 } = instanceType(name) ?? {};
    return ebsBaselineMBps / (PUBLISHED.instancePriceOf(name, 'us-east-1')?.price ?? Number.POSITIVE_INFINITY);
  };
  const best = Math.max(...instanceTypeNames().map(value));
  for (const name of CHUNKSERVER_TYPES) expect([name, value(name) / best]).toEqual([name, expect.closeTo(1, 2)]);
});

test('MooseFS keeps what its servers cost and that nobody publishes what its metadata do', () => {
  const [first] = of('moosefs', NEED).options;
  expect(first).toMatchObject({ reason: null, binding: { baseline: 'server_ebs' } });
  expect(first?.monthlyUsd).toBeGreaterThan(3 * 0.2268 * 730);
  const { options, rejected } = of('moosefs', { createsPerSecond: 100 });
  expect(options).toEqual([]);
  expect(rejected[0]?.reason).toContain('no metadata rates are published for MooseFS on EBS');
});

test.each(STORAGE_KINDS)('what is proposed of %s can be deployed as its fragment says', (kind) => {
  const { options } = of(kind, { writeMBps: 400, capacityTB: 2, clients: { count: 1, instanceType: 'c6in.16xlarge' } });
  expect(options.length).toBeGreaterThan(0);
  for (const { configuration, cdkJson } of options) {
    // A benchmark has to have an arm of the kind, and a `proof`.
    expect([kind, 'is proven by', Object.keys(cdkJson.context)]).not.toEqual([kind, 'is proven by', []]);
    const { benchmarks, refused } = resolveAll(BENCHMARKS, cdkJson.context, DEPLOYABLE_KINDS);
    expect(refused).toEqual([]);
    const { kind: _, dataCompressionType: __, ...wanted } = { dataCompressionType: null, ...configuration };
    for (const { definition, arms } of benchmarks) {
      if (cdkJson.context[definition.name] === undefined) continue;
      expect(arms.map(({ storage }) => storage)).toContainEqual(expect.objectContaining(wanted));
    }
  }
});

test('a bucket costs what it stores, and the requests that write and read all of it once a month', () => {
  const [bucket] = of('mountpoint-s3', NEED).options;
  const requests = (5e12 / 2 ** 24) * (0.005 / 1000) + (5e12 / 2 ** 23) * (0.0004 / 1000);
  expect(bucket).toMatchObject({ binding: { baseline: 'requests' } });
  expect(bucket?.monthlyUsd).toBeCloseTo((5e12 / 2 ** 30) * 0.023 + requests, 1);
  expect(bucket?.warnings.map(({ id }) => id)).toContain('fsxbench:mountpoint-semantics');
  expect(bucket && describeOption(bucket.configuration)).toMatch(
    /for programs that only write whole files \(not POSIX\)$/,
  );
  const [refused] = of('mountpoint-s3', { createsPerSecond: 100 }).rejected;
  expect(refused?.reason).toContain('no metadata rates are published for Mountpoint for Amazon S3');
});

test('a backup that is read once in a while is cheapest in a bucket; volumes in RAID-0, which one client mounts, are no answer', () => {
  const { options } = advise({ capacityTB: 80, scanMBps: 2000, storages: STORAGE_KINDS });
  expect(kindOf(options[0] as Advice['options'][number])).toBe('mountpoint-s3');
  expect(options.map(kindOf)).not.toContain('ebs');
  const clients = { count: 1, instanceType: 'c6in.32xlarge' };
  const one = advise({ capacityTB: 80, scanMBps: 2000, storages: ['lustre', 'ebs'], clients }).options;
  const raid = one.filter(({ configuration }) => 'volumes' in configuration);
  expect(raid.length).toBeGreaterThan(0);
  for (const { configuration } of raid) expect(caveatsOf(configuration)).not.toEqual([]);
});

test('where all kinds are asked for, what is none of them has a reason', () => {
  const notes = (storages: readonly string[]) =>
    advise({ ...NEED, storages }).notes.flatMap(({ id, message }) => (id === 'fsxbench:not-advised' ? message : []));
  const found = notes(STORAGE_KINDS);
  expect(found).toEqual(
    STORAGES.flatMap(({ label, price: { notAdvised } }) =>
      notAdvised === undefined ? [] : expect.stringContaining(`${label} is not considered: ${notAdvised}`),
    ),
  );
  expect(found.join('\n')).toMatch(
    /^instance store is not considered: .+ no throughput is published, .+ StorageBench measures it/m,
  );
  expect(found.join('\n')).toMatch(/^Lustre on ZFS is not considered: .+ is not published; OffloadBench measures it/m);
  expect(notes(['ebs'])).toEqual([]);
});

test('a budget alone buys nothing whose price depends on what is stored and moved', () => {
  const { options, rejected } = advise({ maxMonthlyUsd: 2000, storages: ['mountpoint-s3'] });
  expect(options).toEqual([]);
  expect(rejected.map(({ reason }) => reason)).toEqual([
    'its price depends on what is stored and moved: give --capacity or a rate',
  ]);
});

test('all kinds are ranked against one another', () => {
  const clients = { count: 1, instanceType: 'c6in.16xlarge' };
  const advice = advise({ ...NEED, storages: STORAGE_KINDS, clients });
  expect(new Set(advice.options.map(kindOf))).toEqual(new Set(STORAGE_KINDS));
  const clear = advice.options.filter(({ configuration }) => caveatsOf(configuration).length === 0);
  const prices = clear.map(({ monthlyUsd }) => monthlyUsd ?? Number.POSITIVE_INFINITY);
  expect(prices).toEqual([...prices].sort((a, b) => a - b));
});
