import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { almostFull, saturated } from '../../../constructs/dashboard/watch';
import type { AlarmWords, ArmView } from '../../construct';
import { moosefs } from '..';
import type { MooseFsServers } from './servers';

/** Chunkservers refuse new chunks soon after (mfschunkserver.cfg, HDD_LEAVE_SPACE_DEFAULT). */
const LEAST_FREE = 0.05;

/** The one thread of the master, and the room of the chunkservers. */
export function mooseFsAlarms(scope: Construct, arm: ArmView<MooseFsServers>, words: AlarmWords): cloudwatch.Alarm[] {
  const { name, storage } = arm;
  const { configuration } = storage;
  const bytes = (moosefs.documented.capacityBytes?.(configuration) ?? 0) * (configuration.copies ?? 1);
  return [
    saturated(scope, `Master-${name}`, {
      metric: storage.metric('MasterCpu'),
      what: 'master CPU',
      section: 'server-cpu-at-its-limit',
      words,
    }),
    almostFull(scope, `Space-${name}`, {
      metric: storage.metric('FreeBytes'),
      capacityBytes: bytes,
      leastFree: LEAST_FREE,
      words,
    }),
  ];
}
