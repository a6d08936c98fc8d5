import type { Run } from '../../../lib/analysis/run';
import type { MetricSeries } from '../../../lib/schema/metrics';
import type { ScaleModel, ThrottledMetadata } from '../../../lib/schema/model';
import type { Sample } from '../../../lib/schema/sample';
import type { LustreStorage } from '../../../lib/storage/lustre/configuration';
import { sampleOf } from '../../support/records';

export const START = Date.parse('2026-11-21T09:00:00Z');
const PHASE_SECONDS = 300;

/** The AWS metadata blog's file system with so many metadata IOPS, or with none configured. */
export function fileSystem(iops: number | null): LustreStorage {
  return {
    kind: 'lustre',
    deploymentType: 'PERSISTENT_2',
    storageType: 'SSD',
    storageCapacityGiB: 12_000,
    perUnitStorageThroughput: 250,
    ...(iops === null ? {} : { metadata: { mode: 'USER_PROVISIONED' as const, iops } }),
  };
}

/** Rates of one operation on one arm, three rounds in a phase of 300 s that begins at a full minute. */
export function rateSamples(
  arm: string,
  operation: string,
  rates: readonly (number | null)[],
  at = 0,
  fileBytes = 0,
): Sample[] {
  const startedAt = new Date(START + at * 1000).toISOString();
  const endedAt = new Date(START + (at + PHASE_SECONDS) * 1000).toISOString();
  return rates.map((value, iteration) =>
    sampleOf({
      ...{ run: 'test', arm, step: `r1-s${fileBytes}-${operation}-${arm}`, fileBytes, operation, metric: 'rate' },
      ...(value === null ? { value, reason: 'exit status 1' } : { value }),
      ...{ unit: 'op/s', iteration, tool: 'mdtest', toolVersion: '3.3.0', pattern: `files-${fileBytes}` },
      ...{ clients: 200, ranks: 800, plannedRanks: 800, startedAt, endedAt },
    }),
  );
}

/** A metric of one server or target: a point a minute from the start, each of this value. */
export function series(
  arm: string,
  metric: string,
  part: Record<string, string>,
  value: (minute: number) => number,
  minutes = 5,
): MetricSeries {
  return {
    arm,
    namespace: 'AWS/FSx',
    metric,
    dimensions: { FileSystemId: `fs-${arm}`, ...part },
    statistic: metric === 'CPUUtilization' ? 'Average' : 'Sum',
    unit: null,
    periodSeconds: 60,
    points: Array.from(
      { length: minutes },
      (_, minute) => [new Date(START + minute * 60_000).toISOString(), value(minute)] as const,
    ),
  };
}

/** An arm of a run; `held` by a scale model, or not. */
export interface Arm {
  readonly name: string;
  readonly planned: LustreStorage | null;
  readonly hourlyUsd: number | null;
  readonly hourlyReason?: string;
  readonly held?: ThrottledMetadata;
}

export interface Change {
  readonly arms?: readonly Arm[];
  readonly counted?: readonly Sample[];
  readonly metrics?: readonly MetricSeries[];
  readonly fleet?: { readonly hourlyUsd: number | null; readonly hourlyReason?: string };
  readonly lab?: boolean;
}

/** Two arms of the study. */
const ARMS: readonly Arm[] = [
  { name: 'small', planned: fileSystem(12_000), hourlyUsd: 3.5 },
  { name: 'large', planned: fileSystem(192_000), hourlyUsd: 17 },
];

/** A run of the study: `small` has 12,000 and `large` 192,000 metadata IOPS, unless they are given. */
export function subject({ arms = [], counted, metrics = [], fleet = { hourlyUsd: 306 }, lab = false }: Change = {}) {
  const all = [...arms, ...ARMS.filter(({ name }) => !arms.some((arm) => arm.name === name))];
  return {
    arms: all.map(({ name, planned, held, ...price }) => ({
      name,
      planned,
      series: metrics.filter(({ arm }) => arm === name),
      deployed: { ...price, ...(held === undefined ? {} : { model: { metadata: held } as ScaleModel }) },
    })),
    counted: counted ?? [
      ...rateSamples('small', 'file_create', [22_000, 24_000, 23_000]),
      ...rateSamples('large', 'file_create', [300_000, 310_000, 290_000]),
    ],
    manifest: { fleet },
    lab,
  } as unknown as Run;
}
