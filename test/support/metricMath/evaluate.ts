import { ownValue } from '../../../lib/common/collections';
import { parseQuery } from './query';
import { computed, emptySeries, NotEvaluated, type Series, type Source, scalar, type Value } from './series';
import { type Node, type Operator, parseExpression } from './syntax';

/** The inputs of an expression. */
export interface ExpressionScope {
  readonly source: Source;
  /** The value of another metric or expression of the graph. @throws NotEvaluated without one */
  readonly byId: (id: string) => Value;
  /** Period of the graph. */
  readonly periodSeconds: number;
}

/**
 * Evaluates a metric math expression in the forms of our dashboards and alarms, as CloudWatch does, without the code that wrote it: an oracle for
 * tests. Source of the semantics: CloudWatch user guide, metric math and search expressions.
 *
 * @returns the value, or the reason; never throws
 */
export function evaluate(
  text: string,
  surroundings: ExpressionScope,
): Value | { readonly kind: 'not'; readonly reason: string } {
  try {
    if (/^\s*SELECT\b/i.test(text)) return answered(text, surroundings);
    return valueOfNode(parseExpression(text), surroundings);
  } catch (error) {
    if (error instanceof NotEvaluated) return { kind: 'not', reason: error.message };
    throw error;
  }
}

function valueOfNode(node: Node, surroundings: ExpressionScope): Value {
  switch (node.kind) {
    case 'number':
      return scalar(node.value);
    case 'id':
      return surroundings.byId(node.id);
    case 'text':
      throw new NotEvaluated('a text outside of SEARCH');
    case 'array':
      return { kind: 'list', list: node.items.flatMap((item) => seriesOf(valueOfNode(item, surroundings), 'a list')) };
    case 'minus':
      return binary('-', scalar(0), valueOfNode(node.of, surroundings));
    case 'binary':
      return binary(node.operator, valueOfNode(node.left, surroundings), valueOfNode(node.right, surroundings));
    case 'call':
      return call(node.name, node.args, surroundings);
  }
}

const truth = (holds: boolean): number => (holds ? 1 : 0);

const APPLY: Readonly<Record<Operator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  // A result that is not a number, such as a division by zero, becomes a missing point.
  '/': (a, b) => a / b,
  '^': (a, b) => a ** b,
  '<': (a, b) => truth(a < b),
  '>': (a, b) => truth(a > b),
  '<=': (a, b) => truth(a <= b),
  '>=': (a, b) => truth(a >= b),
  '==': (a, b) => truth(a === b),
  '!=': (a, b) => truth(a !== b),
  AND: (a, b) => truth(a !== 0 && b !== 0),
  '&&': (a, b) => truth(a !== 0 && b !== 0),
  OR: (a, b) => truth(a !== 0 || b !== 0),
  '||': (a, b) => truth(a !== 0 || b !== 0),
};

/** Computes point by point. If only one of two series has a point, the other counts as 0 (CloudWatch user guide, basic arithmetic). */
function binary(operator: Operator, left: Value, right: Value): Value {
  const apply = APPLY[operator];
  if (left.kind === 'list' && right.kind === 'list')
    throw new NotEvaluated(`'${operator}' between two lists of series`);
  if (left.kind === 'list')
    return { kind: 'list', list: left.list.map((one) => pointwise(apply, asValue(one), right)) };
  if (right.kind === 'list')
    return { kind: 'list', list: right.list.map((one) => pointwise(apply, left, asValue(one))) };
  if (left.kind === 'scalar' && right.kind === 'scalar') return scalar(apply(left.value, right.value));
  return asValue(pointwise(apply, left, right));
}

const asValue = (series: Series): Value => ({ kind: 'series', series });

function pointwise(apply: (a: number, b: number) => number, left: Value, right: Value): Series {
  const series = [left, right].flatMap((value) => (value.kind === 'series' ? [value.series] : []));
  const [like, other] = series;
  if (like === undefined) throw new NotEvaluated('no series to compute with');
  const times = other === undefined ? like.points.keys() : timesOf(series);
  return computed(like, times, (at) => apply(pointOf(left, at) ?? 0, pointOf(right, at) ?? 0));
}

/** Times at which at least one of them has a point. */
function timesOf(list: readonly Series[]): number[] {
  return [...new Set(list.flatMap(({ points }) => [...points.keys()]))].sort((a, b) => a - b);
}

/** A number as a constant series. */
function pointOf(value: Value, at: number): number | undefined {
  if (value.kind === 'scalar') return value.value;
  return value.kind === 'series' ? value.series.points.get(at) : undefined;
}

function seriesOf(value: Value, where: string): readonly Series[] {
  if (value.kind === 'scalar') throw new NotEvaluated(`a number in ${where}, which takes series`);
  return value.kind === 'series' ? [value.series] : value.list;
}

/** Aggregates the existing values; `of` is the number of series or points. */
type Reduce = (values: readonly number[], of: number) => number;

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

const REDUCE: Readonly<Record<string, Reduce>> = {
  SUM: sum,
  // A missing value also counts as 0.
  AVG: (values, of) => sum(values) / of,
  MAX: (values) => values.reduce((a, b) => Math.max(a, b)),
  MIN: (values) => values.reduce((a, b) => Math.min(a, b)),
};

function call(name: string, args: readonly Node[], surroundings: ExpressionScope): Value {
  if (name === 'SEARCH') return search(args, surroundings);
  const take = (count: number): Value[] => {
    if (args.length !== count) throw new NotEvaluated(`${name} with ${args.length} arguments instead of ${count}`);
    return args.map((arg) => valueOfNode(arg, surroundings));
  };
  const reduce = ownValue(REDUCE, name);
  if (reduce !== undefined) return reduced(name, reduce, take(1)[0] as Value, surroundings);
  switch (name) {
    case 'PERIOD': {
      const [of] = take(1) as [Value];
      if (of.kind !== 'series') throw new NotEvaluated('PERIOD of what is not one series');
      return scalar(of.series.periodSeconds);
    }
    case 'METRIC_COUNT':
      return scalar(seriesOf(take(1)[0] as Value, name).length);
    case 'FILL':
      return filled(take(2) as [Value, Value], surroundings);
    case 'IF':
      return chosen(take(args.length === 2 ? 2 : 3) as [Value, Value, Value?]);
    case 'MINUTE':
      return clock(name, take(1)[0] as Value, (date) => date.getUTCMinutes(), surroundings);
    case 'HOUR':
      return clock(name, take(1)[0] as Value, (date) => date.getUTCHours(), surroundings);
    default:
      throw new NotEvaluated(`the function ${name}`);
  }
}

/** The lines of a Metrics Insights query, named by their distinguishing value. */
function answered(text: string, surroundings: ExpressionScope): Value {
  const { aggregate, statistic, lines } = parseQuery(text);
  const { source, periodSeconds } = surroundings;
  const reduce = REDUCE[aggregate] as Reduce;
  const list = lines.flatMap(({ value, search: what }) => {
    const found: Value = { kind: 'list', list: source.search(what, statistic, periodSeconds) };
    return seriesOf(reduced(aggregate, reduce, found, surroundings), 'a query').map((one) => ({
      ...one,
      label: value,
    }));
  });
  return { kind: 'list', list };
}

function search(args: readonly Node[], { source, periodSeconds }: ExpressionScope): Value {
  const [what, stat, period] = args;
  if (what?.kind !== 'text' || stat?.kind !== 'text' || args.length > 3) throw new NotEvaluated('SEARCH of this form');
  if (period !== undefined && (period.kind !== 'number' || !(period.value >= 1))) {
    throw new NotEvaluated('SEARCH with such a period');
  }
  return { kind: 'list', list: source.search(what.value, stat.value, period?.value ?? periodSeconds) };
}

/** Reduces a list to one series over the existing points, and one series to a number. */
function reduced(name: string, reduce: Reduce, of: Value, { periodSeconds }: ExpressionScope): Value {
  if (of.kind === 'scalar') throw new NotEvaluated(`${name} of a number`);
  if (of.kind === 'series') {
    const values = [...of.series.points.values()];
    return values.length === 0 ? of : scalar(reduce(values, values.length));
  }
  const [first] = of.list;
  // A search without results means no data, not zero.
  if (first === undefined) return asValue(emptySeries(name, periodSeconds));
  const { list } = of;
  const like = { ...first, label: name, dimensions: {} };
  return asValue(
    computed(like, timesOf(list), (at) => {
      const values = list.flatMap(({ points }) => points.get(at) ?? []);
      return reduce(values, list.length);
    }),
  );
}

/** Fills every period of the window; CloudWatch does not fill a metric without any data. */
function filled([of, filler]: readonly [Value, Value], { source }: ExpressionScope): Value {
  if (of.kind === 'scalar') throw new NotEvaluated('FILL of a number');
  if (filler.kind === 'list') throw new NotEvaluated('FILL with a list of series');
  const one = (series: Series): Series => {
    if (series.points.size === 0) return series;
    const times = [...new Set([...periodsOf(series, source), ...series.points.keys()])].sort((a, b) => a - b);
    return computed(series, times, (at) => series.points.get(at) ?? pointOf(filler, at));
  };
  return of.kind === 'series' ? asValue(one(of.series)) : { kind: 'list', list: of.list.map(one) };
}

/** The start of every period of the window. */
function periodsOf({ everySeconds }: Series, { window }: Source): number[] {
  const step = everySeconds * 1000;
  const start = Math.ceil(window.from / step) * step;
  const count = Math.min(MOST_PERIODS, Math.max(0, Math.ceil((window.to - start) / step)));
  return Array.from({ length: count }, (_, index) => start + index * step);
}

/** UTC time at the start of each period, with or without a data point (CloudWatch user guide, MINUTE and HOUR). */
function clock(name: string, of: Value, read: (date: Date) => number, { source }: ExpressionScope): Value {
  if (of.kind !== 'series') throw new NotEvaluated(`${name} of what is not one series`);
  return asValue(computed(of.series, periodsOf(of.series, source), (at) => read(new Date(at))));
}

/** The most data points in a response (GetMetricData). */
const MOST_PERIODS = 100_800;

/**
 * A series as condition selects at each of its times: if it is true and the selected series has no point, the result is 0; if it is
 * false, there is none (CloudWatch user guide, using IF expressions).
 */
function chosen([condition, yes, no]: readonly [Value, Value, Value?]): Value {
  if (condition.kind === 'list' || yes.kind === 'list' || no?.kind === 'list') {
    throw new NotEvaluated('IF with a list of series');
  }
  if (condition.kind === 'scalar') {
    if (condition.value !== 0) return yes;
    if (no !== undefined) return no;
    if (yes.kind === 'scalar') throw new NotEvaluated('IF of numbers alone');
    return asValue({ ...yes.series, points: new Map() });
  }
  const { series } = condition;
  return asValue(
    computed(series, series.points.keys(), (at) =>
      series.points.get(at) !== 0 ? (pointOf(yes, at) ?? 0) : no && pointOf(no, at),
    ),
  );
}
