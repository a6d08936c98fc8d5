import { METRICS_PERIOD } from '../schema/metrics';
import type { Manifest } from '../schema/run';

const DAY = 86_400;

/** Retention of data points by period, both in seconds. Source: CloudWatch API reference, GetMetricData. */
const KEPT: readonly (readonly [ageSeconds: number, periodSeconds: number])[] = [
  [3 * 3600, 1],
  [15 * DAY, 60],
  [63 * DAY, 300],
  [455 * DAY, 3600],
];

/** Why there is nothing of a time for which {@link keptPeriod} has no period. */
export const NOT_KEPT = 'CloudWatch keeps nothing for more than 455 days';

/** The shortest period of at least `wanted` seconds that CloudWatch still keeps for a time, a multiple of shorter ones; `null` if it keeps none. */
export function keptPeriod(from: Date, now: Date, wanted: number): number | null {
  const age = (now.getTime() - from.getTime()) / 1000;
  const kept = KEPT.find(([longest]) => age <= longest);
  return kept === undefined ? null : Math.max(wanted, kept[1]);
}

/** CloudWatch lists metrics with data in the last two weeks (API reference, ListMetrics); one day less as a margin. */
export const isListed = (from: Date, now: Date): boolean => now.getTime() - from.getTime() < 13 * DAY * 1000;

/** Seconds between two data points of a run's metrics. */
export const metricsPeriodOf = ({ metricsPeriodSeconds, lab }: Manifest): number =>
  metricsPeriodSeconds ?? METRICS_PERIOD[lab ? 'lab' : 'aws'];
