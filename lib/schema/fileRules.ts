/** What programs may do with files and directories, and not every storage takes. */
export type FileAbility = 'rewriting' | 'renaming' | 'lasting-directories';

/** In what a storage differs from a POSIX file system. */
export interface FileRules {
  /** What fails there. */
  readonly lacks: readonly FileAbility[];
  /** Of one file. @default - none that data of a benchmark come near */
  readonly largestBytes?: number;
  /** Where this is documented. */
  readonly source: string;
}
