import { compressionBench } from '../../../lib/benchmark/compression';
import { metadataBench } from '../../../lib/benchmark/metadata';
import { storageBench } from '../../../lib/benchmark/storage';
import { resolveBenchmark } from '../../../lib/config/benchmark';
import { identityIn } from '../../../lib/storage/lookup';
import type { LustreStorage } from '../../../lib/storage/lustre/configuration';
import { dimensionsOf, LUSTRE_METRICS } from '../../../lib/storage/lustre/metricTable';
import { serversOf } from '../../../lib/storage/lustre/servers';
import { resourcesOf, stacksWith, theOnly } from '../../support/cdk';
import {
  bodyOf,
  dashboardBody,
  expressionsOf,
  plainMetricsOf,
  searchesIn,
  searchesOf,
} from '../../support/dashboardBody';
import { lustreDashboard } from '../../support/lustreDashboard';
import { METADATA_OPTIONS, OPTIONS, STORAGE_OPTIONS } from '../../support/options';

const ofBenchmark = (definition = compressionBench, settings = {}) =>
  resourcesOf(stacksWith(settings, undefined, undefined, definition).bench);

const BODIES: Readonly<Record<string, unknown>> = Object.fromEntries(
  [
    ...Object.entries(OPTIONS).map(([name, settings]) => [name, ofBenchmark(compressionBench, settings)] as const),
    ...Object.entries(METADATA_OPTIONS).map(
      ([name, settings]) => [name, ofBenchmark(metadataBench, settings)] as const,
    ),
    ...Object.entries(STORAGE_OPTIONS).map(
      ([name, settings]) => [`StorageBench, ${name}`, ofBenchmark(storageBench, settings)] as const,
    ),
    ['LustreDashboard', resourcesOf(lustreDashboard())] as const,
    ['LustreDashboard with metadata IOPS', resourcesOf(lustreDashboard({ metadataIops: 192_000 }))] as const,
  ].map(([name, resources]) => [name, bodyOf(theOnly(resources, 'AWS::CloudWatch::Dashboard'))]),
);

/** Metrics in guide/fs-metrics; of the metadata operations and of connections it lists none, AWS's own graphs sum and count them. */
function statisticsOf(metric: string): readonly string[] {
  if (/^(Data|Metadata|LogicalDisk|PhysicalDisk)/.test(metric)) {
    return ['Sum', 'Minimum', 'Maximum', 'Average', 'SampleCount'];
  }
  if (metric === 'ClientConnections') return ['SampleCount'];
  if (/^(File|Directory|Stat|Rename)\w*Operations$/.test(metric)) return ['Sum'];
  if (/Utilization/.test(metric)) return ['Average', 'Minimum', 'Maximum'];
  return ['Sum', 'Average', 'Minimum', 'Maximum'];
}

describe.each(Object.entries(BODIES))('the dashboard of %s', (_, raw) => {
  const parsed = dashboardBody.safeParse(raw);
  const body = parsed.success ? parsed.data : { widgets: [] };

  test("has the structure that CloudWatch documents, within the limits of widgets' metrics and alarms", () => {
    expect(parsed.error?.issues).toBeUndefined();
  });

  test('has no SEARCH above 1,024 characters, and at most 100 on a graph', () => {
    for (const expressions of expressionsOf(body)) {
      const searches = expressions.flatMap(searchesIn);
      expect(searches.length).toBeLessThanOrEqual(100);
      for (const search of searches) expect(search.length).toBeLessThan(1024);
    }
  });

  test('searches in the documented form, for metrics by the dimensions and with a statistic that FSx documents for them', () => {
    const searches = searchesOf(body);
    expect(searches.length).toBeGreaterThan(10);
    for (const { metric, dimension, stat } of searches) {
      const { scope } = LUSTRE_METRICS.find(({ name }) => name === metric) ?? { scope: 'file-system' };
      expect([metric, ['FileSystemId', dimension]]).toEqual([metric, dimensionsOf(scope)]);
      expect(statisticsOf(metric)).toContain(stat);
    }
  });

  test('names plain metrics by the dimensions and with a statistic that the services document for them', () => {
    for (const { namespace, metric, dimensions, stat } of plainMetricsOf(body)) {
      const { scope } = LUSTRE_METRICS.find(({ name }) => name === metric) ?? {};
      const own = { 'AWS/FSx': scope && dimensionsOf(scope), 'AWS/EC2': ['AutoScalingGroupName'], fsxbench: ['Stack'] };
      const documented = own[namespace as keyof typeof own] ?? [...new Set(identityIn(namespace))];
      expect([metric, Object.keys(dimensions)]).toEqual([metric, documented]);
      if (namespace === 'AWS/FSx') expect(statisticsOf(metric)).toContain(stat);
    }
  });

  test('multiplies and adds no two lists of series, which metric math does not know', () => {
    // Lists come from SEARCH alone here: inside a function that makes one series or number of it, or by itself.
    for (const expression of expressionsOf(body).flat()) {
      const reduced = expression.replaceAll(/(SUM|MAX|METRIC_COUNT)\(SEARCH\('[^']*', '[^']*', \d+\)\)/g, 'm');
      if (reduced.includes('SEARCH')) expect(reduced).toMatch(/^SEARCH\('[^']*', '[^']*', \d+\)$/);
    }
  });

  test('names an id of metric math only once on a graph, and uses none that is not there', () => {
    for (const widget of body.widgets) {
      if (widget.type !== 'metric') continue;
      const last = widget.properties.metrics.map((items) => items.at(-1)) as { id?: string; expression?: string }[];
      const ids = last.flatMap(({ id }) => id ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { expression = '' } of last) {
        const bare = expression.replaceAll(/'[^']*'/g, '');
        for (const used of bare.match(/\b[a-z]\w*/g) ?? []) expect(ids).toContain(used);
      }
    }
  });
});

test('draws no more than 2,500 metrics on a dashboard, however many metadata targets the arms have', () => {
  const settings = METADATA_OPTIONS['metadata, as much as there may be'] ?? {};
  const body = dashboardBody.parse(BODIES['metadata, as much as there may be']);
  const { arms } = resolveBenchmark(metadataBench, settings);
  const count = (kind: 'oss' | 'ost' | 'mds') =>
    arms.reduce((sum, { storage }) => sum + (serversOf(storage as LustreStorage)?.[kind] ?? 0), 0);
  const all = { oss: count('oss'), ost: count('ost'), mds: count('mds') };
  let total = 0;
  for (const widget of body.widgets) {
    if (widget.type !== 'metric') continue;
    let own = widget.properties.metrics.length;
    const searches = widget.properties.metrics.flatMap((items) =>
      searchesIn(JSON.stringify(items).replaceAll('\\"', '"')),
    );
    // Each search is for one arm, and all arms are on the graph alike.
    for (const search of searches) {
      const targets = search.includes('StorageTargetId=MDT') || /Operations"/.test(search);
      own +=
        (targets || search.includes('CPUUtilization') ? all.mds : search.includes('FileServer') ? all.oss : all.ost) /
        arms.length;
    }
    expect(own).toBeLessThanOrEqual(500);
    total += own;
  }
  expect(total).toBeLessThan(2500);
});

test('would notice a widget that CloudWatch refuses', () => {
  const good = BODIES.published as { widgets: { properties: object }[] };
  expect(dashboardBody.safeParse(good).success).toBe(true);
  const [first, ...rest] = good.widgets;
  expect(dashboardBody.safeParse({ widgets: [{ ...first, width: 25 }, ...rest] }).success).toBe(false);
  expect(dashboardBody.safeParse({ widgets: [{ ...first, properties: { nonsense: 1 } }, ...rest] }).success).toBe(
    false,
  );
  expect(dashboardBody.safeParse({ ...good, periodOverride: 'never' }).success).toBe(false);
});
