import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { compositeAlarm } from '../../../lib/constructs/dashboard/watch';
import { emptyStack, ofType, resourcesOf } from '../../support/cdk';

const arnOf = (name: string): string => `arn:aws:cloudwatch:us-east-1:111122223333:alarm:${name}`;

test('a composite alarm goes off while all of its alarms do, but none of those that it excludes', () => {
  const stack = emptyStack();
  const alarm = (name: string) => cloudwatch.Alarm.fromAlarmArn(stack, name, arnOf(name));
  const [a, b, c] = [alarm('a'), alarm('b'), alarm('c')];
  // With the longest name that CloudWatch takes.
  const title = 'x'.repeat(255 - `, input only (${stack.stackName})`.length);
  compositeAlarm(stack, 'Both', { title, meaning: 'Both.', section: 'both', all: [a, b], none: [c] });
  const [[, { Properties }] = ['', { Properties: {} }]] = ofType(resourcesOf(stack), 'AWS::CloudWatch::CompositeAlarm');
  expect(Properties.AlarmRule).toBe(
    `(ALARM("${arnOf('a')}") AND ALARM("${arnOf('b')}") AND (NOT (ALARM("${arnOf('c')}"))))`,
  );
});
