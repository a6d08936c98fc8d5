import type { ParsedSample, ParsedTest, PrintedSummary } from '../../schema/parse';
import { repetitionsIn } from '../common/parse/command';
import { agrees, isOrdered, within } from '../common/parse/finding';
import { USAGE_ERROR } from '../common/parse/launch';
import type { Lines } from '../common/parse/lines';

/** A row's figures have no decimals from 1000, 2 from 1, and 6 below; JSON and the summary have more. */
const rounding = (value: number): number => (value >= 1000 ? 1 : value >= 1 ? 0.01 : 1e-6) + SUMMARY_ROUNDING.seconds;
/** A summary has rates with 2 decimals and times with 5; JSON has 4 of each. */
const SUMMARY_ROUNDING = { rate: 0.011, seconds: 1.1e-4 } as const;
/** The size that IOR prints as `1.50 GiB` is rounded by up to 0.5 %. */
const OF_BYTES = 0.01;

type Rows = ReadonlyMap<string, readonly number[]>;

/**
 * Finds values that damaged IOR output prints differently: rows and summary, parts and total time, bytes and bandwidth × time.
 * @param withoutSummary tests for which IOR prints no summary
 */
export function iorDisagreements(
  samples: readonly ParsedSample[],
  tests: readonly ParsedTest[],
  cautions: ReadonlySet<string>,
  withoutSummary: ReadonlySet<ParsedTest['test']> = new Set(),
): string[] {
  const problems = new Set<string>();
  // Otherwise a phase moved fewer bytes than the options say.
  const sized = !cautions.has('stonewall_hit') && !cautions.has('size_mismatch');
  const rowsOf = byTest(samples);
  for (const test of tests) {
    for (const [operation, rows] of rowsOf.get(test.test) ?? []) {
      // IOR divides by a time of 0.
      if (rows.get('throughput')?.some(Number.isNaN)) problems.add('nonsense_rates');
      if (!areRowsSound(rows, sized ? test.aggregateBytes : null)) problems.add('figures_disagree');
      if (operation === 'remove') continue;
      const printed = test.printed.filter((line) => line.operation === operation);
      if (printed.length === 0 && !withoutSummary.has(test.test)) problems.add('no_summary');
      if (printed.some((line) => !isOf(line, rows, test))) problems.add('figures_disagree');
    }
  }
  return [...problems];
}

/** The values of each metric, row by row, by test and operation. A value that was not printed is `NaN`, which agrees with all. */
function byTest(samples: readonly ParsedSample[]): Map<ParsedSample['test'], Map<string, Map<string, number[]>>> {
  const tests = new Map<ParsedSample['test'], Map<string, Map<string, number[]>>>();
  for (const { test, operation, metric, value } of samples) {
    const rows = within(within(tests, test), operation);
    const values = rows.get(metric) ?? [];
    rows.set(metric, values);
    values.push(value ?? Number.NaN);
  }
  return tests;
}

/** The parts of a row's time lie within the total, and bandwidth × time gives the bytes. */
function areRowsSound(rows: Rows, bytes: number | null): boolean {
  const [first = []] = rows.values();
  if ([...rows.values()].some((values) => values.length !== first.length)) return false;
  const rates = rows.get('throughput') ?? [];
  // Before 2.10.3 the rows have no total.
  return (rows.get('total_time') ?? []).every((total, row) => {
    const parts = ['open_time', 'access_time', 'close_time'].map((metric) => rows.get(metric)?.[row] ?? Number.NaN);
    if (parts.some((part) => part > total + rounding(total))) return false;
    const rate = rates[row] ?? Number.NaN;
    if (bytes === null || !(rate > 0) || !(total > 0)) return true;
    const mebibytes = bytes / 2 ** 20;
    return agrees(rate * total, mebibytes, mebibytes * (OF_BYTES + rounding(rate) / rate + rounding(total) / total));
  });
}

/** True if the summary is that of the rows. Its operations are bandwidth ÷ transfer size, not a row's. */
function isOf(line: PrintedSummary, rows: Rows, { repetitions, transferBytes }: ParsedTest): boolean {
  const { maxMiBps, minMiBps, meanMiBps, maxOps, minOps, meanOps, meanSeconds } = line;
  const rates = rows.get('throughput') ?? [];
  // A missing row is reported as such.
  const isWhole = rates.length === repetitions;
  const isMean = (values: readonly number[], mean: number | null, digits: number) => {
    const own = meanOf(values);
    return !isWhole || agrees(own, mean, meanOf(values.map(rounding)) + digits);
  };
  const isOps = (ops: number | null, rate: number | null) =>
    transferBytes === null ||
    agrees(
      (ops ?? Number.NaN) * (transferBytes / 2 ** 20),
      rate,
      SUMMARY_ROUNDING.rate * (1 + transferBytes / 2 ** 20),
    );
  const lowest = rates.reduce((min, rate) => Math.min(min, rate), Number.POSITIVE_INFINITY);
  const highest = rates.reduce((max, rate) => Math.max(max, rate), Number.NEGATIVE_INFINITY);
  return (
    rates.length <= (repetitions ?? rates.length) &&
    Object.values(line).every((value) => !(Number(value) < 0)) &&
    isOrdered(minMiBps, meanMiBps, maxMiBps, SUMMARY_ROUNDING.rate) &&
    isOrdered(minMiBps, lowest, highest, SUMMARY_ROUNDING.rate + rounding(lowest)) &&
    isOrdered(lowest, highest, maxMiBps, SUMMARY_ROUNDING.rate + rounding(highest)) &&
    isMean(rates, meanMiBps, SUMMARY_ROUNDING.rate) &&
    isMean(rows.get('total_time') ?? [], meanSeconds, SUMMARY_ROUNDING.seconds) &&
    isOps(maxOps, maxMiBps) &&
    isOps(minOps, minMiBps) &&
    isOps(meanOps, meanMiBps)
  );
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export interface IorTestRows {
  /** Iterations seen, by operation: `write`, `read`. */
  readonly iterations: ReadonlyMap<string, ReadonlySet<number>>;
  readonly repetitions: number | null;
}

/** Codes of what is missing between iteration 0 and the last repetition; every operation that has a row counts. */
export const missingIterations = (tests: readonly IorTestRows[], command: string | null): boolean =>
  tests.some(({ iterations, repetitions }) => {
    const expected = repetitions ?? repetitionsIn(command) ?? 1;
    return [...iterations.values()].some((seen) => {
      if (seen.size !== expected) return true;
      for (const iteration of seen) if (iteration >= expected) return true;
      return false;
    });
  });

/** Problems and cautions that an IOR message stands for, whichever line it is in: stderr keeps no order. */
export function iorMessages(output: Lines): { problems: Set<string>; cautions: Set<string> } {
  const problems = new Set<string>();
  const cautions = new Set<string>();
  for (const part of output.parts()) addMessages(part, problems, cautions);
  if (cautions.has('stonewall_hit')) cautions.delete('size_mismatch');
  return { problems, cautions };
}

function addMessages({ text, lines, tail }: Lines, problems: Set<string>, cautions: Set<string>): void {
  if (text.includes('ERROR: ') && !problems.has('io_error')) {
    for (const line of [...lines, tail]) {
      // mdtest reports a failed comparison with the same word; no request failed.
      if (/(?:^|\s)ERROR: /.test(line) && !line.includes('verifying the data') && !USAGE_ERROR.test(line)) {
        problems.add('io_error');
        break;
      }
    }
  }
  // 3.3.0: `WARNING: incorrect data on read (1 errors found).`, `[1] FAILED comparison of buffer`.
  if (text.includes('ncorrect data on') || text.includes('FAILED comparison of buffer')) problems.add('data_errors');
  if (text.includes('caused by deadlineForStonewalling')) cautions.add('stonewall_hit');
  if (text.includes('Using actual aggregate bytes moved')) cautions.add('size_mismatch');
  if (text.includes('exists already') && /WARNING: .*exists already/.test(text))
    cautions.add('existing_file_overwritten');
}

/** A command line as IOR's own option parser understands it. */
export interface IorIntent {
  readonly writes: boolean;
  readonly reads: boolean;
  /** The data reaches the storage before the clock stops: O_DIRECT (`-B` up to 3.2.1), or an fsync. */
  readonly synced: boolean;
  readonly dryRun: boolean;
  readonly dummy: boolean;
}

/** Without any of `-w -r -W -R` IOR both writes and reads. Its options are never bundled. */
export function iorIntent(command: string | null): IorIntent {
  const words = (command ?? '').split(/\s+/);
  const has = (...options: string[]) => options.some((option) => words.includes(option));
  const any = has('-w', '-r', '-W', '-R');
  return {
    writes: has('-w') || !any,
    reads: has('-r') || !any,
    synced: has('-e', '-B', '-Y') || /odirect|useO_DIRECT=1|fsync(?:PerWrite)?=1/i.test(command ?? ''),
    dryRun: words.some((word) => /^(?:--dryRun|dryRun=1)$/i.test(word)),
    dummy: /(?:^|\s)-a[\s=]*DUMMY(?=\s|$)/.test(command ?? ''),
  };
}
