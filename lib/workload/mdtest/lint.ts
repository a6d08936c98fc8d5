import { SECONDS_FOR_METRICS } from '../../schema/metrics';
import { FILES_PER_DIRECTORY } from '../common/filesPerDirectory';
import { longWithValue } from '../common/iorRelease';
import { append, edited, withOption } from '../common/lint/edit';
import { needing } from '../common/lint/files';
import type { Launched } from '../common/lint/launched';
import { type Options, readOptions } from '../common/lint/options';
import { type LintedTool, type LintRule, rule } from '../common/lint/rule';
import type { ShellWord } from '../common/lint/shell';
import { binarySize, wholeNumber } from '../common/lint/size';

/** Short options of mdtest that take a value (mdtest 3.3.0 and 4.0.0, `src/mdtest.c`). */
const WITH_VALUE = 'abdefGiIlnNOpRsVwWxz';

export const mdtestOptions = (words: readonly ShellWord[]): Options => readOptions(words, WITH_VALUE, longWithValue);

const items = ({ options }: LintedTool): number | null => wholeNumber(options.value('n') ?? options.value('I'));
const old = ({ context }: LintedTool): boolean | null =>
  context.iorVersion === undefined ? null : Number.parseInt(context.iorVersion, 10) < 4;

/** Directories of the tree below each directory that is named or, with -u, below each process's own; `-L` fills the leaves alone. */
function directoriesOfTree({ options }: LintedTool): number {
  const depth = wholeNumber(options.value('z')) ?? 0;
  const branch = wholeNumber(options.value('b')) ?? 1;
  const level = (index: number): number => branch ** index;
  if (options.has('L')) return level(depth);
  return Array.from({ length: Math.min(depth, 64) + 1 }, (_, index) => level(index)).reduce((sum, one) => sum + one, 0);
}

/**
 * Returns the items that one process puts into each directory: -n is shared out over the tree, -I is for each directory (tried with mdtest
 * 3.3.0).
 */
function itemsPerDirectory(subject: LintedTool): number | null {
  const { options } = subject;
  const each = wholeNumber(options.value('I'));
  const all = wholeNumber(options.value('n'));
  return each ?? (all === null ? null : Math.floor(all / directoriesOfTree(subject)));
}

/** mdtest takes -n or -I, not both: where -n stands a tree is added, of so many branches that it is half as full as it may be. */
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

export const MDTEST_RULES: readonly LintRule[] = [
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
      message: `${all.toLocaleString('en')} items in all are done within seconds: this measures the start of the processes. --metadata-iops tells how many take long enough.`,
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
        'Fewer than three iterations say nothing about the variance; differences cannot be told from chance. With -v mdtest prints each iteration.',
      suggestion: withOption(subject, 'i', '5'),
    };
  }),
];
