/** What a table has under a key that a file holds: `constructor` and `__proto__` are in every object, but in no table. */
export const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
