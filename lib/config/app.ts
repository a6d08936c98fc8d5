import type { Benchmark } from '../benchmark/benchmark';
import { ConfigurationError, type ConfigurationProblem, requireNone, requireThat } from '../common/configurationError';
import { type Field, valueIn } from '../common/field';
import { nearest } from '../common/nearest';
import { parseJson } from '../schema/document';
import { WATCHES } from '../storage/registry';
import { type BenchmarkConfiguration, resolveBenchmark } from './benchmark';
import { FIELDS, type Settings } from './fields';

const NAMES = Object.keys(FIELDS);

/** The CDK's own context keys contain a colon, an `@` or a dash; plain words are our settings. */
const OURS = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Keys that only libraries write: `@aws-cdk/core:flag`, `aws:cdk:path`, `vpc-provider:account=…`. */
const LIBRARYS = /[@:]/;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unknownKeys = (keys: readonly string[], allowed: readonly string[], where: string, ours = OURS): string[] =>
  keys
    .filter((key) => ours.test(key) && !allowed.includes(key))
    .map((key) => {
      const meant = nearest(key, allowed);
      const step = meant === undefined ? `Known are ${allowed.join(', ')}.` : `Did you mean '${meant}'?`;
      return `'${key}' is not a setting${where}. ${step}`;
    });

/** Finds keys that look like a user's mistake, such as `instance-type` or `CompressionBench.clients`: ignoring them would deploy a default. */
function misspelled(keys: readonly string[], benchmarks: readonly string[]): string[] {
  return keys
    .filter((key) => !OURS.test(key))
    .flatMap((key) => {
      const [benchmark = '', setting, ...rest] = key.split(/[.:/]/);
      if (benchmarks.includes(benchmark) && setting !== undefined && rest.length === 0) {
        const meant = nearest(setting, NAMES) ?? 'clients';
        return [`'${key}' is not a setting. For one benchmark alone write: -c ${benchmark}='{"${meant}": …}'`];
      }
      const meant = LIBRARYS.test(key) ? undefined : nearest(key.replaceAll(/[^A-Za-z0-9]/g, ''), NAMES);
      return meant === undefined ? [] : [`'${key}' is not a setting. Did you mean '${meant}'?`];
    });
}

/** `-c CompressionBench='{"clients": 4}'` is a string. */
function asSection(name: string, value: unknown, problems: ConfigurationProblem[]): Record<string, unknown> {
  const section = typeof value === 'string' ? parseJson(value) : value;
  if (value === undefined) return {};
  if (isRecord(section)) return section;
  const must = 'an object of settings such as {"clients": 4}';
  problems.push({ property: name, must, got: value, next: 'Correct it in cdk.json.' });
  return {};
}

/**
 * The settings of one benchmark from the application's context (cdk.json and `-c key=value`). Those under its name apply to it alone. Those at the top
 * level apply to all and win, so `-c` overrides cdk.json. @param benchmarks names of all, whose sections may also be in the context
 * @throws ConfigurationError with every unknown key and every bad value
 */
export function readSettings(
  context: Readonly<Record<string, unknown>>,
  benchmark: string,
  benchmarks: readonly string[] = [benchmark],
): Settings {
  const keys = Object.keys(context);
  const problems: ConfigurationProblem[] = [
    ...unknownKeys(keys, [...NAMES, ...benchmarks], ''),
    ...misspelled(keys, benchmarks),
  ];
  const section = asSection(benchmark, context[benchmark], problems);
  // No library writes into our sections, so every key in them is a setting.
  problems.push(...unknownKeys(Object.keys(section), NAMES, ` of ${benchmark}`, /(?:)/));

  const settings: Record<string, unknown> = {};
  for (const name of NAMES) {
    const value = context[name] ?? section[name];
    if (value === undefined) continue;
    const read = valueIn(FIELDS[name] as Field, name, value);
    if ('value' in read) settings[name] = read.value;
    else problems.push(read.violation);
  }
  requireNone(problems);
  return settings as Settings;
}

/** Names of the sections that the context may have: those of benchmarks, and of stacks that watch a file system somebody else made. */
export const sectionNames = (definitions: readonly Benchmark[]): readonly string[] => [
  ...definitions.map(({ name }) => name),
  ...WATCHES.map(({ stack }) => stack),
];

/** A stack that is impossible with these settings. */
export interface Refused {
  readonly name: string;
  readonly problems: readonly string[];
}

/** @throws ConfigurationError for a benchmark with arms that no stack can make */
function requireDeployable({ definition, arms }: BenchmarkConfiguration, deployable: readonly string[]): void {
  const others = arms.filter(({ storage }) => !deployable.includes(storage.kind)).map((arm) => arm.name);
  const must = `of storages that stacks deploy with ${definition.name}`;
  const next = 'Leave them out, or measure them where they are mounted: npx fsxbench run --on DIR.';
  requireThat(others.length === 0, 'arms', must, others.join(', '), next);
}

/**
 * The configuration from the application's context, which all stacks share: a setting may be impossible for some stacks, which are refused alone.
 * @param deployable the kinds of storage that stacks deploy @param region of the stacks; `undefined` if unknown
 * @returns `watches`: existing file systems to watch
 * @throws ConfigurationError with problems of settings that suit no benchmark, such as a misspelled one
 */
export function resolveAll(
  definitions: readonly Benchmark[],
  context: Readonly<Record<string, unknown>>,
  deployable: readonly string[],
  region?: string,
) {
  const names = sectionNames(definitions);
  const refused: Refused[] = [];
  const benchmarks = definitions.flatMap((definition) => {
    const { name } = definition;
    const configuration = collectRefusals(refused, name, () => {
      const resolved = resolveBenchmark(definition, readSettings(context, name, names), region);
      requireDeployable(resolved, deployable);
      return resolved;
    });
    return configuration ?? [];
  });
  const [first, ...others] = refused;
  const shared = first?.problems.filter((problem) => others.every(({ problems }) => problems.includes(problem))) ?? [];
  if (benchmarks.length === 0) requireNone(shared);
  const watches = WATCHES.flatMap(({ stack, asked: read }) => {
    const watched = collectRefusals(refused, stack, () => {
      const asked = read(readSettings(context, stack, names));
      requireNone(asked?.errors ?? []);
      return asked?.watched;
    });
    return watched === undefined ? [] : [{ stack, watched }];
  });
  // A section of nobody: the settings of all.
  const common = collectRefusals([], '', () => readSettings(context, '', names)) ?? {};
  return { benchmarks, refused, watches, shared: common };
}

/** The result of some work on a stack; `undefined` if its settings are refused, which is noted. */
export function collectRefusals<Result>(refused: Refused[], name: string, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    refused.push({ name, problems: error.problems });
    return undefined;
  }
}
