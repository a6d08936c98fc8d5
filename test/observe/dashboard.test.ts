import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { storageBench } from '../../lib/benchmark/storage';
import type { Dashboard, Panel } from '../../lib/dashboard/graph';
import { type DeployedBenchmark, dashboardOfRun, deployedDashboard } from '../../lib/observe/benchmarkDashboard';
import { collectMetrics, collectShown } from '../../lib/observe/collect';
import { drawnGraph, graphsOf } from '../../lib/observe/draw/graph';
import { Collected } from '../../lib/observe/draw/source';
import type { CollectedSeries } from '../../lib/schema/metrics';
import type { Manifest } from '../../lib/schema/run';
import { LUSTRE_NAMESPACE } from '../../lib/storage/lustre/metricTable';
import { soundRun } from '../analysis/runs';
import { stacksWith, templateOf, theOnly } from '../support/cdk';
import { bodyOf, dashboardBody, GROUP, idInPlaceOf, plainMetricsOf, searchesOf } from '../support/dashboardBody';
import { lustreDashboard } from '../support/lustreDashboard';
import { METADATA_OPTIONS } from '../support/options';
import { dashboardInTemplate, deploymentIn } from '../support/templateDashboard';
import { fakeCloudWatch, type PublishedMetric, publishedBy } from './fakeCloudWatch';

const WINDOW = { from: new Date('2026-11-21T09:00:10Z'), to: new Date('2026-11-21T09:10:05Z') };
const NOW = new Date('2026-11-21T12:00:00Z');

const ofBenchmark = (definition = compressionBench, settings = {}) =>
  templateOf(stacksWith(settings, undefined, undefined, definition).bench);

/** Dashboards as CloudWatch gets them, and as they are drawn. */
const DASHBOARDS = Object.fromEntries(
  [
    ['CompressionBench', ofBenchmark()] as const,
    ['MetadataBench', ofBenchmark(metadataBench)] as const,
    ['MetadataBench, a sweep', ofBenchmark(metadataBench, METADATA_OPTIONS['metadata, a sweep'])] as const,
    ['LustreDashboard', templateOf(lustreDashboard())] as const,
  ].map(([name, template]) => {
    const { Resources: resources } = template;
    const arms = name === 'LustreDashboard' ? [] : deploymentIn(resources).arms;
    const dashboard = dashboardInTemplate(resources, {
      arms: arms.map((arm) => ({ name: arm.name, fileSystemId: idInPlaceOf(arm.fileSystemId) })),
      fleet: { autoScalingGroup: GROUP },
    });
    return [name, { raw: bodyOf(theOnly(template.Resources, 'AWS::CloudWatch::Dashboard')), dashboard }];
  }),
);

describe.each(Object.entries(DASHBOARDS))('of the dashboard of %s', (name, { raw, dashboard }) => {
  // Read by the tests' own eyes, not by what draws.
  const strict = dashboardBody.parse(raw);
  const [plain, searches] = [plainMetricsOf(strict), searchesOf(strict)];
  const fileSystems = [...new Set(JSON.stringify(raw).match(/fs-[0-9a-f]{17}/g))];
  const manifest = {
    run: 'r-1',
    lab: false,
    metricsPeriodSeconds: 60,
    arms: fileSystems.map((fileSystemId, index) => ({
      name: `arm${index}`,
      kind: 'lustre',
      fileSystemId,
      describe: null,
    })),
  } as unknown as Manifest;
  const everything: PublishedMetric[] = [
    ...fileSystems.flatMap(publishedBy),
    ...plain.filter(({ namespace }) => namespace !== LUSTRE_NAMESPACE),
  ];

  const collect = async (published: readonly PublishedMetric[]) => {
    const { client, asked } = fakeCloudWatch(published);
    const { arms, dashboard: shown } = await collectMetrics({
      manifest,
      window: WINDOW,
      client,
      now: NOW,
      dashboard: { name, shown: dashboard, alarms: [] },
    });
    const series: CollectedSeries[] = [...[...arms.values()].flatMap((file) => file.series), ...(shown?.series ?? [])];
    return { series, shown, asked };
  };
  const drawn = (series: readonly CollectedSeries[]) => {
    const source = new Collected(series);
    return graphsOf(dashboard).map((one) => drawnGraph(one, source));
  };

  test('fetches every metric of every widget with the statistic that the widget shows', async () => {
    expect(plain.length + searches.length).toBeGreaterThan(15);
    const { series } = await collect(everything);
    const has = (test: (one: CollectedSeries) => boolean) =>
      series.some((one) => one.points.length === 11 && test(one));
    for (const { namespace, metric, dimensions, stat } of plain) {
      const same = (one: CollectedSeries) =>
        JSON.stringify(Object.entries(one.dimensions).sort()) === JSON.stringify(Object.entries(dimensions).sort());
      expect([
        metric,
        stat,
        has((one) => one.namespace === namespace && one.metric === metric && one.statistic === stat && same(one)),
      ]).toEqual([metric, stat, true]);
    }
    for (const { metric, fileSystemId, dimension, stat } of searches) {
      const found = (one: CollectedSeries) =>
        one.metric === metric && one.dimensions.FileSystemId === fileSystemId && dimension in one.dimensions;
      expect([metric, stat, has((one) => found(one) && one.statistic === stat)]).toEqual([metric, stat, true]);
    }
  });

  test('leaves no widget empty, nothing unevaluated, and nothing that counts as 0', async () => {
    const { series } = await collect(everything);
    for (const { lines, missing, partial, refused } of drawn(series)) {
      expect({ missing, partial, refused }).toEqual({ missing: [], partial: [], refused: [] });
      expect(lines.length).toBeGreaterThan(0);
    }
  });

  test('gives a reason for everything that nobody published', async () => {
    const { series } = await collect([]);
    expect(series.every(({ points, reason }) => points.length === 0 && reason !== undefined)).toBe(true);
    for (const { lines, missing } of drawn(series)) {
      expect(lines).toEqual([]);
      expect(missing.length).toBeGreaterThan(0);
      for (const { why } of missing) {
        expect(why).toMatch(/no point in the window|the service published none/);
        expect(why).not.toContain('not collected');
      }
    }
  });

  test('fetches nothing twice', async () => {
    const { series, asked } = await collect(everything);
    const keys = series.map((one) =>
      JSON.stringify([one.namespace, one.metric, Object.entries(one.dimensions).sort(), one.statistic]),
    );
    expect(new Set(keys).size).toBe(keys.length);
    const queries = asked.flatMap(({ MetricDataQueries = [] }) => MetricDataQueries);
    expect(queries).toHaveLength(keys.length);
  });
});

const shown = DASHBOARDS.CompressionBench?.dashboard ?? { rows: [] };
const minutes = (from: string, to: string, periodSeconds: number) => ({
  from: new Date(from),
  to: new Date(to),
  periodSeconds,
});

test('puts pages together, in whole periods', async () => {
  const steps = { namespace: 'fsxbench', metric: 'StepsDone', dimensions: { Stack: 'CompressionBench' } };
  const { client } = fakeCloudWatch([steps]);
  const series = await collectShown(client, shown, minutes('2026-11-21T09:01:00Z', '2026-11-21T09:06:00Z', 60));
  const found = series.find(({ metric }) => metric === 'StepsDone');
  expect(found?.statistic).toBe('Maximum');
  expect(found?.points).toEqual([1, 2, 3, 4, 5].map((minute) => [`2026-11-21T09:0${minute}:00.000Z`, minute]));
});

test('of a run that CloudWatch does not list any more, asks for the servers and targets that its file system has', async () => {
  const id = 'fs-0123456789abcdef0';
  const describe = {
    FileSystemId: id,
    StorageType: 'SSD',
    StorageCapacity: 4800,
    FileSystemTypeVersion: '2.15',
    LustreConfiguration: {
      DeploymentType: 'PERSISTENT_2',
      PerUnitStorageThroughput: 125,
      MetadataConfiguration: { Mode: 'USER_PROVISIONED', Iops: 24_000 },
    },
  };
  const manifest = {
    run: 'r',
    lab: false,
    metricsPeriodSeconds: 60,
    arms: [{ name: 'a', kind: 'lustre', fileSystemId: id, describe }],
  } as unknown as Manifest;
  const window = { from: new Date('2026-09-25T09:00:00Z'), to: new Date('2026-09-25T10:00:00Z') };
  const { client, asked } = fakeCloudWatch([
    { namespace: 'AWS/FSx', metric: 'StatOperations', dimensions: { FileSystemId: id, StorageTargetId: 'MDT0001' } },
    { namespace: 'AWS/FSx', metric: 'DiskReadBytes', dimensions: { FileSystemId: id, StorageTargetId: 'OST0003' } },
  ]);
  const { arms } = await collectMetrics({ manifest, window, client, now: NOW });
  const series = arms.get('a')?.series.filter(({ points }) => points.length > 0);
  expect(series?.map(({ dimensions }) => dimensions.StorageTargetId).sort()).toEqual(['MDT0001', 'OST0003']);
  expect(series?.every(({ periodSeconds, points }) => periodSeconds === 300 && points.length === 12)).toBe(true);
  expect(
    new Set(
      asked.flatMap(({ MetricDataQueries = [] }) => MetricDataQueries.map(({ MetricStat }) => MetricStat?.Period)),
    ),
  ).toEqual(new Set([300]));
  const reasons = new Set(arms.get('a')?.series.flatMap(({ reason }) => reason?.slice(0, 26) ?? []));
  expect([...reasons]).toEqual(['the service published none']);
});

test('of a time of which CloudWatch keeps nothing, says so and asks for nothing', async () => {
  const manifest = {
    run: 'r',
    lab: false,
    metricsPeriodSeconds: 60,
    arms: [{ name: 'a', kind: 'lustre', fileSystemId: 'fs-0123456789abcdef0', describe: null }],
  } as unknown as Manifest;
  const window = { from: new Date('2025-01-01T09:00:00Z'), to: new Date('2025-01-01T10:00:00Z') };
  const { client, asked } = fakeCloudWatch([]);
  const { arms, dashboard } = await collectMetrics({
    manifest,
    window,
    client,
    now: NOW,
    dashboard: { name: 'd', shown, alarms: [] },
  });
  expect(
    arms.get('a')?.series.every(({ reason }) => reason === 'CloudWatch keeps nothing for more than 455 days'),
  ).toBe(true);
  expect([asked, dashboard]).toEqual([[], null]);
});

const panels = ({ rows }: Dashboard): readonly Panel[] => rows.flat();
const texts = (dashboard: Dashboard): string[] =>
  panels(dashboard).flatMap((panel) => (panel.kind === 'text' ? [panel.markdown] : []));

/** Arms of these names as StorageBench deploys them. */
function deployed(names: readonly string[], change: Partial<DeployedBenchmark> = {}): Dashboard {
  const arms = storageBench.arms('published').filter(({ name }) => names.includes(name));
  return deployedDashboard({
    benchmark: 'StorageBench',
    stackName: 'StorageBench',
    region: 'us-east-1',
    autoScalingGroup: null,
    instanceType: 'c5n.large',
    clients: 2,
    hourlyUsd: 3.456,
    alarms: [],
    arms: arms.map(({ name, storage }) => ({
      name,
      description: `the arm ${name}`,
      configuration: storage,
      fileSystemId: `id-of-${name}`,
      hourlyUsd: 1.5,
    })),
    ...change,
  });
}

test('says what the stack costs, by arm, and how to stop paying', () => {
  const all = storageBench.arms('published').map(({ name }) => name);
  const [, cost = ''] = texts(deployed(all.slice(0, 2), { stackName: 'Mine' }));
  expect(cost).toContain('**3.46 USD per hour** at list prices');
  expect(cost).toContain(`- arm ${all[0]}: 1.50 USD\n- arm ${all[1]}: 1.50 USD\n- clients: 2 × c5n.large`);
  expect(cost).toContain('`npx cdk destroy Mine`');
  expect(texts(deployed(all.slice(0, 1), { hourlyUsd: null }))[1]).toContain('**an unknown amount per hour**');
});

test('storages of several kinds have a heading each, with the names of their arms; one kind needs none', () => {
  const headings = (names: readonly string[]) => texts(deployed(names)).filter((text) => /^## .*: /.test(text));
  const arms = storageBench.arms('published');
  const [first] = arms;
  const other = arms.find(({ storage }) => storage.kind !== first?.storage.kind);
  const names = [first?.name ?? '', other?.name ?? ''];
  expect(headings(names.slice(0, 1))).toEqual([]);
  expect(headings(names).map((text) => text.split(': ')[1])).toEqual(names);
});

test('a run’s dashboard is that of its stack, with the file systems that it measured', () => {
  const { manifest, plan } = soundRun();
  if (manifest === null || plan === null) throw new Error('a sound run has both');
  const stack = { name: 'Mine', hourlyUsd: 12.5 } as typeof manifest.stack;
  const [head = '', cost = ''] = texts(dashboardOfRun({ ...manifest, stack }, plan, []));
  for (const { fileSystemId } of manifest.arms) expect(head).toContain(fileSystemId);
  expect(cost).toContain('**12.50 USD per hour**');
  expect(cost).toContain('`npx cdk destroy Mine`');
  expect(() => dashboardOfRun(manifest, { ...plan, arms: [] }, [])).toThrow(/the plan has no configuration of arm/);
  expect(() => dashboardOfRun({ ...manifest, benchmark: 'Gone' }, plan, [])).toThrow(
    "'benchmark' must be one of this release, got Gone: use the release that deployed it",
  );
});
