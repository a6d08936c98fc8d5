import { statistics } from './figures/statistics';
import type { MetricView } from './metricViews';

type Series = MetricView['series'][number];

/** Range of a metric over all servers or targets of an arm, at one point in time. */
export interface BandPoint {
  readonly at: number;
  readonly low: number;
  readonly mid: number;
  readonly high: number;
}

/** Servers or targets of one arm that are too many for a line each. */
export interface Band {
  readonly arm: string;
  readonly parts: number;
  readonly periodSeconds: number;
  readonly points: readonly BandPoint[];
}

/** Most servers or targets that are drawn as lines: more would hide each other. */
export const MOST_LINES = 6;

/** The series of a metric, those of an arm with many of them as one band from the least to the most. */
export function bandsOf(series: readonly Series[]): { lines: Series[]; bands: Band[] } {
  const arms = [...Map.groupBy(series, ({ arm }) => arm)];
  return {
    lines: arms.flatMap(([, own]) => (own.length > MOST_LINES ? [] : own)),
    bands: arms.flatMap(([arm, own]) => (own.length > MOST_LINES ? [bandOf(arm, own)] : [])),
  };
}

function bandOf(arm: string, series: readonly Series[]): Band {
  const byTime = Map.groupBy(
    series.flatMap(({ points }) => points),
    ([at]) => at,
  );
  const points = [...byTime]
    .sort(([a], [b]) => a - b)
    .map(([at, own]): BandPoint => {
      const { min, median, max } = statistics(own.map(([, value]) => value));
      return { at, low: min ?? 0, mid: median ?? 0, high: max ?? 0 };
    });
  return { arm, parts: series.length, periodSeconds: Math.max(...series.map((one) => one.periodSeconds)), points };
}
