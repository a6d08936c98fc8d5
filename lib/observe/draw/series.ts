/** A time series: the start of each period in milliseconds since the epoch, and its value. Missing values have no entry. */
export interface Series {
  readonly label: string;
  /** Its origin; empty if computed from several series. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** The requested period, over which counts are summed. */
  readonly periodSeconds: number;
  /** The interval of its points: longer than the period if only longer ones were kept. */
  readonly everySeconds: number;
  readonly points: ReadonlyMap<number, number>;
}

export const emptySeries = (label: string, periodSeconds: number, dimensions: Series['dimensions'] = {}): Series => ({
  label,
  dimensions,
  periodSeconds,
  everySeconds: periodSeconds,
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
