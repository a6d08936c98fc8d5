import type { Command } from 'commander';
import type { Labels } from '../common/violation';
import type { Dashboard } from '../dashboard/graph';
import type { StorageConfiguration } from '../schema/deployment';
import type { CliContext } from './context';

/** The page that explains a command, and typical uses without `npx fsxbench` in front. */
export type CommandHelp = readonly [page: string, ...examples: string[]];

/** A storage's contribution to the command line. It is loaded at every start, so it loads what its commands need when they are called. */
export interface StorageCommands {
  readonly kind: string;
  /** Adds commands for this kind. @default - it has none */
  register?(program: Command, context: CliContext): void;
  /** Help for the commands that it adds. */
  readonly help?: Readonly<Record<string, CommandHelp>>;
  /** The dashboard of any file system of the account. @throws UsageError for one of another kind @default - needs its stack */
  dashboardOf?(fileSystemId: string): Promise<{ readonly region: string; readonly dashboard: Dashboard }>;
  /** A configuration as options of `predict`. @default - the storage's settings, with --set */
  readonly configuration?: {
    readonly options: readonly (readonly [flags: string, description: string, values?: readonly string[]])[];
    load(): Promise<ConfigurationOptions>;
  };
}

export interface ConfigurationOptions {
  configurationOf(options: Readonly<Record<string, unknown>>): StorageConfiguration;
  /** The configuration's properties in the words of the options. */
  readonly words: Labels;
}
