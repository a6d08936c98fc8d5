/** Runs whose limit, level, prediction, price and interval are known by arithmetic. */
import { advise } from '../../lib/advise';
import { compareRuns } from '../../lib/analysis/compare/compare';
import { levelsOf } from '../../lib/analysis/limits/levels';
import { isBeyond } from '../../lib/analysis/limits/limitedBy';
import { summarise } from '../../lib/analysis/summary';
import type { MeasuredTask } from '../../lib/analysis/task';
import { dataFitInMemory } from '../../lib/analysis/validity/documented';
import { instanceType } from '../../lib/fleet/instanceTypes';
import { renderMarkdown } from '../../lib/report';
import { purchaseOf } from '../../lib/report/answers';
import type { CollectedSeries } from '../../lib/schema/metrics';
import type { Sample } from '../../lib/schema/sample';
import type { Side } from '../../lib/schema/summary';
import type { RunRecord } from '../../lib/store/record';
import { syntheticRun } from '../report/syntheticRun';
import { isMeasured } from './faultyRuns';
import { blogRun, soundRun, withSamples } from './runs';

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
    cells: base.cells
      .slice(0, 1)
      .map((cell) => ({
        ...cell,
        operation: 'run',
        kind: { id: 'run' },
        metric: 'seconds',
        unit: 's',
        samples: seconds.map((value, index) => ({
          repeat: index + 1,
          iteration: null,
          value,
          reason: null,
          raw: null,
        })),
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

const MINUTE = 60_000;
// PERSISTENT_1 at 200 MB/s/TiB of 14,400 GiB: disks of 2,880 MB/s sustained and 3,456 in a burst.
const [SUSTAINED, BURST] = [2880, 3456];

/** The run with every rate of `none` at so many MB/s. */
const noneAt = (MBps: number, record = soundRun({ compressibilities: [1], variation: 0 })): RunRecord =>
  withSamples(record, (sample) =>
    sample.arm === 'none' && sample.metric === 'throughput' ? { ...sample, value: (MBps * 1e6) / 2 ** 20 } : sample,
  );

/** The same with a utilisation in percent of the disks. */
function withDisks(record: RunRecord, percent: number): RunRecord {
  const metrics = record.metrics.map((file) => ({
    ...file,
    series: file.series.flatMap((one) =>
      one.metric === 'NetworkThroughputUtilization'
        ? [{ ...one, metric: DISK, points: one.points.map(([at]) => [at, percent] as const) }]
        : one.metric.endsWith('Utilization')
          ? []
          : [one],
    ),
  }));
  return { ...record, metrics };
}

const limitOf = (record: RunRecord, arm = 'none', operation = 'write') =>
  summarise(record).analysis.limits.find((one) => one.arm === arm && one.operation === operation);

test.each([
  // Nobody documents whether 100 % is the sustained rate or the burst, of 1.2 times as much: 75 % ÷ 1.2 is the line.
  [0.95 * SUSTAINED, 65, 'disk'],
  [0.95 * SUSTAINED, 60, null],
  // Above what is sustained it can only be the burst.
  [0.98 * BURST, 78, 'disk'],
  [0.98 * BURST, 70, null],
])('at %d MB/s with disks that were %d %% busy, what limited it is %s', (MBps, percent, limitedBy) => {
  expect(limitOf(withDisks(noneAt(MBps), percent))?.limitedBy).toBe(limitedBy);
});

test('a rate just above what is sustained, far below the burst, is still that of the disks; in the middle it is nobody’s', () => {
  const words = (MBps: number): string => renderMarkdown(summarise(noneAt(MBps)));
  expect(words(0.97 * SUSTAINED)).toMatch(/\*\*none\*\* wrote at 97 % of what the disks sustain(?! \(bursting\))/);
  expect(words(1.18 * SUSTAINED)).toMatch(/\*\*none\*\* wrote at 118 % of what the disks sustain \(bursting\)/);
});

// Its network is documented with 10,800 MB/s, in eu-central-1 with a burst of 7,632: below what it sustains, which cannot be.
test.each([
  [3352, 'disk', false],
  [7860, null, true],
  [9000, null, true],
  [10_476, 'server_network', false],
])('in a Region whose burst is below the baseline, %d MB/s of reading are limited by %s', (MBps, limitedBy, beyond) => {
  const record = withSamples(soundRun({ compressibilities: [1], variation: 0 }), (sample) =>
    sample.arm === 'none' && sample.metric === 'throughput' ? { ...sample, value: (MBps * 1e6) / 2 ** 20 } : sample,
  );
  const { manifest } = record;
  const found = limitOf(
    { ...record, metrics: [], manifest: manifest && { ...manifest, region: 'eu-central-1' } },
    'none',
    'read',
  );
  expect(found?.limits.find(({ name }) => name === 'server_network')).toMatchObject({
    baselineMBps: 10_800,
    burstMBps: 10_800,
  });
  expect([found?.limitedBy, found && isBeyond(found)]).toEqual([limitedBy, beyond]);
});

/** Each minute, clients send, or receive, a share of their network's baseline; the other direction is quiet. */
function sending(metric: 'NetworkOut' | 'NetworkIn', share: number, cpu = 10): RunRecord {
  const record = soundRun({ compressibilities: [1], variation: 0 });
  const { clients, instanceType: type } = record.manifest?.fleet ?? { clients: [], instanceType: null };
  const bytes = ((instanceType(type ?? '')?.networkBaselineMbps ?? 0) * 1e6 * 60) / 8;
  const times = record.samples.flatMap(({ startedAt, endedAt }) => [Date.parse(startedAt), Date.parse(endedAt)]);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const values = { CPUUtilization: cpu, NetworkIn: 0.05 * bytes, NetworkOut: 0.05 * bytes, [metric]: share * bytes };
  const series = clients.flatMap(({ instanceId }) =>
    Object.entries(values).map(
      ([name, value]): CollectedSeries => ({
        namespace: 'AWS/EC2',
        metric: name,
        dimensions: { InstanceId: instanceId },
        periodSeconds: 60,
        statistic: name === 'CPUUtilization' ? 'Average' : 'Sum',
        unit: null,
        points: Array.from({ length: (to - from) / MINUTE }, (_, at) => [
          new Date(from + at * MINUTE).toISOString(),
          value,
        ]),
      }),
    ),
  );
  const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return { ...record, clientMetrics: { schema: 'fsxbench.client-metrics/1', run: record.run, window, series } };
}

test.each([
  // [what clients did, write, read]: writing they send, reading they receive.
  ['NetworkOut', 0.96, 10, 'client_nic', 'disk'],
  ['NetworkIn', 0.96, 10, 'disk', 'client_nic'],
  ['NetworkOut', 0.85, 10, 'disk', 'disk'],
  ['NetworkOut', 0.5, 95, 'client_cpu', 'client_cpu'],
  ['NetworkOut', 0.5, 85, 'disk', 'disk'],
] as const)(
  'clients with %s at %d of their card and processors %d %% busy: writes are limited by %s, reads by %s',
  (metric, share, cpu, write, read) => {
    const record = noneAt(0.95 * SUSTAINED, sending(metric, share, cpu));
    expect([limitOf(record, 'none', 'write')?.limitedBy, limitOf(record, 'none', 'read')?.limitedBy]).toEqual([
      write,
      read,
    ]);
  },
);

test('the burst is looked for in the longest of the phases', () => {
  const record = syntheticRun({ compressibilities: [1], repeats: 2, variation: 0 });
  const own = record.samples.filter((one) => isMeasured(one) && one.arm === 'none' && one.operation === 'write');
  // Half an hour at one level, then two hours that lose their burst after one.
  const from = Date.parse(own[0]?.startedAt ?? '');
  const lengths = [30, 120];
  const starts = [from, from + 40 * MINUTE];
  const at = (minutes: number): string => new Date(from + minutes * MINUTE).toISOString();
  const samples = own.map((one): Sample => {
    const start = starts[one.repeat - 1] as number;
    const end = start + (lengths[one.repeat - 1] as number) * MINUTE;
    return { ...one, startedAt: new Date(start).toISOString(), endedAt: new Date(end).toISOString() };
  });
  const points = Array.from({ length: 160 }, (_, minute) => {
    const MBps = (minute < 100 ? 3400 : 2880) * (1 + 0.004 * Math.sin(minute * 7.13));
    return [at(minute), MBps * 1e6 * 60] as const;
  });
  const metrics = record.metrics.map(({ series, ...file }) => ({
    ...file,
    series: series.flatMap((one) =>
      one.metric === 'DataWriteBytes' && one.arm === 'none' ? [{ ...one, points }] : [],
    ),
  }));
  const levels = summarise({ ...record, samples, metrics }).analysis.levels;
  expect(levels.find(({ source }) => source === 'service')).toMatchObject({ values: 120, changes: [{ hours: 1 }] });
  const words = renderMarkdown(summarise({ ...record, samples, metrics }));
  expect(words).toMatch(/\*\*none\*\*: write fell from 3,4\d\d MB\/s to 2,8\d\d MB\/s after 1 h, and stayed there/);
});

test('two days of minutes, more than are looked at one by one, keep their means and the hour of the fall', () => {
  const task = { arm: 'none', operation: 'write', step: 'r1-t0-write', phase: 'measure' as const, compressibility: 1 };
  const minutes = Array.from({ length: 2880 }, (_, at) => ({
    at,
    value: (at % 2 ? 3000 : 1000) * (at < 1440 ? 1 : 0.5),
  }));
  const counted = minutes.flatMap(({ at, value }) => [
    { ...task, iteration: at, metric: 'throughput', value, unit: 'MB/s' } as Sample,
    { ...task, iteration: at, metric: 'total_time', value: 60, unit: 's' } as Sample,
  ]);
  const measured = { ...task, name: 'write', from: 0, to: 2880 * 60_000, rateMBps: 1500 } as MeasuredTask;
  expect(levelsOf(soundRun().manifest?.arms as never, [measured], counted)).toMatchObject([
    { values: 2880, burst: 2000, baseline: 1000, changes: [{ hours: 24, before: 2000, after: 1000, relative: -0.5 }] },
  ]);
});

describe('a run that lost its burst', () => {
  // Predicted are 12,960 MB/s in a burst and 10,800 sustained, of data at 3.75:1.
  test.each([
    ['as both ends are', 12_960, 10_800, 2],
    ['not where the burst alone is near', 12_960, 9000, 1],
    ['not where the baseline alone is near', 11_500, 10_800, 1],
  ])('is as predicted %s', (_, burst, baseline, count) => {
    const summary = summarise(blogRun({ none: 3000, burst, baseline }));
    expect(renderMarkdown(summary)).toContain(`${count} of 2 rates are as predicted`);
  });

  test('has an error above 0 where more was predicted than there was, and below 0 where less', () => {
    const { rates } = summarise(blogRun({ none: 3000, burst: 11_784, baseline: 11_368 })).analysis.predicted;
    const error = rates.find(({ arm }) => arm === 'lz4')?.errorPercent;
    expect(error?.burst).toBeCloseTo(10, 0);
    expect(error?.baseline).toBeCloseTo(-5, 0);
  });
});

test('a rate that rose, and stayed there, was no burst', () => {
  const summary = summarise(blogRun({ none: 3000, burst: 9000, baseline: 12_000 }));
  const level = summary.analysis.levels.find(({ arm }) => arm === 'lz4');
  expect(level).toMatchObject({ changes: [{ hours: 8 }], burst: null, baseline: null });
  expect(renderMarkdown(summary)).not.toMatch(/write fell from/);
});

test.each([
  [0.04, 0.12],
  [0.12, 0.04],
])('of two drifts, by %d before a step and by %d after it, the larger is told', (before, after) => {
  const drifting = withSamples(blogRun({ none: 3000, burst: 12_000, baseline: 8000 }), (sample) => {
    const { arm, metric, iteration, value } = sample;
    if (arm !== 'lz4' || metric !== 'throughput' || iteration === null || value === null) return sample;
    const lost = iteration < 480 ? (before * iteration) / 480 : (after * (iteration - 480)) / 240;
    return { ...sample, value: value * (1 - lost) };
  });
  const told = summarise(drifting).issues.filter(({ id, where }) => id === 'throughput-drift' && where === 'lz4');
  expect(told.map(({ message }) => message)).toEqual([
    expect.stringMatching(/throughput fell slowly, by 1[12](\.\d+)? % over the phase/),
  ]);
});

test('what to buy is for the fastest arm, on the data that compress best', () => {
  const found = purchaseOf(summarise(syntheticRun({ variation: 0, compressibilities: [1, 2] })));
  expect(found?.reached).toMatchObject({ arm: 'lz4', ratio: 1.92 });
  expect(found?.reached.writeMBps).toBeCloseTo(3500 * 1.92 * 0.97, 0);
  const [first] = advise({ writeMBps: 6520, readMBps: 7170, ratio: 1.92, headroom: 0, region: 'us-east-1' }).options;
  expect(found?.best?.monthlyUsd).toBe(first?.monthlyUsd);
});

test.each([
  // Two arms at the same time have two clients each of four, at $7.776 an hour; in turns, all of them.
  [2, 5.72 + 7.776 / 2],
  [4, 5.72 + 7.776],
  [1, 5.72 + 7.776 / 4],
])('an arm that worked with %d of four clients pays for these', (clients, hourlyUsd) => {
  const record = withSamples(soundRun(), (sample) => ({ ...sample, clients }));
  const { costs } = summarise(record).analysis;
  expect(costs.map((one) => one.hourlyUsd)).toEqual([expect.closeTo(hourlyUsd, 6), expect.closeTo(hourlyUsd, 6)]);
});
