import { leavesOf, type Metric, type MetricExpression, type Reduction, type Search } from '../../dashboard/expression';
import type { Dashboard, Graph, Line } from '../../dashboard/graph';
import { type Collected, computed, emptySeries, MINUTE_SECONDS, NotEvaluated, type Series } from './source';

/** The series of a line as CloudWatch evaluates it (metric math, search expressions). @throws NotEvaluated for a metric with another statistic or period */
export function seriesOf(of: Line['of'], source: Collected): readonly Series[] {
  if (of.kind === 'parts') return source.search(of.search);
  if (of.kind !== 'query') {
    const value = evaluated(of, source);
    if (typeof value === 'number') throw new Error(`a line must be a series, got the number ${value}`);
    return [value];
  }
  return of.searches.map((search) => ({
    ...reduced(of.how, source.search(search)),
    // CloudWatch names each by the value that distinguishes it.
    label: Object.values(search.resource)[0] ?? '',
  }));
}

function evaluated(expression: MetricExpression, source: Collected): Series | number {
  const value = (of: MetricExpression) => evaluated(of, source);
  const found = (search: Search) => source.search(search);
  switch (expression.kind) {
    case 'metric':
      return source.metric(expression);
    case 'constant':
      return expression.value;
    case 'named':
      return value(expression.of);
    case 'sum':
      return expression.of.map(value).reduce((a, b) => pointwise((one, other) => one + other, a, b));
    case 'rate':
      return pointwise((count, seconds) => count / seconds, value(expression.of), MINUTE_SECONDS);
    case 'product':
      return pointwise((a, b) => a * b, value(expression.left), value(expression.right));
    case 'ratio':
      return pointwise((a, b) => a / b, value(expression.left), value(expression.right));
    case 'extreme':
      return reduced(
        expression.how,
        expression.of.map(value).filter((one) => typeof one !== 'number'),
      );
    case 'reduced':
      return reduced(expression.how, found(expression.search));
    case 'count':
      return found(expression.search).length;
  }
}

/** Computes point by point. If only one of two series has a point, the other counts as 0 (CloudWatch user guide, basic arithmetic). */
function pointwise(apply: (a: number, b: number) => number, left: Series | number, right: Series | number) {
  const [like, ...others] = [left, right].filter((value) => typeof value !== 'number');
  if (like === undefined) return apply(left as number, right as number);
  const at = (value: Series | number, time: number) =>
    typeof value === 'number' ? value : (value.points.get(time) ?? 0);
  return computed(like, timesOf([like, ...others]), (time) => apply(at(left, time), at(right, time)));
}

const timesOf = (list: readonly Series[]): number[] =>
  [...new Set(list.flatMap(({ points }) => [...points.keys()]))].sort((a, b) => a - b);

/** Aggregates the existing values; `of` is the number of series. */
const REDUCE: Readonly<Record<Reduction, (values: readonly number[], of: number) => number>> = {
  SUM: (values) => values.reduce((a, b) => a + b, 0),
  // A missing value is 0 here as well.
  AVG: (values, of) => values.reduce((a, b) => a + b, 0) / of,
  MAX: (values) => values.reduce((a, b) => Math.max(a, b)),
  MIN: (values) => values.reduce((a, b) => Math.min(a, b)),
};

/** One series from the existing points of several. A search without results means no data, not zero. */
function reduced(how: Reduction, list: readonly Series[]): Series {
  const [first] = list;
  if (first === undefined) return emptySeries(how);
  return computed({ ...first, label: how, dimensions: {} }, timesOf(list), (at) =>
    REDUCE[how](
      list.flatMap(({ points }) => points.get(at) ?? []),
      list.length,
    ),
  );
}

export interface DrawnLine {
  readonly label: string;
  /** Its name on the dashboard, without the part that distinguishes servers or targets: shared by lines of one search. */
  readonly group: string;
  readonly colour: string | null;
  readonly right: boolean;
  readonly series: Series;
}

export type DrawnGraph = ReturnType<typeof drawnGraph>;

/** A graph's lines, those without data (`missing`), with an input that counts as 0 (`partial`), and collected in another form (`refused`). */
export function drawnGraph({ left, right }: Graph, source: Collected) {
  const lines: DrawnLine[] = [];
  const [missing, partial, refused] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  for (const line of [...left, ...right]) {
    const { label: group, colour = null, of } = line;
    try {
      const list = seriesOf(of, source);
      const shown = list.filter(({ points }) => points.size > 0);
      const why = [...new Set(leavesOf(of).flatMap((leaf) => source.reason(leaf) ?? []))].join('; ');
      if (shown.length === 0) missing.set(group, why || 'no value at any time');
      else if (why !== '') partial.set(group, why);
      const own = { group, colour, right: right.includes(line) };
      for (const series of shown) lines.push({ ...own, label: labelOf(line, series, list.length > 1), series });
    } catch (error) {
      if (!(error instanceof NotEvaluated)) throw error;
      refused.set(group, error.message);
    }
  }
  const remarks = (map: ReadonlyMap<string, string>) => [...map].map(([label, why]) => ({ label, why }));
  return { lines, missing: remarks(missing), partial: remarks(partial), refused: remarks(refused) };
}

/** Lines of one quantity are distinguished by a dimension, or else by their own names. */
function labelOf({ label, by }: Line, { dimensions, label: own }: Series, several: boolean): string {
  if (by !== undefined) return `${label} ${dimensions[by] ?? ''}`.trim();
  return several ? `${label} ${own}` : label;
}

export const graphsOf = ({ rows }: Dashboard): Graph[] => rows.flat().filter((panel) => panel.kind === 'graph');

/** The dashboard's colours for names that are on several graphs, such as an arm. */
export function coloursOf(dashboard: Dashboard): ReadonlyMap<string, string> {
  const named = graphsOf(dashboard).flatMap(({ left, right }) =>
    [...left, ...right].flatMap(({ label, colour }) => (colour === undefined ? [] : [[label, colour] as const])),
  );
  return new Map(named.reverse());
}

export const leavesIn = (dashboard: Dashboard): readonly (Metric | Search)[] =>
  graphsOf(dashboard).flatMap(({ left, right }) => [...left, ...right].flatMap(({ of }) => leavesOf(of)));
