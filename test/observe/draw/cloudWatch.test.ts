import { BENCHMARKS } from '../../../lib/benchmark/registry';
import type { Metric } from '../../../lib/dashboard/expression';
import type { Dashboard, Panel } from '../../../lib/dashboard/graph';
import { drawnGraph, leavesIn } from '../../../lib/observe/draw/graph';
import { placed } from '../../../lib/observe/draw/page';
import { Collected } from '../../../lib/observe/draw/source';
import type { CollectedSeries } from '../../../lib/schema/metrics';
import { bodyInTemplate, type Widget, widgetsIn } from '../../support/bodyInTemplate';
import { stacksWith, templateOf } from '../../support/cdk';
import { lustreDashboard } from '../../support/lustreDashboard';
import { metricData } from '../../support/metricMath';
import { METADATA_OPTIONS, STORAGE_OPTIONS } from '../../support/options';
import { dashboardInTemplate } from '../../support/templateDashboard';

/*
 * One description becomes a body of CloudWatch and a drawing. Here CloudWatch is the emulator's interpreter, which reads texts as the user guide
 * documents them and knows nothing of the description: both must show the same lines.
 */

const START = Date.parse('2026-11-21T10:00:00Z');
const WINDOW = { from: START, to: START + 6 * 60_000 };

const stacks = BENCHMARKS.flatMap((definition) => {
  const settings = { StorageBench: STORAGE_OPTIONS, MetadataBench: METADATA_OPTIONS }[definition.name] ?? { once: {} };
  return Object.entries(settings).map(([name, options]) => {
    const { bench } = stacksWith(options, undefined, undefined, definition);
    return [`${definition.name}, ${name}`, bench] as const;
  });
});

/** Values for every minute, some of them missing, that differ between metrics, parts and statistics. */
function seriesOf(dashboard: Dashboard): CollectedSeries[] {
  const found = leavesIn(dashboard).flatMap((leaf): Omit<Metric, 'kind'>[] => {
    if ('kind' in leaf) return [leaf as Omit<Metric, 'kind'>];
    const { dimensions, resource, ...search } = leaf;
    const part = dimensions.find((name) => !Object.hasOwn(resource, name)) ?? '';
    const names = part === 'StorageTargetId' ? ['MDT0000', 'MDT000a', 'OST0000'] : ['OSS0000', 'MDS0001'];
    return names.map((name) => ({ ...search, dimensions: { ...resource, [part]: name } }));
  });
  const all = found.map(({ namespace, metric, dimensions, stat }) => ({
    namespace,
    metric,
    dimensions,
    statistic: stat,
  }));
  const once = new Map(all.map((one) => [JSON.stringify(one), one]));
  return [...once.values()].map((one, index) => ({
    ...one,
    unit: null,
    periodSeconds: 60,
    points: [0, 1, 2, 3, 4, 5]
      .filter((minute) => (index + minute) % 5 !== 0)
      .map((minute) => [new Date(START + minute * 60_000).toISOString(), ((index * 7 + minute * 13) % 101) / 4]),
  }));
}

const shown = (panel: Panel) => {
  if (panel.kind === 'text') return { type: 'text', markdown: panel.markdown };
  if (panel.kind === 'alarms') return { type: 'alarm', alarms: panel.alarms };
  const { title, unit, rightUnit, max, ceilings } = panel;
  return { type: 'metric', title, unit, rightUnit, max, ceilings };
};

const deployed = ({ type, properties }: Widget) => {
  const { markdown, alarms, title, yAxis, annotations } = properties;
  if (type === 'text') return { type, markdown };
  if (type === 'alarm') return { type, alarms };
  return {
    type,
    title,
    unit: yAxis?.left?.label,
    rightUnit: yAxis?.right?.label,
    max: yAxis?.left?.max,
    ceilings: (annotations?.horizontal ?? []).map(({ label, value }) => ({ label, value })),
  };
};

type Words = 'id' | 'label' | 'expression' | 'stat' | 'color' | 'yAxis';
type Entry = Readonly<Partial<Record<Words, string>>> & { readonly period?: number; readonly visible?: boolean };

/** The lines of a graph as CloudWatch draws them. */
function linesOf({ properties }: Widget, series: readonly CollectedSeries[]) {
  const entries = (properties.metrics ?? []).map((items, index) => {
    const last = items.at(-1) as Entry;
    return { ...last, id: last.id ?? `line${index}`, words: items.filter((item) => typeof item === 'string') };
  });
  const queries = entries.map(({ id: Id, words, visible, ...entry }) => {
    const { label: Label, expression, stat: Stat = properties.stat ?? 'Average' } = entry;
    const query = { Id, Label, ReturnData: visible !== false };
    const Period = entry.period ?? properties.period;
    if (expression !== undefined) return { ...query, Expression: expression, Period };
    const [Namespace, MetricName, ...pairs] = words;
    const Dimensions = pairs.flatMap((Name, index) => (index % 2 === 0 ? [{ Name, Value: pairs[index + 1] }] : []));
    return { ...query, MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period, Stat } };
  });
  const published = series.map(({ points, ...one }) => ({
    ...one,
    points: points.map(([at, value]) => [Date.parse(at), value] as const),
  }));
  return metricData(published, WINDOW, queries)
    .filter(({ points }) => points.size > 0)
    .map(({ id, label, points }) => {
      const { color, yAxis }: Entry = entries.find((one) => one.id === id) ?? {};
      return { label, colour: color ?? null, right: yAxis === 'right', points: [...points] };
    });
}

describe.each([
  ...stacks,
  ['LustreDashboard', lustreDashboard()] as const,
  ['LustreDashboard with metadata IOPS', lustreDashboard({ metadataIops: 6000 })] as const,
])('the drawing of %s', (_, stack) => {
  const template = templateOf(stack);
  const run = { arms: [], fleet: {} };
  const dashboard = dashboardInTemplate(template.Resources, run);
  const widgets = widgetsIn(bodyInTemplate(template.Resources, { fileSystems: {} }));
  const panels = placed(dashboard, () => false);

  test('has the panels of the deployed dashboard, where they are there', () => {
    expect(panels.map(({ panel, x, y, width }) => ({ x, y, width, height: panel.height, ...shown(panel) }))).toEqual(
      widgets.map(({ x, y, width, height, ...widget }) => ({
        x,
        y,
        width,
        height,
        ...deployed({ x, y, width, height, ...widget }),
      })),
    );
  });

  test('has the lines that CloudWatch makes of the expressions', () => {
    const series = seriesOf(dashboard);
    const drawn = new Collected(series);
    for (const [index, { panel }] of panels.entries()) {
      if (panel.kind !== 'graph') continue;
      const { lines } = drawnGraph(panel, drawn);
      expect(lines.length).toBeGreaterThan(0);
      expect([
        panel.title,
        lines.map(({ label, colour, right, series: { points } }) => ({ label, colour, right, points: [...points] })),
      ]).toEqual([panel.title, linesOf(widgets[index] as Widget, series)]);
    }
  });
});
