import { ofType, type Resource, resourcesOf, stacksWith, theOnly } from '../../support/cdk';

const resources = resourcesOf(stacksWith().bench);
const alarms = ofType(resources, 'AWS::CloudWatch::Alarm');
const composites = ofType(resources, 'AWS::CloudWatch::CompositeAlarm');

function alarmNamed(name: string): Resource['Properties'] {
  const found = alarms.find(([id]) => id.startsWith(`Alarms${name}`));
  if (found === undefined) throw new Error(`no alarm ${name}`);
  return found[1].Properties;
}

const text = (value: unknown): string => JSON.stringify(value);

const TELLING = [
  ...['none', 'lz4'].flatMap((arm) => [`Capacity${arm}`, `Network${arm}`, `Disk${arm}`]),
  'StalledOnEveryArm',
  'IdleFleetForgotten',
  ...['ExpiryFailed', 'ExpiryTimedOut', 'ExpirySilent'],
];

test('tells the topic of what somebody has to do something about, and only when it begins', () => {
  const telling = [...alarms, ...composites].filter(([, { Properties }]) => Properties.AlarmActions !== undefined);
  expect(telling.map(([id]) => id.replace(/^Alarms|[0-9A-F]{8}$/g, '')).sort()).toEqual(TELLING.sort());
  for (const [, { Properties }] of telling) expect(Properties.AlarmActions).toEqual([{ Ref: 'AlarmsTopic3A2DFEBA' }]);
  for (const [, { Properties }] of [...alarms, ...composites]) expect(Properties.OKActions).toBeUndefined();
});

test('chooses what a missing value means, and says to people what to do, or that it sends no notification', () => {
  for (const [, { Properties }] of alarms) {
    expect(['ignore', 'breaching', 'notBreaching']).toContain(Properties.TreatMissingData);
    expect(Properties.AlarmDescription.length).toBeGreaterThan(60);
    expect(/sends no notification itself/i.test(Properties.AlarmDescription)).toBe(
      Properties.AlarmActions === undefined,
    );
  }
});

test('shows on the dashboard the alarms that tell somebody, and not what they are made of', () => {
  const body = text(theOnly(resources, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody);
  for (const [id, { Properties }] of [...alarms, ...composites]) {
    expect([id, body.includes(`"${id}"`)]).toEqual([id, Properties.AlarmActions !== undefined]);
  }
});

test('computes nothing from a metric that may have no value: metric math gives nothing then', () => {
  const watched = alarms
    .flatMap(([, { Properties }]) => Properties.Metrics ?? [])
    .filter(({ MetricStat }) => MetricStat);
  expect(watched.map(({ MetricStat }) => MetricStat.Metric.MetricName)).toEqual(['GroupInServiceInstances']);
});

test.each(['none', 'lz4'])('watches every server and target of arm %s, whatever their names', (arm) => {
  for (const [name, metric] of [
    ['Capacity', 'StorageCapacityUtilization'],
    ['Network', 'NetworkThroughputUtilization'],
    ['Disk', 'FileServerDiskThroughputUtilization'],
  ]) {
    const { Metrics } = alarmNamed(`${name}${arm}`);
    expect(text(Metrics)).toContain(`SELECT MAX(${metric})`);
    expect(text(Metrics)).toContain(`Storage${arm}`);
  }
});

test('keeps the alarm of a full target when FSx publishes nothing', () => {
  expect(alarmNamed('Capacitynone').TreatMissingData).toBe('ignore');
});

test('says what the idle fleet costs', () => {
  const idle = composites.find(([id]) => id.startsWith('AlarmsIdleFleetForgotten'))?.[1].Properties;
  expect(idle.AlarmDescription).toMatch(/the stack costs \d+\.\d\d USD per hour/);
});

test('uses metrics that are collected: the group publishes its size', () => {
  const group = theOnly(resources, 'AWS::AutoScaling::AutoScalingGroup').Properties;
  expect(text(group.MetricsCollection)).toContain('GroupInServiceInstances');
});

test('takes no message over a connection without TLS, and those of alarms of this account', () => {
  const { Statement } = theOnly(resources, 'AWS::SNS::TopicPolicy').Properties.PolicyDocument;
  expect(Statement).toEqual([
    expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    expect.objectContaining({
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    }),
  ]);
});

test('writes e-mail only to whom was named', () => {
  expect(ofType(resources, 'AWS::SNS::Subscription')).toEqual([]);
  const subscribed = resourcesOf(stacksWith({ alarmEmail: 'ops@example.com' }).bench);
  expect(theOnly(subscribed, 'AWS::SNS::Subscription').Properties).toMatchObject({
    Protocol: 'email',
    Endpoint: 'ops@example.com',
  });
});
