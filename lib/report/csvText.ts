/** What a field of a table for programs can hold; `null` is an empty field. */
export type CsvValue = string | number | boolean | null;

/**
 * Rows as RFC 4180 has them: lines end with CR LF, and a field with a comma, a quotation mark or a line break stands in quotation
 * marks, its own doubled. Numbers are written with a point, whatever the locale.
 *
 * @throws when a row has another number of fields than the head
 */
export function csvText(head: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [head, ...rows]
    .map((row) => {
      if (row.length !== head.length) throw new Error(`'row' must have ${head.length} fields, got ${row.length}`);
      return `${row.map(field).join(',')}\r\n`;
    })
    .join('');
}

function field(value: CsvValue): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
