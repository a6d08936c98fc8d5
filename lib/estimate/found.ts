/** A file to measure. */
export interface Found {
  readonly path: string;
  readonly bytes: number;
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
