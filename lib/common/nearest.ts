/** The number of edits (insert, delete, replace, swap of neighbours) between two words; none to a word that begins with the first. */
function distance(from: string, to: string): number {
  if (from.length > 3 && to.startsWith(from)) return 0;
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swappable = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = row > 1 && column > 1 && swappable ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1));
    }
  }
  return at(from.length, to.length);
}

/** The word most likely meant by a typo, or `undefined` if none is close: at most a third of the letters may differ. */
export function nearest(word: string, allowed: readonly string[]): string | undefined {
  const [best] = allowed
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined;
}

/** The end of a refusal: `; did you mean seconds?`, or nothing. */
export function didYouMean(word: string, allowed: readonly string[]): string {
  const meant = nearest(word, allowed);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
