/** A key of several parts that no choice of parts can make ambiguous. */
export const keyOf = (...parts: readonly (string | number | null)[]): string => JSON.stringify(parts);
