import type { ParsedSample } from '../../schema/parse';
import { accessTo, wordBeginning } from '../common/lint/access';
import { readOptions } from '../common/lint/options';
import { ends } from '../common/measured';
import type { CommandFile } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import { holds } from '../common/parse/holds';
import { firstMatch, type Lines } from '../common/parse/lines';
import type { Operation } from '../operation';
import type { Workload } from '../workload';
import { DD_RULES } from './lint';
import { isDd, parseDd } from './text';

/** The loops of assets/client/bin/copy-loops. */
const LOOPS = ['create_large_file', 'read_large_file', 'create_small_files', 'read_small_files'] as const;
type Loop = (typeof LOOPS)[number];

const HEADED = new RegExp(`(?:^|\\n)# (${LOOPS.join('|')}): thread (\\d+) of (\\d+)\\r?\\n`);
const THREAD = /^(\w+): thread (\d+) of (\d+)$/;
const DONE = /^# done: (\w+), (\d+) threads, (\d+) files, (\d+) bytes$/;

/** Figures of `time` for a thread, by their names in `command`. */
const METRICS: Readonly<Record<string, string>> = { real: 'seconds', user: 'user_seconds', sys: 'system_seconds' };

const isLoops = (text: string): boolean => (text.startsWith('# ') || holds(text, '\n# ')) && HEADED.test(text);

/**
 * The output of copy-loops: under the heading of each thread what dd and `time` printed. Gives the times of each thread, whose number is the
 * test, and the `files` and `bytes` of all threads together. What dd says of its own rate is left out: its clock does not hold the loop.
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
  const amounts = (done === null ? [] : (['files', 'bytes'] as const)).map(
    (metric, index): ParsedSample => ({
      operation: loop,
      test: null,
      iteration: null,
      metric,
      value: Number(done?.[index + 3]),
      unit: metric === 'bytes' ? 'B' : '1',
    }),
  );
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

/** Seconds until the last thread is done, so that lower is better. Not restartable: what an interrupted loop left would be written over. */
function operation(id: Loop): Operation {
  const [verb, on] = [id.startsWith('read') ? 'read' : 'create', id.includes('large') ? 'data' : 'files'] as const;
  return {
    id,
    on,
    verb: verb === 'create' && on === 'data' ? 'write' : verb,
    past: `${verb === 'read' ? 'read' : 'created'} ${on === 'data' ? 'large' : 'small'} files`,
    metric: 'seconds',
    unit: 's',
    better: 'lower',
    makesData: verb === 'create',
    cached: verb === 'read',
    restartable: verb === 'read',
    moves: verb === 'create' ? 'write' : 'read',
    // The study's read of a large file tries to sync /dev/null.
    intended: id === 'read_large_file' ? ['fdatasync_on_dev_null'] : undefined,
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

/**
 * The time of the slowest thread, in which all of the data were moved. A study prints the time of one thread: `user_seconds` and
 * `system_seconds` are those of all threads, to be divided by their number.
 */
const values: Workload['values'] = (_, { id }, documents) => {
  const of = (metric: string): number[] =>
    documents.flatMap(({ samples }) =>
      samples.flatMap((one) => (one.operation === id && one.metric === metric ? (one.value ?? []) : [])),
    );
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
  reports: {
    processes: { silent: 'its loops do not count themselves' },
    machines: { silent: 'each client runs it by itself' },
    bytes: true,
    // TIMEFORMAT of assets/client/bin/copy-loops.
    clockStep: 0.001,
  },
  values,
  output: {
    formats: [
      { recognizes: isLoops, parse: parseLoops },
      { recognizes: isDd, unless: isLoops, parse: parseDd },
    ],
    aliases: ['bash'],
  },
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
