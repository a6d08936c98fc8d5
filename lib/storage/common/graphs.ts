import { camelCase } from '../../common/format/text';
import { type Metric, type MetricExpression, perSecond } from '../../dashboard/expression';
import {
  type Ceiling,
  type DashboardPart,
  type Graph,
  graph,
  idOf,
  linePerArm,
  type ShownArm,
  throughputGraphs,
} from '../../dashboard/graph';
import type { StorageConfiguration } from '../../schema/deployment';
import type { MetricRole, MetricsCapability, StorageMetric } from '../storage';
import type { Limit, LimitOptions } from './limits';

/** A counter: its sum over a minute is what happened in that minute. */
export const counted = <Name extends string, Role extends StorageMetric['role']>(
  name: Name,
  role: Role,
  unit = 'Count',
) => ({ name, role, unit, statistic: 'Sum', gauge: false }) as const;

/** A level: a sum of it is one over servers or targets, not one over time. */
export const gauge = <Name extends string, Role extends StorageMetric['role']>(
  name: Name,
  role: Role,
  unit: string,
  statistic: string,
) => ({ name, role, unit, statistic, gauge: true }) as const;

/** Counters of a file system's servers, by the names under which ours publish them. */
export const SERVER_COUNTERS = [
  counted('BytesRead', 'bytes_read', 'Bytes'),
  counted('BytesWritten', 'bytes_written', 'Bytes'),
  counted('FileCreates', 'file_creates'),
  counted('FileOpens', 'file_opens'),
  counted('FileDeletes', 'file_deletes'),
  counted('DirectoryCreates', 'dir_creates'),
  counted('DirectoryDeletes', 'dir_deletes'),
  counted('Renames', 'renames'),
  counted('Stats', 'stats'),
  counted('MetadataOperations', 'metadata_operations'),
] as const;

/** The metrics of a storage whose every series has the id of the resource as a dimension. @param others further dimensions, the same for every series */
export function metricsBy(
  dimension: string,
  namespace: string,
  table: readonly StorageMetric[],
  others: Readonly<Record<string, string>> = {},
): MetricsCapability {
  const identity = (resourceId: string) => ({ [dimension]: resourceId, ...others });
  const assumed = (resourceId: string) => table.map(({ name }) => ({ metric: name, dimensions: identity(resourceId) }));
  return { namespace, table, identity, assumed };
}

/** Number of metrics of a table that show activity: the alarm on a stalled run reads each of them. */
export const seenIn = ({ table }: MetricsCapability, about: readonly MetricRole[]): number =>
  about.filter((role) => table.some((metric) => metric.role === role)).length;

/** Metrics that a service publishes, each by the dimensions of the resource alone. */
export type Published = Pick<MetricsCapability, 'namespace' | 'table' | 'identity'>;

/** A metric of one resource by its name, with the statistic that answers the usual question. */
export function metricOf({ namespace, table, identity }: Published, resourceId: string, metric: string): Metric {
  const info = table.find(({ name }) => name === metric);
  if (info === undefined) throw new Error(`'metric' must be one of ${namespace}, got ${metric}`);
  return { kind: 'metric', namespace, metric, dimensions: identity(resourceId), stat: info.statistic };
}

/** Sustained limits as ceilings, by what a graph calls them: those without a name, such as the clients', may be far above it. */
export const ceilingsOf = (limits: readonly Limit[], names: Readonly<Record<string, string>>): Ceiling[] =>
  limits.flatMap(({ name, baselineMBps }) => {
    const label = names[name];
    return label === undefined ? [] : [{ label, value: Math.round(baselineMBps) }];
  });

/** Graphs of a storage each of whose metrics is one series. */
export function publishedGraphs<C extends StorageConfiguration, Name extends string = string>(published: Published) {
  const metric = ({ resourceId }: ShownArm<C>, name: Name): Metric => metricOf(published, resourceId, name);
  const levels = (arms: readonly ShownArm<C>[], title: string, name: Name, unit = '%', width = 6): Graph =>
    graph({
      title,
      width,
      unit,
      max: unit === '%' ? 100 : undefined,
      left: linePerArm(arms, (arm) => metric(arm, name)),
    });
  const rate = (arm: ShownArm<C>, name: Name): MetricExpression =>
    perSecond(metric(arm, name), `${camelCase(name)}_${idOf(arm)}`);
  return { metric, levels, rate };
}

/** Graphs of a storage whose own servers count what they do, and publish it by fsxbench's names. */
export function countedGraphs<C extends StorageConfiguration>(
  published: Published,
  limitsOf: (configuration: C, options: LimitOptions) => readonly Limit[],
  limitNames: Readonly<Record<string, string>>,
) {
  const { metric, levels, rate } = publishedGraphs<C>(published);
  return {
    levels,
    /** Two levels of each arm, by their labels. */
    pairs: (
      arms: readonly ShownArm<C>[],
      title: string,
      width: number,
      names: Readonly<Record<string, string>>,
    ): Graph =>
      graph({
        title,
        width,
        unit: 'bytes',
        left: arms.flatMap((arm) =>
          Object.entries(names).map(([label, name]) => ({ label: `${arm.name} ${label}`, of: metric(arm, name) })),
        ),
      }),
    /** The dashboard: throughput of the clients, metadata and servers, first what the benchmark is about. */
    dashboardOf:
      (
        reading: readonly string[],
        metadataOf: (arms: readonly ShownArm<C>[]) => Graph[],
        serversOf: (arms: readonly ShownArm<C>[]) => Graph[],
      ) =>
      (arms: readonly ShownArm<C>[], about: readonly MetricRole[]): DashboardPart => {
        const data = throughputGraphs(arms, {
          width: 12,
          rate: (arm, mode) => rate(arm, mode === 'write' ? 'BytesWritten' : 'BytesRead'),
          ceilings: ({ configuration, region }, mode) =>
            ceilingsOf(limitsOf(configuration, { mode, region }), limitNames),
        });
        const [metadata, servers] = [metadataOf(arms), serversOf(arms)];
        return {
          reading,
          rows: about.includes('metadata_operations') ? [metadata, servers, data] : [data, servers, metadata],
        };
      },
    /** Operations a second by their names; a single one is drawn in the colour of its arm. */
    operations: (arms: readonly ShownArm<C>[], title: string, names: readonly string[]): Graph =>
      graph({
        title,
        width: 8,
        unit: 'operations/s',
        left: arms.flatMap((arm) =>
          names.map((name) => ({
            label: `${arm.name} ${name}`,
            colour: names.length === 1 ? arm.colour : undefined,
            of: rate(arm, name),
          })),
        ),
      }),
  };
}
