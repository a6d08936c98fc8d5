import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import {
  compressionRatio,
  compressionSavings,
  type EachOptions,
  freeCapacity,
  iops,
  type LustreMetricName,
  type LustreMetricOptions,
  lustreMetric,
  lustreMetricAcross,
  lustreMetricEach,
  type MetricSource,
  readThroughput,
  throughput,
  writeThroughput,
} from './metrics';

type Options = LustreMetricOptions;
type MathOptions = cloudwatch.MathExpressionOptions;

/**
 * What a file system can be asked for in CloudWatch, the same for one that the app makes and one that it only knows by its id.
 * Where a metric belongs to a server or target, the options must name it; `metricEach` and `metricAcross` take all of them.
 */
export abstract class LustreMetricMethods extends Construct {
  abstract readonly fileSystemId: string;

  private get source(): MetricSource {
    // The address of the construct stays the same from synth to synth, the text of a token does not.
    return { fileSystemId: this.fileSystemId, key: this.node.addr.slice(-8) };
  }

  /** Any metric of the file system by its name. */
  metric(name: LustreMetricName, options?: Options): cloudwatch.Metric {
    return lustreMetric(this.source, name, options);
  }

  /** A line for each server or target, for graphs. */
  metricEach(name: LustreMetricName, options?: EachOptions): cloudwatch.SearchExpression {
    return lustreMetricEach(this.source, name, options);
  }

  /** One value from all servers or targets; alarms can use it. */
  metricAcross(
    name: LustreMetricName,
    aggregate: 'MAX' | 'MIN' | 'AVG' | 'SUM',
    options?: MathOptions,
  ): cloudwatch.MathExpression {
    return lustreMetricAcross(this.source, name, aggregate, options);
  }

  /** Bytes a second that clients read and write. */
  metricThroughput(options?: MathOptions): cloudwatch.MathExpression {
    return throughput(this.source, options);
  }

  /** Bytes a second that clients read. */
  metricReadThroughput(options?: MathOptions): cloudwatch.MathExpression {
    return readThroughput(this.source, options);
  }

  /** Bytes a second that clients write. */
  metricWriteThroughput(options?: MathOptions): cloudwatch.MathExpression {
    return writeThroughput(this.source, options);
  }

  /** Operations a second of clients: read, write and metadata. */
  metricIops(options?: MathOptions): cloudwatch.MathExpression {
    return iops(this.source, options);
  }

  /** Bytes before compression ÷ bytes after it. No data without LZ4. */
  metricCompressionRatio(options?: MathOptions): cloudwatch.MathExpression {
    return compressionRatio(this.source, options);
  }

  /** Percent of the bytes that compression saves. No data without LZ4. */
  metricCompressionSavings(options?: MathOptions): cloudwatch.MathExpression {
    return compressionSavings(this.source, options);
  }

  /** Bytes free on all targets together. */
  metricFreeCapacity(options?: MathOptions): cloudwatch.MathExpression {
    return freeCapacity(this.source, options);
  }

  /** Bytes that clients read; Sum of Bytes. */
  metricDataReadBytes(options?: Options): cloudwatch.Metric {
    return this.metric('DataReadBytes', options);
  }

  /** Bytes that clients wrote; Sum of Bytes. */
  metricDataWriteBytes(options?: Options): cloudwatch.Metric {
    return this.metric('DataWriteBytes', options);
  }

  /** Read operations of clients; Sum of Count. */
  metricDataReadOperations(options?: Options): cloudwatch.Metric {
    return this.metric('DataReadOperations', options);
  }

  /** Write operations of clients; Sum of Count. */
  metricDataWriteOperations(options?: Options): cloudwatch.Metric {
    return this.metric('DataWriteOperations', options);
  }

  /** Metadata operations of clients; Sum of Count. */
  metricMetadataOperations(options?: Options): cloudwatch.Metric {
    return this.metric('MetadataOperations', options);
  }

  /** Active connections of clients; SampleCount of Count. */
  metricClientConnections(options?: Options): cloudwatch.Metric {
    return this.metric('ClientConnections', options);
  }

  /** Bytes stored, before compression; Sum of Bytes. */
  metricLogicalDiskUsage(options?: Options): cloudwatch.Metric {
    return this.metric('LogicalDiskUsage', options);
  }

  /** Bytes stored, after compression; Sum of Bytes. */
  metricPhysicalDiskUsage(options?: Options): cloudwatch.Metric {
    return this.metric('PhysicalDiskUsage', options);
  }

  /** Network traffic against what the server can do; Average of Percent. Needs `fileServer`, such as OSS0000. */
  metricNetworkThroughputUtilization(options: Options): cloudwatch.Metric {
    return this.metric('NetworkThroughputUtilization', options);
  }

  /** Bytes sent, data repositories included; Sum of Bytes. Needs `fileServer`, such as OSS0000. */
  metricNetworkSentBytes(options: Options): cloudwatch.Metric {
    return this.metric('NetworkSentBytes', options);
  }

  /** Bytes received, data repositories included; Sum of Bytes. Needs `fileServer`, such as OSS0000. */
  metricNetworkReceivedBytes(options: Options): cloudwatch.Metric {
    return this.metric('NetworkReceivedBytes', options);
  }

  /** Disk throughput against what the server can do; Average of Percent. Needs `fileServer`, such as OSS0000. */
  metricFileServerDiskThroughputUtilization(options: Options): cloudwatch.Metric {
    return this.metric('FileServerDiskThroughputUtilization', options);
  }

  /** CPU of the metadata server; Average of Percent. Needs `fileServer`, such as MDS0000. */
  metricCPUUtilization(options: Options): cloudwatch.Metric {
    return this.metric('CPUUtilization', options);
  }

  /** Bytes read from disk, as stored; Sum of Bytes. Needs `storageTargetId`, such as OST0000. */
  metricDiskReadBytes(options: Options): cloudwatch.Metric {
    return this.metric('DiskReadBytes', options);
  }

  /** Bytes written to disk, as stored; Sum of Bytes. Needs `storageTargetId`, such as OST0000. */
  metricDiskWriteBytes(options: Options): cloudwatch.Metric {
    return this.metric('DiskWriteBytes', options);
  }

  /** Read operations of the disk; Sum of Count. Needs `storageTargetId`, such as OST0000 or MDT0000. */
  metricDiskReadOperations(options: Options): cloudwatch.Metric {
    return this.metric('DiskReadOperations', options);
  }

  /** Write operations of the disk; Sum of Count. Needs `storageTargetId`, such as OST0000 or MDT0000. */
  metricDiskWriteOperations(options: Options): cloudwatch.Metric {
    return this.metric('DiskWriteOperations', options);
  }

  /** Disk IOPS against what the target can do; Average of Percent. Needs `storageTargetId`, such as OST0000 or MDT0000. */
  metricDiskIopsUtilization(options: Options): cloudwatch.Metric {
    return this.metric('DiskIopsUtilization', options);
  }

  /** Bytes free; Average of Bytes. Needs `storageTargetId`, such as OST0000. */
  metricFreeDataStorageCapacity(options: Options): cloudwatch.Metric {
    return this.metric('FreeDataStorageCapacity', options);
  }

  /** Capacity in use; Average of Percent. Needs `storageTargetId`, such as OST0000. */
  metricStorageCapacityUtilization(options: Options): cloudwatch.Metric {
    return this.metric('StorageCapacityUtilization', options);
  }

  /** Capacity in use or granted to caches of clients; Average of Percent. Needs `storageTargetId`, such as OST0000. */
  metricStorageCapacityUtilizationWithCachedWrites(options: Options): cloudwatch.Metric {
    return this.metric('StorageCapacityUtilizationWithCachedWrites', options);
  }

  /** Files created; Sum of Count. Needs `storageTargetId`, such as MDT0000. */
  metricFileCreateOperations(options: Options): cloudwatch.Metric {
    return this.metric('FileCreateOperations', options);
  }

  /** Files opened; Sum of Count. Needs `storageTargetId`, such as MDT0000. */
  metricFileOpenOperations(options: Options): cloudwatch.Metric {
    return this.metric('FileOpenOperations', options);
  }

  /** Files deleted; Sum of Count. Needs `storageTargetId`, such as MDT0000. */
  metricFileDeleteOperations(options: Options): cloudwatch.Metric {
    return this.metric('FileDeleteOperations', options);
  }

  /** Files and directories looked at; Sum of Count. Needs `storageTargetId`, such as MDT0000. */
  metricStatOperations(options: Options): cloudwatch.Metric {
    return this.metric('StatOperations', options);
  }

  /** Directories renamed; Sum of Count. Needs `storageTargetId`, such as MDT0000. */
  metricRenameOperations(options: Options): cloudwatch.Metric {
    return this.metric('RenameOperations', options);
  }

  /** Directories created; Sum of Count. Needs `storageTargetId`, such as MDT0000. */
  metricDirectoryCreateOperations(options: Options): cloudwatch.Metric {
    return this.metric('DirectoryCreateOperations', options);
  }

  /** Directories deleted; Sum of Count. Needs `storageTargetId`, such as MDT0000. */
  metricDirectoryDeleteOperations(options: Options): cloudwatch.Metric {
    return this.metric('DirectoryDeleteOperations', options);
  }

  /** Age of the oldest waiting import or export; Maximum of Seconds. Needs `publisher`: AutoImport or AutoExport. */
  metricAgeOfOldestQueuedMessage(options: Options): cloudwatch.Metric {
    return this.metric('AgeOfOldestQueuedMessage', options);
  }

  /** Renames carried to S3; Sum of Count. Needs `publisher`: AutoImport or AutoExport. */
  metricRepositoryRenameOperations(options: Options): cloudwatch.Metric {
    return this.metric('RepositoryRenameOperations', options);
  }
}
