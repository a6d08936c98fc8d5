import type { Benchmark } from '../../../lib/benchmark/benchmark';
import { clusterBench } from '../../../lib/benchmark/cluster';
import { compressionBench } from '../../../lib/benchmark/compression';
import { metadataBench } from '../../../lib/benchmark/metadata';
import { offloadBench } from '../../../lib/benchmark/offload';
import { storageBench } from '../../../lib/benchmark/storage';
import type { Settings } from '../../../lib/config/fields';
import { anchorsOf, textOf } from '../../docs/pages';
import { ofType, type Resource, resourcesOf, stacksWith } from '../../support/cdk';
import { FILE_SYSTEM, lustreDashboard } from '../../support/lustreDashboard';
import { CLUSTER_OPTIONS, METADATA_OPTIONS, OFFLOAD_OPTIONS, OPTIONS, STORAGE_OPTIONS } from '../../support/options';

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
