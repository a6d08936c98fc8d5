type OfArm = { readonly arm: string };

const grouped = new WeakMap<readonly OfArm[], Map<string, readonly OfArm[]>>();

/** Members of a list that belong to an arm, in their order. Each list is grouped once: a search for each arm would take the square of their number. */
export function ofArm<T extends OfArm>(list: readonly T[], arm: string): readonly T[] {
  const groups = grouped.get(list) ?? Map.groupBy<string, OfArm>(list, (one) => one.arm);
  grouped.set(list, groups);
  return (groups.get(arm) ?? []) as readonly T[];
}
