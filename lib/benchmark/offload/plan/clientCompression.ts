/** What compresses an arm's data on its clients; `null` where its servers do. */
export function clientCompressionOf(arm: string): { readonly algorithm: string; readonly level: number } | null {
  const [, algorithm, level] = /^client-([a-z0-9]+)-(\d+)$/.exec(arm) ?? [];
  return algorithm === undefined ? null : { algorithm, level: Number(level) };
}
