import { type ParsedSample, PRINTED_STATISTICS, type PrintedSummary, type StonewallReached } from '../../schema/parse';
import { fields, figure, UNREADABLE } from '../common/parse/lines';
import type { IorTestRows } from './agreement';

/** Columns of a result row, by their names in the document: unit, and key in JSON. IOR's bandwidth is bytes of all ranks ÷ total time. */
export const IOR_METRICS = {
  throughput: ['MiB/s', 'bwMiB'],
  operations: ['op/s', 'iops'],
  latency: ['s', 'latency'],
  open_time: ['s', 'openTime'],
  access_time: ['s', 'wrRdTime'],
  close_time: ['s', 'closeTime'],
  total_time: ['s', 'totalTime'],
} as const;
export type IorMetric = keyof typeof IOR_METRICS;

type Figure = { readonly value: number | null; readonly reason?: string };

/** The samples of one row; of a remove, only the total time. @param figures one per metric that the version prints (3.2.1 lacks IOPS and latency) */
export function rowSamples(
  operation: string,
  test: number,
  iteration: number,
  figures: Partial<Record<IorMetric, Figure>>,
): ParsedSample[] {
  const samples: ParsedSample[] = [];
  for (const metric of Object.keys(IOR_METRICS) as IorMetric[]) {
    const figure = figures[metric];
    if (figure === undefined || (operation === 'remove' && metric !== 'total_time')) continue;
    const { value, reason = 'not printed' } = figure;
    const why = value === null ? { reason } : {};
    samples.push({ operation, test, iteration, metric, value, unit: IOR_METRICS[metric][0], ...why });
  }
  return samples;
}

/** IOR's banner; other ranks or a launcher may have written before it on the line. */
const BANNER = /IOR-(\S+): MPI Coordinated Test of Parallel I\/O/;
const DATE = '[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}';
/** `Finished            : …`, `Finished: …` before 3.2, `Run finished: …` in 2.10. */
const FINISHED = new RegExp(`(?:Finished|Run finished) *: (${DATE})\\s*$`);
/** `TestID              : 0`, before 3.2 `Test 0 started: …`. */
const TEST = /^(?:TestID +: (\d+)$|Test (\d+) started: )/;
const OPTION =
  /^\s*(api|repetitions|tasks|nodes|clients|Participating tasks|xfersize|blocksize|aggregate filesize|dryRun|(?:Run )?[Bb]egan|Command line(?: used)?|test filename)(?: *:| +=) ?(.*)$/;
/** Names of options before 3.2, and in later releases. */
const LATER_NAMES: Readonly<Record<string, string>> = {
  'Run began': 'Began',
  'Command line used': 'Command line',
  'Participating tasks': 'tasks',
};
/** Before 3.2: `clients            = 24 (12 per node)`. */
const CLIENTS = /^(\d+) \((\d+) per node\)/;
const MAXIMUM = /^Max (Write|Read): +(\d+\.\d+) MiB\/sec \(/;

/** Under `stoneWallingWearOut`, before the row: transfers that the slowest and the fastest rank had done when the time was up. */
const WALL = /stonewalling pairs accessed min: (\d{1,15}) max: (\d{1,15}) /;

/** Columns of a row by their headings, in text and as CSV; others, such as sizes of blocks and transfers, are not results. */
export const HEADINGS: Readonly<Record<string, IorMetric>> = {
  'bw(MiB/s)': 'throughput',
  IOPS: 'operations',
  'Latency(s)': 'latency',
  Latency: 'latency',
  'open(s)': 'open_time',
  'wr/rd(s)': 'access_time',
  'close(s)': 'close_time',
  'total(s)': 'total_time',
};
const columnsOf = (headings: string): (IorMetric | null)[] =>
  fields(headings)
    .slice(1, -1)
    .map((heading) => HEADINGS[heading] ?? null);
/** Columns by their number, for rows whose header is lost: of 3.3.0 and later, 2.10.3 to 3.2.1, and before. */
const COLUMNS = [
  'access bw(MiB/s) IOPS Latency(s) block(KiB) xfer(KiB) open(s) wr/rd(s) close(s) total(s) iter',
  'access bw(MiB/s) block(KiB) xfer(KiB) open(s) wr/rd(s) close(s) total(s) iter',
  'access bw(MiB/s) block(KiB) xfer(KiB) open(s) wr/rd(s) close(s) iter',
].map(columnsOf);
/** Forms of a summary line: its fields, and the statistics among them. */
const SUMMARIES = [
  { old: false, length: 27, statistics: 9 },
  { old: false, length: 25, statistics: 9 },
  { old: false, length: 21, statistics: 5 },
  { old: true, length: 25, statistics: 9 },
  { old: true, length: 11, statistics: 9 },
] as const;
/** Last word of the lines of 2.10 that are meant for a spreadsheet. */
const SPREADSHEET = /^XXCEL$/;

export interface IorTest extends IorTestRows {
  readonly id: number;
  readonly options: Map<string, string>;
  readonly iterations: Map<string, Set<number>>;
  readonly printed: PrintedSummary[];
  readonly stonewall: StonewallReached[];
  readonly sizes: { transfer: number | null; block: number | null };
  repetitions: number | null;
}

export interface IorRun {
  readonly version: string | null;
  readonly header: Map<string, string>;
  readonly tests: IorTest[];
  /** The number of its TestID 0 among the tests of the file. */
  readonly base: number;
  finished: string | null;
  rows: number;
  /** Lines that begin as a row does and have other columns. */
  unread: number;
  summaries: number;
  nan: boolean;
  /** True for 2.10, which prints rows with -v -v only, and before 2.10.3 no summary but `Max Write` and `Max Read`. */
  old: boolean;
  /** `Max Write` and `Max Read`, MiB/s, by operation. */
  readonly maxima: Map<string, number>;
}

export const isIorText = (text: string): boolean => text.includes(': MPI Coordinated Test') && BANNER.test(text);

export class IorTextReader {
  readonly runs: IorRun[] = [];
  readonly samples: ParsedSample[] = [];
  private run: IorRun | undefined;
  private test: IorTest | undefined;
  private inSummary = false;
  private columns: readonly (IorMetric | null)[] | undefined;
  private wall: readonly [least: number, most: number] | undefined;

  readLine(line: string): void {
    const first = line.charCodeAt(0);
    // w of write, r of read and remove: most lines of a long run
    if ((first === 119 || first === 114) && (this.readSummary(line) || this.readRow(line))) return;
    if (line.includes('IOR-')) {
      const banner = BANNER.exec(line);
      if (banner) {
        this.openRun(banner[1] as string);
        return;
      }
    }
    if (line.startsWith('Summary of all tests:') || /^Operation +Max ?\(MiB\)/.test(line)) this.inSummary = true;
    else if (/finished/i.test(line)) this.readEnd(line);
    else if (line.startsWith('Test')) {
      const id = TEST.exec(line.trimEnd());
      if (id) this.openTest(Number(id[1] ?? id[2]));
    } else if (/^access +bw\(MiB\/s\) .* iter\s*$/.test(line)) this.columns = columnsOf(line);
    else if (line.trimEnd() === 'Summary:') {
      // In 2.10 nothing else begins a test.
      const { test } = this;
      if (test === undefined || test.iterations.size > 0) this.openTest(test === undefined ? 0 : test.id + 1);
    } else if (line.startsWith('Max ')) {
      const [, operation, max] = MAXIMUM.exec(line) ?? [];
      if (operation !== undefined) this.run?.maxima.set(operation.toLowerCase(), Number(max));
    } else if (line.includes('pairs accessed min:')) {
      const wall = WALL.exec(line);
      if (wall) this.wall = [Number(wall[1]), Number(wall[2])];
    } else this.readOption(line);
  }

  /** @returns true if the line, even if truncated, ends the run */
  readEnd(line: string): boolean {
    const end = FINISHED.exec(line);
    if (end === null || this.run === undefined) return false;
    this.run.finished ??= end[1] as string;
    return true;
  }

  private openRun(version: string | null): IorRun {
    const base = this.run === undefined ? 0 : this.run.base + countOfTests(this.run);
    const nothing = { finished: null, rows: 0, unread: 0, summaries: 0, nan: false, old: false };
    this.run = { version, base, header: new Map(), tests: [], maxima: new Map(), ...nothing };
    this.runs.push(this.run);
    this.test = undefined;
    this.inSummary = false;
    this.columns = undefined;
    return this.run;
  }

  private openTest(id: number): IorTest {
    // Without a banner, what follows is the tail of another log. To open a run closes the test, so the run comes first.
    const run = this.run ?? this.openRun(null);
    const nothing = { repetitions: null, printed: [], stonewall: [], sizes: { transfer: null, block: null } };
    this.test = { id, options: new Map(), iterations: new Map(), ...nothing };
    run.tests.push(this.test);
    return this.test;
  }

  private readOption(line: string): void {
    const option = this.run === undefined || this.run.finished !== null ? null : OPTION.exec(line);
    if (option === null) return;
    const [, name, value] = option as unknown as [string, string, string];
    const key = LATER_NAMES[name] ?? name;
    const options = this.test?.options ?? (this.run as IorRun).header;
    options.set(key, value.trim());
    if (name === 'Run began' && this.run !== undefined) this.run.old = true;
    const clients = key === 'clients' ? CLIENTS.exec(value) : null;
    if (clients !== null) {
      const [, tasks, perNode] = clients.map(Number) as [number, number, number];
      options.set('tasks', String(tasks)).set('nodes', String(Math.ceil(tasks / perNode)));
    }
    if (key === 'repetitions' && this.test !== undefined) this.test.repetitions = Number(value) || null;
  }

  private readRow(line: string): boolean {
    const tokens = fields(line);
    if (SPREADSHEET.test(tokens.at(-1) as string)) tokens.pop();
    const operation = tokens[0] as string;
    if (!/^(?:write|read|remove)$/.test(operation)) return false;
    const columns = [this.columns, ...COLUMNS].find((names) => names?.length === tokens.length - 2);
    const iteration = tokens[tokens.length - 1] as string;
    if (columns === undefined || !/^\d{1,9}$/.test(iteration)) {
      if (this.run !== undefined && !this.inSummary && /^\d+(?:\.\d+)?$/.test(tokens[1] ?? '')) this.run.unread += 1;
      return false;
    }
    const figures: Partial<Record<IorMetric, { value: number | null; reason?: string }>> = {};
    for (let index = 0; index < columns.length; index += 1) {
      const read = figure(tokens[index + 1]);
      if (read === undefined) return false;
      const metric = columns[index];
      if (metric) figures[metric] = read;
    }
    // A run ends at its Finished line: later rows are of a run whose banner is missing.
    let run = this.run;
    if (run === undefined || run.finished !== null) run = this.openRun(null);
    const test = this.test ?? this.openTest(0);
    run.rows += 1;
    if (operation !== 'remove') {
      const seen = test.iterations.get(operation) ?? new Set<number>();
      test.iterations.set(operation, seen.add(Number(iteration)));
    }
    this.samples.push(...rowSamples(operation, run.base + test.id, Number(iteration), figures));
    if (this.wall !== undefined && operation !== 'remove') {
      const [leastTransfers, mostTransfers] = this.wall;
      test.stonewall.push({ operation, iteration: Number(iteration), leastTransfers, mostTransfers });
      this.wall = undefined;
    }
    return true;
  }

  /**
   * A line of the summary: 27 fields, 25 before 3.3.0 (no stonewall columns), 21 before 3.2 (no operations), in 2.10.3 only the statistics
   * or 14 columns behind them, without the test's number. The two columns `StdDev` go by position.
   */
  private readSummary(line: string): boolean {
    const run = this.run;
    if (!this.inSummary || run === undefined) return false;
    const tokens = fields(line);
    const operation = tokens[0] as string;
    const isOld = tokens.at(-1) === 'EXCEL';
    const form = SUMMARIES.find(({ old, length }) => old === isOld && length === tokens.length);
    if (form === undefined || !/^(?:write|read)$/.test(operation)) return false;
    const statistics = tokens.slice(1, 1 + form.statistics).map(figure);
    if (statistics.includes(undefined)) return false;
    // 3.0 and 3.1 print no operations.
    const none = { value: null, reason: 'not printed' };
    const figures =
      form.statistics === 5 ? [...statistics.slice(0, 4), none, none, none, none, statistics[4]] : statistics;
    const options = (isOld ? ['', ...tokens.slice(10, -1)] : tokens.slice(tokens.length - 15)).map((token) =>
      /^\d+$/.test(token) ? Number(token) : null,
    );
    run.summaries += 1;
    const missing = statistics.slice(0, -1).some((one) => one?.value === null);
    if (missing || statistics.at(-1)?.reason === UNREADABLE) run.nan = true;
    const test = run.tests.find((one) => one.id === options[0]) ?? run.tests.at(-1);
    if (test === undefined) return true;
    if (!test.iterations.has(operation)) test.iterations.set(operation, new Set());
    test.repetitions ??= options[3] ?? null;
    test.sizes.block = options[10] ?? null;
    test.sizes.transfer = options[11] ?? null;
    test.printed.push(printedSummary(operation, (index) => figures[index]?.value));
    return true;
  }
}

/** IOR's own statistics of an operation, in their order. */
export const printedSummary = (operation: string, at: (index: number) => number | null | undefined): PrintedSummary =>
  ({
    operation,
    ...Object.fromEntries(PRINTED_STATISTICS.map((name, index) => [name, at(index) ?? null])),
  }) as PrintedSummary;

/** Returns the number of test numbers in a run: one more than its highest TestID. */
const countOfTests = (run: IorRun): number => run.tests.reduce((count, { id }) => Math.max(count, id + 1), 0);
