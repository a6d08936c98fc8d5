/** A value with its unit, or the reason why there is none. */
export interface Measured {
  readonly operation: string;
  readonly metric: string;
  readonly value: number | null;
  readonly unit: string;
  readonly reason?: string;
  readonly iteration?: number | null;
  readonly problems?: readonly string[];
  readonly cautions?: readonly string[];
  /** Processes and machines that took part, as the tool printed them. */
  readonly ranks?: number | null;
  readonly nodes?: number | null;
  /** What it said of its version. */
  readonly toolVersion?: string | null;
}

/** Where a value belongs: the operation, and the tool's iteration where it has any. */
type Place = Pick<Measured, 'operation' | 'iteration'>;

/** Seconds until the first and until the last of those who work together was done. */
export function ends(place: Place, first: number, last: number): Measured[] {
  return [
    { ...place, metric: 'first_done', value: first, unit: 's' },
    { ...place, metric: 'last_done', value: last, unit: 's' },
  ];
}

/** What the slowest and the fastest of them had moved when the time was up. */
export function amounts(place: Place, least: number, most: number): Measured[] {
  return [
    { ...place, metric: 'least_bytes', value: least, unit: 'B' },
    { ...place, metric: 'most_bytes', value: most, unit: 'B' },
  ];
}

/** A rate of operations, with their number and the time that it stands for where the number is known. */
export function countedRate(place: Place, rate: number, count: number | null): Measured[] {
  const measured: Measured = { ...place, metric: 'rate', value: rate, unit: 'op/s' };
  if (count === null) return [measured];
  return [
    measured,
    { ...place, metric: 'operations', value: count, unit: '1' },
    { ...place, metric: 'seconds', value: count / rate, unit: 's' },
  ];
}
