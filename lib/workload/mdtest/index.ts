import { SECONDS_FOR_METRICS } from '../../schema/metrics';
import type { ParseDocument } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import { FILES_PER_DIRECTORY } from '../common/asked';
import { IOR_RELEASE, longWithValue, releaseOf } from '../common/iorRelease';
import { accessByOption, binarySize, needing, wholeNumber } from '../common/lint/access';
import {
  append,
  edited,
  type LintedTool,
  type LintRule,
  type Options,
  readOptions,
  rule,
  withOption,
} from '../common/lint/rule';
import type { Launched, ShellWord } from '../common/lint/shell';
import { countedRate, DIRECTORIES, FILES, type Measured } from '../common/measured';
import { announcedRuns, type CommandFile } from '../common/parse/command';
import type { ParserFinding, TestHead } from '../common/parse/finding';
import { USAGE_ERROR } from '../common/parse/launch';
import type { Lines } from '../common/parse/lines';
import type { Operation } from '../operation';
import type { FilesPhase, Workload } from '../workload';
import { isMdtest, type MdtestBlock, MdtestReader, missesLines, missesRows } from './textReader';

/** mdtest's short options with a value (mdtest 3.3.0 and 4.0.0, `src/mdtest.c`). */
const WITH_VALUE = 'abdefGiIlnNOpRsVwWxz';

const mdtestOptions = (words: readonly ShellWord[]): Options => readOptions(words, WITH_VALUE, longWithValue);

const items = ({ options }: LintedTool): number | null => wholeNumber(options.value('n') ?? options.value('I'));
function old(subject: LintedTool): boolean | null {
  const release = releaseOf(subject);
  return release === undefined ? null : Number.parseInt(release, 10) < 4;
}

/** Directories of the tree below each directory that is named or, with -u, below each process's own; `-L` fills the leaves alone. */
function directoriesOfTree({ options }: LintedTool): number {
  const depth = wholeNumber(options.value('z')) ?? 0;
  const branch = wholeNumber(options.value('b')) ?? 1;
  const level = (index: number): number => branch ** index;
  if (options.has('L')) return level(depth);
  return Array.from({ length: Math.min(depth, 64) + 1 }, (_, index) => level(index)).reduce((sum, one) => sum + one, 0);
}

/** Returns the items of one process in each directory: -n is divided over the tree, -I is per directory (tried with mdtest 3.3.0). */
function itemsPerDirectory(subject: LintedTool): number | null {
  const { options } = subject;
  const each = wholeNumber(options.value('I'));
  const all = wholeNumber(options.value('n'));
  return each ?? (all === null ? null : Math.floor(all / directoriesOfTree(subject)));
}

/** mdtest takes -n or -I, not both: with -n a tree is added, of so many branches that it is half as full as it may be. */
function withMoreDirectories(subject: LintedTool, each: number): string {
  const { options } = subject;
  const unique = options.has('u') ? [] : ['-u'];
  if (each <= FILES_PER_DIRECTORY && unique.length > 0) return append(subject, '-u');
  if (options.has('z', 'b', 'I'))
    return 'use fewer items with -I or -n, or a tree with more directories with -z and -b';
  const branches = Math.ceil(each / (FILES_PER_DIRECTORY / 2));
  return append(subject, [...unique, '-z 1', `-b ${branches}`].join(' '));
}

/** Files that the smallest metadata IOPS of FSx, 1,500, create in ten seconds: 3,000 per second are documented (FSx guide, performance). */
const FEWEST = 30_000;

/** The stripe count that earlier commands set on the directory, or `null`. */
function stripeCommand(subject: LintedTool): { launched: Launched; option: Launched['args'][number] } | null {
  for (const launched of subject.line) {
    if (launched.command.pos >= subject.command.pos || launched.program !== 'lfs') continue;
    if (!launched.args.some(({ value }) => value === 'setstripe')) continue;
    const at = launched.args.findIndex(({ value }) => /^(-c|--stripe-count|-c=?-1|--stripe-count=-1)$/.test(value));
    const option = launched.args[at];
    if (!option) continue;
    const joined = /-1$/.test(option.value);
    const value = joined ? option : launched.args[at + 1];
    if (value && /-1$/.test(value.value)) return { launched, option: value };
  }
  return null;
}

const MDTEST_RULES: readonly LintRule[] = [
  needing({ id: 'mdtest-needs-lasting-directories', ability: 'lasting-directories' }, ({ options }) =>
    options.has('r') || !options.has('C', 'T', 'E')
      ? { does: 'mdtest removes its directories after their files', suggestion: null }
      : null,
  ),

  rule('mdtest-missing-unique-directory', 'warning', (subject) => {
    if (subject.options.has('u') || subject.ranks === 1) return null;
    return {
      message:
        'Without -u all processes share one directory: this measures its lock, and the directory is on one metadata target, however many IOPS there are.',
      suggestion: append(subject, '-u'),
    };
  }),

  rule('mdtest-crowded-directory', 'warning', (subject) => {
    const { options, ranks } = subject;
    const each = itemsPerDirectory(subject);
    if (each === null) return null;
    const perDirectory = options.has('u') ? each : ranks === null ? null : each * ranks;
    if (perDirectory === null || perDirectory <= FILES_PER_DIRECTORY) return null;
    return {
      message: `${perDirectory.toLocaleString('en')} ${options.has('D') ? 'directories' : 'files'} in one directory: FSx for Lustre recommends fewer than ${FILES_PER_DIRECTORY.toLocaleString('en')}.`,
      suggestion: withMoreDirectories(subject, each),
    };
  }),

  rule('mdtest-stat-cached', 'warning', (subject) => {
    const { options, ranks, context } = subject;
    const phases = ['C', 'T', 'E', 'r'].filter((phase) => options.has(phase));
    const looksBack = phases.length === 0 || (phases.includes('C') && (phases.includes('T') || phases.includes('E')));
    if (!looksBack || options.has('N')) return null;
    const spread = ranks !== null && context.clients !== undefined ? Math.ceil(ranks / context.clients) : null;
    const perNode = subject.launcher?.perNode ?? spread;
    return {
      message:
        'Stat and read right after create on the same client are served from its cache; -N makes each process access the files of another node.',
      suggestion: perNode === null ? '-N with the number of processes on a node' : append(subject, `-N ${perNode}`),
    };
  }),

  rule('mdtest-read-opens-only', 'note', (subject) => {
    const { options } = subject;
    const reads = options.has('E') || !options.has('C', 'T', 'r');
    const bytes = binarySize(options.value('e') ?? '0');
    if (!reads || options.has('D') || bytes !== 0) return null;
    const message = "Without -e 'File read' only opens and closes files.";
    const written = options.value('w');
    if ((binarySize(written) ?? 0) > 0) return { message, suggestion: append(subject, `-e ${written}`) };
    // In words, since files with data are other work than the empty ones of this command.
    return { message, suggestion: 'to read data, write files that are not empty: -w 3901 -e 3901, as IO500 does' };
  }),

  rule('mdtest-broken-option', 'warning', (subject) => {
    const { options } = subject;
    const scaling = options.has('f') || (options.has('l') && options.has('s'));
    const leaves = options.has('L') && options.has('I') && options.has('N');
    const mpiio = options.value('a')?.toUpperCase() === 'MPIIO';
    if (old(subject) === false || !(scaling || leaves || mpiio)) return null;
    const what = scaling ? '-f/-l/-s' : leaves ? '-L with -I and -N' : '-a MPIIO';
    return {
      ...(old(subject) && { severity: 'error' }),
      message: `mdtest 3.3.0 fails or prints wrong figures with ${what}; 4.0.0 does not.`,
      suggestion: 'use mdtest 4.0.0, or one command for each number of processes',
    };
  }),

  rule('mdtest-stack-overflow', 'warning', (subject) => {
    const iterations = wholeNumber(subject.options.value('i') ?? '1');
    const { ranks } = subject;
    if (old(subject) === false || iterations === null || ranks === null) return null;
    const bytes = iterations * ranks * 80;
    if (bytes <= 8 * 2 ** 20) return null;
    return {
      ...(old(subject) && { severity: 'error' }),
      message: `mdtest 3.3.0 keeps 80 bytes for each process and iteration on the stack: ${iterations} × ${ranks} need more than the usual 8 MiB, and it crashes at the summary.`,
      suggestion: `ulimit -s unlimited on all nodes, or at most ${Math.floor((8 * 2 ** 20) / 80 / ranks)} iterations`,
    };
  }),

  rule('phase-too-short', 'warning', (subject) => {
    const { ranks, context, options } = subject;
    const count = items(subject);
    const rate = context.createsPerSecond;
    if (rate === undefined || ranks === null || count === null || options.has('D')) return null;
    const seconds = (count * ranks) / rate;
    if (seconds >= SECONDS_FOR_METRICS) return null;
    const needed = Math.ceil((SECONDS_FOR_METRICS * rate) / ranks);
    const more = options.has('n') ? withOption(subject, 'n', String(needed)) : `-n ${needed}`;
    return {
      message: `${(count * ranks).toLocaleString('en')} creates at ${rate.toLocaleString('en')}/s take ${Number(seconds.toPrecision(2))} s; the service's metrics have one data point per minute, so a phase should last ${SECONDS_FOR_METRICS} s.`,
      suggestion:
        needed >= FILES_PER_DIRECTORY
          ? 'use more processes, or repeat the command on new directories until the time is up, as MetadataBench plans do'
          : more,
    };
  }),

  /** Flags so few items that they are done before the processes have started alike, on any file system; a known rate decides instead. */
  rule('mdtest-few-items', 'warning', (subject) => {
    const { ranks, context, options } = subject;
    const count = items(subject);
    if (context.createsPerSecond !== undefined || context.repeated || ranks === null || count === null) return null;
    const all = count * ranks * (options.has('I') ? directoriesOfTree(subject) : 1);
    if (all >= FEWEST) return null;
    return {
      message: `${all.toLocaleString('en')} items in all are done within seconds: this measures the start of the processes. --metadata-iops shows how many take long enough.`,
      suggestion: withOption(subject, options.has('n') ? 'n' : 'I', String(Math.ceil((count * FEWEST) / all))),
    };
  }),

  rule('mdtest-wide-stripes', 'warning', (subject) => {
    const found = stripeCommand(subject);
    if (!found && subject.context.stripeCount !== -1) return null;
    return {
      message: 'With stripe count -1 each new file gets an object on every OST, which slows down creates and removes.',
      suggestion: found
        ? edited(found.launched.command, [{ replace: found.option, by: found.option.value.replace(/-1$/, '1') }])
        : 'lfs setstripe -c 1 DIRECTORY',
    };
  }),

  rule('few-repeats', 'note', (subject) => {
    const { options, context } = subject;
    const repetitions = wholeNumber(options.value('i') ?? '1');
    if (context.repeated || repetitions === null || repetitions >= 3) return null;
    return {
      message:
        'Fewer than three iterations say nothing about the variance; differences cannot be distinguished from chance. With -v mdtest prints each iteration.',
      suggestion: withOption(subject, 'i', '5'),
    };
  }),
];

const STRUCTURE = ['no_run_header', 'no_finish_line', 'no_summary', 'missing_rows'];

/**
 * mdtest's text output from 1.9 to main; 3.2.1 calls itself 1.9.3 as well. Rates are those of all ranks together unless the name has rank 0.
 *
 * - `summary` holds the SUMMARY as printed, in op/s (`operations`) or s for the whole phase (`seconds`, with -Z and -P; main's "ms/op" is
 *   mislabelled). Up to 3.3.0 its statistics are over ranks x iterations, each rank by its own clock, with population deviation: Max can
 *   be absurd. In 1.9 they are over iterations, each by its fastest rank. From 4.0.0 they are over iterations, with sample deviation (n - 1). A phase that was not run is printed as 0.
 * - `samples` are the iteration lines of -v: `operations` for an aggregate (up to 3.3.0; trees always, since rank 0 alone makes them),
 *   else `rank0_operations`, from which the aggregate cannot be computed. From 4.0.0 a SUMMARY of one iteration is that iteration's rate.
 * - A test is a block `N tasks, M files`: one a run, more with -f -l -s.
 */
function parseMdtest(input: Lines, cmd: CommandFile): ParserFinding {
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
  if (text.includes('stonewall hit')) cautions.add('stonewall_hit');
  if (text.includes('verifying the data')) problems.add('data_errors');
  if (text.includes('unable to ') && /unable to (?:stat|remove|rename|unlink|create)/.test(text))
    problems.add('operations_failed');
  if (text.includes('FAILED in')) problems.add('io_error');
  if (!problems.has('io_error') && text.includes('ERROR: ')) {
    const failed = (line: string) =>
      /(?:^|\s)ERROR: /.test(line) && !line.includes('verifying the data') && !USAGE_ERROR.test(line);
    if (lines.some(failed)) problems.add('io_error');
  }
}

function describe({ run, test, tasks, items, repetitions }: MdtestBlock): TestHead {
  const { version, command, began, finished, nodes } = run;
  return { test, version, command, began, finished, repetitions, tasks, nodes, items };
}

/** mdtest's option for each kind: it tests both unless one is given. */
export const KIND = { files: ['-F'], directories: ['-D'], both: [] } as const;

const ONLY = { create: '-C', stat: '-T', read: '-E', remove: '-r' } as const;

/**
 * mdtest's arguments for one operation on one round of files.
 *
 * - It has no time limit: `-W` of 3.3.0 miscounts with `-z` and with `-i`, and excludes `-I` (tested with 3.3.0), so one
 *   directory would have to hold all files of a rank. Rounds of a fixed number of files are repeated instead.
 * - `-u`: a directory per rank, since otherwise all ranks contend for one directory's lock.
 * - No `-N`, since 3.3.0 rejects it with several directories. Caches are dropped, and ranks are shifted by one client, instead.
 * - `-v`: up to 3.3.0 only the lines of iterations are rates of all ranks by one clock (facts-tools, section 4).
 */
function mdtestCommand({ operation, items, count, fileBytes }: FilesPhase): string[] {
  const bytes = String(fileBytes);
  return [
    ...['mdtest', ...KIND[items], '-v', ONLY[operation], '-u', '-n', String(count)],
    ...(operation === 'create' && fileBytes > 0 ? ['-w', bytes] : []),
    ...(operation === 'read' && fileBytes > 0 ? ['-e', bytes] : []),
    ...['-d', '{dirs}'],
  ];
}

/** mdtest, part of IOR: file and directory operations per second, by many processes, started by MPI. */
export const mdtest: Workload = {
  id: 'mdtest',
  label: 'mdtest',
  // As the AWS metadata blog started it, rank after rank on the next client; and it has room for 1,024 characters of path.
  // Its option -d: dir|dir1@dir2@dir3 (github.com/hpc/ior, src/mdtest.c).
  launch: { by: 'mpi', separators: '@', inTurn: true },
  // It has no --version; of 3.2.1 and before it calls itself 1.9.3.
  version: {
    argv: ['mdtest', '-n', '1', '-d', 'files'],
    version: /^mdtest-([\w.+]+) was launched/m,
    release: IOR_RELEASE,
  },
  // It opens no directories, and renames them only in a command of all operations (tried with 3.3.0 and 4.0.0).
  operations: [...Object.values(FILES), DIRECTORIES.create, DIRECTORIES.stat, DIRECTORIES.remove],
  stragglers: () => 'mdtest waits for the last process before its clock stops',
  values: (action, main, documents) => documents.flatMap((document) => valuesOf(action, main, document)),
  files: { fills: true, command: mdtestCommand },
  formats: [{ recognizes: isMdtest, parse: parseMdtest }],
  complaint: /(?:^|\n)(?:Synopsis mdtest\b|mdtest ERROR: )/,
  lint: {
    options: mdtestOptions,
    rules: MDTEST_RULES,
    access: (launched) => {
      const options = mdtestOptions(launched.args);
      return accessByOption(launched, options, 'd', options.has('C') || !options.has('T', 'E', 'r'));
    },
  },
};

/**
 * Rates of all ranks together: of each iteration if mdtest prints it (with -v up to 3.3.0, or with a single iteration).
 * Otherwise, from 4.0.0, the statistics over iterations (facts-tools, section 4).
 */
function valuesOf(action: WorkloadAction, { id }: Operation, { samples, summary, tests }: ParseDocument): Measured[] {
  const wanted = (operation: string): boolean =>
    action.operation === 'all' ? /^(file|dir)_\w+$/.test(operation) : operation === id;
  const files = tests[0]?.items ?? null;
  const rates = samples.filter(({ operation, metric, value }) => wanted(operation) && metric === 'operations' && value);
  if (rates.length > 0)
    return rates.flatMap(({ operation, iteration, value }) =>
      countedRate({ operation, iteration }, value as number, files),
    );
  return summary
    .filter(
      ({ operation, metric, mean, basis }) =>
        wanted(operation) && metric === 'operations' && mean && basis === 'iterations',
    )
    .flatMap(({ operation, mean, max, min }) => [
      { operation, metric: 'rate', value: mean, unit: 'op/s' },
      { operation, metric: 'rate_max', value: max, unit: 'op/s' },
      { operation, metric: 'rate_min', value: min, unit: 'op/s' },
    ]);
}
