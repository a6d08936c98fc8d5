import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { chunks } from '../kit/chunks';
import type { CollectedAlarm } from '../schema/metrics';

/** DescribeAlarms takes 100 names per call (CloudWatch API reference). */
const NAMES_PER_CALL = 100;

/** The current states of alarms by their ARNs; deleted alarms are omitted. */
export async function alarmsOf(client: CloudWatchClient, arns: readonly string[]): Promise<CollectedAlarm[]> {
  const { DescribeAlarmsCommand } = await import('@aws-sdk/client-cloudwatch');
  const names = [...new Set(arns)].map((arn) => arn.split(':alarm:')[1] ?? arn);
  const found: CollectedAlarm[] = [];
  for (const some of chunks(names, NAMES_PER_CALL)) {
    const { MetricAlarms = [], CompositeAlarms = [] } = await client.send(
      new DescribeAlarmsCommand({
        AlarmNames: some,
        AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
        MaxRecords: NAMES_PER_CALL,
      }),
    );
    for (const { AlarmName = '', AlarmDescription = '', StateValue, StateUpdatedTimestamp } of [
      ...MetricAlarms,
      ...CompositeAlarms,
    ]) {
      const since = StateUpdatedTimestamp?.toISOString() ?? null;
      found.push({ name: AlarmName, state: StateValue ?? 'INSUFFICIENT_DATA', since, description: AlarmDescription });
    }
  }
  return found;
}
