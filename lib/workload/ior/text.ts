import type { ParsedTest } from '../../schema/parse';
import { announcedRuns, type CommandFile } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import type { Lines } from '../common/parse/lines';
import { bytesOf } from '../common/parse/size';
import { iorDisagreements } from './agreement';
import { type IorRun, type IorTest, IorTextReader } from './textReader';
import { iorIntent, iorMessages, missingIterations } from './verdict';

/** Parts that a complete run must have. */
const STRUCTURE = ['no_run_header', 'no_finish_line', 'no_summary', 'no_result_rows', 'missing_iterations'];

/**
 * Text output of IOR 3.2.1 to main, at any verbosity, one run or several, whole or cut. Rows are recognised by their fields, never by
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
  for (const code of iorDisagreements(samples, tests, cautions)) problems.add(code);
  return {
    version: runs[0]?.version ?? null,
    command: runs[0] === undefined ? null : commandOf(runs[0]),
    complete:
      !STRUCTURE.some((code) => problems.has(code)) && !unfinished && runs.length >= announcedRuns(cmd.command, 'ior'),
    incompleteReason: unfinished ? 'the last line is truncated' : 'the command announces more runs',
    problems,
    cautions,
    samples,
    tests,
  };
}

const commandOf = (run: IorRun): string | null => run.header.get('Command line') ?? null;

function runProblems(run: IorRun): string[] {
  const problems: string[] = [];
  const command = commandOf(run);
  if (run.version === null) problems.push('no_run_header');
  if (run.finished === null) problems.push('no_finish_line');
  if (run.summaries === 0) problems.push('no_summary');
  if (run.rows === 0) problems.push('no_result_rows');
  else if (missingIterations(run.tests, command)) problems.push('missing_iterations');
  if (run.nan) problems.push('nan_in_summary');
  const intent = iorIntent(command);
  const options = (key: string) => run.tests.some((test) => test.options.get(key));
  if (intent.dummy || run.tests.some((test) => test.options.get('api')?.startsWith('DUMMY')))
    problems.push('dummy_api');
  if (intent.dryRun || (options('dryRun') && run.tests.some((test) => test.options.get('dryRun') === '1')))
    problems.push('dry_run');
  return problems;
}

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
