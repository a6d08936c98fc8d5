import { type Options, readOptions } from '../common/lint/rule';
import type { ShellWord } from '../common/lint/shell';
import names from './options.json';

/** Options of fio 3.33: those of jobs (its help on commands), of the command line (`fio --help`), other names of them, and those of common engines. */
const NAMES: ReadonlySet<string> = new Set(names);

/** Options without a value: the word after them is not theirs. Anything else may be given as `--name value`. */
const FLAGS = new Set([
  ...['group_reporting', 'refill_buffers', 'time_based', 'thread', 'end_fsync', 'stonewall', 'readonly', 'minimal'],
  ...['zero_buffers', 'scramble_buffers', 'norandommap', 'direct', 'invalidate', 'create_on_open', 'unlink'],
  ...['eta-newline', 'showcmd', 'parse-only', 'help', 'version', 'append-terse'],
]);

/** fio takes its options with one dash, too (getopt_long_only): `-name=data` is `--name=data`. */
const doubled = (word: ShellWord): ShellWord =>
  /^-[a-z][\w-]/.test(word.value) ? { ...word, value: `-${word.value}` } : word;

export const fioOptions = (words: readonly ShellWord[]): Options =>
  readOptions(words.map(doubled), '', (name) => !FLAGS.has(name));

/** The option that a misspelt name is nearest to; `null` for a name that fio knows, or that is near to none. */
export function misspelt(name: string): string | null {
  const own = name.replaceAll('-', '_');
  if (NAMES.has(name) || NAMES.has(own)) return null;
  const near = [...NAMES].filter((each) => isNear(own, each));
  return near.length === 1 ? (near[0] as string) : (near.find((each) => each.length === own.length) ?? near[0] ?? null);
}

/** True for two names that differ by one letter that is left out, added or replaced, or by two that are swapped. */
function isNear(one: string, other: string): boolean {
  if (one.length < 3 || Math.abs(one.length - other.length) > 1) return false;
  let from = 0;
  while (one[from] !== undefined && one[from] === other[from]) from += 1;
  const rest = (text: string, skipped: number): string => text.slice(from + skipped);
  return (
    rest(one, 1) === rest(other, 1) ||
    rest(one, 1) === rest(other, 0) ||
    rest(one, 0) === rest(other, 1) ||
    (one[from] === other[from + 1] && one[from + 1] === other[from] && rest(one, 2) === rest(other, 2))
  );
}
