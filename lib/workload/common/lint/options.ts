import type { ShellWord } from './shell';

export interface GivenOption {
  /** `i` for `-i`, `posix.odirect` for `--posix.odirect`. */
  readonly name: string;
  /** Without a value: `null`. */
  readonly value: string | null;
  /** The word or the two words. */
  readonly words: readonly ShellWord[];
}

/** The options of a command, in their order. */
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
 *
 * @param withValue short options that take a value
 * @param longWithValue long options that take their value from the next word, too
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
