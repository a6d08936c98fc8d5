import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { MetricRole } from '../../role';
import {
  compressionRatio,
  type EachOptions,
  freeCapacity,
  iops,
  LUSTRE_METRICS,
  type LustreMetricName,
  type LustreMetricOptions,
  lustreMetric,
  lustreMetricAcross,
  lustreMetricEach,
  type MetricSource,
  readThroughput,
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

  metricOf(role: MetricRole, options?: cloudwatch.MetricOptions): cloudwatch.Metric | null {
    const info = LUSTRE_METRICS.find((it) => it.role === role && it.scope === 'file-system');
    return info === undefined ? null : this.metric(info.name, options);
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

  /** Bytes free on all targets together. */
  metricFreeCapacity(options?: MathOptions): cloudwatch.MathExpression {
    return freeCapacity(this.source, options);
  }
}
