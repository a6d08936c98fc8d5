import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { AlarmWords, ArmView } from '../../construct';
import { moosefs } from '..';
import type { MooseFsServers } from './servers';

/** An average over a minute hardly ever shows 100. */
const SATURATED_PERCENT = 95;

const FIFTEEN_MINUTES = 15;

/** Chunkservers refuse new chunks soon after (mfschunkserver.cfg, HDD_LEAVE_SPACE_DEFAULT). */
const LEAST_FREE = 0.05;

/** The one thread of the master, and the room of the chunkservers. */
export function mooseFsAlarms(scope: Construct, arm: ArmView<MooseFsServers>, words: AlarmWords): cloudwatch.Alarm[] {
  const { name, storage } = arm;
  const subject = words.subject.charAt(0).toUpperCase() + words.subject.slice(1);
  const { configuration } = storage;
  const bytes = (moosefs.capacityBytes?.(configuration) ?? 0) * (configuration.copies ?? 1);
  return [
    new cloudwatch.Alarm(scope, `Master-${name}`, {
      metric: storage.metric('MasterCpu'),
      threshold: SATURATED_PERCENT,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: FIFTEEN_MINUTES,
      // No value, no master that could be busy.
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      alarmDescription: `${subject} has been at the limit of its master's CPU for 15 minutes: ${words.saturated}`,
    }),
    new cloudwatch.Alarm(scope, `Space-${name}`, {
      metric: storage.metric('FreeBytes'),
      threshold: Math.round(LEAST_FREE * bytes),
      comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 3,
      // What was full and says nothing still is.
      treatMissingData: cloudwatch.TreatMissingData.IGNORE,
      alarmDescription: `${subject} has less than ${LEAST_FREE * 100} % of its space left: end the run, or its writes fail.`,
    }),
  ];
}
