import { METRICS_PERIOD } from '../schema/metrics';
import type { Manifest } from '../schema/run';
import type { Sample } from '../schema/sample';

export interface TimeWindow {
  readonly from: Date;
  readonly to: Date;
}

export const isoOf = ({ from, to }: TimeWindow) => ({ from: from.toISOString(), to: to.toISOString() });

/** CloudWatch publishes FSx's data points minutes late: wait 3 to 5 minutes after a run (facts-fsx-lustre, section 3). */
const PUBLICATION_SECONDS = 300;

/** The lab's servers are asked at the end of a period, and take so long to answer where others work. */
const LAB_PUBLICATION_SECONDS = 3;

/** The time window of a run's work, extended to whole periods, with complete data points at both ends; `null` before any work. */
export function runWindow(samples: readonly Sample[], periodSeconds: number): TimeWindow | null {
  if (samples.length === 0) return null;
  const period = periodSeconds * 1000;
  const starts = samples.map((sample) => Date.parse(sample.startedAt));
  const ends = samples.map((sample) => Date.parse(sample.endedAt));
  const from = starts.reduce((a, b) => Math.min(a, b));
  const to = ends.reduce((a, b) => Math.max(a, b));
  return { from: new Date(Math.floor(from / period) * period), to: new Date(Math.ceil(to / period) * period + period) };
}

export function secondsUntilPublished(to: Date, now: Date, lab: boolean): number {
  const late = lab ? LAB_PUBLICATION_SECONDS : PUBLICATION_SECONDS;
  return Math.max(0, late - (now.getTime() - to.getTime()) / 1000);
}

export function wholeMinutes({ from, to }: TimeWindow): TimeWindow {
  const minute = 60_000;
  return {
    from: new Date(Math.floor(from.getTime() / minute) * minute),
    to: new Date(Math.ceil(to.getTime() / minute) * minute),
  };
}

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
