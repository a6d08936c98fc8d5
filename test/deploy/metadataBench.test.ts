import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { metadataBench } from '../../lib/benchmark/metadata';
import type { Settings } from '../../lib/config/fields';
import { clientTemplate, masked, ofType, type Resource, resourcesOf, stacksWith } from '../support/cdk';

const stackWith = (settings: Settings = {}) => stacksWith(settings, undefined, undefined, metadataBench).bench;
const bench = stackWith();
const resources = resourcesOf(bench);

const systemsOf = (all: Readonly<Record<string, Resource>>) =>
  ofType(all, 'AWS::FSx::FileSystem').map(([id, { Properties }]) => ({
    id,
    capacity: Properties.StorageCapacity,
    throughput: Properties.LustreConfiguration.PerUnitStorageThroughput,
    metadata: Properties.LustreConfiguration.MetadataConfiguration,
  }));

describe("the study's set-up (AWS metadata blog)", () => {
  test('tunes the clients as published, and puts each file on one target', () => {
    const text = JSON.stringify(clientTemplate(resources).Properties);
    expect(text).toContain("export FSXBENCH_TUNING='published-metadata'");
    expect(text.match(/\\"stripeCount\\":1[,}]/g)).toHaveLength(6);
  });
});

test('keeps the logical ids of the file systems', () => {
  expect(systemsOf(resources).map(({ id }) => id)).toMatchSnapshot();
});

test('gives an arm the same id in any subset and sweep, so that choosing others replaces nothing', () => {
  const idOf = (settings: Settings) =>
    systemsOf(resourcesOf(stackWith(settings))).find(
      ({ throughput, metadata }) => throughput === 250 && metadata?.Iops === 12_000,
    )?.id;
  const ids = [{}, { arms: ['p250-12000'] }, { metadataIopsSweep: [24_000, 12_000] }].map(idOf);
  expect(new Set(ids).size).toBe(1);
});

describe('what it warns of', () => {
  test.each([
    ['published', 'the deployment needs 7236 vCPUs of Running On-Demand Standard'],
    ['smoke', 'the deployment needs 10 vCPUs of Running On-Demand Standard'],
  ] as const)('the vCPUs at scale %s, and nothing else', (scale, start) => {
    const warnings = Annotations.fromStack(stackWith({ scale })).findWarning('*', Match.anyValue());
    expect(warnings.map(({ entry }) => String(entry.data))).toEqual([expect.stringContaining(start)]);
  });

  test('more storage than an account may have unless it asked', () => {
    const many = stackWith({ metadataIopsSweep: [12_000, 24_000, 36_000, 48_000, 60_000] });
    Annotations.fromStack(many).hasWarning(
      '/MetadataBench',
      Match.stringLikeRegexp(
        'the deployment needs 120000 GiB of PERSISTENT_2 \\(L-8F1B9C74\\) together, above the default quota of 100800 GiB',
      ),
    );
  });
});

describe('alarms', () => {
  const alarms = ofType(resources, 'AWS::CloudWatch::Alarm');
  const named = (start: string) =>
    alarms.filter(([id]) => id.startsWith(`Alarms${start}`)).map(([, { Properties }]) => Properties);
  const text = JSON.stringify;

  test('watch the metadata IOPS of every one of the 16 targets of 192,000 IOPS, each against its 12,000', () => {
    const found = named('MetadataIops').filter(({ Metrics }) => text(Metrics).includes('Storagep250192000'));
    expect(found).toHaveLength(4);
    const targets = new Set(found.flatMap(({ Metrics }) => text(Metrics).match(/MDT[0-9a-f]{4}/g) ?? []));
    expect([...targets].sort()).toEqual(
      Array.from({ length: 16 }, (_, index) => `MDT${index.toString(16).padStart(4, '0')}`),
    );
    for (const { Metrics, Threshold } of found) {
      const [{ Expression }] = Metrics;
      expect(Expression).toMatch(
        /^100 \* (?:MAX\(\[\(m_\w+ \+ m_\w+\) \/ PERIOD\(m_\w+\).*\]\)|\(m_\w+ \+ m_\w+\) \/ PERIOD\(m_\w+\)) \/ 12000$/,
      );
      expect(Threshold).toBe(90);
    }
  });

  test('watch the CPU of the metadata servers of every arm, also of one without a metadata configuration', () => {
    expect(named('MetadataCpu')).toHaveLength(6);
    for (const { Metrics } of named('MetadataCpu')) expect(text(Metrics)).toContain('SELECT MAX(CPUUtilization)');
  });

  test('recommend the next metadata IOPS, and nothing that AWS refuses', () => {
    const words = named('MetadataIops').map(({ AlarmDescription }) => text(AlarmDescription));
    expect(words.filter((it) => /--iops 24000\b/.test(it))).toHaveLength(2);
    expect(words.filter((it) => it.includes('This is the maximum of metadata IOPS'))).toHaveLength(8);
    const withIops = words.flatMap((it) => it.match(/--iops \w+/g) ?? []);
    expect(new Set(withIops)).toEqual(new Set(['--iops 24000']));
  });

  test('recommend no raise of an arm without a metadata configuration: AWS cannot add one', () => {
    const words = named('MetadataCpu').map(({ AlarmDescription }) => text(AlarmDescription));
    const without = words.filter((it) => /p\d+-none/.test(it));
    expect(without).toHaveLength(2);
    for (const it of without) {
      expect(it).not.toContain('scale metadata');
      expect(it).toContain('cannot be added: make a new file system');
    }
  });

  test.each([
    [6000, '--iops 12000'],
    [12_000, '--iops 24000'],
  ])('recommend for %d IOPS of Intelligent-Tiering what it takes', (metadataIops, expected) => {
    const tiering = stackWith({
      storageType: 'INTELLIGENT_TIERING',
      throughputCapacity: 4000,
      dataReadCache: 'proportional',
      metadataIops,
    });
    const saturation = ofType(resourcesOf(tiering), 'AWS::CloudWatch::Alarm').filter(([id]) =>
      /^AlarmsMetadata/.test(id),
    );
    expect(saturation).toHaveLength(2);
    for (const [, { Properties }] of saturation) {
      const words = text(Properties.AlarmDescription);
      expect(words.match(/--iops \w+/)?.[0]).toBe(expected);
    }
  });

  test('call a run stalled by the metadata operations of every arm: its files are empty, and move no byte', () => {
    const quiet = ofType(resources, 'AWS::CloudWatch::Alarm').filter(([id]) => /^AlarmsStalled(?!RunActive)/.test(id));
    expect(quiet.map(([, { Properties }]) => Properties.MetricName)).toEqual(Array(6).fill('MetadataOperations'));
    const [, { Properties: stalled }] = ofType(resources, 'AWS::CloudWatch::CompositeAlarm').find(([id]) =>
      id.startsWith('AlarmsStalled'),
    ) as [string, Resource];
    for (const [id] of quiet) expect(text(stalled.AlarmRule)).toContain(id);
    expect(text(stalled.AlarmRule).match(/ AND /g)).toHaveLength(6);
  });
});

test('matches its snapshot at scale smoke', () => {
  expect(masked(stackWith({ scale: 'smoke', arms: ['p125-none', 'p125-24000'] }))).toMatchSnapshot();
});
