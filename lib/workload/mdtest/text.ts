import { announcedRuns, type CommandFile } from '../common/parse/command';
import type { ParserFinding, TestHead } from '../common/parse/finding';
import { holds } from '../common/parse/holds';
import { USAGE_ERROR } from '../common/parse/launch';
import type { Lines } from '../common/parse/lines';
import { type MdtestBlock, MdtestReader, missesLines, missesRows } from './textReader';

/** Parts that a complete run must have. */
const STRUCTURE = ['no_run_header', 'no_finish_line', 'no_summary', 'missing_rows'];

/**
 * Text output of mdtest 1.9 to main; 3.2.1 calls itself 1.9.3 as well. Rates are those of all ranks together unless the name says rank 0.
 *
 * - `summary` holds the SUMMARY as printed, in op/s (`operations`) or s for the whole phase (`seconds`, with -Z and -P; main's "ms/op" is
 *   mislabelled). Up to 3.3.0 its statistics are over ranks x iterations, each rank by its own clock, with population deviation: Max can
 *   be absurd. In 1.9 they are over iterations, each by its fastest rank. From 4.0.0 they are over iterations, with sample deviation (n - 1). A phase that was not run stands there as 0.
 * - `samples` are the iteration lines of -v: `operations` where it is an aggregate (up to 3.3.0; trees always, since rank 0 alone makes them),
 *   else `rank0_operations`, of which the aggregate can't be made. From 4.0.0 a SUMMARY of one iteration is that iteration's rate.
 * - A test is a block `N tasks, M files`: one a run, more with -f -l -s.
 */
export function parseMdtest(input: Lines, cmd: CommandFile): ParserFinding {
  const reader = new MdtestReader();
  for (const line of input.each(reader.samples)) reader.readLine(line);
  const unfinished = input.tail.trim() !== '' && !reader.readEnd(input.tail);
  const { runs, blocks, samples, summary } = reader;
  const problems = new Set<string>();
  const cautions = new Set<string>();
  for (const part of input.parts()) addMessages(part, problems, cautions);
  if (runs.length === 0) problems.add('no_run_header');
  if (runs.some(({ finished }) => finished === null)) problems.add('no_finish_line');
  const summed = new Set(reader.tables.map(({ block }) => block));
  const isUnsummed = (block: MdtestBlock) => block.run.finished !== null && !summed.has(block);
  if (runs.some(({ summaries }) => summaries === 0) || blocks.some(isUnsummed)) problems.add('no_summary');
  if (reader.tables.some(missesRows) || blocks.some((block) => missesLines(samples, block)))
    problems.add('missing_rows');
  if (reader.disagrees) problems.add('figures_disagree');
  if (reader.nonsense) problems.add('nonsense_rates');
  if (reader.phasesNotRun) cautions.add('phases_not_run');
  return {
    version: runs[0]?.version ?? null,
    command: runs[0]?.command ?? null,
    complete:
      !STRUCTURE.some((code) => problems.has(code)) &&
      !unfinished &&
      runs.length >= announcedRuns(cmd.command, 'mdtest'),
    incompleteReason: unfinished ? 'the last line is truncated' : 'the command announces more runs',
    problems,
    cautions,
    samples,
    summary,
    tests: blocks.map(describe),
  };
}

/** mdtest exits with 0 after most of these. */
function addMessages({ text, lines }: Lines, problems: Set<string>, cautions: Set<string>): void {
  if (holds(text, 'stonewall hit')) cautions.add('stonewall_hit');
  if (holds(text, 'verifying the data')) problems.add('data_errors');
  if (holds(text, 'unable to ') && /unable to (?:stat|remove|rename|unlink|create)/.test(text))
    problems.add('operations_failed');
  if (holds(text, 'FAILED in')) problems.add('io_error');
  if (!problems.has('io_error') && holds(text, 'ERROR: ')) {
    const failed = (line: string) =>
      /(?:^|\s)ERROR: /.test(line) && !line.includes('verifying the data') && !USAGE_ERROR.test(line);
    if (lines.some(failed)) problems.add('io_error');
  }
}

function describe({ run, test, tasks, items, repetitions }: MdtestBlock): TestHead {
  const { version, command, began, finished, nodes } = run;
  const none = { transferBytes: null, blockBytes: null, aggregateBytes: null };
  return { test, version, command, began, finished, repetitions, tasks, nodes, ...none, items };
}
