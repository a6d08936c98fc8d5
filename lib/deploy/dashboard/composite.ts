import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

/** An alarm that is in alarm while all of some alarms are and none of others is. */
export function compositeAlarm(
  scope: Construct,
  id: string,
  { all, none = [], alarmDescription }: CompositeProps,
): cloudwatch.CompositeAlarm {
  const { ALARM } = cloudwatch.AlarmState;
  const goesOff = (alarm: cloudwatch.IAlarm) => cloudwatch.AlarmRule.fromAlarm(alarm, ALARM);
  const composite = new cloudwatch.CompositeAlarm(scope, id, {
    alarmRule: cloudwatch.AlarmRule.allOf(
      ...all.map(goesOff),
      ...none.map((alarm) => cloudwatch.AlarmRule.not(goesOff(alarm))),
    ),
    alarmDescription,
  });
  // CDK generates a name, as CloudFormation does for every other alarm.
  (composite.node.defaultChild as cloudwatch.CfnCompositeAlarm).addPropertyDeletionOverride('AlarmName');
  return composite;
}

interface CompositeProps {
  readonly all: readonly cloudwatch.IAlarm[];
  /** @default - no other */
  readonly none?: readonly cloudwatch.IAlarm[];
  readonly alarmDescription: string;
}
