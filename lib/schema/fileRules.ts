/** Operations on files and directories that not every storage supports. */
export type FileAbility = 'rewriting' | 'renaming' | 'lasting-directories';

/** Differences of a storage from a POSIX file system. */
export interface FileRules {
  /** Unsupported operations. */
  readonly lacks: readonly FileAbility[];
  /** Maximum size of one file. @default - far above a benchmark's data */
  readonly largestBytes?: number;
  /** Source of these rules. */
  readonly source: string;
}
