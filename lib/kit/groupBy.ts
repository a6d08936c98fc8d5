/** Items by key, keys in the order of their first appearance. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/** A key of several parts that no choice of parts can make ambiguous. */
export function keyOf(...parts: readonly (string | number | null)[]): string {
  return JSON.stringify(parts);
}
