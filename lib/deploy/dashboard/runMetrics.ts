import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

/** Namespace of the metrics that the driver publishes, each with the dimension `Stack`. */
export const METRIC_NAMESPACE = 'fsxbench';

/** 1 while a run is active, 0 once when it ends. Nothing is published without a run. */
export const RUN_ACTIVE = 'RunActive';

/** Steps of the run that are done, as a running count. */
export const STEPS_DONE = 'StepsDone';

/** One of the driver's metrics for one stack: at most one value a minute counts. */
export function runMetric(
  metricName: typeof RUN_ACTIVE | typeof STEPS_DONE,
  stackName: string,
  period: Duration = Duration.minutes(1),
): cloudwatch.Metric {
  return new cloudwatch.Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { Stack: stackName },
    statistic: cloudwatch.Stats.MAXIMUM,
    period,
  });
}
