import { singleLine } from './printable';

/**
 * Rows as aligned columns, two spaces apart, independent of the terminal's width so that output can be piped.
 * @param isRight true for a column that is aligned right. @default - none is
 */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  isRight: (column: number) => boolean = () => false,
): string {
  const lines = rows.map((row) => row.map(singleLine));
  const widths = header.map((title, column) =>
    Math.max(title.length, ...lines.map((row) => (row[column] ?? '').length)),
  );
  const padded = (cell: string, column: number): string => {
    const width = widths[column] as number;
    return isRight(column) ? cell.padStart(width) : cell.padEnd(width);
  };
  return [header, ...lines].map((cells) => `${cells.map(padded).join('  ').trimEnd()}\n`).join('');
}
