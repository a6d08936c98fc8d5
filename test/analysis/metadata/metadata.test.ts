import type { MetadataResults } from '../../../lib/analysis/metadata';
import { metadataResults } from '../../../lib/analysis/metadata';
import { neededIops, operationsPerIops } from '../../../lib/storage/lustre/limits';
import { type Change, fileSystem, rateSamples, series, subject } from './subject';

function resultsOf(change: Change = {}): MetadataResults {
  const results = metadataResults(subject(change));
  if (results === null) throw new Error('no results');
  return results;
}
const of = <T extends { arm: string | null }>(list: readonly T[], arm: string): T | undefined =>
  list.find((each) => each.arm === arm);
const mdt = (index: number) => ({ StorageTargetId: `MDT${index.toString(16).padStart(4, '0')}` });
const mds = (index: number) => ({ FileServer: `MDS${index.toString(16).padStart(4, '0')}` });

test('a run without operations on files has no results of metadata', () => {
  expect(metadataResults(subject({ counted: [] }))).toBeNull();
  expect(metadataResults(subject({ counted: rateSamples('small', 'write', [1]) }))).toBeNull();
});

describe('efficiency', () => {
  test('is the median of all rounds over the documented rate of the provisioned IOPS', () => {
    const { rates } = resultsOf();
    expect(of(rates, 'small')).toMatchObject({
      rate: { value: 23_000 },
      min: 22_000,
      max: 24_000,
      count: 3,
      documented: { value: 24_000, reason: null },
    });
    expect(of(rates, 'small')?.efficiency.value).toBeCloseTo(0.958, 3);
    expect(of(rates, 'large')?.efficiency.value).toBeCloseTo(300_000 / 384_000, 6);
  });

  test('of a removal is held against one a second for each IOPS', () => {
    const { rates } = resultsOf({ counted: rateSamples('small', 'file_remove', [9000]) });
    expect(rates[0]?.efficiency.value).toBeCloseTo(0.75, 6);
  });

  test.each([
    ['file_stat', 'AWS publishes no rate for stat'],
    ['file_read', 'AWS publishes no rate for an open and a close together, which this is'],
  ])('of %s is not scored: %s', (operation, reason) => {
    const { rates } = resultsOf({ counted: rateSamples('small', operation, [50_000]) });
    expect(rates[0]).toMatchObject({ rate: { value: 50_000 }, efficiency: { value: null, reason } });
  });

  test.each([
    [
      'without a metadata configuration',
      { planned: fileSystem(null) },
      false,
      'AWS publishes no rate for a file system without a metadata configuration',
    ],
    ['on a directory of this computer', { planned: null }, false, 'it is not an FSx for Lustre file system'],
    ['in the lab', { planned: fileSystem(12_000) }, true, 'a local file system replaced Amazon FSx'],
  ])('%s is null with the reason', (_, change, lab, reason) => {
    const { rates } = resultsOf({
      arms: [{ name: 'small', hourlyUsd: 1, ...change }],
      counted: rateSamples('small', 'file_create', [20_000]),
      lab,
    });
    expect(rates[0]).toMatchObject({ rate: { value: 20_000 }, efficiency: { value: null, reason } });
  });

  test('of an operation that failed has the failure as its reason', () => {
    const { rates, prices } = resultsOf({ counted: rateSamples('small', 'file_create', [null]) });
    expect(rates[0]?.efficiency).toEqual({ value: null, reason: 'exit status 1' });
    expect(prices[0]?.perMillion).toEqual({ value: null, reason: 'exit status 1' });
  });

  test('keeps files of different sizes apart, and arms in the plan’s order', () => {
    const { rates } = resultsOf({
      counted: [
        ...rateSamples('large', 'file_create', [1]),
        ...rateSamples('large', 'file_create', [2], 0, 4096),
        ...rateSamples('small', 'file_create', [3]),
      ],
    });
    expect(rates.map(({ arm, fileBytes, rate }) => [arm, fileBytes, rate.value])).toEqual([
      ['small', 0, 3],
      ['large', 0, 1],
      ['large', 4096, 2],
    ]);
  });
});

describe('prices', () => {
  const { prices } = resultsOf();

  test('count file system and clients by the hour', () => {
    expect(of(prices, 'small')?.perDollar.value).toBeCloseTo((23_000 * 3600) / 309.5, 6);
    expect(of(prices, 'small')?.perMillion.value).toBeCloseTo((309.5 * 1e6) / (23_000 * 3600), 9);
  });

  test('of a thousand operations a second are the file system’s month', () => {
    expect(of(prices, 'large')?.perThousandMonthly.value).toBeCloseTo((17 * 730) / 300, 6);
  });

  test('of the extra rate divide what is paid more by what is done more', () => {
    expect(of(prices, 'large')?.perExtraThousandMonthly.value).toBeCloseTo(((17 - 3.5) * 730) / (300 - 23), 6);
    expect(of(prices, 'small')?.perExtraThousandMonthly.reason).toBe(
      'the cheapest arm, which the others are compared with',
    );
  });

  test('of more money for no more speed are null, not infinite', () => {
    const { prices: slow } = resultsOf({
      counted: [...rateSamples('small', 'file_create', [20_000]), ...rateSamples('large', 'file_create', [19_000])],
    });
    expect(of(slow, 'large')?.perExtraThousandMonthly).toEqual({
      value: null,
      reason: 'it was not faster than small, which costs less',
    });
  });

  test('are null where nothing costs money, or where a price is not known', () => {
    expect(resultsOf({ lab: true }).prices[0]?.perDollar.reason).toBe('nothing in the lab costs money');
    expect(resultsOf({ fleet: { hourlyUsd: null, hourlyReason: 'this computer' } }).prices[0]?.perDollar.reason).toBe(
      'this computer',
    );
    const arms = [
      { name: 'small', planned: fileSystem(12_000), hourlyUsd: null, hourlyReason: 'no price in this Region' },
    ];
    expect(resultsOf({ arms }).prices[0]?.perThousandMonthly.reason).toBe('no price in this Region');
  });
});

test('of a plan that varies the nodes, figures are those of the most', () => {
  const counted = [2, 16, 4].flatMap((plannedNodes) =>
    rateSamples('large', 'file_create', [plannedNodes * 1000]).map((one) => ({ ...one, plannedNodes })),
  );
  expect(resultsOf({ counted })).toMatchObject({ nodes: 16, rates: [{ rate: { value: 16_000 }, count: 1 }] });
});

describe('balance', () => {
  const creates = (counts: readonly number[], minutes = 5) =>
    counts.map((count, index) => series('large', 'FileCreateOperations', mdt(index), () => count, minutes));
  /** Each 12,000 IOPS have a separate target. */
  const withTargets = (targets: number) => [
    { name: 'large', planned: fileSystem(12_000 * Math.max(1, targets)), hourlyUsd: 17 },
  ];

  test.each([
    ['even', [100, 100, 100, 100], 1],
    ['one target with twice as much', [100, 100, 100, 200], 0.625],
    ['all on one of four', [400, 0, 0, 0], 0.25],
  ])('%s', (_, counts, evenness) => {
    const found = of(resultsOf({ arms: withTargets(counts.length), metrics: creates(counts) }).balance, 'large');
    expect(found?.evenness.value).toBeCloseTo(evenness, 6);
    expect(found?.targets.map(({ share }) => share).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  });

  test('counts whole minutes within the phase only', () => {
    // Five minutes of the phase, then one in which something else happened on another target.
    const metrics = [
      series('large', 'FileCreateOperations', mdt(0), () => 10, 6),
      series('large', 'FileCreateOperations', mdt(1), (minute) => (minute < 5 ? 10 : 10_000), 6),
    ];
    expect(of(resultsOf({ arms: withTargets(2), metrics }).balance, 'large')?.evenness.value).toBe(1);
  });

  test.each([
    ['no metric was collected', [], 'FileCreateOperations: not collected; run npx fsxbench collect'],
    ['one target', [10], 'there is one metadata target: nothing to balance'],
    ['nothing was counted', [0, 0], 'the service counted no FileCreateOperations'],
  ])('is null where %s', (_, counts, reason) => {
    expect(
      of(resultsOf({ arms: withTargets(counts.length), metrics: creates(counts) }).balance, 'large')?.evenness,
    ).toEqual({ value: null, reason });
  });

  test.each([
    ['all on one of sixteen', [400]],
    ['two alike of sixteen', [200, 200]],
  ])('is null where targets that are provisioned published nothing: %s', (_, counts) => {
    const found = of(resultsOf({ arms: withTargets(16), metrics: creates(counts) }).balance, 'large');
    expect(found?.targets).toHaveLength(counts.length);
    expect(found?.evenness).toEqual({
      value: null,
      reason: `FileCreateOperations: ${counts.length} of 16 metadata targets published it within the phase`,
    });
  });

  test('is null where the phase is shorter than a minute of the metrics', () => {
    const samples = rateSamples('large', 'file_create', [1], 30).map((sample) => ({
      ...sample,
      endedAt: new Date(Date.parse(sample.startedAt) + 80_000).toISOString(),
    }));
    expect(of(resultsOf({ counted: samples, metrics: creates([1, 1]) }).balance, 'large')?.evenness.reason).toBe(
      'FileCreateOperations: no whole period of it lies within the phase',
    );
  });

  test('is null with the service’s reason where it published nothing', () => {
    const none = { ...series('large', 'FileCreateOperations', {}, () => 0, 0), reason: 'the service published none' };
    expect(of(resultsOf({ metrics: [none] }).balance, 'large')?.evenness.reason).toBe(
      'FileCreateOperations: the service published none',
    );
  });
});

describe('what set the pace', () => {
  /** 192,000 IOPS on 16 targets: 12,000 on each, 720,000 disk operations per minute. */
  const metrics = (cpu: number, iopsShare: number) => [
    ...Array.from({ length: 16 }, (_, index) =>
      series('large', 'CPUUtilization', mds(index), () => (index === 3 ? cpu : 5)),
    ),
    ...Array.from({ length: 16 }, (_, index) =>
      series('large', 'DiskWriteOperations', mdt(index), () => 720_000 * iopsShare * 0.75),
    ),
    ...Array.from({ length: 16 }, (_, index) =>
      series('large', 'DiskReadOperations', mdt(index), () => 720_000 * iopsShare * 0.25),
    ),
    // Disk operations of data targets do not count.
    series('large', 'DiskWriteOperations', { StorageTargetId: 'OST0000' }, () => 9e9),
  ];

  test.each([
    [95, 0.5, 'server'],
    [50, 0.93, 'server'],
    [40, 0.5, 'client'],
    [80, 0.5, 'neither'],
  ])('with the busiest server’s CPU at %i %% and the busiest target’s IOPS at %f: %s', (cpu, share, by) => {
    const found = of(resultsOf({ metrics: metrics(cpu, share) }).bounds, 'large');
    expect(found).toMatchObject({ by, reason: null });
    expect(found?.cpu.value).toBeCloseTo(cpu / 100, 6);
    expect(found?.iops.value).toBeCloseTo(share, 6);
  });

  test('is not said on half of the evidence, unless that half is busy', () => {
    const cpuOnly = (cpu: number) => [series('large', 'CPUUtilization', mds(0), () => cpu)];
    expect(of(resultsOf({ metrics: cpuOnly(40) }).bounds, 'large')).toMatchObject({
      by: null,
      reason: 'DiskReadOperations and DiskWriteOperations: none of a metadata target within the phase',
    });
    expect(of(resultsOf({ metrics: cpuOnly(95) }).bounds, 'large')?.by).toBe('server');
  });

  test('is not said of operations that ran in one command, as the published plan’s do', () => {
    const both = ['file_create', 'file_remove'].flatMap((operation) =>
      rateSamples('large', operation, [1]).map((sample) => ({ ...sample, step: 'r1-published-run-large' })),
    );
    expect(resultsOf({ counted: both, metrics: metrics(95, 0.95) }).bounds).toMatchObject([
      { operation: 'file_create', by: null, reason: 'several operations ran in one command' },
      { operation: 'file_remove', by: null, reason: 'several operations ran in one command' },
    ]);
  });

  test('tells whether more IOPS would help', () => {
    expect(resultsOf({ metrics: metrics(40, 0.5) }).needs[0]?.enough).toBe(true);
    expect(resultsOf({ metrics: metrics(95, 0.5) }).needs[0]?.enough).toBe(false);
    expect(resultsOf().needs[0]?.enough).toBeNull();
  });
});

describe('how many metadata IOPS a rate needs', () => {
  test.each([
    ['file_create', 2999, 1500],
    ['file_create', 3001, 3000],
    ['file_create', 300_000, 156_000],
    ['file_remove', 12_001, 24_000],
    ['dir_create', 1200, 12_000],
    // AWS publishes one rate for create, open and close.
    ['file_open', 3001, 3000],
    ['dir_remove', 2401, 24_000],
  ])('%s at %i a second: %i', (operation, rate, iops) => {
    expect(neededIops(operation, rate)).toEqual({ value: iops, reason: null });
  });

  test('is null beyond what AWS provisions, and where no rate is published', () => {
    expect(neededIops('file_remove', 200_000).reason).toBe(
      'it needs 200000 metadata IOPS, and AWS provisions at most 192000',
    );
    expect(neededIops('file_stat', 1).reason).toBe('AWS publishes no rate for file_stat');
  });

  test('follows the documented factors', () => {
    expect(
      ['file_create', 'file_remove', 'dir_create', 'dir_rename', 'dir_remove', 'file_stat'].map(operationsPerIops),
    ).toEqual([2, 1, 0.1, 0.1, 0.2, null]);
  });

  test('is answered from the fastest arm', () => {
    expect(resultsOf().needs).toEqual([
      {
        operation: 'file_create',
        fileBytes: 0,
        rate: 300_000,
        arm: 'large',
        iops: { value: 156_000, reason: null },
        enough: null,
      },
    ]);
  });
});
