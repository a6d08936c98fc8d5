import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { AlarmWords, ArmView } from '../../construct';
import type { OpenZfsMetricName } from '../metricTable';
import type { OpenZfsFileSystem } from './fileSystem';

/** An average over a minute hardly ever shows 100. */
const SATURATED_PERCENT = 95;

const FIFTEEN_MINUTES = 15;

const WATCHED: readonly (readonly [id: string, metric: OpenZfsMetricName, what: string])[] = [
  ['Network', 'NetworkThroughputUtilization', 'network throughput'],
  ['Disk', 'FileServerDiskThroughputUtilization', 'disk throughput'],
  ['Operations', 'FileServerDiskIopsUtilization', 'disk IOPS'],
  ['Cpu', 'CPUUtilization', 'CPU'],
];

/** The server against what its throughput capacity gives it. */
export function openZfsAlarms(
  scope: Construct,
  arm: ArmView<OpenZfsFileSystem>,
  words: AlarmWords,
): cloudwatch.Alarm[] {
  const { name, storage } = arm;
  const subject = words.subject.charAt(0).toUpperCase() + words.subject.slice(1);
  return WATCHED.map(
    ([id, metric, what]) =>
      new cloudwatch.Alarm(scope, `${id}-${name}`, {
        metric: storage.metric(metric),
        threshold: SATURATED_PERCENT,
        comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: FIFTEEN_MINUTES,
        // No value, no traffic: nothing is saturated.
        treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
        alarmDescription: `${subject} has been at the limit of its server's ${what} for 15 minutes: ${words.saturated}`,
      }),
  );
}
