/** Runs of which each has its dots and rows, whatever else is on the page. */
const ALL = 200;
/** Marks of an arm in a chart that nearly all settings have room for. */
const FEWEST = 8;

/** Marks and rows that a page of many runs has room for, so that a browser opens it at once: 2,000 runs as single marks and rows would have 13 MB. */
export interface Room {
  /** Marks of an arm in a chart. */
  readonly marks: number;
  /** Latest runs in a table. */
  readonly rows: number;
  /** The file beside the page that has all figures, where it cannot have them; `null` where it has. */
  readonly table: string | null;
}

/** The room of each setting on a page with so many runs and settings. */
export function roomOf(runs: number, settings: number, table: string): Room {
  if (runs <= ALL) return { marks: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY, table: null };
  const marks = Math.max(FEWEST, Math.floor(ALL / settings));
  return { marks, rows: Math.ceil(marks / 2), table };
}
