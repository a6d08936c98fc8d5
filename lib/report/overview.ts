import type { Comparison } from '../analysis/compare/comparisons';
import type { Cell } from '../analysis/figures/cells';
import { byMostNodes, mainRates, rateKinds } from '../analysis/figures/operationKind';
import { spaceAt } from '../analysis/figures/space';
import type { RunSummary } from '../analysis/summary';
import { describeCompressibility, sentenceCase } from '../common/format/text';
import { duration, moment, NO_VALUE, plain, precise, ratio, ratioRange, usd } from '../common/format/units';
import type { WorkloadAction } from '../schema/plan';
import { isLocal } from '../store/platform';
import { describeOperation, operationOrNone } from '../workload/lookup';
import {
  type CalloutBlock,
  columns,
  numbers,
  quantity,
  type TableBlock,
  type TableField,
  type Text,
  table,
} from './blocks';
import { labSentences } from './findings';
import { describeUnit } from './title';

/** True if every figure needs the word INVALID next to it. */
export const isMarked = ({ validity, cells }: RunSummary): boolean => validity === 'INVALID' && cells.length > 0;

export function runSummaryLine(run: RunSummary): string[] {
  const { plan, scale, startedAt, seconds, sessions, interruptedSeconds, state, place } = run;
  const between = interruptedSeconds === null ? 'an unknown time' : duration(interruptedSeconds);
  const interrupted =
    sessions.length < 2 ? '' : ` in ${sessions.length} sessions, with ${between} of interruption between them`;
  return [
    plan === null ? [] : `${plan} plan`,
    // Sizes for one computer are those of the lab, which a run on directories was not.
    scale === null ? [] : scale === 'lab' && isLocal(place) ? 'sized for one computer' : `${scale} scale`,
    startedAt === null ? [] : moment(startedAt),
    seconds === null ? [] : `ran ${duration(seconds)}${interrupted}`,
    state === null || state === 'done' ? [] : state,
  ].flat();
}

/** Notice that a reader needs before any number: the differences between this run and AWS. On the page, its brief form leads to it, unless that is the whole of it. */
export function notice(run: RunSummary): (CalloutBlock & { readonly brief: Text; readonly isWhole: boolean }) | null {
  const lines = labSentences(run);
  const [first = []] = lines;
  if (lines.length === 0) return null;
  const brief = run.lab ? LAB_BRIEF[run.place === 'model' ? 'model' : 'lab'] : first;
  const isWhole = !run.lab && lines.length === 1;
  return { kind: 'callout', id: 'place', title: run.lab ? 'Lab run' : 'Please note', lines, brief, isWhole };
}

const LAB_BRIEF = {
  lab: 'Local file systems replaced those of AWS: no figure says how AWS’s perform.',
  model: 'Rates are those of a scale model with AWS’s documented limits, and not measured on AWS.',
};

/** The arms as columns, what was measured as rows, and with two arms their ratio. */
export function sideBySide(run: RunSummary): TableBlock | null {
  const { arms, cells, compressibilities, comparisons, space, cost } = run;
  const [baseline, other] = arms;
  if (baseline === undefined) return null;
  const compared = arms.length === 2 && other !== undefined;
  const row = (name: string, values: readonly TableField[], last: TableField = ''): TableField[] => [
    name,
    ...values,
    ...(compared ? [last] : []),
  ];
  const grouped = (title: string, rowsOf: (compressibility: number | null) => TableField[][]): TableField[][] => {
    const found = compressibilities.flatMap(rowsOf);
    return found.length === 0 ? [] : [[title], ...found];
  };
  const rates = byMostNodes(mainRates(cells));
  const rateRows = rateKinds(rates).flatMap((kind) =>
    grouped(`${verb(kind.operation)}, ${describeUnit(kind)}`, (compressibility) => {
      const isSame = (one: Cell | Comparison): boolean =>
        one.compressibility === compressibility && one.operation === kind.operation && one.metric === kind.metric;
      const found = arms.map(({ name }) => rates.find((cell) => cell.arm === name && isSame(cell)));
      if (found.every((cell) => cell === undefined)) return [];
      const comparison = compared ? comparisons.find(isSame) : undefined;
      const values = found.map((cell, index) => {
        const mean = comparison?.means[index] ?? null;
        if (mean !== null) return quantity(mean, precise);
        return cell || isPlanned(run, arms[index]?.name, kind.operation) ? medianOf(cell) : '';
      });
      return [row(describeCompressibility(compressibility), values, ratioOf(comparison))];
    }),
  );
  const spaceRows = grouped('Compression measured', (compressibility) => {
    const found = arms.map(({ name }) => spaceAt(space, { arm: name, compressibility }));
    if (found.every((cell) => cell === undefined)) return [];
    const shown = (value: number | null): string => (value === null ? NO_VALUE : `${ratio(value)}:1`);
    const ratios = found.map((cell) => quantity(cell?.median || null, shown));
    return [row(describeCompressibility(compressibility), ratios)];
  });
  const prices = arms.map(({ name }) => cost.lines.find(({ item }) => item === `File system of ${name}`));
  const hourly = prices.map((line) => quantity(line?.hourlyUsd ?? null, usd));
  const priceRows = prices.some((line) => line?.hourlyUsd)
    ? [['List price'], row('file system, per hour', hourly)]
    : [];
  const rows = [...rateRows, ...spaceRows, ...priceRows];
  if (rows.length === 0) return null;
  return table({
    caption: `${run.validity === 'INVALID' ? 'INVALID. ' : ''}Arms side by side: ${shownFigures(compared ? comparisons : [])}`,
    columns: [
      ...columns('Operation'),
      ...numbers(...arms.map(({ name }) => ({ arm: name }))),
      ...(compared ? numbers(`${other.name} ÷ ${baseline.name}`) : []),
    ],
    rows,
    style: 'overview',
  });
}

/** Names the figures of two compared arms, or of any number without a comparison. */
function shownFigures(comparisons: readonly Comparison[]): string {
  if (comparisons.every(({ estimate }) => estimate === null)) return 'medians of the samples';
  const medians = comparisons.some(({ estimate }) => estimate === null) ? ' (medians if there is no ratio)' : '';
  const intervals = comparisons.some(({ interval }) => interval !== null) ? ' with its interval' : '';
  return `geometric means over the pairs${medians} and their ratio${intervals}`;
}

function ratioOf(comparison: Comparison | undefined): TableField {
  const { estimate = null, interval = null } = comparison ?? {};
  return quantity(estimate, ratio, { below: interval && ratioRange(interval) });
}

function medianOf(cell: Cell | undefined): TableField {
  const reason = cell?.samples.find((sample) => sample.reason !== null)?.reason ?? 'no sample';
  return quantity(cell?.median ?? null, plain, { reason });
}

/** False if the plan has no such work for the arm, so nothing is missing; true without a plan. */
function isPlanned({ record }: RunSummary, arm: string | undefined, operation: string): boolean {
  const own = record.plan?.steps.flatMap(({ tasks }) => tasks.filter((task) => task.arm === arm)) ?? null;
  const does = (action: WorkloadAction): boolean =>
    action.operation === 'all' || (operationOrNone(action)?.id ?? operation) === operation;
  return own === null || own.some(({ action }) => action.kind === 'workload' && does(action));
}

const verb = (operation: string): string => sentenceCase(describeOperation(operation));
