import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { MetricsCapability } from '../../storage/metrics';
import type { MetricRole } from '../../storage/role';
import { MINUTE } from './graph';

/** Metrics that a service publishes, from the plain half of its storage. */
export type Published = Pick<MetricsCapability, 'namespace' | 'table' | 'identity'>;

/** A metric of one resource by its name, with the statistic that answers the usual question. */
export const publishedMetric = (
  { namespace, table, identity }: Published,
  resourceId: string,
  metricName: string,
  options: cloudwatch.MetricOptions = {},
): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace,
    metricName,
    dimensionsMap: { ...identity(resourceId) },
    statistic: table.find(({ name }) => name === metricName)?.statistic,
    period: MINUTE,
    ...options,
  });

/** A storage whose every metric is one series, of the whole of it. */
export abstract class PublishingStorage<Name extends string = string> extends Construct {
  abstract readonly resourceId: string;
  protected abstract readonly published: Published;

  /** Any metric of the file system by its name. */
  metric(name: Name, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return publishedMetric(this.published, this.resourceId, name, options);
  }

  metricOf(role: MetricRole, options?: cloudwatch.MetricOptions): cloudwatch.Metric | null {
    const found = this.published.table.find((metric) => metric.role === role);
    return found === undefined ? null : this.metric(found.name as Name, options);
  }
}
