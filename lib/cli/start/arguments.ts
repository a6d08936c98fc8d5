import { BENCHMARK_NAMES } from '../../benchmark/lookup';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { UsageError } from '../context';
import type { RunOptions } from './startedRun';

/** `buildTools` becomes `build-tools`. */
const optionOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * With --on there is no benchmark to name, so that the first word is the user's program.
 *
 * @param without said where neither is named
 * @returns `name`: `null` for a run on one directory
 */
export function argumentsOf<Options extends Omit<RunOptions, 'results'>>(
  without: string,
  first: string | undefined,
  options: Options,
): { name: string | null; options: Options } {
  const { on, resume, program = [] } = options;
  const ofMount = first === undefined || first === MOUNT_BENCHMARK.name;
  if (on === undefined) {
    for (const key of [
      'as',
      'instance',
      'nodes',
      'hosts',
      'ranks',
      'like',
      'recorded',
      'shared',
      'buildTools',
    ] as const)
      if (options[key] !== undefined)
        throw new UsageError(`--${optionOf(key)} describes the directory of --on: name that, too`);
    const { module: modules = [], local } = options;
    if (modules.length > 0 && local === undefined && resume === undefined)
      throw new UsageError('--module is for tools of this machine: name a directory with --on or --local');
    if (!ofMount) return { name: first, options };
    if (resume !== undefined) return { name: null, options };
    throw new UsageError(without);
  }
  if (resume !== undefined) throw new UsageError('--resume cannot be combined with --on: the run has its directory');
  if (ofMount) return { name: null, options };
  if (BENCHMARK_NAMES.includes(first))
    throw new UsageError(`${first} compares file systems, and --on measures one: leave out one of them`);
  return { name: null, options: { ...options, program: [first, ...program] } };
}
