import { inMegabytes, perSecond } from '../../dashboard/expression';
import {
  type DashboardPart,
  type Graph,
  graph,
  idOf,
  linePerArm,
  type ShownArm,
  throughputGraphs,
} from '../../dashboard/graph';
import { ceilingsOf, counted, gauge, metricsBy, publishedGraphs } from '../common/graphs';
import type { MetricRole, StorageMetric } from '../storage';
import type { EfsStorage } from './configuration';
import { limitsOf } from './documented';

const TABLE = [
  counted('DataReadIOBytes', 'bytes_read', 'Bytes'),
  counted('DataWriteIOBytes', 'bytes_written', 'Bytes'),
  // Each operation is a sample: their number is that of the operations.
  { ...counted('MetadataIOBytes', 'metadata_operations'), statistic: 'SampleCount' },
  // Bytes that count towards the throughput: a third of the bytes read.
  counted('MeteredIOBytes', null, 'Bytes'),
  gauge('ClientConnections', 'client_connections', 'Count', 'Sum'),
  // Operations against what General Purpose can do.
  gauge('PercentIOLimit', 'iops_utilisation', 'Percent', 'Maximum'),
  gauge('PermittedThroughput', 'throughput_permitted', 'Bytes/Second', 'Minimum'),
  gauge('BurstCreditBalance', 'burst_credits', 'Bytes', 'Minimum'),
] as const satisfies readonly StorageMetric[];

export type EfsMetricName = (typeof TABLE)[number]['name'];

/** Metrics of a file system that a run is judged by, without replication and storage classes. Source: https://docs.aws.amazon.com/efs/latest/ug/efs-metrics.html. */
export const EFS_METRICS = metricsBy('FileSystemId', 'AWS/EFS', TABLE);

/** True if EFS publishes a metric for such a file system. */
export function isPublished({ name }: StorageMetric, { throughputMode, performanceMode }: EfsStorage): boolean {
  if (name === 'PercentIOLimit') return performanceMode !== 'max-io';
  return name !== 'BurstCreditBalance' || throughputMode === 'bursting';
}

type Arm = ShownArm<EfsStorage>;

const GOOD = [
  '**What good looks like.** *Metered* stays below *permitted*: once they meet, EFS is the limit, and more clients change nothing. Reads count',
  'a third of what writes count. With bursting throughput a balance of credits that falls to zero takes the throughput with it to what the',
  'stored data earn. Operations near 100 % are the limit of General Purpose.',
];

const { metric, levels } = publishedGraphs<EfsStorage, EfsMetricName>(EFS_METRICS);

const clientGraphs = (arms: readonly Arm[]): Graph[] => [
  ...throughputGraphs(arms, {
    width: 8,
    rate: (arm, mode) =>
      perSecond(metric(arm, mode === 'write' ? 'DataWriteIOBytes' : 'DataReadIOBytes'), `${mode}_bytes_${idOf(arm)}`),
    ceilings: ({ configuration, region }, mode) =>
      ceilingsOf(limitsOf(configuration, { mode, region }), { metered_throughput: 'metered throughput, sustained' }),
  }),
  levels(arms, 'Clients: connections', 'ClientConnections', 'connections', 8),
];

/** Throughput that EFS permits at the moment, and the part in use. */
const allowedGraphs = (arms: readonly Arm[]): Graph[] => [
  graph({
    title: 'Metered throughput and what is permitted',
    width: 12,
    unit: 'MB/s',
    left: arms.flatMap((arm) => {
      const id = idOf(arm);
      const metered = perSecond(metric(arm, 'MeteredIOBytes'), `metered_bytes_${id}`);
      const permitted = metric(arm, 'PermittedThroughput');
      return [
        { label: `${arm.name} metered`, colour: arm.colour, of: inMegabytes(metered, `metered_${id}`) },
        { label: `${arm.name} permitted`, of: inMegabytes(permitted, `permitted_${id}`) },
      ];
    }),
  }),
  levels(arms, 'Operations against the limit of General Purpose', 'PercentIOLimit'),
  levels(arms, 'Burst credits (bursting only)', 'BurstCreditBalance', 'bytes'),
];

/** Metadata operations: EFS counts them in one, without telling creates from stats. */
const metadataGraph = (arms: readonly Arm[]): Graph =>
  graph({
    title: 'Metadata operations',
    width: 24,
    unit: 'operations/s',
    left: linePerArm(arms, (arm) => perSecond(metric(arm, 'MetadataIOBytes'), `metadata_${idOf(arm)}`)),
  });

export function efsDashboard(arms: readonly Arm[], about: readonly MetricRole[]): DashboardPart {
  const metadata = [[metadataGraph(arms)]];
  const data = [clientGraphs(arms), allowedGraphs(arms)];
  return about.includes('metadata_operations')
    ? { reading: GOOD, rows: [...metadata, ...data] }
    : { reading: GOOD, rows: data, more: metadata };
}
