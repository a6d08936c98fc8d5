import type { Comparison } from '../analysis/compare/comparisons';
import type { Cell } from '../analysis/figures/cells';
import { isSameWork } from '../analysis/figures/operationKind';
import type { RunSummary } from '../analysis/summary';
import { toMBps } from '../kit/format/units';
import type { Sample } from '../schema/sample';
import { type CsvValue, csvText } from './csvText';

/** The tables that a report can be written as: a row a sample, or a row an arm, operation, target and metric. */
export type CsvTable = 'samples' | 'summary';

/** A column: its name, and what stands in it. */
type Columns<Row> = readonly (readonly [name: string, value: (row: Row) => CsvValue])[];

/**
 * Runs as one table in the long form that statistics programs read. Every row has the validity of its run beside its value, and every
 * value that is missing its reason.
 */
export function renderCsv(runs: readonly RunSummary[], table: CsvTable = 'samples'): string {
  if (table === 'summary') return written(SUMMARY, runs.flatMap(summaryRows));
  return written(SAMPLES, runs.flatMap(sampleRows));
}

function written<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  return csvText(
    columns.map(([name]) => name),
    rows.map((row) => columns.map(([, value]) => value(row))),
  );
}

interface OfRun {
  readonly summary: RunSummary;
}

/** Run and conditions: the first columns of each table. */
const RUN: Columns<OfRun> = [
  ['run', ({ summary }) => summary.run],
  ['benchmark', ({ summary }) => summary.benchmark],
  ['plan', ({ summary }) => summary.plan],
  ['scale', ({ summary }) => summary.scale],
  ['lab', ({ summary }) => summary.lab],
];

interface SampleRow extends OfRun {
  readonly sample: Sample;
  /** False for an attempt that a later one replaced. */
  readonly counts: boolean;
}

function sampleRows(summary: RunSummary): SampleRow[] {
  const { samples, counted } = summary.record;
  const counts = new Set(counted);
  return samples.map((sample) => ({ summary, sample, counts: counts.has(sample) }));
}

/** Converts throughput to the report's unit, MB/s of 10^6 bytes, whatever the tool printed. */
function shown({ value, unit }: Sample): { value: number | null; unit: string } {
  if (toMBps(1, unit) === null) return { value, unit };
  return { value: value === null ? null : toMBps(value, unit), unit: 'MB/s' };
}

const SAMPLES: Columns<SampleRow> = [
  ...RUN,
  ['arm', ({ sample }) => sample.arm],
  ['phase', ({ sample }) => sample.phase],
  ['step', ({ sample }) => sample.step],
  ['repeat', ({ sample }) => sample.repeat],
  ['iteration', ({ sample }) => sample.iteration],
  ['attempt', ({ sample }) => sample.attempt],
  ['counts', ({ counts }) => counts],
  ['target', ({ sample }) => sample.target],
  ['file_bytes', ({ sample }) => sample.fileBytes ?? null],
  ['operation', ({ sample }) => sample.operation],
  ['metric', ({ sample }) => sample.metric],
  ['value', ({ sample }) => shown(sample).value],
  ['unit', ({ sample }) => shown(sample).unit],
  ['validity', ({ summary }) => summary.validity],
  ['reason', ({ sample }) => (sample.value === null ? (sample.reason ?? 'no reason was given') : null)],
  ['printed_value', ({ sample }) => sample.value],
  ['printed_unit', ({ sample }) => sample.unit],
  ['source', ({ sample }) => sample.source],
  ['tool', ({ sample }) => sample.tool],
  ['tool_version', ({ sample }) => sample.toolVersion],
  ['pattern', ({ sample }) => sample.pattern],
  ['group', ({ sample }) => sample.group],
  ['clients', ({ sample }) => sample.clients],
  ['ranks', ({ sample }) => sample.ranks],
  ['started_at', ({ sample }) => sample.startedAt],
  ['ended_at', ({ sample }) => sample.endedAt],
  ['raw', ({ sample }) => sample.raw],
  ['problems', ({ sample }) => sample.problems.join(' ')],
  ['cautions', ({ sample }) => sample.cautions.join(' ')],
  ['planned_ranks', ({ sample }) => sample.plannedRanks],
  ['nodes', ({ sample }) => sample.nodes ?? null],
];

/** A cell of the report, or what was read back of the space; with the comparison against the baseline where there is one. */
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
  ['arm', ({ arm }) => arm],
  ['target', ({ target }) => target],
  ['operation', ({ operation }) => operation],
  ['metric', ({ metric }) => metric],
  ['median', ({ median }) => median],
  ['unit', ({ unit }) => unit],
  ['validity', ({ summary }) => summary.validity],
  ['reason', ({ reasons }) => distinct(reasons)],
  ['least', ({ min }) => min],
  ['most', ({ max }) => max],
  ['mean', ({ mean }) => mean],
  ['coefficient_of_variation', ({ coefficientOfVariation }) => coefficientOfVariation],
  ['samples', ({ samples }) => samples],
  ['values', ({ count }) => count],
  ['baseline', ofPairs(({ baseline }) => baseline)],
  ['design', ofPairs(({ design }) => design)],
  ['baseline_mean', ofPairs(({ means: [baseline] }) => baseline)],
  ['arm_mean', ofPairs(({ means: [, arm] }) => arm)],
  ['quotient', ofPairs(({ estimate }) => estimate)],
  ['quotient_low', ofPairs(({ interval }) => interval?.low)],
  ['quotient_high', ofPairs(({ interval }) => interval?.high)],
  ['confidence', ofPairs(({ interval }) => interval?.confidence)],
  ['method', ofPairs(({ interval }) => interval?.method)],
  ['different', ofPairs(({ different }) => different)],
  ['minimum_detectable', ofPairs(({ minimumDetectable }) => minimumDetectable)],
  ['pairs', ofPairs(({ design, count }) => (design === 'pairs' ? count : null))],
  ['baseline_repeats', ofPairs(({ repeats: [baseline] }) => baseline)],
  ['repeats', ofPairs(({ repeats: [, arm] }) => arm)],
  ['pairs_reason', ofPairs(({ pairs }) => distinct(pairs.map(({ reason }) => reason)))],
];
