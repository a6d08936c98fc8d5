import type { Interval } from '../../../kit/statistics';

/** `3.4–3.8`; `null` without an interval. */
export const range = (interval: Interval | null, words: (value: number) => string): string | null =>
  interval === null ? null : `${words(Math.max(0, interval.low))}–${words(interval.high)}`;
