import type { Extent } from './extents';

/** A file to measure. */
export interface Found {
  readonly path: string;
  readonly bytes: number;
  /** Where its data are: holes are not read. None if nothing was ever written to it. @default - it is read as a whole */
  readonly data?: readonly Extent[];
  /** Bytes that the file system keeps no blocks for, where it counts them. @default 0 */
  readonly holeBytes?: number;
}

/** Reports from a walk, other than files. */
export interface WalkNotes {
  /** A file or folder that could not be read. */
  unreadable(path: string, reason: string): void;
  /** Not a file. */
  skipped(path: string, reason: string): void;
  symbolicLink(): void;
  hardLink(): void;
}
