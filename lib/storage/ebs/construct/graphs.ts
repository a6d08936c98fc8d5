import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { ceilingLines, ceilingsOf, graph, idOf, linePerArm, MINUTE } from '../../../constructs/dashboard/graph';
import type { ArmView } from '../../construct';
import { limitsOf } from '../limits';
import type { EbsMetricName } from '../metricTable';
import type { EbsVolumes } from './volumes';

type Arm = ArmView<EbsVolumes>;

/** An expression over the metrics of an arm's volumes: `SUM` becomes their sum, `MAX` their largest, `PERIOD` the period. */
function overVolumes(
  arm: Arm,
  name: EbsMetricName,
  expression: (ids: readonly string[]) => string,
  options: cloudwatch.MathExpressionOptions,
): cloudwatch.MathExpression {
  const metrics = arm.storage.volumeIds.map(
    (volume, index) => [`${name.toLowerCase()}_${idOf(arm)}_${index + 1}`, arm.storage.metric(name, volume)] as const,
  );
  return new cloudwatch.MathExpression({
    expression: expression(metrics.map(([id]) => id)),
    usingMetrics: Object.fromEntries(metrics),
    period: MINUTE,
    ...options,
  });
}

const sum = (ids: readonly string[]): string => ids.join(' + ');
const rate = (ids: readonly string[]): string => `(${sum(ids)}) / PERIOD(${ids[0]})`;
const largest = (ids: readonly string[]): string => (ids.length === 1 ? `${ids[0]}` : `MAX([${ids.join(', ')}])`);

const ceilings = ({ storage }: Arm) => ceilingsOf(limitsOf(storage.configuration), { disk: 'volumes, sustained' });

const perArm = (arms: readonly Arm[], name: EbsMetricName, expression: (ids: readonly string[]) => string) =>
  linePerArm(arms, (arm, options) => overVolumes(arm, name, expression, options));

const throughput = (arms: readonly Arm[], way: string, name: EbsMetricName) =>
  graph({
    title: `Volumes: ${way} throughput`,
    width: 8,
    unit: 'MB/s',
    left: perArm(arms, name, (ids) => `${rate(ids)} / 1000000`),
    ceilings: ceilingLines(arms, ceilings),
  });

/** Traffic of the volumes, compressed where the file system compresses. */
export const throughputGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => [
  throughput(arms, 'write', 'VolumeWriteBytes'),
  throughput(arms, 'read', 'VolumeReadBytes'),
  graph({
    title: 'Volumes: operations',
    width: 8,
    unit: 'operations/s',
    left: [...perArm(arms, 'VolumeWriteOps', rate), ...perArm(arms, 'VolumeReadOps', rate)],
  }),
];

/** Saturation of the volumes, and the time that an operation waits. */
export const waitGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => [
  graph({
    title: 'Volumes at their provisioned throughput or IOPS, or stalled (1: yes)',
    width: 12,
    unit: '0 or 1',
    max: 1,
    left: [
      ...perArm(arms, 'VolumeThroughputExceededCheck', largest),
      ...perArm(arms, 'VolumeIOPSExceededCheck', largest),
      ...perArm(arms, 'VolumeStalledIOCheck', largest),
    ],
  }),
  graph({
    title: 'Volumes: operations that wait, and burst credits (gp2 only)',
    width: 12,
    unit: 'operations',
    left: perArm(arms, 'VolumeQueueLength', sum),
    right: perArm(arms, 'BurstBalance', (ids) => (ids.length === 1 ? `${ids[0]}` : `MIN([${ids.join(', ')}])`)),
    rightUnit: '%',
  }),
];

/** Seconds in a minute in which a volume was idle, or spent with operations: more than 60 where several are under way. */
export const timeGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => [
  ...(['VolumeTotalWriteTime', 'VolumeTotalReadTime', 'VolumeIdleTime'] as const).map((name) =>
    graph({ title: name, width: 8, unit: 'seconds', left: perArm(arms, name, sum) }),
  ),
];
