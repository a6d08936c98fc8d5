/** Returns a table's own value for a key from a file: every object inherits `constructor` and `__proto__`. */
export const ownValue = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
