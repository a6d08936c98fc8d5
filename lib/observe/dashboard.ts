import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import * as z from 'zod';
import type { Search } from '../dashboard/expression';
import type { Dashboard } from '../dashboard/graph';
import type { CollectedSeries } from '../schema/metrics';
import { metricNamed } from '../storage/lookup';
import type { PublishedMetric } from '../storage/storage';
import { collectSeries, type Grid, listMetrics } from './cloudwatch';
import { leavesIn } from './draw/graph';
import { type AskedMetric, finds } from './draw/source';

const keyOf = ({ namespace, metric, dimensions, stat }: AskedMetric): string =>
  JSON.stringify([namespace, metric, Object.entries(dimensions).sort(), stat]);

/** Every metric of a dashboard for drawing, including those in expressions, without those already collected; one without data has a reason. */
export async function collectShown(
  client: CloudWatchClient,
  dashboard: Dashboard,
  grid: Grid,
  before: readonly CollectedSeries[] = [],
): Promise<CollectedSeries[]> {
  const known = new Set(before.map(({ statistic, ...one }) => keyOf({ ...one, stat: statistic })));
  const wanted = new Map<string, AskedMetric>();
  const nothing: CollectedSeries[] = [];
  const searched = new Set<string>();
  // Metrics are listed once per namespace and set of exact values.
  const listings = new Map<string, readonly PublishedMetric[]>();
  for (const leaf of leavesIn(dashboard)) {
    if ('kind' in leaf) wanted.set(keyOf(leaf), leaf);
    else if (!searched.has(JSON.stringify(leaf))) {
      searched.add(JSON.stringify(leaf));
      const { namespace, resource, stat } = leaf;
      const key = JSON.stringify([namespace, resource]);
      const listed = listings.get(key) ?? (await listMetrics(client, namespace, resource));
      listings.set(key, listed);
      const found = listed.filter((one) => finds(leaf, { namespace, ...one }));
      for (const one of found) wanted.set(keyOf({ namespace, ...one, stat }), { namespace, ...one, stat });
      if (found.length === 0) nothing.push(nothingFound(leaf, grid));
    }
  }
  const asked = [...wanted].flatMap(([key, { namespace, metric, dimensions, stat }]) =>
    known.has(key) ? [] : [{ namespace, metric, dimensions, statistic: stat, unit: unitOf(namespace, metric) }],
  );
  const series = await collectSeries(client, asked, grid);
  const all = [...before, ...series];
  const explained = ({ namespace, metric, dimensions }: CollectedSeries): boolean =>
    all.some(
      (one) =>
        one.namespace === namespace &&
        one.metric === metric &&
        Object.entries(dimensions).every(([name, value]) => one.dimensions[name] === value),
    );
  return [...series, ...nothing.filter((one) => !explained(one))];
}

/** A series that says why a graph is empty. */
const nothingFound = ({ namespace, metric, resource, stat }: Search, { periodSeconds }: Grid): CollectedSeries => ({
  namespace,
  metric,
  dimensions: resource,
  statistic: stat,
  unit: unitOf(namespace, metric),
  periodSeconds,
  points: [],
  reason: 'the service published none',
});

const unitOf = (namespace: string, metric: string): string | null => metricNamed(namespace, metric)?.unit ?? null;

/** Part of a deployed body that nothing else has. */
const body = z.looseObject({
  widgets: z.array(z.looseObject({ properties: z.looseObject({ alarms: z.array(z.string()).default([]) }) })),
});

/** ARNs of the alarms that a dashboard's body shows. @throws Error for one that CloudWatch would refuse, with the first problem */
export function alarmsInBody(text: string): readonly string[] {
  const parsed = body.safeParse(parsedJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`the dashboard's body is not in CloudWatch's format: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return parsed.data.widgets.flatMap(({ properties }) => properties.alarms);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the dashboard's body must be JSON: ${(error as Error).message}`);
  }
}
