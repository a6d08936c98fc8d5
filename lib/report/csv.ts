import type { Comparison } from '../analysis/compare/comparisons';
import type { Cell } from '../analysis/figures/cells';
import { isSameWork } from '../analysis/figures/operationKind';
import type { RunSummary } from '../analysis/summary';
import { toMBps } from '../common/format/units';
import type { Sample } from '../schema/sample';

/** Content of a field in a table for programs; `null` is an empty field. */
export type CsvValue = string | number | boolean | null;

type Columns<Row> = readonly (readonly [name: string, value: (row: Row) => CsvValue])[];

const propertiesOf = <Row, Name extends string>(
  of: (row: Row) => Readonly<Record<Name, CsvValue>>,
  ...names: readonly Name[]
): Columns<Row> => names.map((name) => [name, (row) => of(row)[name]]);

const csvTable = <Row>(columns: Columns<Row>, rows: readonly Row[]): string =>
  csvText(
    columns.map(([name]) => name),
    rows.map((row) => columns.map(([, value]) => value(row))),
  );

/**
 * Rows by RFC 4180, with CR LF; numbers have a decimal point in every locale. Text that a spreadsheet would run as a formula gets an apostrophe, as names
 * come from elsewhere (https://owasp.org/www-community/attacks/CSV_Injection). @throws when a row has another number of fields than the head
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

/** The tables that a report can be written as: a row a sample, or a row an arm, operation, target and metric. */
export type CsvTable = 'samples' | 'summary';

/** Runs as one table in long form, as statistics programs read it. Rows have their run's validity, and missing values their reason. */
export const renderCsv = (runs: readonly RunSummary[], table: CsvTable = 'samples'): string =>
  table === 'summary' ? csvTable(SUMMARY, runs.flatMap(summaryRows)) : csvTable(SAMPLES, runs.flatMap(sampleRows));

interface OfRun {
  readonly summary: RunSummary;
}

const RUN = propertiesOf(({ summary }: OfRun) => summary, 'run', 'benchmark', 'plan', 'scale', 'lab');

type SampleRow = ReturnType<typeof sampleRows>[number];

function sampleRows(summary: RunSummary) {
  const { samples, counted } = summary.record;
  const counts = new Set(counted);
  // A later attempt may have taken its place.
  return samples.map((sample) => ({ summary, sample, counts: counts.has(sample) }));
}

/** Converts throughput to the report's unit, MB/s of 10^6 bytes, whatever the tool printed. */
function shown({ value, unit }: Sample): { value: number | null; unit: string } {
  if (toMBps(1, unit) === null) return { value, unit };
  return { value: value === null ? null : toMBps(value, unit), unit: 'MB/s' };
}

const SAMPLES: Columns<SampleRow> = [
  ...RUN,
  ...propertiesOf(({ sample }: SampleRow) => sample, 'arm', 'phase', 'step', 'repeat', 'iteration', 'attempt'),
  ['counts', ({ counts }) => counts],
  ['compressibility', ({ sample }) => sample.compressibility],
  ['file_bytes', ({ sample }) => sample.fileBytes ?? null],
  ...propertiesOf(({ sample }: SampleRow) => sample, 'operation', 'metric'),
  ['value', ({ sample }) => shown(sample).value],
  ['unit', ({ sample }) => shown(sample).unit],
  ['validity', ({ summary }) => summary.validity],
  ['reason', ({ sample }) => (sample.value === null ? (sample.reason ?? 'no reason was given') : null)],
  ['printed_value', ({ sample }) => sample.value],
  ['printed_unit', ({ sample }) => sample.unit],
  ...propertiesOf(({ sample }: SampleRow) => sample, 'source', 'tool'),
  ['tool_version', ({ sample }) => sample.toolVersion],
  ...propertiesOf(({ sample }: SampleRow) => sample, 'pattern', 'group', 'clients', 'ranks'),
  ['started_at', ({ sample }) => sample.startedAt],
  ['ended_at', ({ sample }) => sample.endedAt],
  ['raw', ({ sample }) => sample.raw],
  ['problems', ({ sample }) => sample.problems.join(' ')],
  ['cautions', ({ sample }) => sample.cautions.join(' ')],
  ['planned_ranks', ({ sample }) => sample.plannedRanks],
  ['nodes', ({ sample }) => sample.nodes ?? null],
];

/** A cell of the report, or the space that was read back; with the comparison against the baseline if there is one. */
interface SummaryRow extends OfRun, Omit<Cell, 'kind' | 'tools' | 'samples' | 'outliers'> {
  readonly samples: number;
  readonly reasons: readonly (string | null | undefined)[];
  readonly comparison: Comparison | null;
}

function summaryRows(summary: RunSummary): SummaryRow[] {
  const { cells, comparisons, space } = summary;
  const measured = cells.map((cell): SummaryRow => {
    const comparison = comparisons.find((one) => one.metric === cell.metric && isSameWork(one, cell));
    const reasons = cell.samples.map(({ reason }) => reason);
    return { ...cell, summary, samples: cell.samples.length, reasons, comparison: comparison ?? null };
  });
  const read = space.map(
    (cell): SummaryRow => ({
      ...cell,
      summary,
      operation: 'space',
      metric: 'compression_ratio',
      unit: '1',
      samples: cell.readings.length,
      coefficientOfVariation: null,
      reasons: cell.readings.map(({ reason }) => reason),
      comparison: null,
    }),
  );
  return [...measured, ...read];
}

const ofPairs =
  (value: (comparison: Comparison) => CsvValue | undefined) =>
  ({ comparison }: SummaryRow): CsvValue =>
    comparison === null ? null : (value(comparison) ?? null);

const distinct = (reasons: readonly (string | null | undefined)[]): string =>
  [...new Set(reasons.flatMap((reason) => reason ?? []))].join('; ');

const SUMMARY: Columns<SummaryRow> = [
  ...RUN,
  ...propertiesOf((row: SummaryRow) => row, 'arm', 'compressibility', 'operation', 'metric', 'median', 'unit'),
  ['validity', ({ summary }) => summary.validity],
  ['reason', ({ reasons }) => distinct(reasons)],
  ...propertiesOf((row: SummaryRow) => row, 'min', 'max', 'mean'),
  ['coefficient_of_variation', ({ coefficientOfVariation }) => coefficientOfVariation],
  ['samples', ({ samples }) => samples],
  ['values', ({ count }) => count],
  ['baseline', ofPairs(({ baseline }) => baseline)],
  ['baseline_mean', ofPairs(({ means: [baseline] }) => baseline)],
  ['arm_mean', ofPairs(({ means: [, arm] }) => arm)],
  ['ratio', ofPairs(({ estimate }) => estimate)],
  ['ratio_low', ofPairs(({ interval }) => interval?.low)],
  ['ratio_high', ofPairs(({ interval }) => interval?.high)],
  ['confidence', ofPairs(({ interval }) => interval?.confidence)],
  ['method', ofPairs(({ interval }) => interval?.method)],
  ['different', ofPairs(({ different }) => different)],
  ['minimum_detectable', ofPairs(({ minimumDetectable }) => minimumDetectable)],
  ['pairs', ofPairs(({ count }) => count)],
  ['baseline_repeats', ofPairs(({ repeats: [baseline] }) => baseline)],
  ['repeats', ofPairs(({ repeats: [, arm] }) => arm)],
  ['pairs_reason', ofPairs(({ pairs }) => distinct(pairs.map(({ reason }) => reason)))],
];
