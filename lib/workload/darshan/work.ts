import type { Lines } from '../common/parse/lines';
import type { Order, RecordedTransfers, RecordedWork } from '../common/recorded';
import { type FileRecord, POSIX, readDarshan, type Totals } from './records';

/** Share of all bytes in the files that count as the work; the others are settings and logs. */
const NEARLY_ALL = 0.99;
/** Share of a program's transfers from which their most frequent size stands for all. A convention of fsxbench. */
const MOST = 0.8;
/** Share of all transfers after a file's first. Random ones go forward half of the time. */
const ORDERED = 0.9;
const RANDOM = 0.75;

const at = (totals: Totals | undefined, counter: string): number => Math.max(0, totals?.get(counter) ?? 0);
const bytesOf = ({ counters }: FileRecord): number =>
  at(counters, `${POSIX}_BYTES_WRITTEN`) + at(counters, `${POSIX}_BYTES_READ`);

/**
 * The work that a log's records describe, by what the file system was asked for (POSIX).
 *
 * @throws Error for a log without records of files: of `--total`, or of a program that was not recorded
 */
export function darshanWork(input: Lines): RecordedWork {
  const { head, modules, files } = readDarshan(input);
  const totals = modules.get(POSIX);
  if (files.size === 0)
    throw new Error(
      'it has no records of files of POSIX: give the log itself, or what darshan-parser prints without --total',
    );
  const processes = Math.max(1, Number(head.nprocs ?? 1));
  const all = [...files.values()].sort((a, b) => bytesOf(b) - bytesOf(a));
  const sum = all.reduce((total, file) => total + bytesOf(file), 0);
  const work: FileRecord[] = [];
  let covered = 0;
  for (const file of all) {
    if (bytesOf(file) === 0 || covered >= NEARLY_ALL * sum) break;
    covered += bytesOf(file);
    work.push(file);
  }
  const isShared = ({ ranks }: FileRecord): boolean => processes > 1 && (ranks.has(-1) || ranks.size >= processes);
  const isOwn = ({ ranks }: FileRecord): boolean => !ranks.has(-1) && ranks.size === 1;
  const shared = work.filter(isShared);
  const own = work.filter((file) => !isShared(file) && (isOwn(file) || processes === 1));
  const stdio = modules.get('STDIO');
  const streamed = at(stdio, 'STDIO_BYTES_WRITTEN') + at(stdio, 'STDIO_BYTES_READ');
  const transfers = (direction: 'WRITE' | 'READ') => transfersOf(work, direction, processes);
  return {
    processes,
    seconds: Number(head['run time'] ?? 0),
    files: { shared: shared.length, own: own.length, partly: work.length - shared.length - own.length },
    write: transfers('WRITE'),
    read: transfers('READ'),
    opens: at(totals, `${POSIX}_OPENS`),
    stats: at(totals, `${POSIX}_STATS`),
    syncs: at(totals, `${POSIX}_FSYNCS`) + at(totals, `${POSIX}_FDSYNCS`),
    dataSeconds: at(totals, `${POSIX}_F_READ_TIME`) + at(totals, `${POSIX}_F_WRITE_TIME`),
    metadataSeconds: at(totals, `${POSIX}_F_META_TIME`),
    streamed: streamed / Math.max(1, sum + streamed),
  };
}

function transfersOf(
  work: readonly FileRecord[],
  direction: 'WRITE' | 'READ',
  processes: number,
): RecordedTransfers | null {
  const own = work.filter(({ counters }) => at(counters, `${POSIX}_${direction}S`) > 0);
  const sum = (counter: string): number =>
    own.reduce((total, { counters }) => total + at(counters, `${POSIX}_${counter}`), 0);
  const operations = sum(`${direction}S`);
  const bytes = sum(direction === 'WRITE' ? 'BYTES_WRITTEN' : 'BYTES_READ');
  if (operations === 0 || bytes === 0) return null;
  // The first transfer of each process in a file follows none.
  const firsts = own.reduce((total, { ranks }) => total + (ranks.has(-1) ? processes : ranks.size), 0);
  const later = operations - firsts;
  return {
    bytes,
    operations,
    transferBytes: commonSize(own, bytes / operations),
    order: later <= 0 ? 'sequential' : orderOf(sum(`CONSEC_${direction}S`) / later, sum(`SEQ_${direction}S`) / later),
  };
}

function orderOf(consecutive: number, forward: number): Order | null {
  if (consecutive >= ORDERED) return 'sequential';
  if (forward >= ORDERED) return 'strided';
  return forward <= RANDOM ? 'random' : null;
}

/** The size that most transfers of the files have, and that their mean confirms: sizes of reads and writes are counted together. */
function commonSize(work: readonly FileRecord[], mean: number): number | null {
  const sizes = new Map<number, number>();
  let operations = 0;
  for (const { counters } of work) {
    operations += at(counters, `${POSIX}_READS`) + at(counters, `${POSIX}_WRITES`);
    for (const [name, count] of counters) {
      const size = Number(/^transfers of (\d+)$/.exec(name)?.[1] ?? 0);
      if (size > 0) sizes.set(size, (sizes.get(size) ?? 0) + count);
    }
  }
  const near = [...sizes].filter(([size]) => Math.abs(mean / size - 1) <= 1 - MOST);
  const known = [...sizes.values()].reduce((total, count) => total + count, 0);
  if (near.length === 0 || known < MOST * operations) return null;
  return near.reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}
