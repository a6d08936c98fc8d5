import type { Benchmark } from '../benchmark/benchmark';
import { ConfigurationError, requireNone } from '../common/configurationError';
import { storageOf } from '../storage/lookup';
import type { WatchedFileSystem } from '../storage/watch';
import { WATCHES } from '../storage/watches';
import { type BenchmarkConfiguration, resolveBenchmark } from './benchmark';
import { readSettings } from './read';

/** Names of the sections that the context may have: those of benchmarks, and of stacks that watch a file system somebody else made. */
export const sectionNames = (definitions: readonly Benchmark[]): readonly string[] => [
  ...definitions.map(({ name }) => name),
  ...WATCHES.map(({ stack }) => stack),
];

/** A file system that is watched by a stack of its storage. */
export interface Watch {
  readonly stack: string;
  readonly watched: WatchedFileSystem;
}

/** A stack that is impossible with these settings. */
export interface Refused {
  readonly name: string;
  readonly problems: readonly string[];
}

/** The stacks that the application creates. */
export interface AppConfiguration {
  readonly benchmarks: readonly BenchmarkConfiguration[];
  readonly refused: Refused[];
  /** Benchmarks with an arm that no stack deploys, whatever the settings. */
  readonly leftOut: readonly Refused[];
  /** File systems to watch: none where none was named. */
  readonly watches: readonly Watch[];
  /** Tags of the stacks that are no benchmark's. */
  readonly tags: Readonly<Record<string, string>>;
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
 * The configuration from the application's context. All stacks share the context, so a setting for one may be impossible for another,
 * which is refused alone.
 *
 * @param deployable the kinds of storage that stacks deploy
 * @param region of the stacks; `undefined` if unknown
 * @throws ConfigurationError with the problems of settings that suit no benchmark at all, such as a misspelled one
 */
export function resolveAll(
  definitions: readonly Benchmark[],
  context: Readonly<Record<string, unknown>>,
  deployable: readonly string[],
  region?: string,
): AppConfiguration {
  const names = sectionNames(definitions);
  const refused: Refused[] = [];
  const leftOut: Refused[] = [];
  const benchmarks = definitions.flatMap((definition) => {
    const { name } = definition;
    const configuration = unlessRefused(refused, name, () =>
      resolveBenchmark(definition, readSettings(context, name, names), region),
    );
    if (configuration === undefined) return [];
    const problem = undeployable(configuration, deployable);
    if (problem === null) return configuration;
    leftOut.push({ name, problems: [problem] });
    return [];
  });
  const [first, ...others] = [...refused, ...leftOut];
  const shared = first?.problems.filter((problem) => others.every(({ problems }) => problems.includes(problem))) ?? [];
  if (benchmarks.length === 0) requireNone(shared);
  const watches = WATCHES.flatMap(({ stack, asked: read }): Watch[] => {
    const watched = unlessRefused(refused, stack, () => {
      const asked = read(readSettings(context, stack, names));
      requireNone(asked?.errors ?? []);
      return asked?.watched;
    });
    return watched === undefined ? [] : [{ stack, watched }];
  });
  // A section of nobody: the settings of all.
  const tags = unlessRefused([], '', () => readSettings(context, '', names).tags) ?? {};
  return { benchmarks, refused, leftOut, watches, tags };
}

/** The result of some work on a stack; `undefined` if its settings are refused, which is noted. */
export function unlessRefused<Result>(refused: Refused[], name: string, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    refused.push({ name, problems: error.problems });
    return undefined;
  }
}
