/** A file to measure. */
export interface Found {
  readonly path: string;
  readonly bytes: number;
  /** Nothing was ever written to it: one hole, which need not be read. @default false */
  readonly hole?: boolean;
}

/** What a walk reports besides files. */
export interface WalkNotes {
  /** A file or folder that could not be looked at. */
  unreadable(path: string, reason: string): void;
  /** Not a file. */
  skipped(path: string, reason: string): void;
  symbolicLink(): void;
  hardLink(): void;
}
