import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { CollectedSeries } from '../schema/metrics';
import { metricNamed } from '../storage/lookup';
import type { PublishedMetric } from '../storage/metrics';
import { type Grid, getPoints, listMetrics } from './cloudwatch';
import { askedBy } from './draw/asked';
import type { DashboardBody } from './draw/body';
import { finds, type Search } from './draw/search';
import type { AskedMetric } from './draw/source';

const keyOf = ({ namespace, metric, dimensions, stat }: AskedMetric): string =>
  JSON.stringify([namespace, metric, Object.entries(dimensions).sort(), stat]);

/**
 * Every metric that a dashboard shows, directly or in an expression, as the drawing needs it. Metrics collected before are skipped;
 * a metric without data points is included with the reason.
 */
export async function collectShown(
  client: CloudWatchClient,
  body: DashboardBody,
  grid: Grid,
  before: readonly CollectedSeries[] = [],
): Promise<CollectedSeries[]> {
  const { metrics, searches } = askedBy(body);
  const known = new Set(before.map(({ statistic, ...one }) => keyOf({ ...one, stat: statistic })));
  const wanted = new Map(metrics.map((asked) => [keyOf(asked), asked]));
  const listed = new Listing(client);
  const nothing: CollectedSeries[] = [];
  for (const { search, stat } of searches) {
    const found = await listed.found(search);
    for (const one of found) {
      const asked = { namespace: search.namespace, ...one, stat };
      wanted.set(keyOf(asked), asked);
    }
    if (found.length === 0) nothing.push(nothingFound(search, stat, grid));
  }
  const asked = [...wanted].flatMap(([key, one]) => (known.has(key) ? [] : [one]));
  const answers = await getPoints(client, asked, grid);
  const series = asked.map(({ namespace, metric, dimensions, stat }, index): CollectedSeries => {
    const { points = [], reason } = answers[index] ?? {};
    const unit = unitOf(namespace, metric);
    const { periodSeconds } = grid;
    return { namespace, metric, dimensions, statistic: stat, unit, periodSeconds, points, ...(reason && { reason }) };
  });
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

/** Lists metrics once per namespace and set of exact values. */
class Listing {
  private readonly known = new Map<string, Promise<PublishedMetric[]>>();

  constructor(private readonly client: CloudWatchClient) {}

  async found(search: Search): Promise<PublishedMetric[]> {
    const { namespace, dimensions } = search;
    const exact = exactTerms(search).filter(([name]) => dimensions.includes(name));
    const key = JSON.stringify([namespace, exact]);
    const listing = this.known.get(key) ?? listMetrics(this.client, namespace, Object.fromEntries(exact));
    this.known.set(key, listing);
    return (await listing).filter((one) => finds(search, { namespace, ...one }));
  }
}

const exactTerms = ({ terms }: Search): [string, string][] =>
  terms.flatMap(({ property, value, exact }): [string, string][] => (exact ? [[property, value]] : []));

/** So that the graph can say why it is empty. */
function nothingFound(search: Search, statistic: string, { periodSeconds }: Grid): CollectedSeries {
  const { MetricName: metric = 'any', ...dimensions } = Object.fromEntries(exactTerms(search));
  const { namespace } = search;
  const reason = 'the service published none';
  const unit = unitOf(namespace, metric);
  return { namespace, metric, dimensions, statistic, unit, periodSeconds, points: [], reason };
}

/** Unit published by the service, if documented. */
function unitOf(namespace: string, metric: string): string | null {
  return metricNamed(namespace, metric)?.unit ?? null;
}
