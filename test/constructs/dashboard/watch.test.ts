import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { compositeAlarm } from '../../../lib/constructs/dashboard/watch';
import { emptyStack, ofType, resourcesOf } from '../../support/cdk';

const arnOf = (name: string): string => `arn:aws:cloudwatch:us-east-1:111122223333:alarm:${name}`;

test('a composite alarm goes off while all of its alarms do, but none of those that it excludes', () => {
  const stack = emptyStack();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => cloudwatch.Alarm.fromAlarmArn(stack, name, arnOf(name))) as [
    cloudwatch.IAlarm,
    cloudwatch.IAlarm,
    cloudwatch.IAlarm,
  ];
  compositeAlarm(stack, 'Both', { title: 'Both', meaning: 'Both.', section: 'both', all: [a, b], none: [c] });
  const [[, { Properties }] = ['', { Properties: {} }]] = ofType(resourcesOf(stack), 'AWS::CloudWatch::CompositeAlarm');
  expect(Properties.AlarmRule).toBe(
    `(ALARM("${arnOf('a')}") AND ALARM("${arnOf('b')}") AND (NOT (ALARM("${arnOf('c')}"))))`,
  );
});

test('a name may be as long as CloudWatch allows', () => {
  const stack = emptyStack();
  const title = 'x'.repeat(255 - `, input only (${stack.stackName})`.length);
  const all = [cloudwatch.Alarm.fromAlarmArn(stack, 'a', arnOf('a'))];
  expect(() => compositeAlarm(stack, 'Long', { title, meaning: '', section: '', all })).not.toThrow();
});
