import type { Sample } from '../schema/sample';

/** From when to when. */
export interface TimeWindow {
  readonly from: Date;
  readonly to: Date;
}

/** A window as documents have it. */
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

/** Seconds to wait until the last data points of a window are published. */
export function secondsUntilPublished(to: Date, now: Date, lab: boolean): number {
  const late = lab ? LAB_PUBLICATION_SECONDS : PUBLICATION_SECONDS;
  return Math.max(0, late - (now.getTime() - to.getTime()) / 1000);
}

/** A window extended to whole minutes. */
export function wholeMinutes({ from, to }: TimeWindow): TimeWindow {
  const minute = 60_000;
  return {
    from: new Date(Math.floor(from.getTime() / minute) * minute),
    to: new Date(Math.ceil(to.getTime() / minute) * minute),
  };
}
