import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

/** From here on something does what it can, in percent of its capacity; an average over a minute hardly ever shows 100. */
const SATURATED_PERCENT = 95;

const FIFTEEN_MINUTES = 15;

/** Metric and threshold of an alarm, and its message. */
interface Watched {
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
  readonly alarmDescription: string;
}

/** Goes off after fifteen minutes at a limit. */
export function atLimit(
  scope: Construct,
  id: string,
  { threshold = SATURATED_PERCENT, ...rest }: Omit<Watched, 'threshold'> & Partial<Watched>,
): cloudwatch.Alarm {
  return new cloudwatch.Alarm(scope, id, {
    ...rest,
    threshold,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: FIFTEEN_MINUTES,
    // No value, no traffic: nothing is at its limit.
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
  });
}

/** Goes off after three minutes with too little of something left. */
export function runningOut(scope: Construct, id: string, watched: Watched): cloudwatch.Alarm {
  return new cloudwatch.Alarm(scope, id, {
    ...watched,
    comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: 3,
    // What was scarce and is not published still is.
    treatMissingData: cloudwatch.TreatMissingData.IGNORE,
  });
}

/** Goes off when less than a share of a file system is free: soon it refuses writes. */
export const almostFull = (
  scope: Construct,
  id: string,
  options: {
    readonly metric: cloudwatch.IMetric;
    readonly capacityBytes: number;
    readonly leastFree: number;
    readonly subject: string;
  },
): cloudwatch.Alarm =>
  runningOut(scope, id, {
    metric: options.metric,
    threshold: Math.round(options.leastFree * options.capacityBytes),
    alarmDescription: `${options.subject} has less than ${options.leastFree * 100} % of its space left: end the run, or its writes fail.`,
  });
