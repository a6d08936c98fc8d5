import type { ParsedSample, ParsedSummary, ParsedTest } from '../../schema/parse';
import { announcedRuns, type CommandFile } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import type { Lines } from '../common/parse/lines';
import { bytesOf } from '../common/parse/size';
import { iorDisagreements } from './agreement';
import { type IorRun, type IorTest, IorTextReader } from './textReader';
import { type IorIntent, iorIntent, iorMessages, missingIterations } from './verdict';

/** Parts that a complete run must have. */
const STRUCTURE = [
  'no_run_header',
  'no_finish_line',
  'no_summary',
  'no_result_rows',
  'rows_not_read',
  'missing_iterations',
];

/**
 * What the io500 application gives to IOR, which it calls as a library: `./ior`, and files that it names itself. IOR then prints rows but
 * neither a summary nor an end (github.com/IO500/io500, src/phase_ior*.c).
 */
const OF_IO500 =
  /^\S*\.\/ior .*(?:\bstoneWallingStatusFile=\S*\/ior-[\w-]+\.stonewall|\bsaveRankPerformanceDetailsCSV=\S*\/ior-[\w-]+\.csv| -o \S*\/ior-(?:easy\/ior_file_easy|hard\/file))(?:\s|$)/;

/**
 * Text output of IOR 2.10 to main, at any verbosity, one run or several, whole or cut. Rows are recognised by their fields, never by
 * character columns, and count only when the line is whole: a line torn by another rank is a missing iteration.
 * The test's number is its TestID, counted on over the runs of a file.
 */
export function parseIorText(input: Lines, cmd: CommandFile): ParserFinding {
  const reader = new IorTextReader();
  for (const line of input.each(reader.samples)) reader.readLine(line);
  // A Finished line is whole when its year is: an output that was trimmed is not cut.
  const unfinished = input.tail.trim() !== '' && !reader.readEnd(input.tail);
  const { runs, samples } = reader;
  const { problems, cautions } = iorMessages(input);
  if (runs.length === 0) problems.add('no_run_header');
  for (const run of runs) {
    for (const code of runProblems(run)) problems.add(code);
    const intent = iorIntent(commandOf(run));
    if (intent.writes && !intent.synced) cautions.add('buffered_write_no_fsync');
  }
  const tests = runs.flatMap((run) => run.tests.map((test) => describe(run, test)));
  const withoutSummary = new Set(
    runs.flatMap((run) => (needsSummary(run) ? [] : run.tests.map(({ id }) => run.base + id))),
  );
  for (const code of iorDisagreements(samples, tests, cautions, withoutSummary)) problems.add(code);
  const summary = runs.flatMap(summaryOnly);
  return {
    version: runs[0]?.version ?? null,
    command: runs[0] === undefined ? null : commandOf(runs[0]),
    complete:
      !STRUCTURE.some((code) => problems.has(code)) && !unfinished && runs.length >= announcedRuns(cmd.command, 'ior'),
    incompleteReason: unfinished ? 'the last line is truncated' : 'the command announces more runs',
    problems,
    cautions,
    samples: [...samples, ...summary.filter(({ count }) => count === 1).map(sampleOf)],
    summary: summary.filter(({ count }) => count !== 1),
    tests,
  };
}

const isOfIo500 = (run: IorRun): boolean =>
  run.finished === null && run.summaries === 0 && OF_IO500.test(commandOf(run) ?? '');
const needsSummary = (run: IorRun): boolean => !isOfIo500(run) && !(run.old && run.maxima.size > 0);

/** Statistics of a run whose rows were not printed (2.10 without -v -v): its summary, or the maxima alone. */
function summaryOnly(run: IorRun): ParsedSummary[] {
  if (!run.old || run.rows > 0) return [];
  return run.tests.flatMap(({ id, printed, repetitions }) =>
    [...run.maxima].map(([operation, most]): ParsedSummary => {
      const line = printed.find((one) => one.operation === operation);
      const count = repetitions ?? 0;
      const only = count === 1 ? most : null;
      const [max, min, mean] = [line?.maxMiBps ?? most, line?.minMiBps ?? only, line?.meanMiBps ?? only];
      const stddev = line?.stddevMiBps ?? (count === 1 ? 0 : null);
      const common = {
        operation,
        test: run.base + id,
        metric: 'throughput',
        unit: 'MiB/s',
        basis: 'iterations',
      } as const;
      return { ...common, max, min, mean, stddev, count, ...(mean === null ? { reason: 'not printed' } : {}) };
    }),
  );
}

/** The rate of a single repetition, which its statistics are. */
const sampleOf = ({ operation, test, metric, unit, mean }: ParsedSummary): ParsedSample => ({
  ...{ operation, test, iteration: 0, metric, value: mean, unit },
});

const commandOf = (run: IorRun): string | null => run.header.get('Command line') ?? null;

function runProblems(run: IorRun): string[] {
  const problems: string[] = [];
  const command = commandOf(run);
  if (run.version === null) problems.push('no_run_header');
  const intent = iorIntent(command);
  if (run.finished === null && !isOfIo500(run)) problems.push('no_finish_line');
  if (run.summaries === 0 && needsSummary(run)) problems.push('no_summary');
  const measured = run.tests.some(({ iterations }) => [...iterations.values()].some(({ size }) => size > 0));
  if (!measured && run.unread > 0) problems.push('rows_not_read');
  else if (run.rows === 0) problems.push(...(summaryOnly(run).length > 0 ? [] : ['no_result_rows']));
  else if (missingIterations(run.tests, command) || (isOfIo500(run) && misses(run, intent)))
    problems.push('missing_iterations');
  if (run.nan) problems.push('nan_in_summary');
  const options = (key: string) => run.tests.some((test) => test.options.get(key));
  if (intent.dummy || run.tests.some((test) => test.options.get('api')?.startsWith('DUMMY')))
    problems.push('dummy_api');
  if (intent.dryRun || (options('dryRun') && run.tests.some((test) => test.options.get('dryRun') === '1')))
    problems.push('dry_run');
  return problems;
}

/** True if an operation that the command asks for has no row: no summary says that it was measured. */
const misses = ({ tests }: IorRun, { writes, reads }: IorIntent): boolean =>
  (writes && !tests.every(({ iterations }) => iterations.has('write'))) ||
  (reads && !tests.every(({ iterations }) => iterations.has('read')));

function describe(run: IorRun, test: IorTest): ParsedTest {
  const whole = (key: string) => {
    const text = test.options.get(key);
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
  };
  return {
    test: run.base + test.id,
    tool: 'ior',
    version: run.version,
    command: commandOf(run),
    began: run.header.get('Began') ?? null,
    finished: run.finished,
    repetitions: test.repetitions,
    tasks: whole('tasks'),
    nodes: whole('nodes'),
    transferBytes: test.sizes.transfer ?? bytesOf(test.options.get('xfersize')),
    blockBytes: test.sizes.block ?? bytesOf(test.options.get('blocksize')),
    aggregateBytes: bytesOf(test.options.get('aggregate filesize')),
    items: null,
    printed: test.printed,
    stonewall: test.stonewall.length === 0 ? undefined : test.stonewall,
  };
}
