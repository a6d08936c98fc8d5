/** Returns the algorithm with which an arm's clients compress its data; `null` if its servers compress. */
export function clientCompressionOf(arm: string): { readonly algorithm: string; readonly level: number } | null {
  const [, algorithm, level] = /^client-([a-z0-9]+)-(\d+)$/.exec(arm) ?? [];
  return algorithm === undefined ? null : { algorithm, level: Number(level) };
}
