import { longWithValue, releaseOf } from '../../common/iorRelease';
import { binarySize, humanBytes, needing, shortSize } from '../../common/lint/access';
import {
  append,
  edited,
  type LintedFile,
  type LintedTool,
  type LintRule,
  type Options,
  readOptions,
  rule,
  withOption,
} from '../../common/lint/rule';
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

/** Rules on commands that fail, or measure nothing. */
export const FORM_RULES: readonly LintRule[] = [
  rule('ior-script-file', 'note', ({ options }) => {
    const script = options.value('f');
    return (
      script !== undefined && {
        message: `The script '${script}' was not checked.`,
        suggestion: `npx fsxbench lint --file ${script} checks it`,
      }
    );
  }),

  needing({ id: 'ior-needs-rewriting', ability: 'rewriting' }, (subject) => {
    if (!operations(subject).write) return null;
    if (subject.options.has('z')) return { does: 'With -z IOR writes anywhere in a file', suggestion: null };
    return subject.options.has('F') || subject.ranks === 1
      ? null
      : { does: 'Without -F all processes write one file', suggestion: append(subject, '-F') };
  }),

  rule(
    'dummy-api',
    'error',
    (subject) =>
      subject.options.value('a')?.toUpperCase() === 'DUMMY' && {
        message: 'The DUMMY interface moves no data and reports any rate.',
        suggestion: withOption(subject, 'a', 'POSIX'),
      },
  ),

  rule('ior-old-odirect', 'error', (subject) => {
    const option = subject.options.get('B');
    if (!option || (releaseOf(subject) ?? '3.3.0').startsWith('3.2')) return null;
    const word = option.words[0];
    return {
      message:
        "'-B' was removed in IOR 3.3.0, which prints its help and exits with 0; use --posix.odirect for O_DIRECT.",
      suggestion:
        word?.value === '-B' ? edited(subject.command, [{ replace: word, by: '--posix.odirect' }]) : '--posix.odirect',
    };
  }),

  // It reads sizes as "%lld %c" (hpc/ior, src/option.c).
  rule('ior-size-fraction', 'error', (subject) => {
    const option = (['b', 't'] as const).find((name) => subject.options.value(name)?.includes('.'));
    const value = option && subject.options.value(option);
    const bytes = binarySize(value);
    if (option === undefined || bytes === null) return null;
    return {
      message: `IOR reads only whole numbers: it reads the number before the dot of '-${option} ${value}' as bytes, and refuses to start.`,
      suggestion: withOption(subject, option, shortSize(Math.max(1, Math.round(bytes / 1024)) * 1024)),
    };
  }),

  rule('ior-block-not-multiple', 'error', (subject) => {
    const [block, size] = [binarySize(subject.options.value('b')), transfer(subject)];
    if (block === null || size === null || size === 0 || block % size === 0) return null;
    return {
      message: `The block size (-b, ${humanBytes(block)}) must be a multiple of the transfer size (-t, ${humanBytes(size)}): IOR refuses to start.`,
      suggestion: withOption(subject, 'b', `${Math.ceil(block / size) * size}`),
    };
  }),
];
