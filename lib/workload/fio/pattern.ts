/** An operation as fio names patterns: `rw` for reads and writes that are not told apart. */
export const patternOf = (direction: string, random: boolean): string =>
  `${random ? 'rand' : ''}${direction === 'mixed' ? 'rw' : direction}`;
