import type { Benchmark } from '../benchmark/benchmark';
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

/**
 * The configuration from the application's context. All stacks share the context, so a setting for one
 * benchmark may be impossible for another, which is then skipped. If no benchmark is possible, or a benchmark's own section
 * is invalid, nothing is created.
 *
 * @param region of the stacks; `undefined` if unknown
 * @throws ConfigurationError with every problem, each once
 */
export function resolveAll(
  definitions: readonly Benchmark[],
  context: Readonly<Record<string, unknown>>,
  region?: string,
): AppConfiguration {
  const names = sectionNames(definitions);
  const benchmarks: BenchmarkConfiguration[] = [];
  const refused: Refused[] = [];
  for (const definition of definitions) {
    try {
      benchmarks.push(resolveBenchmark(definition, readSettings(context, definition.name, names), region));
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
    throw new ConfigurationError([...new Set(refused.flatMap((one) => named(one, refused)))]);
  }
  return { benchmarks, refused, watches };
}
