import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Benchmark, SCALES } from '../../benchmark/benchmark';
import { BENCHMARKS } from '../../benchmark/registry';
import { ConfigurationError } from '../../common/configurationError';
import { readWhole } from '../../common/files';
import { nearest } from '../../common/nearest';
import { type Labels, PROPERTIES, violationMessage } from '../../common/violation';
import { readSettings, sectionNames } from '../../config/app';
import { type BenchmarkConfiguration, resolveBenchmark } from '../../config/benchmark';
import type { Settings } from '../../config/fields';
import type { StorageConfiguration } from '../../schema/deployment';
import { isNeverDeployed, storageOf } from '../../storage/lookup';
import { DEFAULT_KIND, STORAGES } from '../../storage/registry';
import type { Storage } from '../../storage/storage';
import { UsageError } from '../context';
import { LUSTRE_OPTIONS } from '../scale';
import { quantity, word } from './quantity';

/** The kinds of storage that `--storage` can name, the default first. */
const PREDICTED_KINDS = STORAGES.filter((storage) => !isNeverDeployed(storage)).map(({ kind }) => kind);

export interface ConfigurationOptions {
  configurationOf(options: Readonly<Record<string, unknown>>): StorageConfiguration;
  /** The configuration's properties in the words of the options. */
  readonly words: Labels;
}

/** Returns the reader of the chosen storage's configuration, after checking that no option of another storage is given. @throws UsageError */
export async function optionsOf(flags: Readonly<Record<string, unknown>>): Promise<ConfigurationOptions> {
  const kind = typeof flags.storage === 'string' ? word('--storage', flags.storage, PREDICTED_KINDS) : DEFAULT_KIND;
  const set = Array.isArray(flags.set) ? (flags.set as string[]) : [];
  if (kind === DEFAULT_KIND) {
    if (set.length === 0) return (await import('../scale/configurationOptions')).lustreOptions;
    throw new UsageError(
      `'--set' ('${set[0]}') cannot be combined with --storage ${kind}: use its own options, which --help lists`,
    );
  }
  const foreign = LUSTRE_OPTIONS.find(([option]) => flags[keyOf(option)] !== undefined);
  if (foreign !== undefined)
    throw new UsageError(
      `'${foreign[0].split(' ')[0]}' cannot be combined with --storage ${kind}: it describes ${DEFAULT_KIND}; use --set`,
    );
  const storage = storageOf({ kind });
  const { words = PROPERTIES } = storage.configuration;
  return { configurationOf: () => bySettings(storage, set, '--set'), words };
}

/** The value of `--as`, a file system: `lustre:PERSISTENT_2:500,12TiB`, or by settings, `efs:efsThroughputMode=elastic`. @throws UsageError */
export function configurationAs(text: string): StorageConfiguration {
  const at = text.indexOf(':');
  const kind = word('--as', at < 0 ? text : text.slice(0, at), PREDICTED_KINDS);
  const described = at < 0 ? '' : text.slice(at + 1);
  const storage = storageOf({ kind });
  const { shorthand, check, words } = storage.configuration;
  try {
    if (shorthand !== undefined) return shorthand.read(described, { kind }).configuration;
  } catch (error) {
    throw new UsageError(`'--as ${kind}:' ${(error as Error).message}`);
  }
  const set = described.split(',').filter((pair) => pair !== '');
  const configuration = bySettings(storage, set, `--as ${kind}:`);
  const [violation] = check(configuration).errors;
  if (violation !== undefined) throw new UsageError(violationMessage(violation, words));
  return configuration;
}

/** `--per-unit <MB/s>` is `perUnit` among commander's options. */
const keyOf = (option: string): string =>
  (option.split(' ')[0] ?? '').slice(2).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** A configuration by the settings of the stacks: `--set efsThroughputMode=elastic`. @param option for messages. @throws UsageError */
function bySettings({ kind, label, configuration: slice }: Storage, set: readonly string[], option: string) {
  const values = Object.fromEntries(set.map((pair) => settingIn(kind, slice.settings, pair, option)));
  const described: object = slice.withSettings({ kind }, values);
  const { data, error } = slice.schema.safeParse(described);
  if (data !== undefined) return data;
  const names = Object.keys(slice.settings).join(', ');
  const { words = PROPERTIES } = slice;
  const missing = error.issues.map(({ path, message }) => {
    const fault = Object.hasOwn(described, String(path[0])) ? `: ${message}` : ' is missing';
    return `${words.name(path.join('.'))}${fault}`;
  });
  throw new UsageError(`'${option}' must describe a file system of ${label} with ${names}: ${missing.join('; ')}`);
}

/** @throws UsageError for a setting that the storage does not have, or a value that it does not take */
function settingIn(kind: string, settings: Storage['configuration']['settings'], pair: string, option: string) {
  const at = pair.indexOf('=');
  const [name, text] = [pair.slice(0, at), pair.slice(at + 1)];
  const field = settings[name];
  if (at > 0 && field !== undefined) return [name, quantity<unknown>(name, text, field)];
  const names = Object.keys(settings);
  const meant = nearest(name, names);
  const next = meant === undefined ? `use one of ${names.join(', ')}` : `did you mean ${meant}?`;
  throw new UsageError(`'${option}' must be key=value with a setting of ${kind}, got '${pair}': ${next}`);
}

/** The context from cdk.json and `-c`, as for `cdk deploy`. @throws UsageError naming a `-c` that is not key=value */
export function stackContext(root: string, texts: readonly string[]): Record<string, unknown> {
  const set = texts.map((text) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (key === undefined) throw new UsageError(`-c takes key=value, such as clients=4, got '${text}'`);
    return [key, value];
  });
  const file = join(root, 'cdk.json');
  const kept = existsSync(file) ? (JSON.parse(readWhole(file)) as { context?: object }).context : {};
  return { ...kept, ...Object.fromEntries(set) };
}

/** The benchmark as `cdk deploy` would deploy it. @throws UsageError with every invalid setting */
export function configured(
  definition: Benchmark,
  root: string,
  options: { readonly scale?: string | undefined; readonly context: readonly string[]; readonly region?: string },
): BenchmarkConfiguration {
  const scale = options.scale === undefined ? undefined : word('scale', options.scale, SCALES);
  return usage(() => {
    const settings = settingsIn(definition, root, options.context);
    return resolveBenchmark(definition, { ...settings, scale: scale ?? settings.scale }, options.region);
  });
}

/** The benchmark with its settings in cdk.json; `null` where that has none of it. @throws UsageError with every invalid setting */
export function configuredInFile(
  definition: Benchmark,
  root: string,
  options: { readonly scale?: string | undefined; readonly region?: string },
): BenchmarkConfiguration | null {
  const settings = usage(() => settingsIn(definition, root, []));
  return Object.keys(settings).length === 0 ? null : configured(definition, root, { ...options, context: [] });
}

const settingsIn = (definition: Benchmark, root: string, context: readonly string[]): Settings =>
  readSettings(stackContext(root, context), definition.name, sectionNames(BENCHMARKS));

function usage<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.problems.join('; '));
    throw error;
  }
}
