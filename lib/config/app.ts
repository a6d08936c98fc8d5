import type { BenchmarkDefinition } from '../benchmark/definition';
import { isMetadataIops, METADATA_IOPS_ALLOWED } from '../storage/lustre/documented';
import { type BenchmarkConfiguration, resolveBenchmark } from './benchmark';
import { ConfigurationError } from './problem';
import { readSettings } from './read';

/** Name of the stack that watches any existing file system, and of its section in the context. */
export const LUSTRE_DASHBOARD_STACK = 'LustreDashboard';

/** A benchmark that is impossible with settings meant for another. */
export interface Refused {
  readonly name: string;
  readonly problems: readonly string[];
}

/** The stacks that the application creates. */
export interface AppConfiguration {
  readonly benchmarks: readonly BenchmarkConfiguration[];
  readonly refused: readonly Refused[];
  /** A file system to watch; `undefined` if none was given. */
  readonly dashboard:
    | { readonly fileSystemId: string; readonly metadataIops?: number; readonly alarmEmail?: string }
    | undefined;
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
 * @param dashboardName name of the stack that watches a file system, and of its section in the context
 * @param region of the stacks; `undefined` if unknown
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
