import type { Metric, Search } from '../../dashboard/expression';
import { type CollectedSeries, METRICS_PERIOD } from '../../schema/metrics';
import { metricNamed } from '../../storage/lookup';

/** Period of all graphs: services publish a value a minute. */
export const MINUTE_SECONDS = METRICS_PERIOD.aws;

/** A time series: the start of each period in milliseconds since the epoch, and its value. Missing values have no entry. */
export interface Series {
  readonly label: string;
  /** Its origin; empty if computed from several series. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** The interval of its points: a minute, or longer if only longer ones were kept. */
  readonly everySeconds: number;
  readonly points: ReadonlyMap<number, number>;
}

export const emptySeries = (label: string, dimensions: Series['dimensions'] = {}): Series => ({
  label,
  dimensions,
  everySeconds: MINUTE_SECONDS,
  points: new Map(),
});

/** A series computed at some times; results that are not numbers are missing, as in CloudWatch. */
export function computed(like: Series, times: Iterable<number>, value: (at: number) => number | undefined): Series {
  const points = new Map<number, number>();
  for (const at of times) {
    const result = value(at);
    if (result !== undefined && Number.isFinite(result)) points.set(at, result);
  }
  return { ...like, points };
}

/** A metric that was collected with another statistic or period, with the reason. */
export class NotEvaluated extends Error {}

export type AskedMetric = Pick<Metric, 'namespace' | 'metric' | 'dimensions' | 'stat'>;

export class Collected {
  constructor(private readonly collected: readonly CollectedSeries[]) {}

  /** One metric by its exact dimensions; without points if there are no data. @throws NotEvaluated */
  metric(asked: AskedMetric): Series {
    const { metric, dimensions, stat } = asked;
    const search = { ...asked, dimensions: Object.keys(dimensions), resource: dimensions };
    const one = withStatistic(
      this.collected.filter((series) => finds(search, series)),
      stat,
    );
    return one?.points.length ? rolledUp(one, stat) : emptySeries(metric, dimensions);
  }

  /** A series for each part that has data, sorted by label. @throws NotEvaluated */
  search(search: Search): Series[] {
    // Only metrics with data points, since CloudWatch finds no others.
    const found = this.collected.filter((one) => one.points.length > 0 && finds(search, one));
    const list = [...Map.groupBy(found, identity).values()].flatMap((group) => {
      const one = withStatistic(group, search.stat);
      return one ? [rolledUp(one, search.stat)] : [];
    });
    return list.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
  }

  /** Why there are no data of a metric, or of all that a search could find; `null` if there are some. */
  reason(asked: Metric | Search): string | null {
    const isMetric = 'kind' in asked;
    if (isMetric ? this.metric(asked).points.size > 0 : this.search(asked).length > 0) return null;
    const { namespace, metric } = asked;
    const values = Object.entries(isMetric ? asked.dimensions : asked.resource);
    // All metrics of a resource are requested together: the reason may be recorded for one without a further dimension.
    const other = this.collected.find(
      (one) =>
        one.namespace === namespace &&
        one.metric === metric &&
        one.points.length === 0 &&
        values.every(([name, value]) => (one.dimensions[name] ?? value) === value),
    );
    return `${metric}: ${other?.reason ?? 'not collected'}`;
  }
}

/** True if a search finds a metric: it has exactly the search's dimensions, with the values that this names. */
export function finds(
  { namespace, metric, dimensions, resource, named = {} }: Search,
  one: Omit<AskedMetric, 'stat'>,
): boolean {
  return (
    one.namespace === namespace &&
    one.metric === metric &&
    Object.keys(one.dimensions).length === dimensions.length &&
    dimensions.every((name) => Object.hasOwn(one.dimensions, name)) &&
    Object.entries(resource).every(([name, value]) => one.dimensions[name] === value) &&
    Object.entries(named).every(([name, word]) => one.dimensions[name]?.startsWith(word))
  );
}

/** Selects the statistic of a metric. @throws NotEvaluated if it was collected only with others */
function withStatistic(found: readonly CollectedSeries[], stat: string): CollectedSeries | undefined {
  const [first] = found;
  const one = found.find(({ statistic }) => statistic === stat);
  if (first === undefined || one !== undefined) return one;
  if (first.points.length === 0) return first;
  throw new NotEvaluated(`${first.metric} was collected as ${first.statistic}, and this asks for ${stat}`);
}

const identity = ({ metric, dimensions }: CollectedSeries): string =>
  JSON.stringify([metric, Object.entries(dimensions).sort()]);

/** Aggregates values of shorter periods into a longer one. Means assume equal sample counts per period, as with FSx. */
export const ROLL_UP: Readonly<Record<string, (values: readonly number[]) => number>> = {
  Sum: (values) => values.reduce((a, b) => a + b, 0),
  SampleCount: (values) => values.reduce((a, b) => a + b, 0),
  Average: (values) => values.reduce((a, b) => a + b, 0) / values.length,
  Maximum: (values) => Math.max(...values),
  Minimum: (values) => Math.min(...values),
};

/** True if most minutes have several values: the driver adds one per minute, the lab more, and a service never more. */
function isFiner({ points, periodSeconds }: CollectedSeries): boolean {
  if (periodSeconds >= MINUTE_SECONDS) return false;
  return points.length > 2 * new Set(points.map(([time]) => minuteOf(time))).size;
}

/** Start of the minute of a time, in milliseconds since the epoch. */
const minuteOf = (time: string): number => Math.floor(Date.parse(time) / MINUTE) * MINUTE;

const MINUTE = MINUTE_SECONDS * 1000;

const COUNTS = new Set(['Sum', 'SampleCount']);

function rolledUp(one: CollectedSeries, stat: string): Series {
  const roll = Object.hasOwn(ROLL_UP, stat) ? ROLL_UP[stat] : undefined;
  if (roll === undefined) throw new NotEvaluated(`${one.metric} with the statistic ${stat}`);
  const { metric, dimensions, periodSeconds } = one;
  const series = { label: [metric, ...Object.values(dimensions)].join(' '), dimensions };
  const each = (isCount: boolean): Series => {
    const share = isCount ? MINUTE_SECONDS / periodSeconds : 1;
    const points = one.points.map(([time, value]) => [Date.parse(time), value * share] as const);
    return { ...series, everySeconds: periodSeconds, points: new Map(points) };
  };
  // For data that old CloudWatch has only longer periods: counts are scaled to a minute.
  if (periodSeconds > MINUTE_SECONDS && periodSeconds % MINUTE_SECONDS === 0) return each(COUNTS.has(stat));
  if (MINUTE_SECONDS % periodSeconds !== 0)
    throw new NotEvaluated(`${metric} was collected every ${periodSeconds} s, and this asks for ${MINUTE_SECONDS} s`);
  // The lab's phases take seconds, which a mean of a minute would hide, so each value is drawn as a minute at its rate. A gauge is not a rate:
  // its value holds in every period.
  if (isFiner(one)) return each(COUNTS.has(stat) && !metricNamed(one.namespace, metric)?.gauge);
  const minutes = [...Map.groupBy(one.points, ([time]) => minuteOf(time))].sort(([a], [b]) => a - b);
  const points = minutes.map(([at, list]) => [at, roll(list.map(([, value]) => value))] as const);
  return { ...series, everySeconds: MINUTE_SECONDS, points: new Map(points) };
}
