/** Content of a field in a table for programs; `null` is an empty field. */
export type CsvValue = string | number | boolean | null;

/** Columns by name, each with the value of a row in it. */
export type Columns<Row> = readonly (readonly [name: string, value: (row: Row) => CsvValue])[];

/** Columns that are named like the properties that they show. */
export const propertiesOf = <Row, Name extends string>(
  of: (row: Row) => Readonly<Record<Name, CsvValue>>,
  ...names: readonly Name[]
): Columns<Row> => names.map((name) => [name, (row) => of(row)[name]]);

export const csvTable = <Row>(columns: Columns<Row>, rows: readonly Row[]): string =>
  csvText(
    columns.map(([name]) => name),
    rows.map((row) => columns.map(([, value]) => value(row))),
  );

/**
 * Rows as RFC 4180 has them: lines end with CR LF, and a field with a comma, a quotation mark or a line break stands in quotation
 * marks, its own doubled. Numbers are written with a point, whatever the locale. Text that a spreadsheet would run as a formula begins
 * with an apostrophe (https://owasp.org/www-community/attacks/CSV_Injection): names of arms, tools and reasons come from elsewhere.
 *
 * @throws when a row has another number of fields than the head
 */
export const csvText = (head: readonly string[], rows: readonly (readonly CsvValue[])[]): string =>
  [head, ...rows]
    .map((row) => {
      if (row.length !== head.length) throw new Error(`'row' must have ${head.length} fields, got ${row.length}`);
      return `${row.map(field).join(',')}\r\n`;
    })
    .join('');

/** Characters that begin a formula: ASCII and full-width signs, and the blanks that spreadsheets strip before they look. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A number as text, as in a list of values: not a formula, whatever its sign. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

const isFormula = (value: CsvValue): value is string =>
  typeof value === 'string' && FORMULA.test(value) && !NUMBER.test(value);

function field(value: CsvValue): string {
  const text = value === null ? '' : isFormula(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
