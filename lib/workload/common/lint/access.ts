import type { Launched } from './launched';
import type { Options } from './options';
import type { ShellWord } from './shell';

/** The path that a command accesses, and whether it writes to it. */
export interface Access {
  readonly launched: Launched;
  readonly path: string;
  /** The word that contains the path. */
  readonly word: ShellWord;
  /** Prefix of the path in its word: `of=` */
  readonly prefix: string;
  readonly writes: boolean;
}

/** An access to the path in a word, after its prefix; `null` without a word. */
export function accessTo(
  launched: Launched,
  word: ShellWord | undefined,
  prefix: string,
  writes: boolean,
): Access | null {
  if (word === undefined) return null;
  return { launched, word, prefix, path: word.value.slice(prefix.length).replace(/(?<=.)\/+$/, ''), writes };
}

/** An access to the value of a short option, which may be a separate word. */
export function accessByOption(launched: Launched, options: Options, name: string, writes: boolean): Access | null {
  const [own, next] = options.get(name)?.words ?? [];
  return next ? accessTo(launched, next, '', writes) : accessTo(launched, own, `-${name}`, writes);
}

/** The first word that begins with one of the prefixes: `--directory=`, `of=`. */
export function wordBeginning(
  { args }: Launched,
  ...prefixes: readonly string[]
): { readonly word: ShellWord | undefined; readonly prefix: string } {
  for (const prefix of prefixes) {
    const word = args.find(({ value }) => value.startsWith(prefix));
    if (word) return { word, prefix };
  }
  return { word: undefined, prefix: '' };
}
