/** A figure, or why there is none: exactly one of `value` and `reason` is null. */
export interface Known {
  readonly value: number | null;
  readonly reason: string | null;
}

export const known = (value: number): Known => ({ value, reason: null });
export const unknown = (reason: string): Known => ({ value: null, reason });
