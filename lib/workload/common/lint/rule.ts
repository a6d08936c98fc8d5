import type { FileRules } from '../../../schema/fileRules';
import type { Severity } from '../../../schema/issue';
import { type Launched, quote, type ShellCommand, type ShellScript, type ShellWord } from './shell';

/** Input of a rule about a tool. */
export interface LintedTool extends Launched {
  readonly options: Options;
  readonly context: LintContext;
  /** Total number of processes; `null` if unknown. */
  readonly ranks: number | null;
  /** All commands of the line, for rules about earlier ones. */
  readonly line: readonly Launched[];
}

export interface LintedLine {
  readonly script: ShellScript;
  readonly commands: readonly Launched[];
  readonly context: LintContext;
}

/** A lint rule about a tool; returns `null` if it does not apply. */
export type LintRule = (subject: LintedTool) => LintFinding | null;

/** Fault of a command, and what to type instead; the severity where it depends on the command. */
type Judgement = Pick<LintFinding, 'message' | 'suggestion'> & Partial<Pick<LintFinding, 'severity'>>;

/** A rule by its id and severity; the judgement is false or `null` where it does not apply. */
export const rule =
  (id: string, severity: LintFinding['severity'], judge: (subject: LintedTool) => Judgement | false | null): LintRule =>
  (subject) => {
    const found = judge(subject);
    return found ? { id, severity, ...found } : null;
  };

/** A problem of a command line: what, why it matters, and what to type instead. */
export interface LintFinding {
  /** Stable, kebab-case: users filter on it. */
  readonly id: string;
  /** `error`: misleading figures, or a command that fails. */
  readonly severity: Severity;
  readonly message: string;
  /** A command without this problem, or what to do; `null` if only the user can know. */
  readonly suggestion: string | null;
  /** Line of the command in a script. @default - there is one line */
  readonly line?: number;
  /** True if the user allowed it. @default false */
  readonly allowed?: boolean;
}

/** A file of a tool, as the commands that its parts stand for. */
export interface LintedFile {
  /** With the line where the part begins, from 1, unless it is the whole file. */
  readonly commands: readonly { readonly command: string; readonly line?: number }[];
  /** Problems of the file as a whole. @default - nothing is checked */
  readonly findings?: readonly LintFinding[];
  /** True if no better file can be made of better commands. @default false */
  readonly isParsedOnly?: boolean;
}

/** The document that `fsxbench lint --json` prints. */
export interface LintDocument {
  readonly schema: 'fsxbench.lint/1';
  readonly command: string;
  readonly findings: readonly LintFinding[];
  /** The whole input with every suggestion in it that is a command; `null` without such a suggestion. */
  readonly better: string | null;
}

/** Context of a command. A rule that needs unknown context stays silent, or says in which case it applies. */
export interface LintContext {
  /** Version of IOR and mdtest, such as `3.3.0`. */
  readonly iorVersion?: string;
  readonly clients?: number;
  readonly cpus?: number;
  readonly clientMemoryBytes?: number;
  /** Total memory of all file servers for caching data, bytes. */
  readonly serverMemoryBytes?: number;
  /** True if the file system compresses. @default - unknown, and assumed */
  readonly compresses?: boolean;
  /** Differences of the storage from POSIX. @default - none */
  readonly files?: FileRules;
  /** Stripe count of the directory; -1 is every target. */
  readonly stripeCount?: number;
  /** File creations per second that the storage documents. */
  readonly createsPerSecond?: number;
  /** True if the caller repeats the command. @default false */
  readonly repeated?: boolean;
}

export type Edit =
  | { readonly replace: ShellWord; readonly by: string }
  | { readonly remove: readonly ShellWord[] }
  | { readonly after: ShellWord; readonly add: string };

/** The user's command with some words changed; other words keep their quotes. */
export function edited(command: ShellCommand, edits: readonly Edit[]): string {
  // Several words may stand in one place: a variable with several words. Only its owner can change it.
  const isOwn = (word: ShellWord): boolean => command.words.filter(({ pos }) => pos === word.pos).length < 2;
  const pieces = edits.flatMap((edit): { from: number; to: number; text: string }[] => {
    if ('replace' in edit && !isOwn(edit.replace)) return [];
    if ('replace' in edit) return [{ from: edit.replace.pos, to: edit.replace.end, text: quote(edit.by) }];
    if ('after' in edit) return [{ from: edit.after.end, to: edit.after.end, text: ` ${edit.add}` }];
    return edit.remove.filter(isOwn).map((word) => ({ from: word.pos, to: word.end, text: '' }));
  });
  let text = command.source.slice(command.pos, command.end);
  for (const { from, to, text: by } of pieces.sort((a, b) => b.from - a.from)) {
    let start = from - command.pos;
    // Remove the space before a removed word as well.
    if (by === '') while (start > 0 && /[ \t]/.test(text[start - 1] as string)) start -= 1;
    text = text.slice(0, start) + by + text.slice(to - command.pos);
  }
  return text.trim();
}

/** The user's command with an option right after its program. */
export const append = (subject: LintedTool, text: string): string =>
  edited(subject.command, [{ after: subject.programWord, add: text }]);

/** The user's command with an argument behind all others. */
export const appendLast = ({ command, args, programWord }: LintedTool, add: string): string =>
  edited(command, [{ after: args.at(-1) ?? programWord, add }]);

/** The user's command with a short option set to a value, whether or not it was given. */
export function withOption(subject: LintedTool, name: string, value: string): string {
  const [first, second] = subject.options.get(name)?.words ?? [];
  if (first === undefined) return append(subject, `-${name} ${value}`);
  return edited(subject.command, [
    second ? { replace: second, by: value } : { replace: first, by: `-${name}${value}` },
  ]);
}

interface GivenOption {
  /** `i` for `-i`, `posix.odirect` for `--posix.odirect`. */
  readonly name: string;
  readonly value: string | null;
  readonly words: readonly ShellWord[];
}

export interface Options {
  readonly given: readonly GivenOption[];
  readonly rest: readonly ShellWord[];
  has(...names: readonly string[]): boolean;
  /** The last option of that name, which takes precedence. */
  get(name: string): GivenOption | null;
  value(name: string): string | undefined;
}

/**
 * Parses options as IOR, mdtest and fio do: `-i 3`, `-i3`, `-i=3`, `-wr`, `--size=1g`, `--size 1g`.
 * @param withValue short options that take a value @param longWithValue long options that also take their value from the next word
 */
export function readOptions(
  words: readonly ShellWord[],
  withValue: string,
  longWithValue: (name: string) => boolean = () => false,
): Options {
  const given: GivenOption[] = [];
  const rest: ShellWord[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as ShellWord;
    const next = words[index + 1];
    const long = /^--?([a-zA-Z][\w.-]+)(?:=(.*))?$/s.exec(word.value);
    if (word.value.startsWith('--') && long) {
      const [, name = '', value] = long;
      if (value === undefined && next && longWithValue(name)) {
        given.push({ name, value: next.value, words: [word, next] });
        index += 1;
      } else given.push({ name, value: value ?? null, words: [word] });
    } else if (/^-[A-Za-z]/.test(word.value)) {
      index += readShort(word, next) ? 1 : 0;
    } else rest.push(word);
  }
  const get = (name: string): GivenOption | null => given.findLast((option) => option.name === name) ?? null;
  return {
    given,
    rest,
    has: (...names) => given.some(({ name }) => names.includes(name)),
    get,
    value: (name) => get(name)?.value ?? undefined,
  };

  /** @returns true if the next word was its value */
  function readShort(word: ShellWord, next: ShellWord | undefined): boolean {
    const letters = word.value.slice(1);
    for (let at = 0; at < letters.length; at += 1) {
      const name = letters[at] as string;
      const tail = letters.slice(at + 1);
      if (!withValue.includes(name)) {
        if (!/[A-Za-z]/.test(name)) return false;
        given.push({ name, value: null, words: [word] });
      } else if (tail !== '') {
        given.push({ name, value: tail.replace(/^=/, ''), words: [word] });
        return false;
      } else {
        given.push({ name, value: next?.value ?? null, words: next ? [word, next] : [word] });
        return next !== undefined;
      }
    }
    return false;
  }
}
