import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { almostFull, atLimit } from '../../../constructs/dashboard/watch';
import { sentenceCase } from '../../../kit/format/strings';
import type { AlarmWords, ArmView } from '../../construct';
import { capacityBytes } from '../limits';
import type { LustreZfsFileSystem } from './fileSystem';

/** A Lustre 2.15.8 on ZFS refused writes when its fullest target was at 88 %. */
const LEAST_FREE = 0.12;

/** The processors that compress, and the room of the pools. */
export function lustreZfsAlarms(
  scope: Construct,
  { name, storage }: ArmView<LustreZfsFileSystem>,
  words: AlarmWords,
): cloudwatch.Alarm[] {
  const subject = sentenceCase(words.subject);
  return [
    atLimit(scope, `ServerCpu-${name}`, {
      metric: storage.metric('ServerCpu'),
      alarmDescription: `${subject} has been at the limit of its server's CPU for 15 minutes: ${words.saturated}`,
    }),
    almostFull(scope, `Space-${name}`, {
      metric: storage.metric('FreeBytes'),
      capacityBytes: capacityBytes(storage.configuration) ?? 0,
      leastFree: LEAST_FREE,
      subject,
    }),
  ];
}
