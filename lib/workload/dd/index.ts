import type { ParsedSample } from '../../schema/parse';
import {
  accessTo,
  cacheMemory,
  coreutilsSize,
  humanBytes,
  needing,
  shortSize,
  wholeNumber,
  wordBeginning,
} from '../common/lint/access';
import { appendLast, edited, type LintedTool, type LintRule, readOptions, rule } from '../common/lint/rule';
import type { ShellWord } from '../common/lint/shell';
import { ends, printedValues } from '../common/measured';
import type { CommandFile } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import { firstMatch, type Lines } from '../common/parse/lines';
import type { Operation } from '../operation';
import type { Workload } from '../workload';
import { isDd, parseDd } from './text';

const operand = ({ args }: LintedTool, name: string): { word: ShellWord; value: string } | null => {
  const word = args.findLast(({ value }) => value.startsWith(`${name}=`));
  return word ? { word, value: word.value.slice(name.length + 1) } : null;
};
/** Flags of an operand that takes several; GNU dd adds up those of an operand that is repeated (coreutils, dd.c: `|=`). */
const list = ({ args }: LintedTool, name: string): readonly string[] =>
  args.flatMap(({ value }) => (value.startsWith(`${name}=`) ? value.slice(name.length + 1).split(',') : []));
const target = (subject: LintedTool): string | null => operand(subject, 'of')?.value ?? null;
const writesFile = (subject: LintedTool): boolean => {
  const of = target(subject) ?? subject.command.redirections.find(({ operator }) => /^>/.test(operator))?.target;
  return of !== undefined && !of.startsWith('/dev/');
};

/** fio at a ratio that the user chooses, which dd cannot do, with dd's block size. */
function fioInstead(subject: LintedTool): string {
  const [block, count] = [coreutilsSize(operand(subject, 'bs')?.value), wholeNumber(operand(subject, 'count')?.value)];
  const size = block !== null && count !== null ? `${Math.max(1, Math.round((block * count) / 2 ** 20))}m` : '10g';
  const file = target(subject);
  const { command, programWord } = subject;
  // Programs that start dd stay: xargs, srun, ssh.
  const starter = command.source.slice(command.pos, programWord.pos);
  return `${starter}fio --name=data --filename=${file === null ? 'FILE' : file} --rw=write --bs=${shortSize(block ?? 2 ** 20)} --size=${size} --end_fsync=1 --refill_buffers --buffer_compress_percentage=40 --buffer_compress_chunk=4k`;
}

/** The command with a flag added to an operand that takes several: `conv=notrunc,fsync`. */
function withFlag(subject: LintedTool, name: string, flag: string): string {
  const { word } = operand(subject, name) ?? {};
  if (word === undefined) return appendLast(subject, `${name}=${flag}`);
  return edited(subject.command, [{ replace: word, by: `${word.value},${flag}` }]);
}

/** True if an earlier command of the line empties the client's caches. */
function dropsCaches({ line, command }: LintedTool): boolean {
  const at = line.findIndex((one) => one.command === command);
  return line
    .slice(0, at)
    .some(({ command: { words, redirections, source, pos, end } }) =>
      [...words.map(({ value }) => value), ...redirections.map(({ target }) => target), source.slice(pos, end)].some(
        (text) => /drop_caches|drop-caches/.test(text),
      ),
    );
}

export const DD_RULES: readonly LintRule[] = [
  needing({ id: 'dd-needs-rewriting', ability: 'rewriting' }, (subject) => {
    if (!writesFile(subject)) return null;
    const inPlace = list(subject, 'conv').includes('notrunc') || list(subject, 'oflag').includes('append');
    const later = operand(subject, 'seek') ?? operand(subject, 'oseek');
    return inPlace || later !== null ? { does: 'dd writes into a file that is there', suggestion: null } : null;
  }),

  rule('dd-zeros-compress-away', 'error', (subject) => {
    if (operand(subject, 'if')?.value !== '/dev/zero' || !writesFile(subject)) return null;
    const message =
      'On a compressing file system zeros use neither space nor disk I/O: the result says nothing about real data.';
    return subject.context.compresses !== false && { message, suggestion: fioInstead(subject) };
  }),

  rule('random-source-cpu-bound', 'error', (subject) => {
    if (!/^\/dev\/u?random$/.test(operand(subject, 'if')?.value ?? '') || !writesFile(subject)) return null;
    return {
      message:
        'The kernel generates random bytes at a few hundred MB/s per CPU: this measures the random number generator, not the storage.',
      suggestion: fioInstead(subject).replace('--buffer_compress_percentage=40 --buffer_compress_chunk=4k', '').trim(),
    };
  }),

  rule('dd-missing-block-size', 'warning', (subject) => {
    if (subject.args.some(({ value }) => /^(bs|ibs|obs)=/.test(value))) return null;
    if (operand(subject, 'if') === null && target(subject) === null) return null;
    const message = 'Without bs dd moves 512 bytes at a time: this measures system calls.';
    return { message, suggestion: appendLast(subject, 'bs=1M') };
  }),

  rule('dd-sync-of-null', 'error', (subject) => {
    const sync = list(subject, 'conv').filter((each) => /^f(?:data)?sync$/.test(each));
    if (sync.length === 0 || target(subject) !== '/dev/null') return null;
    const edits = subject.args.flatMap((word) => {
      if (!word.value.startsWith('conv=')) return [];
      const rest = word.value
        .slice('conv='.length)
        .split(',')
        .filter((each) => !sync.includes(each));
      return rest.length > 0 ? { replace: word, by: `conv=${rest.join(',')}` } : { remove: [word] };
    });
    return {
      message: `'conv=${sync[0]}' applies to the output: dd cannot sync /dev/null, prints "Invalid argument" and exits with 1 although it read everything.`,
      suggestion: edited(subject.command, edits),
    };
  }),

  rule('dd-missing-fsync', 'warning', (subject) => {
    const flags = [...list(subject, 'conv'), ...list(subject, 'oflag')];
    if (flags.some((flag) => ['fsync', 'fdatasync', 'direct', 'sync', 'dsync'].includes(flag))) return null;
    const message = "Without conv=fsync dd finishes, and stops its clock, while data are still in the client's memory.";
    return writesFile(subject) && { message, suggestion: withFlag(subject, 'conv', 'fsync') };
  }),

  rule('dd-partial-reads', 'warning', (subject) => {
    const block = coreutilsSize(operand(subject, 'bs')?.value);
    const source = operand(subject, 'if')?.value;
    const short = source === '/dev/urandom' || source === '/dev/random' || source === undefined;
    if (block === null || block < 32 * 2 ** 20 || !short || list(subject, 'iflag').includes('fullblock')) return null;
    if (operand(subject, 'count') === null) return null;
    return {
      message:
        'A read of this size from a device or pipe returns less than requested, and dd counts it as a block: fewer than bs × count bytes are moved.',
      suggestion: appendLast(subject, 'iflag=fullblock'),
    };
  }),

  /** A file on the tested file system that is read into nothing: what is timed is the read. */
  rule('dd-buffered-read', 'warning', (subject) => {
    const source = operand(subject, 'if');
    if (source === null || source.value.startsWith('/dev/') || target(subject) !== '/dev/null') return null;
    if (list(subject, 'iflag').includes('direct') || dropsCaches(subject)) return null;
    return {
      message:
        'A buffered read of a file that this client read or wrote before comes from its memory, at the speed of memory; iflag=direct reads it from the storage.',
      suggestion: withFlag(subject, 'iflag', 'direct'),
    };
  }),

  rule('data-fit-in-memory', 'warning', (subject) => {
    const direct = list(subject, target(subject) === '/dev/null' ? 'iflag' : 'oflag').includes('direct');
    const [block, counted] = [coreutilsSize(operand(subject, 'bs')?.value), operand(subject, 'count')];
    const count = wholeNumber(counted?.value);
    const memory = cacheMemory({ ...subject.context, clients: 1 }, direct);
    if (memory === null || block === null || counted === null || count === null) return null;
    const bytes = block * count;
    if (bytes > memory.bytes) return null;
    const enough = `count=${Math.ceil((2 * memory.bytes) / block)}`;
    return {
      message: `${humanBytes(bytes)} are moved, which fit into ${memory.words}: this measures a cache.`,
      suggestion: edited(subject.command, [{ replace: counted.word, by: enough }]),
    };
  }),
];

/** The loops of assets/client/bin/copy-loops. */
const LOOPS = ['create_large_file', 'read_large_file', 'create_small_files', 'read_small_files'] as const;
type Loop = (typeof LOOPS)[number];

const HEADED = new RegExp(`(?:^|\\n)# (${LOOPS.join('|')}): thread (\\d+) of (\\d+)\\r?\\n`);
const THREAD = /^(\w+): thread (\d+) of (\d+)$/;
const DONE = /^# done: (\w+), (\d+) threads, (\d+) files, (\d+) bytes$/;

/** Figures of `time` for a thread, by their names in `command`. */
const METRICS: Readonly<Record<string, string>> = { real: 'seconds', user: 'user_seconds', sys: 'system_seconds' };

const isLoops = (text: string): boolean => (text.startsWith('# ') || text.includes('\n# ')) && HEADED.test(text);

/**
 * The output of copy-loops: under the heading of each thread the output of dd and `time`. Gives the times of each thread, whose number is the
 * test, and the `files` and `bytes` of all threads together. The rate that dd prints is left out: its clock does not cover the loop.
 */
function parseLoops(input: Lines, command: CommandFile): ParserFinding {
  const printed = parseDd(input, command);
  const [, loop = '', , threads = 0] = firstMatch(input, HEADED) ?? [];
  const planned = Number(threads);
  let done: RegExpExecArray | null = null;
  for (const line of input.each()) done = DONE.exec(line) ?? done;
  const times = printed.samples.flatMap((sample): ParsedSample[] => {
    const [, , thread] = THREAD.exec(String(sample.test)) ?? [];
    const metric = METRICS[sample.operation];
    return thread === undefined || metric === undefined
      ? []
      : [{ ...sample, operation: loop, test: Number(thread), metric }];
  });
  const amounts = (done === null ? [] : (['files', 'bytes'] as const)).map((metric, index): ParsedSample => {
    const common = { operation: loop, test: null, iteration: null };
    return { ...common, metric, value: Number(done?.[index + 3]), unit: metric === 'bytes' ? 'B' : '1' };
  });
  const complete =
    done !== null && Number(done[2]) === planned && times.length === planned * Object.keys(METRICS).length;
  return {
    ...printed,
    complete,
    ...(complete
      ? {}
      : { incompleteReason: 'a thread failed, or its time is missing: the last line does not say done' }),
    problems: times.length === 0 ? ['no_result_rows'] : [],
    samples: [...times, ...amounts],
  };
}

/** assets/client/bin/copy-loops, on a client. */
const COPY_LOOPS = '{bin}/copy-loops';

/** Seconds until the last thread is done: lower is better. Not restartable: files of an interrupted loop would be written over. */
function operation(id: Loop): Operation {
  const [verb, on] = [id.startsWith('read') ? 'read' : 'create', id.includes('large') ? 'data' : 'files'] as const;
  return {
    id,
    on,
    verb: verb === 'create' && on === 'data' ? 'write' : verb,
    past: `${verb === 'read' ? 'read' : 'created'} ${on === 'data' ? 'large' : 'small'} files`,
    metric: 'seconds',
    makesData: verb === 'create',
    cached: verb === 'read',
    restartable: verb === 'read',
  };
}

/** One loop over large or small files, in several copies at the same time. */
export interface LoopPhase {
  readonly loop: Loop;
  /** Copies, each on its own files. */
  readonly threads: number;
  /** Blocks of a large file, or small files. */
  readonly count: number;
  /** Size of a block or of a file, in dd's notation: `100M`, `500kB`. */
  readonly size: string;
}

/** The command of a loop, and the line that it repeats in each thread. */
export function loopOf({ loop, threads, count, size }: LoopPhase): { command: string[]; published: string } {
  const lines: Readonly<Record<Loop, string>> = {
    create_large_file: `dd if=/dev/urandom of={dir}/large.txt iflag=fullblock bs=${size} count=${count}`,
    read_large_file: 'dd if={dir}/large.txt of=/dev/null conv=fdatasync',
    create_small_files: `for j in {1..${count}}; do head -c ${size} </dev/urandom > {dir}/small/randfile$j.txt; done`,
    read_small_files: 'for file in {dir}/small/* ; do dd if=$file of=/dev/null; done',
  };
  return { command: [COPY_LOOPS, loop, '{dir}', String(threads), String(count), size], published: lines[loop] };
}

/** The time of the slowest thread, with all data moved. CPU seconds are of all threads: divide them to compare with a study's single one. */
const values: Workload['values'] = (_, { id }, documents) => {
  const of = printedValues(documents, id);
  const sum = (metric: string): number => of(metric).reduce((total, value) => total + value, 0);
  const real = of('seconds');
  if (real.length === 0) return [];
  const last = Math.max(...real);
  return [
    { operation: id, metric: 'seconds', value: last, unit: 's' },
    { operation: id, metric: 'user_seconds', value: sum('user_seconds'), unit: 's' },
    { operation: id, metric: 'system_seconds', value: sum('system_seconds'), unit: 's' },
    { operation: id, metric: 'bytes', value: sum('bytes'), unit: 'B' },
    { operation: id, metric: 'files', value: sum('files'), unit: '1' },
    ...(real.length < 2 ? [] : ends({ operation: id }, Math.min(...real), last)),
  ];
};

/** dd, with the times that a shell's `time` prints around it: one file after the other by one process, and the loops of a study in parallel. */
export const dd: Workload = {
  id: 'dd',
  label: 'dd',
  // The study had one client, and the threads' directories have no client in their names.
  launch: { by: 'once', executable: COPY_LOOPS },
  operations: LOOPS.map(operation),
  // TIMEFORMAT of assets/client/bin/copy-loops.
  clockStep: 0.001,
  values,
  formats: [
    {
      recognizes: (text) => isLoops(text) || isDd(text),
      parse: (input, cmd) => (firstMatch(input, HEADED) === null ? parseDd : parseLoops)(input, cmd),
    },
  ],
  lint: {
    options: (words) => readOptions(words, ''),
    rules: DD_RULES,
    access: (launched) => {
      const [input, output] = [wordBeginning(launched, 'if='), wordBeginning(launched, 'of=')];
      const discards = output.word === undefined || output.word.value === 'of=/dev/null';
      if (!discards) return accessTo(launched, output.word, output.prefix, true);
      return input.word?.value.startsWith('if=/dev/') ? null : accessTo(launched, input.word, input.prefix, false);
    },
  },
};
