import { ofType, type Resource, resourcesOf, stacksWith, theOnly } from '../support/cdk';

const resources = resourcesOf(stacksWith().bench);
const alarms = ofType(resources, 'AWS::CloudWatch::Alarm');

function alarmNamed(name: string): Resource['Properties'] {
  const found = alarms.find(([id]) => id.startsWith(`Alarms${name}`));
  if (found === undefined) throw new Error(`no alarm ${name}`);
  return found[1].Properties;
}

const text = (value: unknown): string => JSON.stringify(value);

test('tells the topic of every alarm, and only when something is wrong', () => {
  expect(alarms).toHaveLength(8);
  for (const [, { Properties }] of alarms) {
    expect(Properties.AlarmActions).toEqual([{ Ref: 'AlarmsTopic3A2DFEBA' }]);
    expect(Properties.OKActions).toBeUndefined();
  }
});

test('chooses what a missing value means, and says to people what to do', () => {
  for (const [, { Properties }] of alarms) {
    expect(['ignore', 'breaching', 'notBreaching']).toContain(Properties.TreatMissingData);
    expect(Properties.AlarmDescription.length).toBeGreaterThan(60);
  }
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

test('calls a run stalled when it is active and no arm moves a byte for 15 minutes', () => {
  const { Metrics, EvaluationPeriods, TreatMissingData } = alarmNamed('StalledRun');
  expect(Metrics[0].Expression).toBe(
    'IF(active > 0 AND (FILL(read_none, 0) + FILL(written_none, 0) + FILL(read_lz4, 0) + FILL(written_lz4, 0)) < 1, 1, 0)',
  );
  const periods = Metrics.slice(1).map(({ MetricStat }: { MetricStat: { Period: number } }) => MetricStat.Period);
  expect(new Set(periods.map((period: number) => (period * EvaluationPeriods) / 60))).toEqual(new Set([15]));
  expect(TreatMissingData).toBe('notBreaching');
});

test('calls a fleet idle when nothing has run for two hours, even if no driver ever published', () => {
  const { Metrics, EvaluationPeriods, TreatMissingData, AlarmDescription } = alarmNamed('IdleFleet');
  expect(Metrics[0].Expression).toBe('IF(clients > 0, 1 - FILL(active, 0), 0)');
  expect(text(Metrics)).toContain('GroupInServiceInstances');
  expect((EvaluationPeriods * 300) / 3600).toBe(2);
  expect(TreatMissingData).toBe('breaching');
  expect(AlarmDescription).toMatch(/the stack costs \d+\.\d\d USD an hour/);
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
