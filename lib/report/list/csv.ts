import { type Trend, type TrendPoint, trendsOf } from '../../analysis/compare/trends';
import type { RunFigures } from '../../schema/summary';
import { type CsvValue, csvText } from '../csvText';

interface Row {
  readonly trend: Trend;
  readonly point: TrendPoint;
}

const COLUMNS: readonly (readonly [name: string, value: (row: Row) => CsvValue])[] = [
  ['benchmark', ({ trend }) => trend.benchmark],
  ['platform', ({ trend }) => trend.setting.platform],
  ['plan', ({ trend }) => trend.setting.plan],
  ['scale', ({ trend }) => trend.setting.scale],
  ['operation', ({ trend }) => trend.operation],
  ['target', ({ trend }) => trend.target],
  ['metric', ({ trend }) => trend.metric],
  ['run', ({ point }) => point.run],
  ['started_at', ({ point }) => point.startedAt],
  ['validity', ({ point }) => point.validity],
  ['arm', ({ point }) => point.arm],
  ['median', ({ point }) => point.value],
  ['unit', ({ trend }) => trend.unit],
  ['reason', ({ point }) => point.reason],
  ['least', ({ point }) => point.least],
  ['most', ({ point }) => point.most],
  ['repeats', ({ point }) => point.repeats],
  ['conditions', ({ point }) => point.conditions],
  ['against', ({ point }) => point.change?.against ?? null],
  ['quotient', ({ point }) => point.change?.ratio ?? null],
  ['real', ({ point }) => point.change?.real ?? null],
  ['change_reason', ({ point }) => point.changeReason],
];

/** The figures of all runs: one row for each run, arm and figure, in the order of the page's charts. */
export function indexCsv(runs: readonly RunFigures[]): string {
  const rows = trendsOf(runs).flatMap((trend) => trend.points.map((point) => ({ trend, point })));
  return csvText(
    COLUMNS.map(([name]) => name),
    rows.map((row) => COLUMNS.map(([, value]) => value(row))),
  );
}
