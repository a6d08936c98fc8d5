import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StorageConfiguration } from '../../lib/schema/deployment';

/** A value of a setting that a user may write, and a change that a template must show. */
interface SettingCase {
  readonly good: string;
  readonly changed: unknown;
  /** Other settings that it needs. @default - nothing */
  readonly with?: Readonly<Record<string, unknown>>;
}

/** Facts about a storage that the tests of all need; `case.ts` in the folder of its tests. */
export interface StorageCase {
  /** The smallest configuration that can be made. */
  readonly smallest: { readonly kind: string; readonly [property: string]: unknown };
  /** A configuration that its settings change. @default - these tests do not deploy it, or it has no settings */
  readonly usual?: StorageCase['smallest'];
  /** Each of its settings. @default - it has none */
  readonly settings?: Readonly<Record<string, SettingCase>>;
}

const CASES: readonly StorageCase[] = readdirSync(__dirname)
  .map((kind) => join(__dirname, kind, 'case.ts'))
  .filter((file) => existsSync(file))
  .map((file) => (require(file) as { readonly storageCase: StorageCase }).storageCase);

/** The smallest configuration of each kind that can be made. */
export const SMALLEST: Readonly<Record<string, StorageConfiguration>> = Object.fromEntries(
  CASES.map(({ smallest }) => [smallest.kind, smallest as StorageConfiguration]),
);

/** Configurations that their settings change. */
export const USUAL: readonly StorageConfiguration[] = CASES.flatMap(({ usual }) =>
  usual === undefined ? [] : [usual as StorageConfiguration],
);

export const settingsOfCases: readonly (readonly [string, SettingCase])[] = CASES.flatMap(({ settings = {} }) =>
  Object.entries(settings),
);
