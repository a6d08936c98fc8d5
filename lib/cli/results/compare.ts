import { type CompareDocument, compareRuns, placeOf } from '../../analysis/compare/compare';
import { readWhole } from '../../common/files';
import { firstOf, renderTable, singleLine } from '../../common/format/text';
import { counted } from '../../common/format/units';
import { parseJson, read } from '../../schema/document';
import { baselineSchema, type Side } from '../../schema/summary';
import { type CliContext, printJson, Unsuccessful, UsageError, whyUnread } from '../context';
import { renderChange, renderRate } from '../render/answer';
import { obtainRun } from './runs';

export interface CompareFlags {
  readonly results: string;
  /** `5%` or `0.05`. */
  readonly tolerance: string;
  readonly json?: boolean;
}

/** `fsxbench compare A B`: B against A, cell by cell. Exit status 1 if B is slower than the tolerance allows, 3 if that is not settled. */
export async function compareCommand(context: CliContext, a: string, b: string, options: CompareFlags): Promise<void> {
  const tolerance = readTolerance(options.tolerance);
  const [left, right] = [await sideOf(a, options.results), await sideOf(b, options.results)];
  const document = compareRuns(left, right, { tolerance });
  if (options.json) printJson(context, document);
  else context.out(renderComparison(document));
  if (document.pass) return;
  if (document.verdict === 'regression') throw new Unsuccessful(options.json ? document.failures.join('; ') : '');
  throw new Unsuccessful(options.json ? inconclusive(document) : '', 3);
}

function readTolerance(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim());
  const value = match === null ? Number.NaN : Number(match[1]) / (match[2] === '%' ? 100 : 1);
  if (value >= 0 && value < 1) return value;
  throw new UsageError(`'--tolerance' must be a share such as 5% or 0.05, below 100%, got '${text}'`);
}

/** A run by id or folder, or a baseline, which is a file printed by `report --json`. */
async function sideOf(text: string, results: string): Promise<Side> {
  if (text.endsWith('.json')) return readBaseline(text);
  const { readRun, summariseRun } = await import('../../report');
  return summariseRun(await readRun((await obtainRun(text, results)).folder));
}

/** A report of 160,000 samples has 31 MB. */
const MOST_OF_REPORT = 256e6;

function readBaseline(file: string): Side {
  let text: string;
  try {
    text = readWhole(file, MOST_OF_REPORT);
  } catch (error) {
    throw new UsageError(
      `'${file}' cannot be read as a baseline: ${whyUnread(error)}; make one with npx fsxbench report RUN --json`,
    );
  }
  const found = read(baselineSchema, parseJson(text));
  if ('document' in found) return found.document;
  throw new UsageError(
    `'${file}' must be the output of npx fsxbench report RUN --json for one run (fsxbench.report/1)${found.fault}`,
  );
}

/** A share in per cent, with one decimal, or as many as it was given with. */
function percent(share: number): string {
  const value = Number((share * 100).toPrecision(6));
  return `${Number.isInteger(value * 10) ? value.toFixed(1) : value} %`;
}

export function renderComparison(document: CompareDocument): string {
  const { a, b, cells, tolerance, suggestedTolerance, suggestionReason, pass, failures, cautions } = document;
  const rows = cells.map((cell) => [
    cell.operation,
    cell.compressibility === null ? '-' : `${cell.compressibility}:1`,
    cell.arm,
    renderRate(cell.meanA),
    renderRate(cell.meanB),
    cell.better === 'lower' ? `${cell.unit}, lower is better` : cell.unit,
    cell.ratio === null ? '-' : renderChange(cell.ratio),
    cell.interval === null ? '-' : `${renderChange(cell.interval.low)} to ${renderChange(cell.interval.high)}`,
    cell.verdict,
  ]);
  const alike = cells.filter(({ negligible }) => negligible).length;
  const negligible = `${counted(alike, 'cell')} of ${cells.length}: no meaningful difference, by the tolerance.`;
  const head = ['operation', 'data', 'arm', 'A', 'B', 'unit', 'B against A', 'interval, at least 95 %', 'verdict'];
  const suggestion =
    suggestedTolerance === null
      ? `No tolerance can be suggested: ${suggestionReason}.`
      : `At the variance of these runs, a tolerance below ${percent(suggestedTolerance)} would be exceeded by chance.`;
  const sentences = [
    ...cautions.map((caution) => `caution: ${caution}`),
    ...[a, b].flatMap(({ run, inconclusive }) => inconclusive.map(({ checks }) => `${run}, inconclusive: ${checks}`)),
    `Tolerance ${percent(tolerance)}. ${suggestion}`,
    ...(alike === 0 ? [] : [negligible]),
    ...failures.map((failure) => `FAIL: ${failure}`),
    ...(cells.some(({ verdict }) => verdict === 'inconclusive') ? [inconclusive(document)] : []),
    ...(pass ? ['No regression.'] : []),
  ];
  const heads = [`A  ${a.run} (${a.validity})`, `B  ${b.run} (${b.validity})`];
  const lines = (texts: readonly string[]): string => texts.map((text) => `${singleLine(text)}\n`).join('');
  return `${lines(heads)}\n${renderTable(head, rows)}\n${lines(sentences)}`;
}

/** More repeats than anybody runs for one comparison. */
const MOST_REPEATS = 60;

function inconclusive({ cells, repeatsNeeded, repeatsNeededReason, tolerance }: CompareDocument): string {
  const open = cells.filter(({ verdict }) => verdict === 'inconclusive');
  const next =
    repeatsNeeded === null
      ? `How many repeats would settle it is unknown: ${repeatsNeededReason}.`
      : repeatsNeeded > MOST_REPEATS
        ? `So small a difference cannot be shown this way: as much as they vary, it would take ${repeatsNeeded} repeats of each run. Give a larger --tolerance, or measure both as arms of one run.`
        : `If they vary as much, ${repeatsNeeded} repeats of each run would settle it four times in five: --set repeats=${repeatsNeeded}.`;
  return (
    `INCONCLUSIVE: a slowdown of more than ${percent(tolerance)} is neither shown nor ruled out in ` +
    `${counted(open.length, 'cell')} of ${cells.length}: ${firstOf(open.map(placeOf), ', ')}. ${next}`
  );
}
