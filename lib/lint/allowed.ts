/** Marks the findings that the user allows: they stay, and stop nothing. @throws Error for an unknown id, with the known ones */
export function withAllowed<T extends { readonly id: string; readonly allowed?: boolean }>(
  findings: readonly T[],
  allow: readonly string[],
): T[] {
  const ids = [...new Set(findings.map(({ id }) => id))];
  for (const id of allow) {
    if (ids.includes(id)) continue;
    const known = ids.length === 0 ? 'and it has none: leave it out' : `which are ${ids.join(', ')}`;
    throw new Error(`'--allow' must be the id of a finding of this command, ${known}; got '${id}'`);
  }
  return findings.map((finding) => (allow.includes(finding.id) ? { ...finding, allowed: true } : finding));
}
