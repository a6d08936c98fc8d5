/** An operation as fio names patterns: `rw` for reads and writes that are not told apart. */
export function patternOf(direction: string, random: boolean): string {
  return `${random ? 'rand' : ''}${direction === 'mixed' ? 'rw' : direction}`;
}
