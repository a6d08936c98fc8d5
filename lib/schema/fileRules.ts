/** Operations on files and directories that not every storage supports. */
export type FileAbility = 'rewriting' | 'renaming' | 'lasting-directories';

export interface FileRules {
  readonly lacks: readonly FileAbility[];
  /** Maximum size of one file. @default - far above a benchmark's data */
  readonly largestBytes?: number;
  /** Source of these rules. */
  readonly source: string;
}
