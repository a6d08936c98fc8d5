import { Token } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct, type IConstruct } from 'constructs';
import { describeGiven } from '../../../common/violation';
import type { Reduction } from '../../../dashboard/expression';
import type { LustreConfiguration } from '../../../storage/lustre/configuration';
import {
  acrossParts,
  compressionRatio,
  everyPart,
  freeCapacity,
  iops,
  lustreMetricOf,
  type MetricSource,
  readThroughput,
  writeThroughput,
} from '../../../storage/lustre/dashboard/expressions';
import { metadataIopsOf } from '../../../storage/lustre/documented';
import { LUSTRE_METRICS, type LustreMetricName } from '../../../storage/lustre/metricTable';
import type { MetricRole } from '../../../storage/storage';
import { unresolvedTokenMessage } from '../../common';
import { MINUTE, searchText, toExpression, toMetric } from '../../dashboard/render';
import { refuseTokens } from './ports';

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

/** An FSx for Lustre file system, whether the app makes it or only has its id. */
export interface ILustreFileSystem extends IConstruct, MetricSource {
  /** Configuration of the file system. @default - not known: dashboards show every metric, and no documented ceiling */
  readonly configuration?: LustreConfiguration;
  /** Metadata IOPS provisioned, in operations per second; `null` without a metadata configuration. @default - not known */
  readonly metadataIops?: number | null;
  /** Any metric that FSx publishes, with its statistic and period (1 minute). @throws Error without the server, target or publisher that it needs */
  metric(name: LustreMetricName, options?: LustreMetricOptions): cloudwatch.Metric;
  /** A line for each server or target, for graphs: alarms cannot search. */
  metricEach(name: LustreMetricName, options?: EachOptions): cloudwatch.SearchExpression;
  /** One value of all servers or targets, for alarms: such as the `MAX` of `StorageCapacityUtilization`. */
  metricAcross(
    name: LustreMetricName,
    aggregate: Reduction,
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
    return info === undefined ? null : this.metric(info.name, options);
  }

  metric(name: LustreMetricName, options: LustreMetricOptions = {}): cloudwatch.Metric {
    const { fileServer: FileServer, storageTargetId: StorageTargetId, publisher: Publisher, ...rest } = options;
    return toMetric(lustreMetricOf(this, name, { FileServer, StorageTargetId, Publisher }), rest);
  }

  metricEach(name: LustreMetricName, options: EachOptions = {}): cloudwatch.SearchExpression {
    const { statistic, filter, period = MINUTE, ...rest } = options;
    const terms = filter === undefined ? [] : [filter];
    const expression = searchText(everyPart(this.fileSystemId, name, statistic), period.toSeconds(), terms);
    return new cloudwatch.SearchExpression({ expression, period, ...rest });
  }

  metricAcross(
    name: LustreMetricName,
    aggregate: Reduction,
    options?: cloudwatch.MathExpressionOptions,
  ): cloudwatch.MathExpression {
    return lustreMetricAcross(this, name, aggregate, options);
  }

  metricReadThroughput(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression {
    return toExpression(readThroughput(this), options);
  }

  metricWriteThroughput(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression {
    return toExpression(writeThroughput(this), options);
  }

  metricIops(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression {
    return toExpression(iops(this), options);
  }

  metricCompressionRatio(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression {
    return toExpression(compressionRatio(this), { label: 'compression ratio', ...options });
  }

  metricFreeCapacity(options?: cloudwatch.MathExpressionOptions): cloudwatch.MathExpression {
    return toExpression(freeCapacity(this), { label: 'free (B)', ...options });
  }
}

/** Takes one value from all servers or targets of a file system, whatever their names and number; alarms can use it. */
export const lustreMetricAcross = (
  { fileSystemId }: Pick<MetricSource, 'fileSystemId'>,
  name: LustreMetricName,
  aggregate: Reduction,
  options: cloudwatch.MathExpressionOptions = {},
): cloudwatch.MathExpression => toExpression(acrossParts([fileSystemId], name, aggregate), { label: name, ...options });

/** A file system that exists already. */
export interface LustreFileSystemAttributes {
  /** Id such as `fs-0123456789abcdef0`. */
  readonly fileSystemId: string;
  /** Configuration, for the documented ceilings on graphs and for which metrics it publishes. @default - not known */
  readonly configuration?: LustreConfiguration;
  /** Metadata IOPS provisioned, in operations per second; `null` without a metadata configuration. @default - those of `configuration` */
  readonly metadataIops?: number | null;
}

/** A file system that exists already, for its metrics. */
export class ForeignLustre extends PublishingLustre {
  readonly fileSystemId: string;
  readonly configuration?: LustreConfiguration;
  readonly metadataIops?: number | null;

  constructor(scope: Construct, id: string, props: LustreFileSystemAttributes) {
    super(scope, id);
    const { fileSystemId, configuration } = props;
    const { metadataIops = configuration && metadataIopsOf(configuration) } = props;
    if (!Token.isUnresolved(fileSystemId) && !/^fs-[0-9a-f]{8,}$/.test(fileSystemId))
      throw new Error(`'fileSystemId' must be fs- and 8 or more hexadecimal digits, got ${fileSystemId}`);
    if (Token.isUnresolved(metadataIops)) throw new Error(unresolvedTokenMessage('metadataIops'));
    if (configuration !== undefined) refuseTokens(configuration);
    if (metadataIops != null && !(Number.isInteger(metadataIops) && metadataIops > 0))
      throw new Error(
        `'metadataIops' must be a whole number above 0, or null without a metadata configuration, got ${describeGiven(metadataIops)}`,
      );
    this.fileSystemId = fileSystemId;
    this.configuration = configuration;
    this.metadataIops = metadataIops;
  }
}
