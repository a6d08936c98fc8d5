import { extreme, type MetricExpression, named, rate, ratio, sum } from '../../dashboard/expression';
import {
  ceilingLines,
  type DashboardPart,
  type Graph,
  graph,
  idOf,
  linePerArm,
  type ShownArm,
} from '../../dashboard/graph';
import { ceilingsOf, counted, gauge, metricOf, metricsBy } from '../common/graphs';
import type { MetricsCapability, StorageMetric } from '../storage';
import { type EbsStorage, limitsOf } from './configuration';

const NITRO = { only: 'which it does only for volumes of Nitro instances' } as const;

const TABLE = [
  counted('VolumeReadBytes', 'disk_bytes_read', 'Bytes'),
  counted('VolumeWriteBytes', 'disk_bytes_written', 'Bytes'),
  counted('VolumeReadOps', 'disk_read_operations'),
  counted('VolumeWriteOps', 'disk_write_operations'),
  counted('VolumeTotalReadTime', null, 'Seconds'),
  counted('VolumeTotalWriteTime', null, 'Seconds'),
  counted('VolumeIdleTime', null, 'Seconds'),
  gauge('VolumeQueueLength', null, 'Count', 'Average'),
  { ...gauge('VolumeIOPSExceededCheck', null, 'None', 'Maximum'), ...NITRO },
  { ...gauge('VolumeThroughputExceededCheck', null, 'None', 'Maximum'), ...NITRO },
  { ...gauge('VolumeStalledIOCheck', null, 'None', 'Maximum'), ...NITRO },
  { ...gauge('BurstBalance', null, 'Percent', 'Minimum'), only: 'which it does only for gp2' },
] as const satisfies readonly StorageMetric[];

export type EbsMetricName = (typeof TABLE)[number]['name'];

/** An arm of several volumes is known by all their ids. */
export const SEPARATOR = '+';
export const volumesOf = (resourceId: string): string[] => resourceId.split(SEPARATOR);

const OF_ONE = metricsBy('VolumeId', 'AWS/EBS', TABLE);

/**
 * Metrics of each volume, a value a minute (https://docs.aws.amazon.com/ebs/latest/userguide/using_cloudwatch_ebs.html). None has the role `bytes_written`:
 * only the client counts what it writes, and the volumes' writes differ by its cache, compression and the file system's own.
 */
export const EBS_METRICS: MetricsCapability = {
  ...OF_ONE,
  parts: volumesOf,
  assumed: (resourceId) => volumesOf(resourceId).flatMap((volume) => OF_ONE.assumed(volume, null)),
};

type Arm = ShownArm<EbsStorage>;
type OverVolumes = (volumes: readonly MetricExpression[]) => MetricExpression;

const GOOD = [
  '**What good looks like.** Throughput ends at the line of the volumes, and their checks then show 1. If it stays below with operations',
  'waiting, the limit is the instance and its path to EBS, which CloudWatch does not show here. Writes are counted at the volumes: with',
  'compression less than clients write, and later, since the client caches.',
];

const perArm = (arms: readonly Arm[], name: EbsMetricName, over: OverVolumes) =>
  linePerArm(arms, (arm) =>
    over(
      arm.parts.map((volume, index) =>
        named(metricOf(EBS_METRICS, volume, name), `${name.toLowerCase()}_${idOf(arm)}_${index + 1}`),
      ),
    ),
  );

const together: OverVolumes = (volumes) => rate(sum(volumes));

const only =
  (how: 'MAX' | 'MIN'): OverVolumes =>
  (volumes) =>
    extreme(how, volumes);

const throughput = (arms: readonly Arm[], way: string, name: EbsMetricName): Graph =>
  graph({
    title: `Volumes: ${way} throughput`,
    width: 8,
    unit: 'MB/s',
    left: perArm(arms, name, (volumes) => ratio(together(volumes), 1_000_000)),
    ceilings: ceilingLines(arms, ({ configuration }) =>
      ceilingsOf(limitsOf(configuration), { disk: 'volumes, sustained' }),
    ),
  });

/** Traffic of the volumes, compressed where the file system compresses. */
const throughputGraphs = (arms: readonly Arm[]): Graph[] => [
  throughput(arms, 'write', 'VolumeWriteBytes'),
  throughput(arms, 'read', 'VolumeReadBytes'),
  graph({
    title: 'Volumes: operations',
    width: 8,
    unit: 'operations/s',
    left: [...perArm(arms, 'VolumeWriteOps', together), ...perArm(arms, 'VolumeReadOps', together)],
  }),
];

/** Saturation of the volumes, and the time that an operation waits. */
const waitGraphs = (arms: readonly Arm[]): Graph[] => [
  graph({
    title: 'Volumes at their provisioned throughput or IOPS, or stalled (1: yes)',
    width: 12,
    unit: '0 or 1',
    max: 1,
    left: [
      ...perArm(arms, 'VolumeThroughputExceededCheck', only('MAX')),
      ...perArm(arms, 'VolumeIOPSExceededCheck', only('MAX')),
      ...perArm(arms, 'VolumeStalledIOCheck', only('MAX')),
    ],
  }),
  graph({
    title: 'Volumes: operations that wait, and burst credits (gp2 only)',
    width: 12,
    unit: 'operations',
    left: perArm(arms, 'VolumeQueueLength', sum),
    right: perArm(arms, 'BurstBalance', only('MIN')),
    rightUnit: '%',
  }),
];

/** Seconds in a minute in which a volume was idle, or spent with operations: more than 60 where several are under way. */
const timeGraphs = (arms: readonly Arm[]): Graph[] =>
  (['VolumeTotalWriteTime', 'VolumeTotalReadTime', 'VolumeIdleTime'] as const).map((name) =>
    graph({ title: name, width: 8, unit: 'seconds', left: perArm(arms, name, sum) }),
  );

export const ebsDashboard = (arms: readonly Arm[]): DashboardPart => ({
  reading: GOOD,
  rows: [throughputGraphs(arms), waitGraphs(arms)],
  more: [timeGraphs(arms)],
});
