import type { FileAbility } from '../../../schema/fileRules';
import { type LintedTool, type LintRule, type Options, rule } from './rule';
import type { Launched, ShellWord } from './shell';

/** The path that a command accesses, and whether it writes to it. */
export interface Access {
  readonly launched: Launched;
  readonly path: string;
  readonly word: ShellWord;
  /** Prefix of the path in its word: `of=` */
  readonly prefix: string;
  readonly writes: boolean;
}

/** An access to the path in a word, after its prefix; `null` without a word. */
export function accessTo(launched: Launched, word: ShellWord | undefined, prefix: string, writes: boolean) {
  if (word === undefined) return null;
  return { launched, word, prefix, path: word.value.slice(prefix.length).replace(/(?<=.)\/+$/, ''), writes };
}

/** An access to the value of a short option, which may be a separate word. */
export function accessByOption(launched: Launched, options: Options, name: string, writes: boolean): Access | null {
  const [own, next] = options.get(name)?.words ?? [];
  return next ? accessTo(launched, next, '', writes) : accessTo(launched, own, `-${name}`, writes);
}

/** The first word that begins with one of the prefixes: `--directory=`, `of=`. */
export function wordBeginning({ args }: Launched, ...prefixes: readonly string[]) {
  const found = (prefix: string) => args.find(({ value }) => value.startsWith(prefix));
  const prefix = prefixes.find(found) ?? '';
  return { word: prefix === '' ? undefined : found(prefix), prefix };
}

/** Parses a whole number; `null` for anything else, such as a variable. */
export const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : null;

/** Parses a size as IOR and fio do: `1m`, `16M`, `4096`, with binary units. `null` for anything else. */
export function binarySize(text: string | undefined): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,6})?)([kmgt])?(?:i?b)?$/i.exec(text ?? '');
  return match ? Number(match[1]) * 1024 ** ['', 'k', 'm', 'g', 't'].indexOf((match[2] ?? '').toLowerCase()) : null;
}

/** Parses a size as dd and head do: `M` is 2^20, `MB` is 10^6. `null` for anything else. */
export function coreutilsSize(text: string | undefined): number | null {
  const match = /^(\d{1,12})(?:([kKMGT])(iB|B)?|c|b|w)?$/.exec(text ?? '');
  if (!match) return null;
  const count = Number(match[1]);
  if (match[2] === undefined) return /b$/.test(text ?? '') ? count * 512 : /w$/.test(text ?? '') ? count * 2 : count;
  const power = 'KMGT'.indexOf(match[2].toUpperCase()) + 1;
  return count * (match[3] === 'B' ? 1000 : 1024) ** power;
}

/** A size as IOR and fio take it: `16m`, `4k`, `4095`. */
export const shortSize = (bytes: number): string =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20}m` : bytes % 1024 === 0 ? `${bytes / 1024}k` : `${bytes}`;

export function humanBytes(bytes: number): string {
  const units = { TiB: 2 ** 40, GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10 };
  const found = Object.entries(units).find(([, size]) => bytes >= size);
  return found === undefined ? `${bytes} B` : `${Number((bytes / found[1]).toPrecision(3))} ${found[0]}`;
}

/** Memory that may answer in the place of the storage, as far as it is known. */
interface CacheMemory {
  readonly bytes: number;
  /** `the 126 GiB of server memory`. */
  readonly words: string;
}

/** The memory of clients and servers; `null` if unknown. @param direct O_DIRECT passes the clients' memory by, but not the servers' */
export function cacheMemory(
  { clients = 1, clientMemoryBytes, serverMemoryBytes }: LintedTool['context'],
  direct: boolean,
): CacheMemory | null {
  const known = [
    ...(direct || clientMemoryBytes === undefined ? [] : [{ whose: 'client', bytes: clients * clientMemoryBytes }]),
    ...(serverMemoryBytes === undefined ? [] : [{ whose: 'server', bytes: serverMemoryBytes }]),
  ];
  if (known.length === 0) return null;
  const bytes = known.reduce((sum, one) => sum + one.bytes, 0);
  return { bytes, words: `the ${humanBytes(bytes)} of ${known.map(({ whose }) => whose).join(' and ')} memory` };
}

const FAILS: Readonly<Record<FileAbility, string>> = {
  rewriting: 'a file is written once, from its beginning to its end, by one process',
  renaming: 'nothing can be renamed',
  'lasting-directories': 'a directory is gone with its last file, so nothing can remove it',
};

/** A rule: a command fails on a storage without an ability. @param needs its use of the ability, and a command without; `null` without a use */
export function needing(
  { id, ability }: { readonly id: string; readonly ability: FileAbility },
  needs: (subject: LintedTool) => { readonly does: string; readonly suggestion: string | null } | null,
): LintRule {
  return rule(id, 'error', (subject) => {
    const { files } = subject.context;
    const found = files?.lacks.includes(ability) ? needs(subject) : null;
    if (files === undefined || found === null) return null;
    const message = `${found.does}, which fails on this storage: ${FAILS[ability]} (${files.source}).`;
    return { message, suggestion: found.suggestion };
  });
}
