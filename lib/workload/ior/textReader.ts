import type { ParsedSample, PrintedSummary, StonewallReached } from '../../schema/parse';
import { holds } from '../common/parse/holds';
import { fields, figure, UNREADABLE } from '../common/parse/lines';
import { type IorMetric, rowSamples } from './rows';
import type { IorTestRows } from './verdict';

/** IOR's banner; other ranks or a launcher may have written before it on the line. */
const BANNER = /IOR-(\S+): MPI Coordinated Test of Parallel I\/O/;
const DATE = '[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}';
const FINISHED = new RegExp(`Finished +: (${DATE})\\s*$`);
const TEST = /^TestID +: (\d+)$/;
const OPTION =
  /^(api|repetitions|tasks|nodes|xfersize|blocksize|aggregate filesize|dryRun|Began|Command line|test filename) *: (.*)$/;

/** Under `stoneWallingWearOut`, before the row: transfers that the slowest and the fastest rank had done when the time was up. */
const WALL = /stonewalling pairs accessed min: (\d{1,15}) max: (\d{1,15}) /;

/** Order of the figures in a row of 11 fields (3.3.0 and later) and of 9 fields (3.2.1); block and transfer sizes are no results. */
const COLUMNS: Readonly<Record<number, readonly (IorMetric | null)[]>> = {
  11: ['throughput', 'operations', 'latency', null, null, 'open_time', 'access_time', 'close_time', 'total_time'],
  9: ['throughput', null, null, 'open_time', 'access_time', 'close_time', 'total_time'],
};

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
  summaries: number;
  nan: boolean;
}

export const isIorText = (text: string): boolean => holds(text, ': MPI Coordinated Test') && BANNER.test(text);

/** Reads the lines of an output and collects runs and samples. */
export class IorTextReader {
  readonly runs: IorRun[] = [];
  readonly samples: ParsedSample[] = [];
  private run: IorRun | undefined;
  private test: IorTest | undefined;
  private inSummary = false;
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
    if (line.startsWith('Summary of all tests:')) this.inSummary = true;
    else if (line.includes('Finished')) this.readEnd(line);
    else if (line.startsWith('TestID')) {
      const id = TEST.exec(line.trimEnd());
      if (id) this.openTest(Number(id[1]));
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
    this.run = { version, header: new Map(), tests: [], base, finished: null, rows: 0, summaries: 0, nan: false };
    this.runs.push(this.run);
    this.test = undefined;
    this.inSummary = false;
    return this.run;
  }

  private openTest(id: number): IorTest {
    // Without a banner, what follows is the tail of another log. To open a run closes the test, so the run comes first.
    const run = this.run ?? this.openRun(null);
    this.test = {
      id,
      options: new Map(),
      iterations: new Map(),
      repetitions: null,
      printed: [],
      stonewall: [],
      sizes: { transfer: null, block: null },
    };
    run.tests.push(this.test);
    return this.test;
  }

  private readOption(line: string): void {
    const option = this.run === undefined || this.run.finished !== null ? null : OPTION.exec(line);
    if (option === null) return;
    const [, key, value] = option as unknown as [string, string, string];
    (this.test?.options ?? (this.run as IorRun).header).set(key, value.trim());
    if (key === 'repetitions' && this.test !== undefined) this.test.repetitions = Number(value) || null;
  }

  private readRow(line: string): boolean {
    const tokens = fields(line);
    const operation = tokens[0] as string;
    const columns = COLUMNS[tokens.length];
    if (columns === undefined || !/^(?:write|read|remove)$/.test(operation)) return false;
    const iteration = tokens[tokens.length - 1] as string;
    if (!/^\d{1,9}$/.test(iteration)) return false;
    const figures: Partial<Record<IorMetric, { value: number | null; reason?: string }>> = {};
    for (let index = 0; index < columns.length; index += 1) {
      const read = figure(tokens[index + 1]);
      if (read === undefined) return false;
      const metric = columns[index];
      if (metric) figures[metric] = read;
    }
    // A run takes no rows after its Finished line: such rows are of a run whose banner is missing.
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

  /** A line of the summary: 27 fields, 25 before 3.3.0 (no stonewall columns). The two columns `StdDev` go by position. */
  private readSummary(line: string): boolean {
    const run = this.run;
    if (!this.inSummary || run === undefined) return false;
    const tokens = fields(line);
    const operation = tokens[0] as string;
    if ((tokens.length !== 27 && tokens.length !== 25) || !/^(?:write|read)$/.test(operation)) return false;
    const figures = tokens.slice(1, 10).map(figure);
    const rest = tokens.slice(tokens.length - 15).map(Number);
    if (figures.some((one) => one === undefined)) return false;
    const value = (index: number) => figures[index]?.value ?? null;
    run.summaries += 1;
    if (figures.slice(0, 8).some((one) => one?.value === null) || figures[8]?.reason === UNREADABLE) run.nan = true;
    const id = rest[0];
    const test = run.tests.find((one) => one.id === id) ?? run.tests.at(-1);
    if (test === undefined) return true;
    if (!test.iterations.has(operation)) test.iterations.set(operation, new Set());
    if (Number.isInteger(rest[3])) test.repetitions ??= rest[3] as number;
    test.sizes.block = Number.isInteger(rest[10]) ? (rest[10] as number) : null;
    test.sizes.transfer = Number.isInteger(rest[11]) ? (rest[11] as number) : null;
    test.printed.push({
      operation,
      maxMiBps: value(0),
      minMiBps: value(1),
      meanMiBps: value(2),
      stddevMiBps: value(3),
      maxOps: value(4),
      minOps: value(5),
      meanOps: value(6),
      stddevOps: value(7),
      meanSeconds: value(8),
    });
    return true;
  }
}

/** Returns the number of test numbers in a run: one more than its highest TestID. */
const countOfTests = (run: IorRun): number => run.tests.reduce((count, { id }) => Math.max(count, id + 1), 0);
