import { advise, type Candidate, type Requirement } from '../../lib/advise';
import type { Proof } from '../../lib/advise/proof';
import { requirementOf } from '../../lib/cli/input/requirement';
import { predict } from '../../lib/predict';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';
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
const ONLY = 'Nothing that AWS sells meets these requirements (considered: FSx for Lustre). Closest:';
const lustre = (configuration: object | undefined) => configuration as LustreStorage;

test('400,000 opens per second are more than AWS sells: pack the files, how large, and for how much', () => {
  const { options, nearest, changes } = advise(asked('--capacity 30 --file-size 150kB --read 60'));
  expect([options, advise(asked('--capacity 30 --file-size 180kB --read 60')).options]).toEqual([[], []]);
  expect(nearest[0]?.unmet).toEqual([
    expect.objectContaining({ demand: 'opens', asked: 400_000, offered: 384_000, met: false }),
  ]);
  expect(changes.map(({ words }) => words)).toEqual([
    'pack the files into archives of at least 190 kB',
    'pack the files into archives of at least 1 MB',
  ]);
  for (const { requirement, monthlyUsd, configuration } of changes)
    expect(advise(requirement).options[0]).toMatchObject({ monthlyUsd, configuration });
  // The last has only what its capacity includes.
  expect(changes.map(({ configuration }) => lustre(configuration).metadata)).toEqual([
    { mode: 'USER_PROVISIONED', iops: 192_000 },
    { mode: 'USER_PROVISIONED', iops: 36_000 },
  ]);
});

test.each(['', ' --metadata 100000'])('writes of small files buy the metadata IOPS of their creates%s', (more) => {
  const [best] = advise(asked(`--write 3 --capacity 10 --file-size 18kB${more}`)).options;
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

/** Each case with its exit status, the first line from its verdict to the size, and the USD per month between which the first or closest is. */
const CASES: readonly (readonly [options: string, status: number, first: string, usd: readonly [number, number]])[] = [
  ['--capacity 30 --file-size 150kB --read 60', 3, `${ONLY} PERSISTENT_2 SSD 72000 GiB, 1000`, [50_000, 54_000]],
  [
    '--capacity 30 --file-size 150kB --read 60 --clients 32 --instance p4d.24xlarge',
    3,
    `${ONLY} PERSISTENT_2 SSD 72000 GiB, 1000`,
    [50_000, 54_000],
  ],
  [
    '--write 3 --capacity 10 --file-size 18kB',
    0,
    'Meets all 3 requirements: PERSISTENT_2 SSD 28800 GiB, 125',
    [9000, 10_000],
  ],
  ['--capacity 80 --read 2', 0, 'Meets both requirements: PERSISTENT_1 HDD 204000 GiB, 12', [4900, 5300]],
  ['--capacity 300 --files 40M --read 12', 0, 'Meets all 3 requirements: PERSISTENT_1 HDD 360000', [29e3, 31e3]],
  ['--capacity 80 --scan 2', 0, 'Meets both requirements: PERSISTENT_1 HDD 204000 GiB, 12', [4900, 5300]],
  ['--capacity 80 --scan 2 --storage all', 0, 'Meets both requirements: Mountpoint for Amazon S3', [1600, 1900]],
  [
    '--capacity 80 --read 2 --hours-per-day 0.1',
    0,
    'Meets all 3 requirements, if data load from S3 as fast as they are written: PERSISTENT_2 SSD 446400 GiB, 1000',
    [1000, 1200],
  ],
  [
    '--capacity 80 --read 20 --working-set 1TB --scan 2',
    0,
    'Meets all 3 requirements: PERSISTENT_2 SSD 96000 GiB, 250',
    [19_000, 21_000],
  ],
  [
    '--burst 2TB/60s/30min --ratio 1.3 --clients 100 --instance c5n.9xlarge',
    0,
    'Meets both requirements: PERSISTENT_2 SSD 26400 GiB, 1000',
    [15_000, 17_000],
  ],
  ['--metadata 3334 --capacity 50', 0, 'Meets both requirements: PERSISTENT_2 SSD 60000 GiB, 125', [8500, 9000]],
  [
    '--read 100 --capacity 100 --clients 200 --instance c5n.9xlarge',
    0,
    'Meets both requirements: PERSISTENT_2 SSD 120000 GiB, 1000',
    [70_000, 75_000],
  ],
  [
    '--capacity 28GiB --read 2 --clients 1 --instance c6in.8xlarge --processes 1',
    3,
    `${ONLY} PERSISTENT_2 SSD 1200 GiB, 500`,
    [400, 420],
  ],
  [
    '--capacity 28GiB --read 2 --clients 1 --instance c6in.8xlarge --processes 8',
    0,
    'Meets both requirements: PERSISTENT_2 SSD 9600 GiB, 250',
    [1900, 2100],
  ],
];

test.each(CASES)(
  '%s: one screen, its first line true, its proof with a price and confirmed by predict',
  async (options, status, first, [least, most]) => {
    const { status: found, out } = await fsxbenchIn({}, ['advise', ...options.split(' ')]);
    const lines = out.trimEnd().split('\n');
    expect([found, lines.length <= 24, Math.max(...lines.map(({ length }) => length)) <= 100]).toEqual([
      status,
      true,
      true,
    ]);
    const words = out.replaceAll(/\s+/g, ' ');
    expect(words.slice(0, first.length)).toBe(first);
    const requirement = asked(options);
    const { options: answers, nearest } = advise(requirement);
    const one = (answers[0] ?? nearest[0]) as Candidate & Proof;
    expect([one.monthlyUsd ?? 0].filter((usd) => usd > least && usd < most)).toHaveLength(1);
    expect([one.meets, one.unmet.length]).toEqual(status === 0 ? [true, 0] : [false, 1]);
    if (status === 0) expectConfirmed(one, requirement, words);
  },
);

/** Its experiments have a price, which is printed, and `predict` gives what is asked for, at the limit of the file system. */
function expectConfirmed({ configuration, flows, checks, proof }: Candidate & Proof, asked: Requirement, out: string) {
  expect(proof.hourlyUsd).toBeGreaterThan(0);
  expect(out).toMatch(/to prove option 1 \(\w+, [\d.]+ USD per hour with/);
  if (proof.cheaper !== undefined) {
    expect(proof.cheaper.hourlyUsd).toBeLessThan(proof.hourlyUsd ?? 0);
    expect(out).toMatch(/cheaper proof: \w+, [\d.]+ USD per hour with .* but not (that|how) /);
  }
  const wanted = (demand: string) => Number(checks.find((check) => check.demand === demand)?.asked ?? 0);
  for (const { benchmark, clients, instanceType } of proof.experiments) {
    const { throughputMBps, binding, metadataPerSecond } = predict({
      configuration,
      readShare: flows[0]?.readShare ?? 0,
      ratio: lustre(configuration).dataCompressionType === 'LZ4' ? asked.ratio : undefined,
      // CompressionBench has half of the clients for each arm.
      clients: { count: benchmark === 'CompressionBench' ? clients / 2 : clients, instanceType },
      workingSetGiB: asked.scanMBps === undefined ? asked.workingSetGiB : undefined,
    });
    if (benchmark === 'MetadataBench')
      expect(metadataPerSecond?.file_create).toBeGreaterThanOrEqual(wanted('creates') * 1.2);
    else expect(throughputMBps.baseline).toBeGreaterThanOrEqual(Math.max(flows[0]?.MBps ?? 0, wanted('burst')));
    if (benchmark === 'CompressionBench') expect(binding.baseline).not.toMatch(/^client_/);
  }
}

test('clients without a price, such as GPU instances, have a cheaper proof with those of the study', () => {
  const { options } = advise(asked('--burst 2TB/60s/30min --ratio 1.3 --clients 100 --instance p5.48xlarge'));
  const { hourlyUsd, cheaper } = options[0]?.proof ?? {};
  expect([hourlyUsd, cheaper?.instanceType]).toEqual([null, 'c5n.9xlarge']);
  expect(cheaper?.hourlyUsd).toBeGreaterThan(0);
  expect(cheaper?.cannotShow).toBe('how 100 × p5.48xlarge share it');
});

test('what other kinds of storage meet is a change: the first line names the kinds that were considered', () => {
  const { options, changes } = advise(asked('--capacity 0.1 --read 1 --max-monthly 50'));
  expect([options, changes.map(({ words }) => words)]).toEqual([
    [],
    ['raise the budget', 'consider all kinds of storage (--storage all)'],
  ]);
  expect(advise(changes[1]?.requirement as Requirement).options[0]?.monthlyUsd).toBeLessThan(50);
});
