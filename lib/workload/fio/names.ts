/** An operation as fio names patterns: `rw` for reads and writes in one figure. */
export const patternOf = (direction: string, random: boolean): string =>
  `${random ? 'rand' : ''}${direction === 'mixed' ? 'rw' : direction}`;

/** Percentiles that documents have, by fio's names of them. */
export const PERCENTILES = [
  ['50.000000', 'p50'],
  ['99.000000', 'p99'],
  ['99.900000', 'p99.9'],
] as const;
/** A direction of a job, or without `group_reporting` of one of its processes. */
export interface GroupRow {
  readonly name: string;
  readonly group: string;
  readonly operation: string;
}

/** The test of what all jobs of a group did together. */
export const groupTest = (group: string): string => `group ${group}`;

/** True if a job has a row for each of its processes. */
export const singleProcesses = (rows: readonly GroupRow[]): boolean =>
  new Set(rows.map(({ name, operation }) => `${name}\n${operation}`)).size < rows.length;
