import type { BenchmarkDefinition } from '../benchmark/definition';
import { isMetadataIops, METADATA_IOPS_ALLOWED } from '../storage/lustre/documented';
import { type BenchmarkConfiguration, resolveBenchmark } from './benchmark';
import { ConfigurationError } from './problem';
import { readSettings } from './read';

/** Name of the stack that watches a file system which somebody else made, and of its section in the context. */
export const LUSTRE_DASHBOARD_STACK = 'LustreDashboard';

/** A benchmark that cannot be made with settings that are good for another. */
export interface Refused {
  readonly name: string;
  readonly problems: readonly string[];
}

/** What the application makes. */
export interface AppConfiguration {
  readonly benchmarks: readonly BenchmarkConfiguration[];
  readonly refused: readonly Refused[];
  /** A file system to watch; `undefined` when none was named. */
  readonly dashboard:
    | { readonly fileSystemId: string; readonly metadataIops?: number; readonly alarmEmail?: string }
    | undefined;
}

/** The problems of a benchmark; those that are not everyone's begin with its name, so that a user of another can pass over them. */
function named({ name, problems }: Refused, all: readonly Refused[]): string[] {
  const shared = (problem: string): boolean => all.every((one) => one.problems.includes(problem));
  return problems.map((problem) => (shared(problem) ? problem : `${name}: ${problem}`));
}

/**
 * Everything that the application's context asks for. The context is one for all stacks, so that what is set for one
 * benchmark may be impossible for another: that one is left out. Where no benchmark can be made, or the section of a benchmark itself
 * is wrong, nothing is.
 *
 * @param dashboardName name of the stack that watches a file system, and of its section in the context
 * @param region where the stacks go; `undefined` while nobody knows
 * @throws ConfigurationError with every problem, each once
 */
export function resolveAll(
  definitions: readonly BenchmarkDefinition[],
  context: Readonly<Record<string, unknown>>,
  dashboardName: string,
  region?: string,
): AppConfiguration {
  const names = [...definitions.map(({ name }) => name), dashboardName];
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
  const { fileSystemId, metadataIops, alarmEmail } = readSettings(context, dashboardName, names);
  if (fileSystemId !== undefined && typeof metadataIops === 'number' && !isMetadataIops(metadataIops)) {
    throw new ConfigurationError([
      `'metadataIops' must be ${METADATA_IOPS_ALLOWED}, got ${metadataIops}. It is what the file system ${fileSystemId} has: aws fsx describe-file-systems`,
    ]);
  }
  const dashboard =
    fileSystemId === undefined
      ? undefined
      : { fileSystemId, alarmEmail, metadataIops: typeof metadataIops === 'number' ? metadataIops : undefined };
  const meant = refused.some(({ name }) => context[name] !== undefined);
  if (meant || (benchmarks.length === 0 && dashboard === undefined)) {
    throw new ConfigurationError([...new Set(refused.flatMap((one) => named(one, refused)))]);
  }
  return { benchmarks, refused, dashboard };
}
