import { edited } from '../edit';
import type { Finding } from '../finding';
import type { Launched } from '../launch';
import { readOptions } from '../options';
import type { Line } from '../rule';
import type { ShellWord } from '../shell';
import { IOR_WITH_VALUE } from './ior/common';
import { MDTEST_WITH_VALUE } from './mdtest';

/** What a command works on, the word that says so, and what it does there. */
interface Access {
  readonly launched: Launched;
  readonly path: string;
  readonly word: ShellWord;
  /** What stands before the path in its word: `of=` */
  readonly prefix: string;
  readonly writes: boolean;
}

const clean = (path: string): string => path.replace(/(?<=.)\/+$/, '');

/** Data are read or written, not both: `cp`-like commands need no rule. */
function accessOf(launched: Launched): Access | null {
  const { tool, args } = launched;
  const at = (word: ShellWord | undefined, prefix: string, writes: boolean): Access | null =>
    word === undefined ? null : { launched, word, prefix, path: clean(word.value.slice(prefix.length)), writes };
  const named = (...prefixes: readonly string[]) => {
    for (const prefix of prefixes) {
      const word = args.find(({ value }) => value.startsWith(prefix));
      if (word) return { word, prefix };
    }
    return { word: undefined, prefix: '' };
  };
  if (tool === 'ior' || tool === 'mdtest') {
    const options = readOptions(args, tool === 'ior' ? IOR_WITH_VALUE : MDTEST_WITH_VALUE);
    const given = options.get(tool === 'ior' ? 'o' : 'd');
    const [own, next] = given?.words ?? [];
    const writes =
      tool === 'ior'
        ? options.has('w') || !options.has('r', 'R', 'W')
        : options.has('C') || !options.has('T', 'E', 'r');
    return next ? at(next, '', writes) : at(own, given ? `-${given.name}` : '', writes);
  }
  if (tool === 'fio') {
    const { word, prefix } = named('--directory=', '--filename=');
    const kind = named('--rw=', '--readwrite=').word?.value.split('=')[1] ?? 'read';
    return at(word, prefix, !/^(rand)?read$/.test(kind));
  }
  if (tool !== 'dd') return null;
  const [input, output] = [named('if='), named('of=')];
  const discards = output.word === undefined || output.word.value === 'of=/dev/null';
  if (!discards) return at(output.word, output.prefix, true);
  return input.word?.value.startsWith('if=/dev/') ? null : at(input.word, input.prefix, false);
}

/** A line writes data, and then reads other data: of unknown age, size and place, or none. */
export function readsWhatWasNotWritten({ commands }: Line): Finding[] {
  const accesses = commands.flatMap((launched) => accessOf(launched) ?? []);
  return accesses.flatMap((reading, index): Finding[] => {
    if (reading.writes) return [];
    const written = accesses
      .slice(0, index)
      .filter(({ writes, launched }) => writes && launched.tool === reading.launched.tool);
    const last = written.at(-1);
    if (last === undefined || written.some(({ path }) => path === reading.path)) return [];
    return [
      {
        id: 'read-path-not-written',
        severity: 'warning',
        message: `'${last.path}' is written and '${reading.path}' is read: other data, of which the line does not know size, age or stripes.`,
        suggestion: edited(reading.launched.command, [{ replace: reading.word, by: `${reading.prefix}${last.path}` }]),
      },
    ];
  });
}
