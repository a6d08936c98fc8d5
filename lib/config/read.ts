import { type ConfigurationProblem, requireNone } from '../common/configurationError';
import { type Field, valueIn } from '../common/field';
import { FIELDS, type Settings } from './fields';
import { nearest } from './nearest';

const NAMES = Object.keys(FIELDS);

/** The CDK's own context keys contain a colon, an `@` or a dash; plain words are our settings. */
const OURS = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Keys that only libraries write: `@aws-cdk/core:flag`, `aws:cdk:path`, `vpc-provider:account=…`. */
const LIBRARYS = /[@:]/;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Unknown words, as problems. */
const unknownKeys = (keys: readonly string[], allowed: readonly string[], where: string, ours = OURS): string[] =>
  keys
    .filter((key) => ours.test(key) && !allowed.includes(key))
    .map((key) => {
      const meant = nearest(key, allowed);
      const step = meant === undefined ? `Known are ${allowed.join(', ')}.` : `Did you mean '${meant}'?`;
      return `'${key}' is not a setting${where}. ${step}`;
    });

/**
 * Finds keys that no library would write but a user might, such as `instance-type` or `CompressionBench.clients`. They would be
 * silently ignored, and a default deployed instead.
 */
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
  let section = value;
  if (typeof section === 'string') {
    try {
      section = JSON.parse(section);
    } catch {
      // Not JSON: reported below like any other value that is not an object.
    }
  }
  if (section === undefined) return {};
  if (isRecord(section)) return section;
  const must = 'an object of settings such as {"clients": 4}';
  problems.push({ property: name, must, got: value, next: 'Correct it in cdk.json.' });
  return {};
}

/**
 * The settings of one benchmark from the application's context (cdk.json and `-c key=value`).
 * Settings under the benchmark's name apply to it alone; those at the top level apply to all, and win, so that `-c` overrides cdk.json.
 *
 * @param benchmarks names of all benchmarks, whose sections may be in the context, too
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
    else problems.push(read.breach);
  }
  requireNone(problems);
  return settings as Settings;
}
