/** A compressibility target as `2.6:1`, or `–` if there is none. */
export const targetLabel = (target: number | null): string => (target === null ? '–' : `${target}:1`);

/** A compressibility target in words. */
export function targetWords(target: number | null): string {
  if (target === null) return 'all';
  return target === 1 ? 'incompressible' : `made for ${target}:1`;
}
