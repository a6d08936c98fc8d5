import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type Announcement, announced } from '../../constructs/dashboard/announced';

/** An alarm that is in alarm while all of some alarms are and none of others is. */
export function compositeAlarm(
  scope: Construct,
  id: string,
  { all, none = [], ...words }: CompositeProps,
): cloudwatch.CompositeAlarm {
  const { ALARM } = cloudwatch.AlarmState;
  const goesOff = (alarm: cloudwatch.IAlarm) => cloudwatch.AlarmRule.fromAlarm(alarm, ALARM);
  const { alarmName, alarmDescription } = announced(scope, words);
  return new cloudwatch.CompositeAlarm(scope, id, {
    compositeAlarmName: alarmName,
    alarmDescription,
    alarmRule: cloudwatch.AlarmRule.allOf(
      ...all.map(goesOff),
      ...none.map((alarm) => cloudwatch.AlarmRule.not(goesOff(alarm))),
    ),
  });
}

interface CompositeProps extends Announcement {
  readonly all: readonly cloudwatch.IAlarm[];
  /** @default - no other */
  readonly none?: readonly cloudwatch.IAlarm[];
}
