import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { DRIVER_METRICS } from '../../schema/metrics';

/** One of the driver's metrics for one stack: at most one value a minute counts. */
export function runMetric(
  name: 'runActive' | 'stepsDone',
  stackName: string,
  period: Duration = Duration.minutes(1),
): cloudwatch.Metric {
  return new cloudwatch.Metric({
    namespace: DRIVER_METRICS.namespace,
    metricName: DRIVER_METRICS[name],
    dimensionsMap: { Stack: stackName },
    statistic: cloudwatch.Stats.MAXIMUM,
    period,
  });
}
