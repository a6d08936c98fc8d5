import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricRole } from '../../storage/role';
import type { StorageMetric } from '../../storage/storage';
import { MINUTE } from './graph';

/** The metrics of one resource that a service publishes by a table: each with the statistic that answers the usual question. */
export class ServiceMetrics<Metric extends StorageMetric> {
  /** @param identity dimensions that tell the resource from others */
  constructor(
    private readonly namespace: string,
    private readonly table: readonly Metric[],
    private readonly identity: Readonly<Record<string, string>>,
  ) {}

  /** Any metric by its name. */
  named(name: Metric['name'], options: cloudwatch.MetricOptions = {}): cloudwatch.Metric {
    return new cloudwatch.Metric({
      namespace: this.namespace,
      metricName: name,
      dimensionsMap: { ...this.identity },
      statistic: this.table.find((metric) => metric.name === name)?.statistic,
      period: MINUTE,
      ...options,
    });
  }

  /** `null` where no metric has the role. */
  inRole(role: MetricRole, options?: cloudwatch.MetricOptions): cloudwatch.Metric | null {
    const found = this.table.find((metric) => metric.role === role);
    return found === undefined ? null : this.named(found.name, options);
  }
}
