import { nearest } from '../../config/nearest';
import { STORAGE_COMMANDS } from '../../storage/commands';
import { STORAGES } from '../../storage/registry';
import type { Storage, StorageConfiguration } from '../../storage/storage';
import { UsageError } from '../context';
import type { ConfigurationOptions } from '../storageCommands';
import { word } from './quantity';

/** The kinds of storage that `--storage` can name, the default first. */
export const PREDICTED_KINDS = STORAGES.filter(({ local }) => !local).map(({ kind }) => kind);

/** Returns the reader of the chosen storage's configuration, after checking that no option of another storage is given. @throws UsageError */
export async function optionsOf(flags: Readonly<Record<string, unknown>>): Promise<ConfigurationOptions> {
  const [usual = ''] = PREDICTED_KINDS;
  const kind = typeof flags.storage === 'string' ? word('--storage', flags.storage, PREDICTED_KINDS) : usual;
  for (const other of STORAGE_COMMANDS) {
    const [given] = (other.configuration?.options ?? []).filter(([option]) => flags[keyOf(option)] !== undefined);
    if (other.kind !== kind && given !== undefined)
      throw new UsageError(`'${given[0].split(' ')[0]}' must be absent with --storage ${kind}: describe it with --set`);
  }
  const own = STORAGE_COMMANDS.find((one) => one.kind === kind)?.configuration;
  const storage = STORAGES.find((one) => one.kind === kind) as Storage;
  const set = Array.isArray(flags.set) ? (flags.set as string[]) : [];
  if (own === undefined) return settingsOf(storage);
  if (set.length > 0)
    throw new UsageError(`'--set' must be absent with --storage ${kind}, got '${set[0]}': it has options of its own`);
  return own.load();
}

/**
 * A file system in a word: `lustre:PERSISTENT_2:500,12TiB`, or by its settings, `efs:efsThroughputMode=elastic`.
 *
 * @throws UsageError naming the option
 */
export function configurationAs(option: string, text: string): StorageConfiguration {
  const at = text.indexOf(':');
  const kind = word(option, at < 0 ? text : text.slice(0, at), PREDICTED_KINDS);
  const described = at < 0 ? '' : text.slice(at + 1);
  const storage = STORAGES.find((one) => one.kind === kind) as Storage;
  if (storage.configuration.shorthand === undefined) {
    const set = described.split(',').filter((pair) => pair !== '');
    try {
      return settingsOf(storage).configurationOf({ set }) as StorageConfiguration;
    } catch (error) {
      throw new UsageError((error as Error).message.replace("'--set'", `'${option} ${kind}:'`));
    }
  }
  try {
    return storage.configuration.shorthand.read(described, { kind }).configuration;
  } catch (error) {
    throw new UsageError(`'${option} ${kind}:' ${(error as Error).message}`);
  }
}

/** `--per-unit <MB/s>` is `perUnit` among commander's options. */
const keyOf = (option: string): string =>
  (option.split(' ')[0] ?? '').slice(2).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** A configuration by the settings of the stacks: `--set efsThroughputMode=elastic`. */
function settingsOf(storage: Storage): ConfigurationOptions {
  const { kind, configuration: slice } = storage;
  const names = Object.keys(slice.settings);
  return {
    configurationOf({ set }) {
      const values = Object.fromEntries(((set ?? []) as readonly string[]).map((pair) => settingIn(storage, pair)));
      const { data, error } = slice.schema.safeParse(slice.withSettings({ kind }, values));
      if (data === undefined)
        throw new UsageError(
          `'--set' must describe a file system of ${storage.label} with ${names.join(', ')}: ${error.issues.map(({ path, message }) => `${path.join('.')}${message.endsWith('received undefined') ? ' is missing' : `: ${message}`}`).join('; ')}`,
        );
      const [problem] = slice.check(data).errors;
      if (problem !== undefined) throw new UsageError(problem.message);
      return data;
    },
    inOptions: (message) => message,
  };
}

/** @throws UsageError for a setting that the storage does not have, or a value that it does not take */
function settingIn({ kind, configuration: { settings } }: Storage, pair: string): readonly [string, unknown] {
  const at = pair.indexOf('=');
  const [name, text] = [pair.slice(0, at), pair.slice(at + 1)];
  const field = settings[name];
  if (at < 1 || field === undefined) {
    const names = Object.keys(settings);
    const meant = nearest(name, names);
    throw new UsageError(
      `'--set' must be key=value with a setting of ${kind}, got '${pair}': ${meant === undefined ? `use one of ${names.join(', ')}` : `did you mean ${meant}?`}`,
    );
  }
  const { data, success } = field.schema.safeParse(text);
  if (!success) throw new UsageError(`'${name}' must be ${field.allowed}, got '${text}'. ${field.next}`);
  return [name, data];
}
