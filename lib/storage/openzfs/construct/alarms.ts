import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { atLimit } from '../../../constructs/dashboard/watch';
import { sentenceCase } from '../../../kit/format/strings';
import type { AlarmWords, ArmView } from '../../construct';
import type { OpenZfsMetricName } from '../metricTable';
import type { OpenZfsFileSystem } from './fileSystem';

const WATCHED: readonly (readonly [id: string, metric: OpenZfsMetricName, what: string])[] = [
  ['Network', 'NetworkThroughputUtilization', 'network throughput'],
  ['Disk', 'FileServerDiskThroughputUtilization', 'disk throughput'],
  ['Operations', 'FileServerDiskIopsUtilization', 'disk IOPS'],
  ['Cpu', 'CPUUtilization', 'CPU'],
];

/** The server against what its throughput capacity gives it. */
export const openZfsAlarms = (
  scope: Construct,
  { name, storage }: ArmView<OpenZfsFileSystem>,
  { subject, saturated }: AlarmWords,
): cloudwatch.Alarm[] =>
  WATCHED.map(([id, metric, what]) =>
    atLimit(scope, `${id}-${name}`, {
      metric: storage.metric(metric),
      alarmDescription: `${sentenceCase(subject)} has been at the limit of its server's ${what} for 15 minutes: ${saturated}`,
    }),
  );
