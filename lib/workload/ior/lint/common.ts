import { longWithValue } from '../../common/iorRelease';
import { type Options, readOptions } from '../../common/lint/options';
import type { LintedTool } from '../../common/lint/rule';
import type { ShellWord } from '../../common/lint/shell';
import { binarySize } from '../../common/lint/size';

/** Short options of IOR that take a value (IOR 3.3.0 and 4.0.0, `src/parse_options.c`). */
const WITH_VALUE = 'aAbdDfGiIjJlMNoOQstTUX';

export const iorOptions = (words: readonly ShellWord[]): Options => readOptions(words, WITH_VALUE, longWithValue);

export const major = (version: string | undefined): number | null => {
  const match = /^(\d+)\./.exec(version ?? '');
  return match ? Number(match[1]) : null;
};

/** Not naming an operation means write and read. */
export const operations = ({ options }: LintedTool): { write: boolean; read: boolean } => {
  const none = !options.has('w', 'r', 'W', 'R');
  return { write: none || options.has('w'), read: none || options.has('r', 'R', 'W') };
};

export const direct = ({ options }: LintedTool): boolean => options.has('posix.odirect', 'B');

export const transfer = ({ options }: LintedTool): number | null => binarySize(options.value('t') ?? '256k');

export const compressing = ({ context }: LintedTool): boolean => context.compresses !== false;

/** A setting of `-O key=value,key=value`: the last one of its name counts; and the word that it stands in. */
export function setting(
  { options }: LintedTool,
  key: string,
): { readonly value: string; readonly word: ShellWord } | null {
  for (const option of [...options.given].reverse()) {
    const word = option.words.at(-1);
    if (option.name !== 'O' || word === undefined) continue;
    const own = (option.value ?? '')
      .split(',')
      .findLast((each) => each.toLowerCase().startsWith(`${key.toLowerCase()}=`));
    if (own !== undefined) return { value: own.slice(key.length + 1), word };
  }
  return null;
}
