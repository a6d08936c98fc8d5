/** A key of several parts that no choice of parts can make ambiguous. */
export function keyOf(...parts: readonly (string | number | null)[]): string {
  return JSON.stringify(parts);
}
