import type { z } from 'zod';
import type { Field } from '../../common/field';
import type { Findings, Labels, Violation } from '../../common/violation';
import type { StorageConfiguration } from '../../schema/deployment';

/** A configuration in a word, for people to type. */
export type Shorthand<C extends StorageConfiguration = StorageConfiguration> = {
  /** Applies a text to a configuration, and returns it also as context settings. @throws Error that begins with `must be` for an invalid text */
  read(text: string, configuration: C): { configuration: C; settings: Readonly<Record<string, string | number>> };
  /** The text from which `read` makes a configuration; `null` if none can. @param whole also writes values that `read` may keep from the given one */
  write(configuration: C, whole?: boolean): string | null;
};

/** Configurations of a storage: their form, the settings that change them, the rules they keep, and the properties they state. */
export interface ConfigurationSlice<C extends StorageConfiguration = StorageConfiguration> {
  readonly schema: z.ZodType<C>;
  /** The context keys that change a configuration. */
  readonly settings: Readonly<Record<string, Field>>;
  /** The configuration of a benchmark with the user's settings on it. */
  withSettings(configuration: C, settings: Readonly<Record<string, unknown>>): C;
  /** In a line, for people: `PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, LZ4`. */
  describe(configuration: C): string;
  /** Findings by property. */
  check(configuration: C): Findings;
  /** Why a deployment would fail in a Region that does not offer it; `null` if the Region offers it. @default - every Region offers it */
  absentIn?(configuration: C, region: string): Violation | null;
  /** Errors of all arms of one stack together. @default - there are none */
  checkTogether?(configurations: readonly C[]): readonly Violation[];
  /** The properties and their values in the words of the settings. @default - no setting changes them */
  readonly words?: Labels;
  /** @default - it has none */
  readonly shorthand?: Shorthand<C>;
  /** Compression of the data; `null` for none. @default - it cannot compress */
  compression?(configuration: C): string | null;
}
