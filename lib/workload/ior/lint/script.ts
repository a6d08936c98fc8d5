import { longWithValue, releaseOf } from '../../common/iorRelease';
import { binarySize } from '../../common/lint/access';
import { type LintedFile, type LintedTool, type Options, readOptions } from '../../common/lint/rule';
import { quote, type ShellWord } from '../../common/lint/shell';
import parameters from './parameters.json';

/** Parameters of IOR's scripts as options of its command line, without and with a value (IOR 4.0.0, doc/USER_GUIDE and src/parse_options.c). */
const { flags: FLAGS, values: VALUES }: Readonly<Record<'flags' | 'values', Readonly<Record<string, string>>>> =
  parameters;

/** The tests of an IOR script (`ior -f SCRIPT`) as commands; `null` for another text. A parameter holds for all later tests; `RUN` ends one. */
export function iorScript(text: string): LintedFile | null {
  const lines = text.split('\n').map((line) => line.replace(/#.*$/, '').trim());
  const start = lines.findIndex((line) => line !== '');
  if (!/^IOR START$/i.test(lines[start] ?? '')) return null;
  const options = new Map<string, string | null>();
  const commands: LintedFile['commands'][number][] = [];
  let [begin, isOpen] = [start + 2, false];
  const end = (): void => {
    if (isOpen)
      commands.push({
        command: ['ior', ...[...options].flatMap(([name, value]) => (value === null ? [name] : [name, value]))]
          .map(quote)
          .join(' '),
        line: begin,
      });
    isOpen = false;
  };
  for (const [index, line] of lines.entries()) {
    if (/^(?:RUN|IOR STOP)$/i.test(line)) end();
    const [, key, value] = /^(\w+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    if (!isOpen) begin = index + 1;
    isOpen = true;
    const name = key.toLowerCase();
    const flag = FLAGS[name];
    if (flag !== undefined) {
      if (value === '0') options.delete(flag);
      else options.set(flag, null);
    } else options.set(VALUES[name] ?? '-O', VALUES[name] === undefined ? `${key}=${value}` : value);
  }
  end();
  return { commands, isParsedOnly: true };
}

/** IOR's short options with a value (IOR 3.3.0 and 4.0.0, `src/parse_options.c`). */
const WITH_VALUE = 'aAbdDfGiIjJlMNoOQstTUX';

export const iorOptions = (words: readonly ShellWord[]): Options => readOptions(words, WITH_VALUE, longWithValue);

/** The first number of the release; `null` if it is not known. */
export const major = (subject: LintedTool): number | null => {
  const match = /^(\d+)\./.exec(releaseOf(subject) ?? '');
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
