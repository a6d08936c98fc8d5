import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { saturated } from '../../../constructs/dashboard/watch';
import type { AlarmWords, ArmView } from '../../construct';
import type { OpenZfsMetricName } from '../metricTable';
import type { OpenZfsFileSystem } from './fileSystem';

const WATCHED: readonly (readonly [id: string, metric: OpenZfsMetricName, what: string])[] = [
  ['Network', 'NetworkThroughputUtilization', 'network throughput'],
  ['Disk', 'FileServerDiskThroughputUtilization', 'disk throughput'],
  ['Operations', 'FileServerDiskIopsUtilization', 'disk IOPS'],
  ['Cpu', 'CPUUtilization', 'server CPU'],
];

/** The server against what its throughput capacity gives it. */
export const openZfsAlarms = (
  scope: Construct,
  { name, storage }: ArmView<OpenZfsFileSystem>,
  words: AlarmWords,
): cloudwatch.Alarm[] =>
  WATCHED.map(([id, metric, what]) =>
    saturated(scope, `${id}-${name}`, {
      metric: storage.metric(metric),
      section: id === 'Cpu' ? 'server-cpu-at-its-limit' : 'a-volume-or-file-system-at-its-limit',
      ...{ what, words },
    }),
  );
