import { advise } from '../../lib/advise';
import { compareRuns } from '../../lib/analysis/compare/compare';
import { summarise } from '../../lib/analysis/summary';
import { dataFitInMemory } from '../../lib/analysis/validity/documented';
import { renderMarkdown } from '../../lib/report';
import { purchaseOf } from '../../lib/report/purchase';
import type { Side } from '../../lib/schema/baseline';
import type { RunRecord } from '../../lib/store/record';
import { syntheticRun } from '../report/syntheticRun';
import { soundRun, withSamples } from './runs';

const GIB = 2 ** 30;
const DISK = 'FileServerDiskThroughputUtilization';

/** A run of one compressibility at rates in MB/s, by arm and operation, with the utilisation of each of its file servers. */
function runAt(
  MBps: (arm: string, operation: string) => number,
  servers: readonly number[] = [],
  compressibility = 1,
): RunRecord {
  const record = soundRun({ compressibilities: [compressibility], variation: 0, withMetrics: servers.length > 0 });
  const samples = withSamples(record, (sample) => {
    if (sample.source !== 'client' || sample.value === null) return sample;
    const seconds = (Date.parse(sample.endedAt) - Date.parse(sample.startedAt)) / 1000;
    const rate = MBps(sample.arm, sample.operation) * 1e6;
    return { ...sample, value: sample.metric === 'throughput' ? rate / 2 ** 20 : rate * seconds };
  });
  const metrics = record.metrics.map((file) => {
    const network = file.series.filter(({ metric }) => metric === 'NetworkThroughputUtilization');
    const published = servers.flatMap((percent, server) =>
      network.map((one) => ({
        ...one,
        metric: DISK,
        dimensions: { ...one.dimensions, FileServer: `server-${server}` },
        points: one.points.map(([at]) => [at, percent] as const),
      })),
    );
    return { ...file, series: [...file.series.filter(({ metric }) => !metric.endsWith('Utilization')), ...published] };
  });
  return { ...samples, metrics };
}

const writtenBy = (record: RunRecord, arm: string) =>
  summarise(record).analysis.limits.find((one) => one.arm === arm && one.operation === 'write');

test('one file server whose disk is 97 % busy holds the others up, however idle they are', () => {
  const { evidence, ...found } =
    writtenBy(
      runAt(() => 2000, [97, 20, 20]),
      'none',
    ) ?? {};
  expect(found).toMatchObject({ limitedBy: 'disk', because: 'utilisation' });
  expect(evidence).toContainEqual(expect.objectContaining({ metric: DISK, value: expect.closeTo(0.97, 6) }));
});

test.each([
  // Data at 4.03:1 are sustained by the network at 10,800 MB/s and burst by disks × ratio at 13,934 MB/s.
  [10_600, 'server_network'],
  [11_300, 'server_network'],
  [12_500, 'disk_compressed'],
])('with compression, %d MB/s are limited by %s: above the baseline only what a burst may do counts', (rate, limit) => {
  expect(
    writtenBy(
      runAt((arm) => (arm === 'lz4' ? rate : 2880), [], 4.2),
      'lz4',
    ),
  ).toMatchObject({
    binding: { baseline: 'server_network', burst: 'disk_compressed' },
    limitedBy: limit,
    because: 'documented limit',
  });
});

test.each([
  // Between 2,880 MB/s sustained and 3,456 MB/s in a burst, or within 5 % of them.
  [1440, 0],
  [2760, 4],
  [3200, 4],
  [3600, 4],
  [5000, 0],
])('at %d MB/s on disks that are documented for 2,880 to 3,456, %d of 4 rates are as predicted', (MBps, count) => {
  expect(renderMarkdown(summarise(runAt(() => MBps)))).toContain(`${count} of 4 rates are as predicted`);
});

test('a rate that was not measured is not among those that could be as predicted', () => {
  const failing = Array.from({ length: 4 }, (_, index) => `r${index + 1}-c1-read`);
  const run = summarise(soundRun({ compressibilities: [1], variation: 0, failing }));
  expect(renderMarkdown(run)).toMatch(/\d of 3 rates are as predicted/);
});

test.each([
  ['write', { writeMBps: 12_000, readMBps: 100 }],
  ['read', { writeMBps: 100, readMBps: 12_000 }],
] as const)('what to buy for a %s of 12,000 MB/s is what sustains these, not more', (mode, requirement) => {
  // To the megabyte what 12 TiB at 1,000 MB/s/TiB are documented to sustain: a little more asks for more servers.
  const [exact, more] = [1, 1.024].map((factor) =>
    advise({ ...requirement, headroom: 0, [`${mode}MBps`]: 12_000 * factor }),
  );
  const found = purchaseOf(
    summarise(runAt((_, operation) => requirement[operation === 'write' ? 'writeMBps' : 'readMBps'])),
  );
  expect(found?.best?.monthlyUsd).toBe(exact?.options[0]?.monthlyUsd);
  expect(found?.best?.monthlyUsd).toBeLessThan(more?.options[0]?.monthlyUsd ?? 0);
});

test.each([
  ['lz4', 1100, 2000],
  ['none', 900, 1300],
] as const)(
  'what to buy is for %s, the fastest by writes and reads together, whichever wrote more',
  (arm, write, read) => {
    const lz4 = { write, read };
    const none = { write: write + (arm === 'lz4' ? 50 : -50), read: arm === 'lz4' ? read - 100 : read + 100 };
    const rates = { lz4, none } as Readonly<Record<string, Readonly<Record<string, number>>>>;
    expect(purchaseOf(summarise(runAt((one, operation) => rates[one]?.[operation] ?? 0)))?.reached.arm).toBe(arm);
  },
);

describe('of times, of which less is better, two runs', () => {
  const base = summarise(soundRun({ compressibilities: [1] }));
  const taking = (...seconds: readonly number[]): Side => ({
    ...base,
    cells: base.cells.slice(0, 1).map((cell) => ({
      ...cell,
      operation: 'run',
      kind: { id: 'run' },
      metric: 'seconds',
      unit: 's',
      samples: seconds.map((value, index) => ({ repeat: index + 1, iteration: null, value, reason: null, raw: null })),
    })),
  });
  const STEADY = taking(99, 100, 101);
  test.each([
    ['are the same where the whole interval stays below the tolerance', taking(100, 101, 102), 'same'],
    ['cannot be told where its upper end is above', taking(70, 100, 140), 'inconclusive'],
    ['have regressed where it took longer', taking(119, 120, 121), 'regression'],
    ['have improved where it took less', taking(79, 80, 81), 'improvement'],
  ])('%s', (_, other, verdict) => {
    expect(compareRuns(STEADY, other).cells.map((cell) => [cell.better, cell.verdict])).toEqual([['lower', verdict]]);
  });
});

test.each([
  // Four clients of 10 GiB.
  [39, 'found'],
  [41, 'passed'],
])('%d GiB against the memory of four clients, of 40 GiB in all: %s', (written, state) => {
  const task = { arm: 'none', compressibility: 1, clients: 4, bytes: written * GIB };
  const answer = dataFitInMemory.check({
    arms: [{ name: 'none', configuration: null }],
    elsewhere: null,
    clients: { memoryBytes: 10 * GIB },
    measured: [
      { ...task, operation: 'write' },
      { ...task, operation: 'read' },
    ],
  } as never);
  expect(answer).toMatchObject({ state: 'judged', findings: state === 'found' ? [expect.anything()] : [] });
});

test('the levels that the service counted are in MB/s of 10⁶ bytes, as the clients’ rate is', () => {
  const record = syntheticRun({ compressibilities: [1], repeats: 1, variation: 0 });
  const phase = record.samples.find((one) => one.phase === 'measure' && one.metric === 'throughput');
  const [from, minutes] = [Date.parse(phase?.startedAt ?? ''), 120];
  const endedAt = new Date(from + minutes * 60_000).toISOString();
  const samples = record.samples.flatMap((one) => (one.step === phase?.step ? [{ ...one, endedAt }] : []));
  const counted = Array.from({ length: minutes }, (_, minute) => {
    const MBps = (minute < 60 ? 3500 : 2880) * (1 + 0.004 * Math.sin(minute * 7.13));
    return [new Date(from + minute * 60_000).toISOString(), MBps * 1e6 * 60] as const;
  });
  const metrics = record.metrics.map(({ series, ...file }) => ({
    ...file,
    series: series.flatMap((one) => (one.metric === 'DataWriteBytes' ? [{ ...one, points: counted }] : [])),
  }));
  const level = summarise({ ...record, samples, metrics }).analysis.levels.find(({ source }) => source === 'service');
  expect(level).toMatchObject({ unit: 'MB/s', changes: [{ hours: 1 }] });
  expect([level?.burst, level?.baseline].map((MBps) => Math.round((MBps ?? 0) / 10) * 10)).toEqual([3500, 2880]);
});
