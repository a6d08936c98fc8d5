/** Columns of a terminal. */
const WIDTH = 100;

/** Breaks a line at spaces where it is wider than a terminal, and indents what follows. */
export function wrapped(line: string): string[] {
  const indent = line.search(/\S/);
  const at = line.lastIndexOf(' ', WIDTH);
  if (line.length <= WIDTH || at <= indent) return [line];
  const margin = ' '.repeat(Math.max(2, indent));
  return [line.slice(0, at), ...wrapped(margin + line.slice(at + 1))];
}
