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
  /** Number of processes and machines, as the tool printed them. */
  readonly ranks?: number | null;
  readonly nodes?: number | null;
  /** The version that it printed. */
  readonly toolVersion?: string | null;
}

/** The operation of a value, and the tool's iteration, if any. */
type Place = Pick<Measured, 'operation' | 'iteration'>;

/** Seconds until the first and until the last process or client was done. */
export const ends = (place: Place, first: number, last: number): Measured[] => [
  { ...place, metric: 'first_done', value: first, unit: 's' },
  { ...place, metric: 'last_done', value: last, unit: 's' },
];

/** Bytes that the slowest and the fastest had moved at the stonewall. */
export const amounts = (place: Place, least: number, most: number): Measured[] => [
  { ...place, metric: 'least_bytes', value: least, unit: 'B' },
  { ...place, metric: 'most_bytes', value: most, unit: 'B' },
];

/** A rate of operations; with their number and the time, if the number is known. */
export function countedRate(place: Place, rate: number, count: number | null): Measured[] {
  const measured: Measured = { ...place, metric: 'rate', value: rate, unit: 'op/s' };
  if (count === null) return [measured];
  return [
    measured,
    { ...place, metric: 'operations', value: count, unit: '1' },
    { ...place, metric: 'seconds', value: count / rate, unit: 's' },
  ];
}
