import type { ParsedSample, ParsedTest, PrintedSummary } from '../model/parse';
import type { CommandFile } from './command';
import type { Finding } from './finding';
import { type IorMetric, rowSamples } from './ior-rows';
import { announcedRuns, type IorTestRows, iorIntent, iorMessages, missingIterations } from './ior-verdict';
import { fields, figure, type Lines } from './lines';
import { bytesOf } from './size';

/** IOR's banner; other ranks or a launcher may have written before it on the line. */
const BANNER = /IOR-(\S+): MPI Coordinated Test of Parallel I\/O/;
const DATE = '[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}';
const FINISHED = new RegExp(`Finished +: (${DATE})\\s*$`);
const TEST = /^TestID +: (\d+)$/;
const OPTION =
  /^(api|repetitions|tasks|nodes|xfersize|blocksize|aggregate filesize|dryRun|Began|Command line|test filename) *: (.*)$/;

/** Order of the figures in a row of 11 fields (3.3.0 and later) and of 9 fields (3.2.1); block and transfer sizes are no results. */
const COLUMNS: Readonly<Record<number, readonly (IorMetric | null)[]>> = {
  11: ['throughput', 'iops', 'latency', null, null, 'open_time', 'access_time', 'close_time', 'total_time'],
  9: ['throughput', null, null, 'open_time', 'access_time', 'close_time', 'total_time'],
};

export function isIorText(text: string): boolean {
  return text.includes(': MPI Coordinated Test') && BANNER.test(text);
}

interface IorTest extends IorTestRows {
  readonly id: number;
  readonly options: Map<string, string>;
  readonly iterations: Map<string, Set<number>>;
  readonly printed: PrintedSummary[];
  readonly sizes: { transfer: number | null; block: number | null };
  repetitions: number | null;
}

interface IorRun {
  readonly version: string | null;
  readonly header: Map<string, string>;
  readonly tests: IorTest[];
  finished: string | null;
  rows: number;
  summaries: number;
  nan: boolean;
}

/**
 * Text output of IOR 3.2.1 to main, at any verbosity, one run or several, whole or cut. Rows are recognised by their fields, never by
 * character columns, and count only when the line is whole: a line torn by another rank is a missing iteration.
 * The test's number is its TestID, counted on over the runs of a file.
 */
export function parseIorText(input: Lines, cmd: CommandFile): Finding {
  const runs: IorRun[] = [];
  const samples: ParsedSample[] = [];
  const finished: ParsedTest[] = [];
  let base = 0;
  let run: IorRun | undefined;
  let test: IorTest | undefined;
  let inSummary = false;

  const openRun = (version: string | null): IorRun => {
    base += highestTest(run);
    run = { version, header: new Map(), tests: [], finished: null, rows: 0, summaries: 0, nan: false };
    runs.push(run);
    test = undefined;
    inSummary = false;
    return run;
  };
  const openTest = (id: number): IorTest => {
    const opened: IorTest = {
      id,
      options: new Map(),
      iterations: new Map(),
      repetitions: null,
      printed: [],
      sizes: { transfer: null, block: null },
    };
    (run ?? openRun(null)).tests.push(opened);
    test = opened;
    return opened;
  };

  for (const line of input.lines) {
    switch (line.charCodeAt(0)) {
      case 119: // write
      case 114: // read, remove, repetitions
        if (inSummary && run !== undefined && readSummary(line, run)) continue;
        if (readRow(line)) continue;
        break;
      case 83: // Summary
        if (line.startsWith('Summary of all tests:')) inSummary = true;
        continue;
      case 84: {
        const id = TEST.exec(line.trimEnd());
        if (id) openTest(Number(id[1]));
        continue;
      }
      default:
    }
    if (line.includes('IOR-')) {
      const banner = BANNER.exec(line);
      if (banner) {
        openRun(banner[1] as string);
        continue;
      }
    }
    if (run === undefined) continue;
    if (line.includes('Finished')) {
      const end = FINISHED.exec(line);
      if (end) closeRun(end[1] as string);
      continue;
    }
    const option = OPTION.exec(line);
    if (option && run.finished === null) {
      const target = (test as IorTest | undefined)?.options ?? run.header;
      target.set(option[1] as string, (option[2] as string).trim());
      if (option[1] === 'repetitions' && test !== undefined) test.repetitions = Number(option[2]) || null;
    }
  }
  const lastWords = FINISHED.exec(input.tail);
  if (lastWords && run !== undefined) closeRun(lastWords[1] as string);

  function closeRun(date: string): void {
    if (run !== undefined && run.finished === null) run.finished = date;
  }

  function readRow(line: string): boolean {
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
    // After its Finished line a run takes no more rows: those of a headless run stand for themselves.
    if (run === undefined || run.finished !== null) openRun(null);
    const into = test ?? openTest(0);
    (run as IorRun).rows += 1;
    if (operation !== 'remove') {
      const seen = into.iterations.get(operation) ?? new Set<number>();
      into.iterations.set(operation, seen.add(Number(iteration)));
    }
    for (const sample of rowSamples(operation, base + into.id, Number(iteration), figures)) samples.push(sample);
    return true;
  }

  const problems = new Set<string>();
  const cautions = new Set<string>();
  const found = iorMessages(input);
  for (const code of found.problems) problems.add(code);
  for (const code of found.cautions) cautions.add(code);
  if (runs.length === 0) problems.add('no_run_header');
  let offset = 0;
  for (const each of runs) {
    for (const code of runProblems(each)) problems.add(code);
    const intent = iorIntent(each.header.get('Command line') ?? null);
    if (intent.writes && !intent.synced) cautions.add('buffered_write_no_fsync');
    for (const one of each.tests) finished.push(describe(each, one, offset));
    offset += highestTest(each);
  }
  const unfinished = input.tail.trim() !== '' && lastWords === null;
  const structural = ['no_run_header', 'no_finish_line', 'no_summary', 'no_result_rows', 'missing_iterations'];
  return {
    tool: 'ior',
    version: runs[0]?.version ?? null,
    command: runs[0]?.header.get('Command line') ?? null,
    complete:
      !structural.some((code) => problems.has(code)) && !unfinished && runs.length >= announcedRuns(cmd.command, 'ior'),
    incompleteReason: unfinished ? 'the last line has no end' : 'the command announces more runs',
    problems: [...problems],
    cautions: [...cautions],
    samples,
    tests: finished,
  };
}

function highestTest(run: IorRun | undefined): number {
  return run === undefined ? 0 : Math.max(0, ...run.tests.map((test) => test.id + 1));
}

function runProblems(run: IorRun): string[] {
  const problems: string[] = [];
  const command = run.header.get('Command line') ?? null;
  if (run.version === null) problems.push('no_run_header');
  if (run.finished === null) problems.push('no_finish_line');
  if (run.summaries === 0) problems.push('no_summary');
  if (run.rows === 0) problems.push('no_result_rows');
  else if (missingIterations(run.tests, command)) problems.push('missing_iterations');
  if (run.nan) problems.push('nan_in_summary');
  const intent = iorIntent(command);
  const options = (key: string) => run.tests.some((test) => test.options.get(key));
  if (intent.dummy || run.tests.some((test) => test.options.get('api')?.startsWith('DUMMY')))
    problems.push('dummy_api');
  if (intent.dryRun || (options('dryRun') && run.tests.some((test) => test.options.get('dryRun') === '1'))) {
    problems.push('dry_run');
  }
  return problems;
}

/** A line of the summary: 27 fields, 25 before 3.3.0 (no stonewall columns). The two columns `StdDev` go by position. */
function readSummary(line: string, run: IorRun): boolean {
  const tokens = fields(line);
  const operation = tokens[0] as string;
  if ((tokens.length !== 27 && tokens.length !== 25) || !/^(?:write|read)$/.test(operation)) return false;
  const figures = tokens.slice(1, 10).map(figure);
  const rest = tokens.slice(tokens.length - 15).map(Number);
  if (figures.some((one) => one === undefined)) return false;
  const value = (index: number) => figures[index]?.value ?? null;
  run.summaries += 1;
  if (figures.slice(0, 8).some((one) => one?.value === null)) run.nan = true;
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

function describe(run: IorRun, test: IorTest, offset: number): ParsedTest {
  const whole = (key: string) => {
    const text = test.options.get(key);
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
  };
  return {
    test: offset + test.id,
    tool: 'ior',
    version: run.version,
    command: run.header.get('Command line') ?? null,
    began: run.header.get('Began') ?? null,
    finished: run.finished,
    repetitions: test.repetitions,
    tasks: whole('tasks'),
    nodes: whole('nodes'),
    transferBytes: test.sizes.transfer ?? bytesOf(test.options.get('xfersize')),
    blockBytes: test.sizes.block ?? bytesOf(test.options.get('blocksize')),
    aggregateBytes: bytesOf(test.options.get('aggregate filesize')),
    items: null,
    printed: test.printed,
  };
}
