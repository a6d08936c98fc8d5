import type { ParsedSample } from '../../schema/parse';
import type { CommandFile } from '../kit/parse/command';
import type { ParserFinding } from '../kit/parse/finding';
import { holds } from '../kit/parse/holds';
import { firstMatch, type Lines } from '../kit/parse/lines';
import { parseDd } from './text';

/** The loops of assets/client/bin/copy-loops. */
export const LOOPS = ['create_large_file', 'read_large_file', 'create_small_files', 'read_small_files'] as const;
export type Loop = (typeof LOOPS)[number];

const HEADED = new RegExp(`(?:^|\\n)# (${LOOPS.join('|')}): thread (\\d+) of (\\d+)\\r?\\n`);
const THREAD = /^(\w+): thread (\d+) of (\d+)$/;
const DONE = /^# done: (\w+), (\d+) threads, (\d+) files, (\d+) bytes$/;

/** Figures of `time` for a thread, by their names in `command`. */
const METRICS: Readonly<Record<string, string>> = { real: 'seconds', user: 'user_seconds', sys: 'system_seconds' };

export const isLoops = (text: string): boolean => (text.startsWith('# ') || holds(text, '\n# ')) && HEADED.test(text);

/**
 * The output of copy-loops: under the heading of each thread what dd and `time` printed. Gives the times of each thread, whose number is the
 * test, and the `files` and `bytes` of all threads together. What dd says of its own rate is left out: its clock does not hold the loop.
 */
export function parseLoops(input: Lines, command: CommandFile): ParserFinding {
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
      ...{ operation: loop, test: null, iteration: null, metric },
      ...{ value: Number(done?.[index + 3]), unit: metric === 'bytes' ? 'B' : '1' },
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
