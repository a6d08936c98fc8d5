import type { Benchmark } from '../benchmark/benchmark';
import { storageOf } from '../storage/lookup';
import { STORAGES } from '../storage/registry';
import type { WatchedFileSystem } from '../storage/storage';
import { type BenchmarkConfiguration, resolveBenchmark } from './benchmark';
import { ConfigurationError } from './problem';
import { readSettings } from './read';

/** Names of the sections that the context may have: those of benchmarks, and of stacks that watch a file system somebody else made. */
export const sectionNames = (definitions: readonly Benchmark[]): readonly string[] => [
  ...definitions.map(({ name }) => name),
  ...STORAGES.flatMap(({ watch }) => watch?.stack ?? []),
];

/** A file system that is watched by a stack of its storage. */
export interface Watch {
  readonly kind: string;
  readonly stack: string;
  readonly watched: WatchedFileSystem;
}

/** A benchmark that is impossible with settings meant for another. */
export interface Refused {
  readonly name: string;
  readonly problems: readonly string[];
}

/** The stacks that the application creates. */
export interface AppConfiguration {
  readonly benchmarks: readonly BenchmarkConfiguration[];
  readonly refused: readonly Refused[];
  /** File systems to watch: none where none was named. */
  readonly watches: readonly Watch[];
}

/** The problems of a benchmark; specific ones start with its name, so that users of other benchmarks can ignore them. */
function named({ name, problems }: Refused, all: readonly Refused[]): string[] {
  const shared = (problem: string): boolean => all.every((one) => one.problems.includes(problem));
  return problems.map((problem) => (shared(problem) ? problem : `${name}: ${problem}`));
}

/** Why no stack can make a benchmark; `null` for one that can be deployed. */
function undeployable({ definition: { name }, arms }: BenchmarkConfiguration, deployable: readonly string[]) {
  const others = arms.filter(({ storage }) => !deployable.includes(storage.kind));
  if (others.length === 0) return null;
  const got = others.map((arm) => `${arm.name} (${storageOf(arm.storage).label})`).join(', ');
  const run = arms.length > 1 ? `${name} --local ${arms.map((arm) => `${arm.name}=DIR`).join(' ')}` : '--on DIR';
  return (
    `'arms' of ${name} must be of storages that stacks deploy (${deployable.join(', ')}), got ${got}. ` +
    `Measure them where they are mounted: npx fsxbench run ${run}`
  );
}

/**
 * The configuration from the application's context. All stacks share the context, so a setting for one
 * benchmark may be impossible for another, which is then skipped. If no benchmark is possible, or a benchmark's own section
 * is invalid, nothing is created. One that no stack can deploy is left out, whatever its section says.
 *
 * @param deployable the kinds of storage that stacks deploy
 * @param region of the stacks; `undefined` if unknown
 * @throws ConfigurationError with every problem, each once
 */
export function resolveAll(
  definitions: readonly Benchmark[],
  context: Readonly<Record<string, unknown>>,
  deployable: readonly string[],
  region?: string,
): AppConfiguration {
  const names = sectionNames(definitions);
  const benchmarks: BenchmarkConfiguration[] = [];
  const refused: Refused[] = [];
  const leftOut: Refused[] = [];
  for (const definition of definitions) {
    try {
      const configuration = resolveBenchmark(definition, readSettings(context, definition.name, names), region);
      const problem = undeployable(configuration, deployable);
      if (problem === null) benchmarks.push(configuration);
      else leftOut.push({ name: definition.name, problems: [problem] });
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      refused.push({ name: definition.name, problems: error.problems });
    }
  }
  const watches = STORAGES.flatMap(({ kind, watch }): Watch[] => {
    const asked = watch?.asked(readSettings(context, watch.stack, names)) ?? null;
    if (watch === undefined || asked === null) return [];
    if (asked.problems.length > 0) throw new ConfigurationError(asked.problems);
    return [{ kind, stack: watch.stack, watched: asked.watched }];
  });
  const meant = refused.some(({ name }) => context[name] !== undefined);
  if (meant || (benchmarks.length === 0 && watches.length === 0)) {
    const all = [...refused, ...leftOut];
    throw new ConfigurationError([...new Set(all.flatMap((one) => named(one, all)))]);
  }
  return { benchmarks, refused: [...refused, ...leftOut], watches };
}
