import type { Lines } from '../common/parse/lines';

/** Sums of counters over records. */
export type Totals = Map<string, number>;

/** A file as a module recorded it, of one process or of all. */
export interface FileRecord {
  /** Ranks that have a record of it; -1 stands for all. */
  readonly ranks: Set<number>;
  readonly counters: Totals;
}

/** The records of a log as `darshan-parser` printed them. */
export interface DarshanLog {
  /** Values of its head: `exe`, `nprocs`, `run time`. */
  readonly head: Readonly<Record<string, string>>;
  readonly modules: ReadonlyMap<string, Totals>;
  /** Files of POSIX by record id; empty for totals alone. */
  readonly files: ReadonlyMap<string, FileRecord>;
}

/** `# run time: 0.1385` */
export const HEAD = /^# ([a-z][a-z_ ]*): (.*)$/;
/** `POSIX	0	16625005724198154084	POSIX_OPENS	2	/tmp/fsx/ior	/	ext4`: module, rank, record, counter, value, file … */
export const RECORD = /^([A-Z][A-Z0-9-]*)\t(-?\d+)\t(\d+)\t([A-Z0-9_]+)\t(-?[\d.]+)\t([^\t]*)\t/;

/** The module of a program's own calls; above it, MPI-IO's are counted again. */
export const POSIX = 'POSIX';

/** Reads what `darshan-parser` printed of each record, line by line. */
export function readDarshan(input: Pick<Lines, 'each'>): DarshanLog {
  const head: Record<string, string> = {};
  const modules = new Map<string, Totals>();
  const files = new Map<string, FileRecord>();
  for (const line of input.each()) {
    const [, key, printed] = HEAD.exec(line) ?? [];
    if (key !== undefined && printed !== undefined) head[key] ??= printed;
    const [, module = '', rank, id = '', counter = '', text] = RECORD.exec(line) ?? [];
    if (text === undefined) continue;
    addTo(totalsOf(modules, module), counter, Number(text));
    if (module !== POSIX) continue;
    const file = files.get(id) ?? { ranks: new Set<number>(), counters: new Map<string, number>() };
    files.set(id, file);
    file.ranks.add(Number(rank));
    addTo(file.counters, counter, Number(text));
  }
  return { head, modules, files };
}

function totalsOf(modules: Map<string, Totals>, module: string): Totals {
  const found = modules.get(module) ?? new Map<string, number>();
  modules.set(module, found);
  return found;
}

/** Sizes are no sums: the count of each of a record's four most frequent is kept under the size itself. */
function addTo(totals: Totals, counter: string, value: number): void {
  const [, number] = /_ACCESS(\d)_ACCESS$/.exec(counter) ?? [];
  if (number !== undefined) {
    totals.set(`size${number}`, value);
    return;
  }
  const [, counted] = /_ACCESS(\d)_COUNT$/.exec(counter) ?? [];
  if (counted !== undefined) {
    const size = totals.get(`size${counted}`) ?? 0;
    if (size > 0) totals.set(`transfers of ${size}`, (totals.get(`transfers of ${size}`) ?? 0) + value);
    return;
  }
  // A counter that could not be kept is -1 in every record.
  const before = totals.get(counter);
  totals.set(counter, before === undefined || value < 0 ? value : Math.max(before, 0) + value);
}
