import type { Requirement } from '../../lib/advise';
import { advise } from '../../lib/advise';
import { requirementOf } from '../../lib/cli/input/requirement';
import { predict } from '../../lib/predict';
import type { LustreConfiguration } from '../../lib/storage/lustre/configuration';
import { fsxbenchIn } from '../cli/support';

/** Purchases that were tried as a storage engineer would, by their options on the command line. */
const asked = (options: string): Requirement => {
  const flags = Object.fromEntries(
    [...options.matchAll(/--([a-z-]+) (\S+)/g)].map(([, name = '', value]) => [
      name.replace(/-[a-z]/g, (letter) => letter.slice(1).toUpperCase()),
      name === 'storage' ? [value] : value,
    ]),
  );
  return requirementOf(flags, 'us-east-1');
};
const lustre = (configuration: object | undefined) => configuration as LustreConfiguration;

test('400,000 opens per second are more than AWS sells: pack the files, how large, and for how much', () => {
  const { options, nearest, changes } = advise(asked('--capacity 30 --file-size 150kB --read 60'));
  expect(options).toEqual([]);
  expect(nearest[0]?.unmet).toEqual([
    expect.objectContaining({ demand: 'opens', asked: 400_000, offered: 384_000, met: false }),
  ]);
  expect(changes.map(({ words }) => words)).toEqual([
    'pack the files into archives of at least 220 kB',
    'pack the files into archives of at least 1.2 MB',
  ]);
  for (const { requirement, monthlyUsd, configuration } of changes)
    expect(advise(requirement).options[0]).toMatchObject({ monthlyUsd, configuration });
  // 60 GB/s with a fifth more of 220 kB each; the last has only what its capacity includes.
  expect(changes.map(({ configuration }) => lustre(configuration).metadata)).toEqual([
    { mode: 'USER_PROVISIONED', iops: 168_000 },
    { mode: 'USER_PROVISIONED', iops: 36_000 },
  ]);
});

test('writes of small files buy the metadata IOPS that their creates take', () => {
  const [best] = advise(asked('--write 3 --capacity 10 --file-size 18kB')).options;
  // 166,667 creates per second and a fifth more, at 2 for each metadata IOPS.
  expect(lustre(best?.configuration).metadata).toEqual({ mode: 'USER_PROVISIONED', iops: 108_000 });
});

test.each([
  ['--capacity 80 --read 2', 5100],
  ['--capacity 300 --files 40M --read 12', 29_880],
])('%s: no read cache that nothing is read from', (options, usd) => {
  const [best] = advise(asked(options)).options;
  expect(best).toMatchObject({ configuration: { driveCacheType: 'NONE' }, monthlyUsd: usd });
});

test('reads outside the working set are a demand of their own', () => {
  const set = advise(asked('--capacity 80 --read 20 --working-set 1TB'));
  expect(set.notes.map(({ id }) => id)).toContain('fsxbench:only-working-set');
  const { options } = advise(asked('--capacity 80 --read 20 --working-set 1TB --scan 2GB/s'));
  const scan = (at: number) => options[at]?.checks.find(({ demand }) => demand === 'scan');
  expect(scan(0)).toMatchObject({ asked: 2000, met: true });
  for (const { configuration } of options) {
    const { throughputMBps } = predict({ configuration, readShare: 1 });
    if (lustre(configuration).storageType !== 'INTELLIGENT_TIERING')
      expect(throughputMBps.baseline).toBeGreaterThanOrEqual(2400);
  }
});

test('a checkpoint of 2 TB in 60 s every 30 minutes: what sustains it, and what bursts it if the credits last', () => {
  const burst = asked('--burst 2TB/60s/30min --ratio 1.3 --clients 100 --instance c5n.9xlarge');
  const { options, nearest } = advise(burst);
  expect(options[0]).toMatchObject({ configuration: { storageCapacityGiB: 26_400, perUnitStorageThroughput: 1000 } });
  expect(options[0]?.checks.find(({ demand }) => demand === 'burst')).toMatchObject({ met: true, offered: 34_320 });
  const bursting = nearest.find(({ configuration }) => lustre(configuration).perUnitStorageThroughput === 125);
  expect(bursting).toMatchObject({ configuration: { storageCapacityGiB: 52_800 }, monthlyUsd: 7656, meets: false });
  expect(bursting?.unmet).toEqual([expect.objectContaining({ demand: 'burst', offered: 34_320, met: null })]);
  expect(bursting?.unmet[0]?.reason).toContain(
    'AWS publishes no number of credits, and a run of CompressionBench shows',
  );
  // Their mean must be sustained: else the credits run out for certain.
  const often = advise({ ...burst, burst: { terabytes: 2, seconds: 60, everySeconds: 100 } }).nearest;
  for (const { configuration, unmet } of often)
    if (unmet.some(({ demand }) => demand === 'burst')) {
      const { throughputMBps } = predict({
        configuration,
        ratio: lustre(configuration).dataCompressionType === 'LZ4' ? 1.3 : undefined,
      });
      expect(throughputMBps.baseline).toBeGreaterThanOrEqual(20_000);
    }
});

test('Intelligent-Tiering has both ends of its price, and is named if it may be the cheapest', () => {
  const { options, nearest } = advise(asked('--metadata 3334 --capacity 50'));
  const tiering = nearest.find(({ configuration }) => lustre(configuration).storageType === 'INTELLIGENT_TIERING');
  const gib = 50e12 / 2 ** 30;
  const throughput = 0.52 * (lustre(tiering?.configuration).throughputCapacity ?? 0);
  expect(tiering?.lowUsd).toBeCloseTo(throughput + gib * 0.0046, 0);
  expect(tiering?.knownUsd).toBeCloseTo(throughput + gib * 0.0236, 0);
  expect(tiering?.lowUsd).toBeLessThan(options[0]?.monthlyUsd ?? 0);
});

test('a model that one process loads is as slow whatever is bought: more processes, not a larger file system', () => {
  const one = advise(asked('--capacity 28GiB --read 2 --clients 1 --instance c6in.8xlarge --processes 1'));
  expect(one.options).toEqual([]);
  expect(one.nearest[0]).toMatchObject({ binding: { baseline: 'streams' } });
  expect(one.changes[0]?.words).toMatch(/^use \d+ processes per client$/);
  const more = advise(one.changes[0]?.requirement as Requirement).options;
  expect(more[0]?.throughputMBps.baseline).toBeGreaterThanOrEqual(2000);
});

/** Every case with what its first line says. */
const CASES: readonly (readonly [options: string, status: number, first: RegExp])[] = [
  ['--capacity 30 --file-size 150kB --read 60', 3, /^Nothing that AWS sells meets it/],
  ['--write 3 --capacity 10 --file-size 18kB', 0, /^Meets all 3 demands: PERSISTENT_2 SSD 28800 GiB/],
  ['--capacity 80 --read 2', 0, /^Meets both demands: PERSISTENT_1 HDD 204000 GiB/],
  ['--capacity 300 --files 40M --read 12', 0, /^Meets all 3 demands: PERSISTENT_1 HDD 360000 GiB/],
  ['--capacity 80 --scan 2 --storage all', 0, /^Meets both demands: Mountpoint for Amazon S3/],
  ['--capacity 80 --read 2 --hours-per-day 8', 0, /^Meets all 3 demands: /],
  ['--capacity 80 --read 2 --working-set 1TB --scan 2', 0, /^Meets all 3 demands: /],
  ['--burst 2TB/60s/30min --ratio 1.3 --clients 100 --instance c5n.9xlarge', 0, /^Meets both demands: PERSISTENT_2/],
  ['--metadata 3334 --capacity 50', 0, /^Meets both demands: PERSISTENT_2/],
  [
    '--capacity 28GiB --read 2 --clients 1 --instance c6in.8xlarge --processes 1',
    3,
    /^Nothing that AWS sells meets it/,
  ],
  ['--capacity 28GiB --read 2 --clients 1 --instance c6in.8xlarge --processes 8', 0, /^Meets both demands: /],
];

test.each(CASES)(
  '%s: one screen, its first line true, its proof with a price and confirmed by predict',
  async (options, status, first) => {
    const { status: found, out } = await fsxbenchIn({}, ['advise', ...options.split(' ')]);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(first);
    expect([found, lines.length <= 24, Math.max(...lines.map(({ length }) => length)) <= 100]).toEqual([
      status,
      true,
      true,
    ]);
    const requirement = asked(options);
    const [best] = advise(requirement).options;
    if (best === undefined) return;
    const { experiments, hourlyUsd, cheaper } = best.proof;
    expect(hourlyUsd).toBeGreaterThan(0);
    if (cheaper !== undefined) expect(cheaper.hourlyUsd).toBeLessThan(hourlyUsd ?? 0);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/to prove 1 \(\w+, [\d.]+ USD per hour with/);
    for (const { benchmark, clients, instanceType } of experiments) {
      if (benchmark !== 'CompressionBench') continue;
      // Half of the clients for each arm.
      const { throughputMBps, binding } = predict({
        configuration: best.configuration,
        readShare: best.flows[0]?.readShare ?? 0,
        ratio: lustre(best.configuration).dataCompressionType === 'LZ4' ? requirement.ratio : undefined,
        clients: { count: clients / 2, instanceType },
        workingSetGiB: requirement.scanMBps === undefined ? requirement.workingSetGiB : undefined,
      });
      expect(binding.baseline).not.toMatch(/^client_/);
      expect(throughputMBps.baseline).toBeGreaterThanOrEqual(best.flows[0]?.MBps ?? 0);
    }
  },
);
