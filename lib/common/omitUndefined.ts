/** Without the keys whose value is `undefined`: spreading it overwrites nothing, and what is not asked for stays out of what is written down. */
export const omitUndefined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
