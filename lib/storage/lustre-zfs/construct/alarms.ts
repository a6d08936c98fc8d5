import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { almostFull, saturated } from '../../../constructs/dashboard/watch';
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
  return [
    saturated(scope, `ServerCpu-${name}`, {
      metric: storage.metric('ServerCpu'),
      what: 'server CPU',
      section: 'server-cpu-at-its-limit',
      words,
    }),
    almostFull(scope, `Space-${name}`, {
      metric: storage.metric('FreeBytes'),
      capacityBytes: capacityBytes(storage.configuration) ?? 0,
      leastFree: LEAST_FREE,
      words,
    }),
  ];
}
