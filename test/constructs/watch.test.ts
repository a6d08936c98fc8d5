import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import {
  almostFull,
  atLeast,
  below,
  compositeAlarm,
  reached,
  runningOut,
  saturated,
} from '../../lib/constructs/dashboard/watch';
import { emptyStack, resourcesOf, theOnly } from '../support/cdk';

const metric = new cloudwatch.Metric({ namespace: 'AWS/FSx', metricName: 'M' });
const words = { name: 'lz4', subject: 'the file system lz4', saturated: 'it is the limit.', first: 'look.' } as never;
const watched = { metric, threshold: 7, title: 'T', meaning: 'It is so.', first: 'act.', section: 'part' };

type Make = (stack: ReturnType<typeof emptyStack>) => unknown;

test.each<[string, Make, object]>([
  [
    'at a limit for fifteen minutes, with no traffic as no fault',
    (stack) => reached(stack, 'A', watched),
    {
      ...{ ComparisonOperator: 'GreaterThanOrEqualToThreshold', Threshold: 7, EvaluationPeriods: 15 },
      ...{ TreatMissingData: 'notBreaching', AlarmName: 'T (Stack)' },
      AlarmDescription: 'It is so. First: act. Runbook: docs/alarms.md#part',
    },
  ],
  [
    'with too little left for three minutes, also over a gap',
    (stack) => runningOut(stack, 'A', watched),
    { ComparisonOperator: 'LessThanThreshold', Threshold: 7, EvaluationPeriods: 3, TreatMissingData: 'ignore' },
  ],
  [
    'at 95 % as saturated',
    (stack) => saturated(stack, 'A', { metric, what: 'network', words, section: 'part' }),
    {
      ...{ ComparisonOperator: 'GreaterThanOrEqualToThreshold', Threshold: 95, EvaluationPeriods: 15 },
      AlarmName: 'Network of lz4 above 95 % (Stack)',
      AlarmDescription: expect.stringContaining(
        'The file system lz4: network at 95 % or more for 15 minutes; it is the limit. First: look.',
      ),
    },
  ],
  [
    'with less than a twentieth of its space',
    (stack) => almostFull(stack, 'A', { metric, capacityBytes: 1000, minFree: 0.05, words }),
    {
      ...{ ComparisonOperator: 'LessThanThreshold', Threshold: 50, EvaluationPeriods: 3 },
      AlarmName: 'Free space of lz4 below 5 % (Stack)',
      AlarmDescription: expect.stringContaining('The file system lz4 has less than 5 % of its space left'),
    },
  ],
  [
    'as an input of another, which notifies nobody',
    (stack) => below(stack, 'A', { ...watched, first: undefined, evaluationPeriods: 2, datapointsToAlarm: 1 }),
    {
      ...{ ComparisonOperator: 'LessThanThreshold', EvaluationPeriods: 2, DatapointsToAlarm: 1 },
      AlarmName: 'T, input only (Stack)',
      AlarmDescription: expect.stringContaining('It is so. An input of another alarm; sends no notification itself.'),
    },
  ],
])('an alarm goes off %s', (_, make, properties) => {
  const stack = emptyStack({ stackName: 'Stack' });
  make(stack);
  expect(theOnly(resourcesOf(stack), 'AWS::CloudWatch::Alarm').Properties).toMatchObject(properties);
});

test('an alarm of several goes off while all of some and none of others do', () => {
  const stack = emptyStack({ stackName: 'Stack' });
  const [a, b, c] = ['A', 'B', 'C'].map((id) =>
    atLeast(stack, id, { ...watched, title: id, evaluationPeriods: 1 }),
  ) as [cloudwatch.Alarm, cloudwatch.Alarm, cloudwatch.Alarm];
  compositeAlarm(stack, 'All', {
    all: [a, b],
    none: [c],
    title: 'All',
    meaning: 'So.',
    first: 'act.',
    section: 'part',
  });
  const { AlarmRule, AlarmName } = theOnly(resourcesOf(stack), 'AWS::CloudWatch::CompositeAlarm').Properties;
  expect(JSON.stringify(AlarmRule).replaceAll(/"\]?,?\{"Fn::GetAtt":\["(\w)\w*","Arn"\]\},?\[?"/g, '$1')).toMatch(
    /ALARM\(.*A.*\).* AND ALARM\(.*B.*\).* AND .*NOT .*ALARM\(.*C.*\)/,
  );
  expect(AlarmName).toBe('All (Stack)');
});
