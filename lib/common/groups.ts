/** The part of a fleet that is a group: `all` of it, the first so many (`first2`), or one of so many equal cuts of the list, in order, named `A`, `B`, … */
export function groupOf<T>(all: readonly T[], groups: number, group: string): readonly T[] {
  if (group === 'all') return all;
  const first = /^first(\d+)$/.exec(group)?.[1];
  if (first !== undefined) return all.slice(0, Number(first));
  const size = Math.floor(all.length / groups);
  const index = group.charCodeAt(0) - 'A'.charCodeAt(0);
  return all.slice(index * size, (index + 1) * size);
}
