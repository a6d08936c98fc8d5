import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { metricOf, type Published } from '../../storage/common/graphs';
import type { MetricRole } from '../../storage/storage';
import { toMetric } from './render';

/** A storage whose every metric is one series, of the whole of it. */
export abstract class PublishingStorage<Name extends string = string> extends Construct {
  abstract readonly resourceId: string;
  protected abstract readonly published: Published;

  metric(name: Name, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return toMetric(metricOf(this.published, this.resourceId, name), options);
  }

  metricOf(role: MetricRole, options?: cloudwatch.MetricOptions): cloudwatch.Metric | null {
    const found = this.published.table.find((metric) => metric.role === role);
    return found === undefined ? null : this.metric(found.name as Name, options);
  }
}
