import { Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import {
  type Ceiling,
  ceilingLines,
  graph,
  idOf,
  inMegabytes,
  linePerArm,
  MINUTE,
} from '../../../deploy/dashboard/graph';
import type { ArmView } from '../../construct';
import { limitsOf } from '../limits';
import type { EfsMetricName } from '../metricTable';
import type { EfsFileSystem } from './fileSystem';

type Arm = ArmView<EfsFileSystem>;

/** How limits are called on a graph; those of the clients are left out, since they may be far above it. */
const NAMES: Readonly<Record<string, string>> = { metered_throughput: 'metered throughput, sustained' };

function ceilings({ storage }: Arm, mode: 'write' | 'read'): Ceiling[] {
  return limitsOf(storage.configuration, { mode, region: Stack.of(storage).region }).flatMap(
    ({ name, baselineMBps }) => {
      const label = NAMES[name];
      return label === undefined ? [] : [{ label, megabytesPerSecond: Math.round(baselineMBps) }];
    },
  );
}

/** What is counted in a minute, as a rate. */
function perSecond(metric: cloudwatch.IMetric, id: string, options: cloudwatch.MathExpressionOptions) {
  return new cloudwatch.MathExpression({
    expression: `${id} / PERIOD(${id})`,
    usingMetrics: { [id]: metric },
    period: MINUTE,
    ...options,
  });
}

/** Bytes of a minute as MB/s. */
const rate = (arm: Arm, name: EfsMetricName, id: string, options: cloudwatch.MathExpressionOptions) =>
  inMegabytes(perSecond(arm.storage.metric(name), `${id}_bytes_${idOf(arm)}`, {}), `${id}_${idOf(arm)}`, options);

/** What clients see. */
export function clientGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  return [
    graph({
      title: 'Clients: write throughput',
      width: 8,
      unit: 'MB/s',
      left: linePerArm(arms, (arm, options) => rate(arm, 'DataWriteIOBytes', 'write', options)),
      ceilings: ceilingLines(arms, (arm) => ceilings(arm, 'write')),
    }),
    graph({
      title: 'Clients: read throughput',
      width: 8,
      unit: 'MB/s',
      left: linePerArm(arms, (arm, options) => rate(arm, 'DataReadIOBytes', 'read', options)),
      ceilings: ceilingLines(arms, (arm) => ceilings(arm, 'read')),
    }),
    graph({
      title: 'Clients: connections',
      width: 8,
      unit: 'connections',
      left: linePerArm(arms, ({ storage }, options) => storage.metric('ClientConnections', options)),
    }),
  ];
}

/** What EFS allows at the moment, and what of it is used. */
export function allowedGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  return [
    graph({
      title: 'Metered throughput and what is permitted',
      width: 12,
      unit: 'MB/s',
      left: arms.flatMap((arm) => [
        rate(arm, 'MeteredIOBytes', 'metered', { label: `${arm.name} metered`, color: arm.colour }),
        inMegabytes(arm.storage.metric('PermittedThroughput'), `permitted_${idOf(arm)}`, {
          label: `${arm.name} permitted`,
        }),
      ]),
    }),
    graph({
      title: 'Operations against the limit of General Purpose',
      width: 6,
      unit: '%',
      max: 100,
      left: linePerArm(arms, ({ storage }, options) => storage.metric('PercentIOLimit', options)),
    }),
    graph({
      title: 'Burst credits (bursting only)',
      width: 6,
      unit: 'bytes',
      left: linePerArm(arms, ({ storage }, options) => storage.metric('BurstCreditBalance', options)),
    }),
  ];
}

/** Metadata operations: EFS counts them in one, without telling creates from stats. */
export function metadataGraphs(arms: readonly Arm[]): cloudwatch.IWidget[] {
  return [
    graph({
      title: 'Metadata operations',
      width: 24,
      unit: 'operations/s',
      left: linePerArm(arms, (arm, options) =>
        perSecond(arm.storage.metric('MetadataIOBytes'), `metadata_${idOf(arm)}`, options),
      ),
    }),
  ];
}
