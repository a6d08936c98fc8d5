import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct, type IConstruct } from 'constructs';
import { camelCase } from '../../../kit/format/strings';
import type { MetricRole } from '../../role';
import type { LustreConfiguration } from '../configuration';
import {
  dimensionsOf,
  LUSTRE_METRIC_PERIOD_SECONDS,
  LUSTRE_METRICS,
  LUSTRE_NAMESPACE,
  type LustreMetricName,
  metricInfo,
  queryExpression,
  searchExpression,
} from '../metricTable';

/** The file system that metrics are asked of. It need not be one that this app made. */
export interface MetricSource {
  readonly fileSystemId: string;
  /** Lower-case word that tells it from the others on a graph: expressions name their metrics with it. */
  readonly key: string;
}

/** Options of reading and showing a metric; defaults come from the table of metrics. */
export interface LustreMetricOptions extends cloudwatch.MetricOptions {
  /** Name such as `OSS0000` or `MDS0000`: required for what each file server publishes. */
  readonly fileServer?: string;
  /** Name such as `OST0000` or `MDT0000`: required for what each storage target publishes. */
  readonly storageTargetId?: string;
  /** `AutoImport` or `AutoExport`: required for what the links to S3 publish. */
  readonly publisher?: string;
}

/** Options of showing a metric of every server or target. */
export interface EachOptions extends cloudwatch.SearchExpressionOptions {
  readonly statistic?: string;
  /** Further search terms, such as `StorageTargetId=MDT`. @default - every server or target */
  readonly filter?: string;
}

/** Aggregation of the values of all servers or targets, for an alarm. */
export type Aggregate = 'MAX' | 'MIN' | 'AVG' | 'SUM';

const PERIOD = Duration.seconds(LUSTRE_METRIC_PERIOD_SECONDS);

/** A file system of FSx for Lustre, whether the app makes it or only knows its id. */
export interface ILustreFileSystem extends IConstruct, MetricSource {
  /** Configuration of the file system. @default - not known: dashboards show every metric, and no documented ceiling */
  readonly configuration?: LustreConfiguration;
  /** Metadata IOPS provisioned, in operations per second; `null` without a metadata configuration. @default - not known */
  readonly metadataIops?: number | null;
  /**
   * Any metric that FSx publishes, by its name, with the statistic and period (1 minute) that AWS publishes it with.
   *
   * @throws Error when a metric of a server, target or publisher is asked for without naming that
   */
  metric(name: LustreMetricName, options?: LustreMetricOptions): cloudwatch.Metric;
  /** A line for each server or target, for graphs: alarms cannot search. */
  metricEach(name: LustreMetricName, options?: EachOptions): cloudwatch.SearchExpression;
  /** One value of all servers or targets, for alarms: such as the `MAX` of `StorageCapacityUtilization`. */
  metricAcross(
    name: LustreMetricName,
    aggregate: Aggregate,
    options?: cloudwatch.MathExpressionOptions,
  ): cloudwatch.MathExpression;
  /** Bytes per second that clients read. */
  metricReadThroughput(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression;
  /** Bytes per second that clients write. */
  metricWriteThroughput(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression;
  /** Operations per second of clients: read, write and metadata. */
  metricIops(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression;
  /** Bytes before compression ÷ bytes after it, of all that is stored. No data without LZ4. */
  metricCompressionRatio(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression;
  /** Bytes free on all targets together, for graphs: alarms cannot search. */
  metricFreeCapacity(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression;
}

/** The metrics of a file system. */
export abstract class PublishingLustre extends Construct implements ILustreFileSystem {
  abstract readonly fileSystemId: string;
  abstract readonly configuration?: LustreConfiguration;
  abstract readonly metadataIops?: number | null;

  get key(): string {
    // The address of the construct stays the same from synth to synth, the text of a token does not.
    return this.node.addr.slice(-8);
  }

  /** The metric of a role that all kinds of storage share, such as `bytes_written`; `null` where FSx publishes none. */
  metricOf(role: MetricRole, options?: cloudwatch.MetricOptions): cloudwatch.Metric | null {
    const info = LUSTRE_METRICS.find((it) => it.role === role && it.scope === 'file-system');
    return info === undefined ? null : lustreMetric(this, info.name, options);
  }

  metric(name: LustreMetricName, options?: LustreMetricOptions): cloudwatch.Metric {
    return lustreMetric(this, name, options);
  }

  metricEach(name: LustreMetricName, options?: EachOptions): cloudwatch.SearchExpression {
    return lustreMetricEach(this, name, options);
  }

  metricAcross(
    name: LustreMetricName,
    aggregate: Aggregate,
    options?: cloudwatch.MathExpressionOptions,
  ): cloudwatch.MathExpression {
    return lustreMetricAcross(this, name, aggregate, options);
  }

  metricReadThroughput(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression {
    return readThroughput(this, options);
  }

  metricWriteThroughput(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression {
    return writeThroughput(this, options);
  }

  metricIops(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression {
    return iops(this, options);
  }

  metricCompressionRatio(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression {
    return compressionRatio(this, options);
  }

  metricFreeCapacity(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression {
    return freeCapacity(this, options);
  }
}

/** One metric of one file system, with the dimensions, unit and statistic that AWS publishes it with. */
export function lustreMetric(
  { fileSystemId }: MetricSource,
  name: LustreMetricName,
  options: LustreMetricOptions = {},
): cloudwatch.Metric {
  const { fileServer, storageTargetId, publisher, ...rest } = options;
  const { scope, statistic } = metricInfo(name);
  const values: Record<string, string | undefined> = {
    FileSystemId: fileSystemId,
    FileServer: fileServer,
    StorageTargetId: storageTargetId,
    Publisher: publisher,
  };
  const dimensionsMap: Record<string, string> = {};
  for (const dimension of dimensionsOf(scope)) {
    const value = values[dimension];
    if (value === undefined) {
      const property = camelCase(dimension);
      throw new Error(
        `'${property}' must be given for ${name}, got nothing: use lustreMetricEach or lustreMetricAcross for all of them`,
      );
    }
    dimensionsMap[dimension] = value;
  }
  // No unit: it would filter, and everything FSx publishes has one unit anyway.
  return new cloudwatch.Metric({
    namespace: LUSTRE_NAMESPACE,
    metricName: name,
    dimensionsMap,
    statistic,
    period: PERIOD,
    ...rest,
  });
}

/** A line for each server or target, for graphs. No alarm can use it. */
export function lustreMetricEach(
  { fileSystemId }: MetricSource,
  name: LustreMetricName,
  options: EachOptions = {},
): cloudwatch.SearchExpression {
  const { statistic, filter, period = PERIOD, ...rest } = options;
  const expression = searchExpression(fileSystemId, name, statistic, period.toSeconds(), filter);
  return new cloudwatch.SearchExpression({ expression, period, ...rest });
}

/** Takes one value from all servers or targets of a file system, whatever their names and number; alarms can use it. */
export function lustreMetricAcross(
  { fileSystemId }: MetricSource,
  name: LustreMetricName,
  aggregate: Aggregate,
  options: cloudwatch.MathExpressionOptions = {},
): cloudwatch.MathExpression {
  const expression = queryExpression([fileSystemId], name, aggregate);
  return new cloudwatch.MathExpression({ expression, period: PERIOD, label: name, ...options });
}

type Options = cloudwatch.MathExpressionOptions;

/** Bytes a second that clients read. */
export function readThroughput(source: MetricSource, options: Options = {}): cloudwatch.MathExpression {
  return rate(source, ['DataReadBytes'], { label: 'read (B/s)', ...options });
}

/** Bytes a second that clients write. */
export function writeThroughput(source: MetricSource, options: Options = {}): cloudwatch.MathExpression {
  return rate(source, ['DataWriteBytes'], { label: 'write (B/s)', ...options });
}

/** Operations a second of clients: read, write and metadata. */
export function iops(source: MetricSource, options: Options = {}): cloudwatch.MathExpression {
  const names = ['DataReadOperations', 'DataWriteOperations', 'MetadataOperations'] as const;
  return rate(source, names, { label: 'operations (1/s)', ...options });
}

/** Bytes before compression ÷ bytes after it, of all that is stored. No data without LZ4. */
export function compressionRatio(source: MetricSource, options: Options = {}): cloudwatch.MathExpression {
  const { logical, physical, usingMetrics } = usage(source);
  return math(`${logical} / ${physical}`, usingMetrics, { label: 'compression ratio', ...options });
}

/** Bytes free on all targets together. For graphs: no alarm can use it. */
export function freeCapacity({ fileSystemId }: MetricSource, options: Options = {}): cloudwatch.MathExpression {
  const { period = PERIOD } = options;
  const expression = `SUM(${searchExpression(fileSystemId, 'FreeDataStorageCapacity', 'Average', period.toSeconds())})`;
  return math(expression, {}, { label: 'free (B)', ...options });
}

/** Percent of the provisioned metadata IOPS that the busiest metadata target uses, given the targets' names and the IOPS of each. */
export function metadataIopsUtilization(
  source: MetricSource,
  targets: readonly string[],
  iopsPerTarget: number,
  options: Options = {},
): cloudwatch.MathExpression {
  const usingMetrics: Record<string, cloudwatch.IMetric> = {};
  const shares = targets.map((storageTargetId) => {
    const [read, write] = (['DiskReadOperations', 'DiskWriteOperations'] as const).map((name) => {
      const id = `${metricId(source, name)}_${storageTargetId.toLowerCase()}`;
      usingMetrics[id] = lustreMetric(source, name, { storageTargetId });
      return id;
    });
    return `(${read} + ${write}) / PERIOD(${read})`;
  });
  const expression = `100 * MAX([${shares.join(', ')}]) / ${iopsPerTarget}`;
  return math(expression, usingMetrics, { label: 'metadata IOPS (%)', ...options });
}

function rate(source: MetricSource, names: readonly LustreMetricName[], options: Options): cloudwatch.MathExpression {
  const ids = names.map((name) => metricId(source, name));
  const usingMetrics = Object.fromEntries(names.map((name) => [metricId(source, name), lustreMetric(source, name)]));
  return math(`(${ids.join(' + ')}) / PERIOD(${ids[0]})`, usingMetrics, options);
}

function usage(source: MetricSource) {
  const [logical, physical] = [metricId(source, 'LogicalDiskUsage'), metricId(source, 'PhysicalDiskUsage')];
  const usingMetrics = {
    [logical]: lustreMetric(source, 'LogicalDiskUsage'),
    [physical]: lustreMetric(source, 'PhysicalDiskUsage'),
  };
  return { logical, physical, usingMetrics };
}

function math(expression: string, usingMetrics: Record<string, cloudwatch.IMetric>, options: Options) {
  return new cloudwatch.MathExpression({ expression, usingMetrics, period: PERIOD, ...options });
}

/** Unique on a graph with several file systems: CloudWatch wants a lower-case first letter. */
function metricId({ key }: MetricSource, name: LustreMetricName): string {
  return `m_${key}_${camelCase(name)}`;
}
