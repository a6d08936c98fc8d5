import { summarise } from '../../lib/analysis/summary';
import { renderMarkdown } from '../../lib/report';
import type { RunRecord } from '../../lib/store/record';
import { BASELINE_MBPS } from '../report/syntheticRun';
import { scaled } from './faultyRuns';
import { soundRun } from './runs';

// PERSISTENT_1 at 200 MB/s/TiB of 14,400 GiB: 2,880 MB/s of disk sustained, 3,456 in a burst; 6,480 and 18,720 of network.
const DISK_MBPS = 2880;

/** A run whose `none` writes at a share of what its disks sustain, with the utilisation, in percent, that its service published meanwhile. */
function runAt(share: number, utilisation: Readonly<Record<string, number>>): RunRecord {
  const record = scaled(soundRun({ compressibilities: [1] }), (share * DISK_MBPS) / BASELINE_MBPS);
  return {
    ...record,
    metrics: record.metrics.map((file) => {
      const others = file.series.filter(({ metric }) => !metric.endsWith('Utilization'));
      const network = file.series.filter(({ metric }) => metric === 'NetworkThroughputUtilization');
      const published = Object.entries(utilisation).flatMap(([metric, percent]) =>
        network.map((one) => ({ ...one, metric, points: one.points.map(([at]) => [at, percent] as const) })),
      );
      return { ...file, series: [...others, ...published] };
    }),
  };
}

const written = (record: RunRecord) =>
  summarise(record).analysis.limits.find(({ arm, operation }) => arm === 'none' && operation === 'write');

const DISK = 'FileServerDiskThroughputUtilization';
const NETWORK = 'NetworkThroughputUtilization';

test.each([
  // [share of the disks' sustained rate, utilisation, limit, what says so]
  [0.88, {}, 'disk', 'documented limit'],
  [0.97, { [DISK]: 85 }, 'disk', 'documented limit'],
  [0.88, { [DISK]: 94 }, 'disk', 'utilisation'],
  [0.88, { [DISK]: 60, [NETWORK]: 95 }, 'server_network', 'utilisation'],
  // Of two that are busy, the busier one holds the other up.
  [0.5, { [DISK]: 93, [NETWORK]: 97 }, 'server_network', 'utilisation'],
  [0.5, { [DISK]: 97, [NETWORK]: 93 }, 'disk', 'utilisation'],
  [0.88, { [NETWORK]: 20 }, 'disk', 'documented limit'],
  // The disks may be 80 % busy of their burst where they give no more than they sustain.
  [1, { [DISK]: 80 }, 'disk', 'documented limit'],
  // So are 70 % of a burst of 120 %: 84 % of what is sustained.
  [0.88, { [DISK]: 70 }, 'disk', 'documented limit'],
  [0.5, { [DISK]: 45 }, null, null],
  [1.2, { [DISK]: 60 }, null, null],
  [0.88, { [DISK]: 60 }, null, null],
])('writes at %d of what the disks sustain, with %j: limited by %s (%s)', (share, utilisation, limitedBy, because) => {
  expect(written(runAt(share, utilisation))).toMatchObject({ limitedBy, because });
});

test.each([
  [95, 30],
  [30, 95],
])('one busy server holds up the others: servers at %d and %d %%', (first, second) => {
  const record = runAt(0.5, { [DISK]: 30 });
  const metrics = record.metrics.map((file) => ({
    ...file,
    series: file.series.flatMap((one) => {
      const at = (percent: number) => ({ ...one, points: one.points.map(([time]) => [time, percent] as const) });
      return one.metric === DISK ? [at(first), at(second)] : [one];
    }),
  }));
  const limited = written({ ...record, metrics });
  expect(limited).toMatchObject({ limitedBy: 'disk', because: 'utilisation' });
  expect(limited?.evidence.find(({ metric }) => metric === DISK)?.value).toBeCloseTo(0.95, 6);
});

test('a rate at 88 % of the disks’ limit with disks that were 60 % busy met no documented limit, and the report says what speaks against it', () => {
  const record = runAt(0.88, { [DISK]: 60 });
  expect(written(record)).toMatchObject({
    limitedBy: null,
    binding: { baseline: 'disk' },
    contradiction: { metric: DISK, limit: 'disk', value: expect.closeTo(0.6, 6) },
  });
  const report = renderMarkdown(summarise(record));
  expect(report).toContain(
    'wrote at 88 % of what the disks sustain, but FileServerDiskThroughputUtilization was only 60 %: no documented limit was met',
  );
  expect(report).toContain('none: FileServerDiskThroughputUtilization at most 60 %');
});

test('behind compression the disks’ word counts for disk × ratio', () => {
  const of = (percent: number) =>
    summarise(scaledTo(runAt(1, { [DISK]: percent }), 2.6)).analysis.limits.find(
      ({ arm, operation }) => arm === 'lz4' && operation === 'write',
    );
  expect(of(95)).toMatchObject({ limitedBy: 'disk_compressed', because: 'utilisation' });
  expect(of(50)).toMatchObject({ limitedBy: null, contradiction: { limit: 'disk' } });
});

/** The same run on data of another compressibility, whose `lz4` then writes as much faster. */
function scaledTo(record: RunRecord, compressibility: number): RunRecord {
  const source = scaled(soundRun({ compressibilities: [compressibility] }), (0.9 * DISK_MBPS) / BASELINE_MBPS);
  const utilisation = record.metrics.flatMap(({ series }) => series.filter(({ metric }) => metric === DISK));
  return {
    ...source,
    metrics: source.metrics.map((file) => ({
      ...file,
      series: [
        ...file.series.filter(({ metric }) => !metric.endsWith('Utilization')),
        ...utilisation.filter(({ arm }) => file.series.some((one) => one.arm === arm)),
      ],
    })),
  };
}

test('no utilisation, and one that is not known, contradicts nothing', () => {
  expect(written(runAt(0.88, {}))).not.toHaveProperty('contradiction');
  expect(written(runAt(0.5, { [DISK]: 10 }))).not.toHaveProperty('contradiction');
});
