import { camelCase } from '../../../common/format/text';
import {
  extreme,
  type Metric,
  type MetricExpression,
  named,
  product,
  type Query,
  type Reduction,
  rate,
  ratio,
  reduced,
  type Search,
  sum,
} from '../../../dashboard/expression';
import { dimensionsOf, identityOf, LUSTRE_NAMESPACE, type LustreMetricName, metricInfo } from '../metricTable';

/** The file system that metrics are asked of. */
export interface MetricSource {
  readonly fileSystemId: string;
  /** Lower-case word that names its metrics in the expressions of a graph. */
  readonly key: string;
}

/** One metric of one file system, with the dimensions and statistic that AWS publishes it with. */
export function lustreMetricOf(
  { fileSystemId }: Pick<MetricSource, 'fileSystemId'>,
  metric: LustreMetricName,
  parts: Readonly<Record<string, string | undefined>> = {},
): Metric {
  const { scope, statistic: stat } = metricInfo(metric);
  const values: typeof parts = { ...identityOf(fileSystemId), ...parts };
  const dimensions = dimensionsOf(scope).map((dimension): [string, string] => {
    const value = values[dimension];
    if (value !== undefined) return [dimension, value];
    throw new Error(
      `'${camelCase(dimension)}' must be given for ${metric}, got nothing: use metricEach or metricAcross for all of them`,
    );
  });
  return { kind: 'metric', namespace: LUSTRE_NAMESPACE, metric, dimensions: Object.fromEntries(dimensions), stat };
}

/** A metric of every server, target or publisher of a file system. @param prefix beginning of the names meant, such as `MDT` where both kinds of targets have it */
export function everyPart(fileSystemId: string, metric: LustreMetricName, stat?: string, prefix?: string): Search {
  const { scope, statistic } = metricInfo(metric);
  const dimensions = dimensionsOf(scope);
  return {
    namespace: LUSTRE_NAMESPACE,
    metric,
    dimensions,
    resource: identityOf(fileSystemId),
    stat: stat ?? statistic,
    named: prefix === undefined ? undefined : { [dimensions.at(-1) ?? '']: prefix },
  };
}

const STATISTICS: Readonly<Record<Reduction, string>> = { SUM: 'Sum', MAX: 'Maximum', MIN: 'Minimum', AVG: 'Average' };

/** One value from all servers, targets or publishers of each file system, whatever their names and number. */
export const acrossParts = (ids: readonly string[], metric: LustreMetricName, how: Reduction): Query => ({
  kind: 'query',
  how,
  searches: ids.map((id) => everyPart(id, metric, STATISTICS[how])),
});

/** Unique on a graph with several file systems: CloudWatch wants a lower-case first letter. */
const operand = (source: MetricSource, name: LustreMetricName): Metric =>
  named(lustreMetricOf(source, name), `m_${source.key}_${camelCase(name)}`);

const together = (source: MetricSource, label: string, ...names: LustreMetricName[]): MetricExpression =>
  rate(sum(names.map((name) => operand(source, name))), label);

export const readThroughput = (source: MetricSource): MetricExpression =>
  together(source, 'read (B/s)', 'DataReadBytes');

export const writeThroughput = (source: MetricSource): MetricExpression =>
  together(source, 'write (B/s)', 'DataWriteBytes');

export const iops = (source: MetricSource): MetricExpression =>
  together(source, 'operations (1/s)', 'DataReadOperations', 'DataWriteOperations', 'MetadataOperations');

/** Bytes before compression ÷ bytes after it, of all that is stored. No data without LZ4. */
export const compressionRatio = (source: MetricSource): MetricExpression =>
  ratio(operand(source, 'LogicalDiskUsage'), operand(source, 'PhysicalDiskUsage'));

/** Bytes free on all targets together. For graphs: no alarm can use it. */
export const freeCapacity = ({ fileSystemId }: Pick<MetricSource, 'fileSystemId'>): MetricExpression =>
  reduced('SUM', everyPart(fileSystemId, 'FreeDataStorageCapacity', 'Average'));

/** Percent of the provisioned metadata IOPS that the busiest metadata target uses, given the targets' names and the IOPS of each. */
export function metadataIopsUtilization(
  source: MetricSource,
  targets: readonly string[],
  iopsPerTarget: number,
): MetricExpression {
  const used = targets.map((StorageTargetId) =>
    rate(
      sum(
        (['DiskReadOperations', 'DiskWriteOperations'] as const).map((name) =>
          named(
            lustreMetricOf(source, name, { StorageTargetId }),
            `m_${source.key}_${camelCase(name)}_${StorageTargetId.toLowerCase()}`,
          ),
        ),
      ),
    ),
  );
  return ratio(product(100, extreme('MAX', used)), iopsPerTarget);
}
