import { type CollectedSeries, METRICS_PERIOD } from '../../schema/metrics';
import { metricNamed } from '../../storage/lookup';
import { finds, parseSearch, type Search } from './search';
import { emptySeries, NotEvaluated, type Series } from './series';

/** The data source of graphs. */
export interface Source {
  /** Time window of the picture, in milliseconds since the epoch; missing values are filled within it. */
  readonly window: { readonly from: number; readonly to: number };
  /** One metric by its exact dimensions; without points but with the reason if there are no data. @throws NotEvaluated */
  metric(asked: AskedMetric, periodSeconds: number): Answer<Series>;
  /** The results of a SEARCH, sorted by label. @throws NotEvaluated */
  search(text: string, stat: string, periodSeconds: number): { readonly list: readonly Series[]; readonly why: Why };
}

/** A metric of a graph. */
export interface AskedMetric {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly stat: string;
}

/** Why there are no data; `null` if there are some. */
type Why = string | null;
type Answer<T> = { readonly series: T; readonly why: Why };

const NOT_COLLECTED = 'not collected';

/** The collected metrics as a data source. */
export class Collected implements Source {
  constructor(
    private readonly collected: readonly CollectedSeries[],
    readonly window: Source['window'],
  ) {}

  metric(asked: AskedMetric, periodSeconds: number): Answer<Series> {
    const { namespace, metric, dimensions, stat } = asked;
    const names = Object.keys(dimensions);
    const found = this.collected.filter(
      (one) =>
        one.namespace === namespace &&
        one.metric === metric &&
        Object.keys(one.dimensions).length === names.length &&
        names.every((name) => one.dimensions[name] === dimensions[name]),
    );
    const one = withStatistic(found, stat);
    if (one?.points.length) return { series: rolledUp(one, stat, periodSeconds), why: null };
    const series = emptySeries(metric, periodSeconds, propertiesOf({ metric, dimensions }));
    return { series, why: one?.reason ?? this.reasonOf(metric, dimensions) };
  }

  search(text: string, stat: string, periodSeconds: number): { list: Series[]; why: Why } {
    const search = parseSearch(text);
    // Only metrics with data points, since CloudWatch finds no others.
    const found = this.collected.filter((one) => one.points.length > 0 && finds(search, one));
    const list = grouped(found).flatMap((group) => {
      const one = withStatistic(group, stat);
      return one ? [rolledUp(one, stat, periodSeconds)] : [];
    });
    list.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
    return { list, why: list.length > 0 ? null : this.reasonOfSearch(search) };
  }

  /** The reason for a metric that was not collected separately, since all metrics of its file system were requested. */
  private reasonOf(metric: string, dimensions: Readonly<Record<string, string>>): string {
    const [name, value] = Object.entries(dimensions)[0] ?? [];
    const other = this.collected.find(
      (one) => one.metric === metric && one.points.length === 0 && name && one.dimensions[name] === value,
    );
    return other?.reason ?? NOT_COLLECTED;
  }

  private reasonOfSearch({ namespace, terms }: Search): string {
    const other = this.collected.find(
      (one) =>
        one.namespace === namespace &&
        one.points.length === 0 &&
        terms.every(({ property, value, exact }) => {
          const own = property === 'MetricName' ? one.metric : one.dimensions[property];
          return own === undefined || !exact || own === value;
        }),
    );
    return other?.reason ?? NOT_COLLECTED;
  }
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

function grouped(found: readonly CollectedSeries[]): CollectedSeries[][] {
  const groups = new Map<string, CollectedSeries[]>();
  for (const one of found) groups.set(identity(one), [...(groups.get(identity(one)) ?? []), one]);
  return [...groups.values()];
}

function propertiesOf({ metric, dimensions }: Pick<CollectedSeries, 'metric' | 'dimensions'>): Record<string, string> {
  const pairs = Object.entries(dimensions).map(([name, value]) => [`Dim.${name}`, value] as const);
  return { MetricName: metric, ...Object.fromEntries(pairs) };
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** Aggregates values of shorter periods into a longer one. Means assume equal sample counts per period, as with FSx. */
const ROLL_UP: Readonly<Record<string, (values: readonly number[]) => number>> = {
  Sum: (values) => values.reduce((a, b) => a + b, 0),
  SampleCount: (values) => values.reduce((a, b) => a + b, 0),
  Average: mean,
  Maximum: (values) => Math.max(...values),
  Minimum: (values) => Math.min(...values),
};

/** True for values of less than a minute, as the lab has them and no service: in most periods, where the driver has one a minute. */
function isFiner({ points, periodSeconds: own }: CollectedSeries, periodSeconds: number): boolean {
  if (own >= METRICS_PERIOD.aws) return false;
  const periods = new Set(points.map(([time]) => Math.floor(Date.parse(time) / (periodSeconds * 1000))));
  return points.length > 2 * periods.size;
}

/** Statistics that grow with the period. */
const COUNTS = new Set(['Sum', 'SampleCount']);

function rolledUp(one: CollectedSeries, stat: string, periodSeconds: number): Series {
  const roll = Object.hasOwn(ROLL_UP, stat) ? ROLL_UP[stat] : undefined;
  if (roll === undefined) throw new NotEvaluated(`${one.metric} with the statistic ${stat}`);
  const label = [one.metric, ...Object.values(one.dimensions)].join(' ');
  const series = { label, properties: propertiesOf(one), periodSeconds };
  if (one.periodSeconds > periodSeconds && one.periodSeconds % periodSeconds === 0) {
    // For data that old CloudWatch has only longer periods: counts are scaled to the requested period.
    const share = COUNTS.has(stat) ? periodSeconds / one.periodSeconds : 1;
    const points = one.points.map(([time, value]) => [Date.parse(time), value * share] as const);
    return { ...series, everySeconds: one.periodSeconds, points: new Map(points) };
  }
  if (periodSeconds % one.periodSeconds !== 0) {
    throw new NotEvaluated(
      `${one.metric} was collected every ${one.periodSeconds} s, and this asks for ${periodSeconds} s`,
    );
  }
  if (isFiner(one, periodSeconds)) {
    // The lab's phases take seconds, and a mean of a minute would tell nothing of them: each value is drawn as a minute at its rate.
    // A gauge has its value in every period, and is no rate.
    const gauge = metricNamed(one.namespace, one.metric)?.gauge ?? false;
    const share = COUNTS.has(stat) && !gauge ? periodSeconds / one.periodSeconds : 1;
    const points = one.points.map(([time, value]) => [Date.parse(time), value * share] as const);
    return { ...series, everySeconds: one.periodSeconds, points: new Map(points) };
  }
  const periods = new Map<number, number[]>();
  for (const [time, value] of one.points) {
    const at = Math.floor(Date.parse(time) / (periodSeconds * 1000)) * periodSeconds * 1000;
    const known = periods.get(at);
    if (known) known.push(value);
    else periods.set(at, [value]);
  }
  const sorted = [...periods].sort(([a], [b]) => a - b);
  return {
    ...series,
    everySeconds: periodSeconds,
    points: new Map(sorted.map(([at, values]) => [at, roll(values)])),
  };
}
