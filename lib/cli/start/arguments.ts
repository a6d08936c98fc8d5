import type { Command } from 'commander';
import { BENCHMARK_NAMES } from '../../benchmark/lookup';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { UsageError } from '../context';
import type { RunOptions } from './recorded';

/** `buildTools` becomes `build-tools`. */
const optionOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A word that nothing takes. */
const stray = (word: string): string =>
  `'${word}' belongs to no option: write --set before each setting, and -- before your own program (-- ./app {dir})`;

/** Operands of a command: what it names, and the user's own program behind its `--`. */
export interface Operands {
  readonly named: readonly string[];
  readonly program: readonly string[];
}

export function operandsOf({ args, parent }: Command): Operands {
  // Commander keeps the whole line in a field that its types do not name.
  const line = (parent as unknown as { readonly rawArgs: readonly string[] }).rawArgs;
  const dashes = line.indexOf('--');
  const program = dashes < 0 ? [] : line.slice(dashes + 1);
  return { named: args.slice(0, args.length - program.length), program };
}

/**
 * The benchmark, or the directory of --on, to measure.
 *
 * @param without the error if neither is named
 * @returns `name`: `null` for a run on one directory
 */
export function argumentsOf<Options extends Omit<RunOptions, 'results'>>(
  without: string,
  { named: [first, ...others], program }: Operands,
  typed: Options,
): { name: string | null; options: Options } {
  const options = { ...typed, program: [...program] };
  const { on, resume } = options;
  const ofMount = first === undefined || first === MOUNT_BENCHMARK.name;
  const [word] = on === undefined || ofMount || BENCHMARK_NAMES.includes(first) ? others : [first];
  if (word !== undefined) throw new UsageError(stray(word));
  if (on === undefined) {
    for (const key of ['as', 'nodes', 'hosts', 'ranks', 'like', 'recorded', 'shared', 'buildTools'] as const)
      if (options[key] !== undefined)
        throw new UsageError(`--${optionOf(key)} describes the directory of --on: also give --on`);
    const { module: modules = [], local } = options;
    if (modules.length > 0 && local === undefined && resume === undefined)
      throw new UsageError('--module is for tools on this computer: name a directory with --on or --local');
    if (!ofMount) return { name: first, options };
    if (resume !== undefined) return { name: null, options };
    throw new UsageError(without);
  }
  if (resume !== undefined) throw new UsageError('--resume cannot be combined with --on: the run has its directory');
  if (ofMount) return { name: null, options };
  throw new UsageError(`${first} compares file systems, and --on measures one: leave out one of them`);
}
