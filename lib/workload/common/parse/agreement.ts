/** True unless both figures are known and further apart than rounding explains. */
export const agrees = (one: number | null | undefined, other: number | null | undefined, tolerance: number): boolean =>
  !(Math.abs((one ?? Number.NaN) - (other ?? Number.NaN)) > tolerance);

/** True unless known figures are out of order by more than rounding explains. */
export function isOrdered(low: number | null, middle: number | null, high: number | null, tolerance = 0): boolean {
  const [a, b, c] = [low ?? Number.NaN, middle ?? Number.NaN, high ?? Number.NaN];
  return !(a > b + tolerance || b > c + tolerance || a > c + tolerance);
}
