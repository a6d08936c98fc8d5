import type { Duration } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { toMetric } from '../../constructs/dashboard/render';
import { runMetric as described } from '../../observe/benchmarkDashboard';

/** One of the driver's metrics for alarms on one stack. */
export const runMetric = (
  name: Parameters<typeof described>[0],
  stackName: string,
  period: Duration,
): cloudwatch.Metric => toMetric(described(name, stackName), { period });
