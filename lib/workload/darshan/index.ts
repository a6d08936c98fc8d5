import type { ParsedSample } from '../../schema/parse';
import type { Order, RecordedTransfers, RecordedWork } from '../common/measured';
import type { CommandFile } from '../common/parse/command';
import { type ParserFinding, within } from '../common/parse/finding';
import type { Lines } from '../common/parse/lines';
import type { Tool } from '../tool';

type Totals = Map<string, number>;

/** A file as a module recorded it, of one process or of all. */
interface FileRecord {
  /** Ranks that have a record of it; -1 stands for all. */
  readonly ranks: Set<number>;
  readonly counters: Totals;
}

/** `# run time: 0.1385` */
const HEAD = /^# ([a-z][a-z_ ]*): (.*)$/;
/** `POSIX	0	16625005724198154084	POSIX_OPENS	2	/tmp/fsx/ior	/	ext4`: module, rank, record, counter, value, file … */
const RECORD = /^([A-Z][A-Z0-9-]*)\t(-?\d+)\t(\d+)\t([A-Z0-9_]+)\t(-?[\d.]+)\t([^\t]*)\t/;

/** The module of a program's own calls; above it, MPI-IO's are counted again. */
const POSIX = 'POSIX';

/** Reads what `darshan-parser` printed of each record, line by line. Files are those of POSIX by record id; there are none for totals alone. */
function readDarshan(input: Pick<Lines, 'each'>) {
  const head: Record<string, string> = {};
  const modules = new Map<string, Totals>();
  const files = new Map<string, FileRecord>();
  for (const line of input.each()) {
    const [, key, printed] = HEAD.exec(line) ?? [];
    if (key !== undefined && printed !== undefined) head[key] ??= printed;
    const [, module = '', rank, id = '', counter = '', text] = RECORD.exec(line) ?? [];
    if (text === undefined) continue;
    addTo(within(modules, module), counter, Number(text));
    if (module !== POSIX) continue;
    const file = files.get(id) ?? { ranks: new Set<number>(), counters: new Map<string, number>() };
    files.set(id, file);
    file.ranks.add(Number(rank));
    addTo(file.counters, counter, Number(text));
  }
  return { head, modules, files };
}

/** Sizes are not added: the count of each of a record's four most frequent sizes is kept under the size itself. */
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

/** The work in a log, as POSIX requests. @throws Error for a log without records of files: of `--total`, or of a program that was not recorded */
function darshanWork(input: Lines): RecordedWork {
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

/** First line of every form of `darshan-parser`'s output. */
const LOG = /(?:^|\n)# darshan log version: (\d+\.\d+)/;

/**
 * Counters that become figures, without the module's name: the operation, the metric and its unit
 * (https://www.mcs.anl.gov/research/projects/darshan/docs/darshan-util.html). Seconds are those of all processes together.
 */
const FIGURES: ReadonlyMap<string, readonly [string, string, ParsedSample['unit']]> = new Map([
  ['BYTES_WRITTEN', ['write', 'bytes', 'B']],
  ['WRITES', ['write', 'operations', '1']],
  ['SEQ_WRITES', ['write', 'sequential_operations', '1']],
  ['CONSEC_WRITES', ['write', 'consecutive_operations', '1']],
  ['F_WRITE_TIME', ['write', 'seconds', 's']],
  ['BYTES_READ', ['read', 'bytes', 'B']],
  ['READS', ['read', 'operations', '1']],
  ['SEQ_READS', ['read', 'sequential_operations', '1']],
  ['CONSEC_READS', ['read', 'consecutive_operations', '1']],
  ['F_READ_TIME', ['read', 'seconds', 's']],
  ['OPENS', ['open', 'operations', '1']],
  ['STATS', ['stat', 'operations', '1']],
  ['SEEKS', ['seek', 'operations', '1']],
  ['FSYNCS', ['fsync', 'operations', '1']],
  ['F_META_TIME', ['metadata', 'seconds', 's']],
]);

/** `total_POSIX_OPENS: 8` */
const TOTAL = /^total_([A-Z][A-Z0-9-]*)_([A-Z0-9_]+): (-?[\d.]+)$/;
/** Printed with --show-incomplete of a module that had no memory for all records. */
const PARTIAL = /The \S+ module contains incomplete data!/;

/** A Darshan log as text: of `darshan-parser FILE`, a test a record, named by module, rank and file; of `darshan-parser --total FILE`, a test a module. */
function parseDarshan(input: Lines, { exitStatus }: CommandFile): ParserFinding {
  const head: Record<string, string> = {};
  const samples: ParsedSample[] = [];
  let partial = false;
  for (const line of input.each(samples)) {
    const [, key, printed] = HEAD.exec(line) ?? [];
    if (key !== undefined && printed !== undefined) head[key] ??= printed;
    if (PARTIAL.test(line)) partial = true;
    const [, module = '', rank, , counter, value, file] = RECORD.exec(line) ?? [];
    if (counter?.startsWith(`${module}_`))
      add(samples, `${module} ${rank} ${file}`, counter.slice(module.length + 1), Number(value));
    const [, name, total, sum] = TOTAL.exec(line) ?? [];
    if (name !== undefined && total !== undefined) add(samples, name, total, Number(sum));
  }
  const job = [jobSample('seconds', 's', head['run time']), jobSample('processes', '1', head.nprocs)].flat();
  const problems = [
    ...(samples.length === 0 ? ['no_result_rows'] : []),
    ...(partial || input.tail !== '' ? ['truncated'] : []),
  ];
  return {
    version: head.metadata?.match(/^lib_ver = (\S+)/)?.[1] ?? null,
    command: head.exe ?? null,
    complete: problems.length === 0 && exitStatus === 0,
    incompleteReason: 'darshan-parser prints no end marker: the exit status must come from the command',
    problems,
    samples: [...job, ...samples],
  };
}

function jobSample(metric: string, unit: ParsedSample['unit'], text = ''): ParsedSample[] {
  if (!/^\d+(?:\.\d+)?$/.test(text)) return [];
  return [{ operation: 'run', test: null, iteration: null, metric, value: Number(text), unit }];
}

function add(samples: ParsedSample[], test: string, counter: string, value: number): void {
  const found = FIGURES.get(counter);
  if (found === undefined) return;
  const [operation, metric, unit] = found;
  const known = value < 0 ? { value: null, reason: 'Darshan could not count it' } : { value };
  samples.push({ operation, test, iteration: null, metric, unit, ...known });
}

/** Darshan, which records the I/O of a user's own program: its logs are read, by the text of darshan-parser. */
export const darshan: Tool = {
  id: 'darshan',
  formats: [{ recognizes: (text) => LOG.test(text), parse: parseDarshan }],
  program: 'darshan-parser',
};

/** Its log: the names of such binary files, the command that prints one as text, the package with that program, and the work in the text. */
export const darshanLog = {
  // As the runtime names a log, and one of a program that did not end (darshan-core.c).
  names: /\.darshan(?:_partial)?$/,
  command: (path: string) => ['darshan-parser', path] as const,
  package: 'darshan-util (module load darshan, or spack install darshan-util)',
  work: darshanWork,
};
