import type { ParsedSample } from '../../schema/parse';
import type { CommandFile } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import type { Lines } from '../common/parse/lines';
import type { Tool } from '../tool';

/** `cpu  6463 0 14708 25126 1582 0 377 0 138 0`: of all processors together, since boot. Kernels before 2.6.33 have fewer columns. */
const TOTAL = /^cpu {1,2}(\d+(?: \d+){7,9})$/;

/** Columns of proc_stat(5), in ticks. Guest time is in user time already, and counted once. */
const COLUMNS = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'] as const;

/** A tick, as the kernel shows it to programs on every EC2 architecture (USER_HZ, asm/param.h). */
const TICKS_PER_SECOND = 100;

const isProcStat = (text: string): boolean =>
  text.includes('cpu ') && text.split('\n').some((line) => TOTAL.test(line));

/**
 * Readings of /proc/stat: seconds since boot of each kind, and for `all` and `busy`, which leaves idle time and waiting for disks out, all processors
 * together. A reading an iteration; what was spent is the difference of two.
 */
function parseProcStat({ lines }: Lines, { exitStatus }: CommandFile): ParserFinding {
  const readings = lines.flatMap((line) => {
    const ticks = TOTAL.exec(line)?.[1]?.split(' ').map(Number);
    return ticks === undefined ? [] : [ticks];
  });
  const samples = readings.flatMap((ticks, iteration): ParsedSample[] => {
    const of = (names: readonly string[]): number =>
      COLUMNS.reduce((sum, name, column) => sum + (names.includes(name) ? (ticks[column] ?? 0) : 0), 0) /
      TICKS_PER_SECOND;
    const busy = COLUMNS.filter((name) => name !== 'idle' && name !== 'iowait');
    const common = { operation: 'cpu', test: 'all processors', iteration, unit: 's' } as const;
    const sample = (metric: string, names: readonly string[]): ParsedSample => {
      return { ...common, metric: `${metric}_seconds`, value: of(names) };
    };
    return [...COLUMNS.map((name) => sample(name, [name])), sample('busy', busy), sample('all', COLUMNS)];
  });
  // Counters only grow: a lower one is from another boot, or another machine.
  const backwards = readings.some(
    (ticks, index) => index > 0 && ticks.some((tick, at) => tick < (readings[index - 1]?.[at] ?? 0)),
  );
  const problems = [...(readings.length === 0 ? ['no_result_rows'] : []), ...(backwards ? ['nonsense_rates'] : [])];
  return {
    complete: problems.length === 0 && exitStatus === 0,
    incompleteReason: '/proc/stat has no end marker: the exit status must come from the command',
    problems,
    samples,
    tests: readings.length === 0 ? [] : [{ test: 'all processors' }],
  };
}

/** The kernel's account of processor time. Only its output is supported. */
export const procStat: Tool = {
  id: 'proc-stat',
  formats: [{ recognizes: isProcStat, parse: parseProcStat }],
  program: '/proc/stat',
};
