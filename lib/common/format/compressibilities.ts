/** The compressibility of data as `2.6:1`, or `–` if there is none. */
export const compressibilityLabel = (compressibility: number | null): string =>
  compressibility === null ? '–' : `${compressibility}:1`;

/** The compressibility of data in words: `all`, `incompressible` or `made for 2.6:1`. */
export function describeCompressibility(compressibility: number | null): string {
  if (compressibility === null) return 'all';
  return compressibility === 1 ? 'incompressible' : `made for ${compressibility}:1`;
}
