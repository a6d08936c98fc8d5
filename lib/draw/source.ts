import type { MetricSeries } from '../model/run';
import { finds, parseSearch } from './search';
import { NotEvaluated, type Series } from './series';

/** What was collected, as a graph asks for it. */
export class Source {
  constructor(
    private readonly collected: readonly MetricSeries[],
    /** Of the run; missing values are filled within it. Milliseconds since 1970. */
    readonly window: { readonly from: number; readonly to: number },
  ) {}

  /** One metric by its exact dimensions; without points where it was not collected. */
  metric(
    namespace: string,
    metric: string,
    dimensions: Readonly<Record<string, string>>,
    stat: string,
    periodSeconds: number,
  ): Series {
    const names = Object.keys(dimensions);
    const found = this.collected.filter(
      (one) =>
        one.namespace === namespace &&
        one.metric === metric &&
        Object.keys(one.dimensions).length === names.length &&
        names.every((name) => one.dimensions[name] === dimensions[name]),
    );
    const [first] = found;
    if (first !== undefined) return rolledUp(first, stat, periodSeconds);
    return { label: metric, properties: propertiesOf({ metric, dimensions }), periodSeconds, points: new Map() };
  }

  /** What SEARCH finds, in the order of labels; only what has points, since CloudWatch finds nothing else. */
  search(text: string, stat: string, periodSeconds: number): Series[] {
    const search = parseSearch(text);
    return this.collected
      .filter((one) => one.points.length > 0 && finds(search, one))
      .map((one) => rolledUp(one, stat, periodSeconds))
      .sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
  }
}

function propertiesOf({ metric, dimensions }: Pick<MetricSeries, 'metric' | 'dimensions'>): Record<string, string> {
  const pairs = Object.entries(dimensions).map(([name, value]) => [`Dim.${name}`, value] as const);
  return { MetricName: metric, ...Object.fromEntries(pairs) };
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** How values of shorter periods make one of a longer. A mean is that of as many samples in each period, which FSx's are. */
const ROLL_UP: Readonly<Record<string, (values: readonly number[]) => number>> = {
  Sum: (values) => values.reduce((a, b) => a + b, 0),
  SampleCount: (values) => values.reduce((a, b) => a + b, 0),
  Average: mean,
  Maximum: (values) => Math.max(...values),
  Minimum: (values) => Math.min(...values),
};

function rolledUp(one: MetricSeries, stat: string, periodSeconds: number): Series {
  const label = [one.metric, ...Object.values(one.dimensions)].join(' ');
  const series = { label, properties: propertiesOf(one), periodSeconds };
  if (one.points.length === 0) return { ...series, points: new Map() };
  const roll = Object.hasOwn(ROLL_UP, stat) ? ROLL_UP[stat] : undefined;
  if (one.statistic !== stat || roll === undefined) {
    throw new NotEvaluated(`${one.metric} was collected as ${one.statistic}, and this asks for ${stat}`);
  }
  if (periodSeconds % one.periodSeconds !== 0) {
    throw new NotEvaluated(
      `${one.metric} was collected every ${one.periodSeconds} s, and this asks for ${periodSeconds} s`,
    );
  }
  const periods = new Map<number, number[]>();
  for (const [time, value] of one.points) {
    const at = Math.floor(Date.parse(time) / (periodSeconds * 1000)) * periodSeconds * 1000;
    periods.set(at, [...(periods.get(at) ?? []), value]);
  }
  const sorted = [...periods].sort(([a], [b]) => a - b);
  return { ...series, points: new Map(sorted.map(([at, values]) => [at, roll(values)])) };
}
