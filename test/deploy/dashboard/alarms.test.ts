import type { Benchmark } from '../../../lib/benchmark/benchmark';
import { clusterBench } from '../../../lib/benchmark/cluster';
import { compressionBench } from '../../../lib/benchmark/compression';
import { metadataBench } from '../../../lib/benchmark/metadata';
import { offloadBench } from '../../../lib/benchmark/offload';
import { storageBench } from '../../../lib/benchmark/storage';
import type { Settings } from '../../../lib/config/fields';
import { anchorsOf, textOf } from '../../docs/pages';
import { ofType, type Resource, resourcesOf, stacksWith, theOnly } from '../../support/cdk';
import { FILE_SYSTEM, lustreDashboard } from '../../support/lustreDashboard';
import { CLUSTER_OPTIONS, METADATA_OPTIONS, OFFLOAD_OPTIONS, OPTIONS, STORAGE_OPTIONS } from '../../support/options';

const resources = resourcesOf(stacksWith().bench);
const alarms = ofType(resources, 'AWS::CloudWatch::Alarm');
const composites = ofType(resources, 'AWS::CloudWatch::CompositeAlarm');

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

type Alarm = Resource['Properties'];

const alarmsIn = (resources: Readonly<Record<string, Resource>>): Alarm[] =>
  ['Alarm', 'CompositeAlarm'].flatMap((type) =>
    ofType(resources, `AWS::CloudWatch::${type}`).map(([, { Properties }]) => Properties),
  );

const cases = (definition: Benchmark, options: Readonly<Record<string, Settings>>) =>
  Object.entries({ ...options, default: {} }).map(
    ([name, settings]) =>
      [
        `${definition.name}, ${name}`,
        definition.name,
        alarmsIn(resourcesOf(stacksWith(settings, undefined, undefined, definition).bench)),
      ] as const,
  );

const watched = lustreDashboard({ metadataIops: 192_000 });

const STACKS: readonly (readonly [title: string, stack: string, alarms: readonly Alarm[]])[] = [
  ...cases(compressionBench, OPTIONS),
  ...cases(metadataBench, METADATA_OPTIONS),
  ...cases(storageBench, STORAGE_OPTIONS),
  ...cases(clusterBench, CLUSTER_OPTIONS),
  ...cases(offloadBench, OFFLOAD_OPTIONS),
  ['LustreDashboard', watched.stackName, alarmsIn(resourcesOf(watched))],
];

const wakes = ({ AlarmActions }: Alarm): boolean => AlarmActions !== undefined;

const RUNBOOK = / Runbook: docs\/alarms\.md#([a-z-]+)$/;

const descriptionOf = ({ AlarmDescription }: Alarm): string =>
  typeof AlarmDescription === 'string' ? AlarmDescription : JSON.stringify(AlarmDescription).replaceAll(/"]|]\}/g, '');

test.each(STACKS)('name what was reached, where and in which stack, once each: %s', (_, stack, alarms) => {
  const names = alarms.map(({ AlarmName }) => AlarmName as string);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  for (const alarm of alarms) {
    const name = alarm.AlarmName as string;
    expect(name.endsWith(` (${stack})`)).toBe(true);
    // A mail's subject, words of people, nothing that an ARN or a rule reads otherwise.
    expect(name.length).toBeLessThanOrEqual(100);
    expect(name).toMatch(/^[A-Z][\w %(),./-]+\)$/);
    expect(name.includes(', input only ')).toBe(!wakes(alarm));
  }
});

test.each(STACKS)('say the first thing to do and lead to their section of the runbook: %s', (_, __, alarms) => {
  const sections = anchorsOf(textOf('docs/alarms.md'));
  for (const alarm of alarms) {
    const words = descriptionOf(alarm);
    expect(words.includes(' First: ')).toBe(wakes(alarm));
    expect(sections).toContain(RUNBOOK.exec(words)?.[1]);
  }
});

test('need every section of the runbook', () => {
  const linked = new Set(STACKS.flatMap(([, , alarms]) => alarms.map((it) => RUNBOOK.exec(descriptionOf(it))?.[1])));
  const [, ...sections] = anchorsOf(textOf('docs/alarms.md'));
  expect(sections.filter((section) => !linked.has(section))).toEqual([]);
});

test('name arm, limit and stack as people do', () => {
  const names = STACKS.find(([title]) => title === 'MetadataBench, default')?.[2].map(({ AlarmName }) => AlarmName);
  expect(names).toEqual(
    expect.arrayContaining([
      'Metadata IOPS of p1000-192000 above 90 %, targets MDT0000 to MDT0004 (MetadataBench)',
      'Metadata IOPS of p1000-192000 above 90 %, target MDT000f (MetadataBench)',
      'Metadata IOPS of p1000-12000 above 90 % (MetadataBench)',
      'Run stalled for 15 minutes (MetadataBench)',
      'Fleet idle for two hours (MetadataBench)',
    ]),
  );
  const foreign = alarmsIn(resourcesOf(watched)).map(({ AlarmName }) => AlarmName);
  expect(foreign).toContain(`Fullest storage target of ${FILE_SYSTEM} above 90 % (LustreDashboard)`);
});
