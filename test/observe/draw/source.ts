import type { MetricSeries } from '../../../lib/schema/metrics';

export const START = Date.parse('2026-11-21T10:00:00Z');
const MINUTE = 60_000;

/** A collected metric with a value for each minute from the start; `null` is a minute without one. */
export function collected(
  metric: string,
  dimensions: Record<string, string>,
  values: readonly (number | null)[],
  more: Partial<MetricSeries> = {},
): MetricSeries {
  const points = values.flatMap((value, index) =>
    value === null ? [] : [[new Date(START + index * MINUTE).toISOString(), value] as const],
  );
  const base = { arm: 'a', namespace: 'AWS/FSx', statistic: 'Sum', unit: 'Count', periodSeconds: 60 };
  return { ...base, metric, dimensions, points, ...more };
}

/** Values by minute from the start, as {@link collected} takes them. */
export function minutes(points: ReadonlyMap<number, number>, count = 4): (number | null)[] {
  return Array.from({ length: count }, (_, index) => points.get(START + index * MINUTE) ?? null);
}
