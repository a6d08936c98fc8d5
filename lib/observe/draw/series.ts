/** A time series: the start of each period in milliseconds since the epoch, and its value. Missing values have no entry. */
export interface Series {
  readonly label: string;
  /** Its origin: `MetricName` and the dimensions; empty if computed from several series. */
  readonly properties: Readonly<Record<string, string>>;
  /** The requested period, over which counts are summed. */
  readonly periodSeconds: number;
  /** The interval of its points: longer than the period if only longer ones were kept. */
  readonly everySeconds: number;
  readonly points: ReadonlyMap<number, number>;
}

export function emptySeries(label: string, periodSeconds: number, properties: Series['properties'] = {}): Series {
  return { label, properties, periodSeconds, everySeconds: periodSeconds, points: new Map() };
}

/** Value of a metric math expression: a number, a time series, or several of them. Source: CloudWatch user guide, metric math. */
export type Value =
  | { readonly kind: 'scalar'; readonly value: number }
  | { readonly kind: 'series'; readonly series: Series }
  | { readonly kind: 'list'; readonly list: readonly Series[] };

export const scalar = (value: number): Value => ({ kind: 'scalar', value });

/** A series computed at some times; results that are not numbers are missing, as in CloudWatch. */
export function computed(like: Series, times: Iterable<number>, value: (at: number) => number | undefined): Series {
  const points = new Map<number, number>();
  for (const at of times) {
    const result = value(at);
    if (result !== undefined && Number.isFinite(result)) points.set(at, result);
  }
  return { ...like, points };
}

/** An expression that is not supported, with the reason. */
export class NotEvaluated extends Error {}
