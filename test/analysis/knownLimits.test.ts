/** Runs whose limit, level, prediction, price and interval are known by arithmetic. */

import { advise } from '../../lib/advise';
import { ratioInterval } from '../../lib/analysis/compare/comparedCell';
import { isBeyond } from '../../lib/analysis/limits/limitedBy';
import { summarise } from '../../lib/analysis/summary';
import { instanceType } from '../../lib/fleet/instanceTypes';
import { renderMarkdown } from '../../lib/report';
import { purchaseOf } from '../../lib/report/purchase';
import type { CollectedSeries } from '../../lib/schema/metrics';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';
import { syntheticRun } from '../report/syntheticRun';
import { isMeasured, scaled } from './faultyRuns';
import { blogRun, soundRun, withSamples } from './runs';

const MINUTE = 60_000;
const DISK = 'FileServerDiskThroughputUtilization';
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

test('what to buy is for the fastest arm, on the data that compress best', () => {
  const found = purchaseOf(summarise(syntheticRun({ variation: 0, compressibilities: [1, 2] })));
  expect(found?.reached).toMatchObject({ arm: 'lz4', ratio: 1.92 });
  expect(found?.reached.writeMBps).toBeCloseTo(3500 * 1.92 * 0.97, 0);
  const [first] = advise({ writeMBps: 6520, readMBps: 7170, ratio: 1.92, headroom: 0, region: 'us-east-1' }).options;
  expect(found?.best?.monthlyUsd).toBe(first?.monthlyUsd);
});

describe('the interval of two sides that are no pairs', () => {
  const [a, b] = [
    [100, 103, 98, 101],
    [121, 119, 124, 118],
  ];

  test('is that of a higher confidence where several are to hold together, and wider', () => {
    const [one, four] = [1, 4].map((comparisons) => ratioInterval(a, b, { comparisons }));
    expect(four).toEqual(ratioInterval(a, b, { confidence: 1 - 0.05 / 4 }));
    expect([(four?.low ?? 0) < (one?.low ?? 0), (four?.high ?? 0) > (one?.high ?? 0)]).toEqual([true, true]);
  });

  test('is the inverse of itself the other way round', () => {
    const [there, back] = [ratioInterval(a, b), ratioInterval(b, a)];
    expect(1 / (back?.low ?? 0)).toBeCloseTo(there?.high ?? 0, 9);
    expect(there?.low).toBeGreaterThan(1);
  });
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

test('of a TB the price is that of the hours in which the arm moved data, and falls as it moves more in these', () => {
  const [usual, faster] = [1, 2].map((factor) => summarise(scaled(soundRun(), factor)).analysis.costs[0]);
  expect(faster?.perTerabyteUsd).toBeCloseTo((usual?.perTerabyteUsd ?? 0) / 2, 6);
});
