/** The ends of an interval, or of what a figure can be. */
export interface LowHigh<T> {
  readonly low: T;
  readonly high: T;
}
