import type { RunRecord } from '../../lib/report';
import type { MetricSeries } from '../../lib/schema/metrics';
import type { Sample } from '../../lib/schema/sample';
import { dimensionsOf, LUSTRE_METRICS, type MetricScope } from '../../lib/storage/lustre/metricTable';
import { START } from './syntheticParts';
import { syntheticRun } from './syntheticRun';

/** 200 clients, 48 storage targets on 24 servers and 4 metadata targets an arm; 18 repeats of four kinds of data are twelve hours. */
const CLIENTS = 200;
const REPEATS = 18;
const HOURS = 12;
/** Times the file system of the published study. */
const SIZE = 4;
/** Repetitions by the tool itself within a step. */
const ITERATIONS = 10;
/** From then on `lz4` writes a tenth less: the end of a burst, as published. */
const BURST_HOURS = 8;

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index.toString(16).padStart(4, '0').toUpperCase()}`);
const [OST, MDT, OSS, MDS] = [names('OST', 48), names('MDT', 4), names('OSS', 24), names('MDS', 4)];
const PARTS: Readonly<Record<MetricScope, readonly string[]>> = {
  'file-system': [''],
  oss: OSS,
  mds: MDS,
  ost: OST,
  target: [...OST, ...MDT],
  mdt: MDT,
  publisher: [],
};

/** Two waves: neighbours in time resemble each other, and no two servers are the same. */
const wave = (index: number): number => 1 + 0.02 * Math.sin(index * 7.1) + 0.01 * Math.sin(index * 0.37);

/** A run as it is after twelve hours on 200 clients: every metric that the service publishes by the minute, every client's description. */
export function largeRun(): RunRecord {
  const record = syntheticRun({ repeats: REPEATS, variation: 0.02 });
  const { plan, manifest, status } = record;
  const nodes = Array.from({ length: CLIENTS }, (_, index) => `10.0.${index >> 6}.${(index & 63) + 4}`);
  const [{ facts } = { facts: {} }] = record.environment;
  return {
    ...record,
    plan: plan && {
      ...plan,
      fleet: { ...plan.fleet, clients: CLIENTS },
      arms: plan.arms.map((arm) => ({
        ...arm,
        description: larger(arm.description),
        ...(arm.configuration && { configuration: { ...arm.configuration, storageCapacityGiB: 14_400 * SIZE } }),
      })),
    },
    manifest: manifest && {
      ...manifest,
      arms: manifest.arms.map((arm) => ({
        ...arm,
        description: larger(arm.description),
        hourlyUsd: (arm.hourlyUsd ?? 0) * SIZE,
        describe: { ...arm.describe, StorageCapacity: 14_400 * SIZE },
      })),
      fleet: {
        ...manifest.fleet,
        clients: nodes.map((privateIp, index) => ({ instanceId: `i-0abc${index}`, privateIp })),
        hourlyUsd: CLIENTS * 1.944,
      },
    },
    samples: record.samples.flatMap(repeated),
    metrics: ['none', 'lz4'].map((arm) => ({
      schema: 'fsxbench.metrics/1',
      run: record.run,
      window: { from: status?.startedAt ?? '', to: status?.endedAt ?? '' },
      series: seriesOf(arm, record.samples),
    })),
    environment: nodes.map((node) => ({ node, facts: { ...facts, node } })),
    raw: nodes.flatMap((node) =>
      Array.from({ length: 72 }, (_, step) => ({ path: `raw/lz4/measure/1-step${step}.${node}.out`, bytes: 4096 })),
    ),
  };
}

const larger = (description: string): string => description.replace('14,400 GiB', '57,600 GiB');
const hours = (at: string): number => (Date.parse(at) - START) / 3_600_000;

/** One sample of a workload as a tool prints it that repeats itself; anything else as it is. */
function repeated(sample: Sample, index: number): Sample[] {
  const clients = CLIENTS / 2;
  // IOR says no bytes; they are its rate over its time.
  if (sample.metric === 'bytes') return [];
  if (sample.metric !== 'throughput' || sample.value === null) return [{ ...sample, clients }];
  const late = sample.arm === 'lz4' && sample.operation === 'write' && hours(sample.startedAt) > BURST_HOURS;
  return Array.from({ length: ITERATIONS }, (_, iteration) => {
    const rate = (sample.value as number) * SIZE * wave(index + iteration) * (late ? 0.9 : 1);
    const base = { ...sample, iteration, clients, ranks: clients * 36, unit: 's' };
    const times = ['latency', 'open_time', 'access_time', 'close_time'].map((metric, at) => ({
      ...base,
      metric,
      value: 0.01 * wave(iteration + at),
    }));
    return [
      { ...base, metric: 'throughput', value: rate, unit: 'MiB/s' },
      { ...base, metric: 'iops', value: rate, unit: 'op/s' },
      ...times,
      { ...base, metric: 'total_time', value: 300 / ITERATIONS },
    ];
  }).flat();
}

/** Every metric of the service, each server and target for itself, a point a minute. */
function seriesOf(arm: string, samples: readonly Sample[]): MetricSeries[] {
  const busy = activity(arm, samples);
  return LUSTRE_METRICS.flatMap(({ name, scope, unit, statistic }) =>
    PARTS[scope].map((part, server): MetricSeries => {
      const [, dimension] = dimensionsOf(scope);
      const level = levelOf(name, PARTS[scope].length);
      return {
        arm,
        namespace: 'AWS/FSx',
        metric: name,
        statistic,
        unit,
        periodSeconds: 60,
        dimensions: { FileSystemId: `fs-${arm}`, ...(dimension ? { [dimension]: part } : {}) },
        points: busy.map(({ at, write, read }, minute) => [
          new Date(at).toISOString(),
          level(write, read) * (scope === 'file-system' ? 1 : wave(minute + 31 * server)),
        ]),
      };
    }),
  );
}

/** Bytes a minute that the clients moved. */
function activity(arm: string, samples: readonly Sample[]): { at: number; write: number; read: number }[] {
  const own = samples.filter((sample) => sample.arm === arm && sample.metric === 'throughput' && sample.value !== null);
  const spans = own.map(({ startedAt, endedAt, operation, value }) => ({
    from: Date.parse(startedAt),
    to: Date.parse(endedAt),
    operation,
    bytes: (value as number) * SIZE * 2 ** 20 * 60,
  }));
  let next = 0;
  return Array.from({ length: HOURS * 60 }, (_, minute) => {
    const at = START + minute * 60_000;
    while ((spans[next]?.to ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    const span = spans[next];
    const bytes = span && span.from <= at ? span.bytes : 0;
    const late = arm === 'lz4' && minute > BURST_HOURS * 60 ? 0.9 : 1;
    return { at, write: span?.operation === 'write' ? bytes * late : 0, read: span?.operation === 'read' ? bytes : 0 };
  });
}

/** Value of a metric while the clients work, on one of so many servers or targets. */
function levelOf(metric: string, parts: number): (write: number, read: number) => number {
  if (metric === 'DataWriteBytes') return (write) => write;
  if (metric === 'DataReadBytes') return (_, read) => read;
  if (/DiskWriteBytes|NetworkReceived/.test(metric)) return (write) => write / parts;
  if (/DiskReadBytes|NetworkSent/.test(metric)) return (_, read) => read / parts;
  if (/Utilization/.test(metric)) return (write, read) => 4 + (80 * (write + read)) / (SIZE * 9e11);
  if (/Usage|Capacity/.test(metric)) return () => 2 ** 40;
  return (write, read) => (write + read) / 2 ** 20 / parts;
}
