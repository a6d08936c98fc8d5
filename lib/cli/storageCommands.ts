import type { Command } from 'commander';
import type { AnyConfiguration } from '../storage/lookup';
import type { CliContext } from './context';

/** What a storage adds to the command line. It is loaded at every start, so it loads what its commands need when they are called. */
export interface StorageCommands {
  readonly kind: string;
  /** Adds commands of its own. @default - it has none */
  register?(program: Command, context: CliContext): void;
  /** A configuration as options of `predict`. @default - the storage's settings, with --set */
  readonly configuration?: {
    readonly options: readonly (readonly [flags: string, description: string])[];
    load(): Promise<ConfigurationOptions>;
  };
}

/** Reads a configuration from options. */
export interface ConfigurationOptions {
  /**
   * @param ratio of the data, which asks for compression where nothing else is said
   * @throws UsageError for what could not be made
   */
  configurationOf(options: Readonly<Record<string, unknown>>, ratio: number | undefined): AnyConfiguration;
  /** A problem of a configuration, in the names of the options. */
  inOptions(message: string): string;
}
