/** Order of a process's transfers in a file: one after the other, forward with gaps, or anyhow. */
export type Order = 'sequential' | 'strided' | 'random';

/** Reads or writes of a recorded program, of the files that hold nearly all of its bytes. */
export interface RecordedTransfers {
  readonly bytes: number;
  readonly operations: number;
  /** The size of most transfers; `null` where no size has most. */
  readonly transferBytes: number | null;
  /** `null` where it is none of them throughout. */
  readonly order: Order | null;
}

/** Work of a program on files, as a tool recorded it while the program ran. */
export interface RecordedWork {
  readonly processes: number;
  readonly seconds: number;
  /** Files with nearly all bytes: of all processes, of some, and of one process each. */
  readonly files: { readonly shared: number; readonly partly: number; readonly own: number };
  readonly write: RecordedTransfers | null;
  readonly read: RecordedTransfers | null;
  readonly opens: number;
  readonly stats: number;
  readonly syncs: number;
  /** Seconds of all processes together in transfers, and in calls on files and directories. */
  readonly dataSeconds: number;
  readonly metadataSeconds: number;
  /** Share of the bytes that went through buffered streams of the C library. */
  readonly streamed: number;
}
