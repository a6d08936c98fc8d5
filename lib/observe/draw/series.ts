/** One time series: the start of each period in milliseconds since 1970, and its value. What is missing has no entry. */
export interface Series {
  readonly label: string;
  /** Where it came from: `MetricName` and the dimensions; empty for what was computed from several. */
  readonly properties: Readonly<Record<string, string>>;
  /** As it was asked for; what is counted is counted in so long. */
  readonly periodSeconds: number;
  /** How far apart its points are: more than the period where only longer ones were kept. */
  readonly everySeconds: number;
  readonly points: ReadonlyMap<number, number>;
}

export function emptySeries(label: string, periodSeconds: number, properties: Series['properties'] = {}): Series {
  return { label, properties, periodSeconds, everySeconds: periodSeconds, points: new Map() };
}

/** What an expression of metric math can be: a number, a time series, or several of them. Source: CloudWatch user guide, metric math. */
export type Value =
  | { readonly kind: 'scalar'; readonly value: number }
  | { readonly kind: 'series'; readonly series: Series }
  | { readonly kind: 'list'; readonly list: readonly Series[] };

export const scalar = (value: number): Value => ({ kind: 'scalar', value });

/** A series computed at some times; what is no number is missing, as CloudWatch stores none. */
export function computed(like: Series, times: Iterable<number>, value: (at: number) => number | undefined): Series {
  const points = new Map<number, number>();
  for (const at of times) {
    const result = value(at);
    if (result !== undefined && Number.isFinite(result)) points.set(at, result);
  }
  return { ...like, points };
}

/** An expression that is not evaluated, with the reason for people. */
export class NotEvaluated extends Error {}
