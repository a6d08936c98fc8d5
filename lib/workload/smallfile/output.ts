import type { ParsedSample } from '../../schema/parse';
import { type CommandFile, countStarts } from '../common/parse/command';
import type { ParserFinding, TestHead } from '../common/parse/finding';
import { type Json, object, objectsIn } from '../common/parse/json';
import { codeOfErrno } from '../common/parse/launch';
import type { Lines } from '../common/parse/lines';

/** smallfile's operations in the words of the other tools; any other name stays. */
const OPERATIONS: Readonly<Record<string, string>> = {
  create: 'file_create',
  stat: 'file_stat',
  read: 'file_read',
  rename: 'file_rename',
  delete: 'file_remove',
  mkdir: 'dir_create',
  readdir: 'dir_read',
  rmdir: 'dir_remove',
};

/** The metrics of a run, in the order in which the document has them. */
const UNITS = {
  operations: 'op/s',
  io_operations: 'op/s',
  throughput: 'MiB/s',
  seconds: 's',
  bytes: 'B',
  files: '1',
} as const;
type SmallfileMetric = keyof typeof UNITS;

type SmallfileFigure = Pick<ParsedSample, 'value' | 'reason' | 'low' | 'high'>;

/** One run, which is one operation. */
interface SmallfileResult {
  readonly operation: string;
  readonly version: string | null;
  readonly began: string | null;
  /** Threads that gave their result, of all hosts together. */
  readonly threads: number | null;
  readonly hosts: number;
  readonly filesPerThread: number | null;
  /** KiB, as asked for; 0 is as large as the file. */
  readonly recordKiB: number | null;
  readonly fileKiB: number | null;
  readonly figures: Partial<Record<SmallfileMetric, SmallfileFigure>>;
}

function samplesOf({ operation, figures }: SmallfileResult, test: number): ParsedSample[] {
  const samples: ParsedSample[] = [];
  for (const metric of Object.keys(UNITS) as SmallfileMetric[]) {
    const figure = figures[metric];
    if (figure === undefined) continue;
    const named = OPERATIONS[operation] ?? operation;
    samples.push({ operation: named, test, iteration: null, metric, unit: UNITS[metric], ...figure });
  }
  return samples;
}

function describeResult(result: SmallfileResult, test: number): TestHead {
  const { version, began, threads, hosts, filesPerThread, recordKiB, fileKiB } = result;
  return {
    test,
    version,
    began,
    tasks: threads,
    nodes: hosts,
    transferBytes: recordKiB === null || recordKiB === 0 ? null : recordKiB * 1024,
    blockBytes: fileKiB === null ? null : fileKiB * 1024,
    items: filesPerThread === null || threads === null ? null : filesPerThread * threads,
  };
}

const THREAD = /^host = .+,thr = \S+,elapsed = (\S+),files = \S+,records = \S+,status = (.+)$/;
const TOTAL =
  /^(total threads|total files|total IOPS|total data|elapsed time|files\/sec|IOPS|MiB\/sec) = *(\d+(?:\.\d+)?)(?: Gi?B)?$/;
const OLD_TOTAL = /^(\d+\.\d+) (files\/sec|IOPS|MB\/sec|sec elapsed time)$/;
const LATER_NAMES: Readonly<Record<string, string>> = { 'MB/sec': 'MiB/sec', 'sec elapsed time': 'elapsed time' };
const DECIMALS = /^\d+\.\d+$/;
const TOO_SHORT = 'WARNING: test must run longer than a millisecond';
// Up to 2019 the last two are the message of an error.
const FAILED = 'at least one thread encountered error, test may be incomplete';
const TOO_FEW = 'not enough total files processed';
const TAILS = [
  TOO_SHORT,
  `WARNING: ${FAILED}`,
  `WARNING: ${TOO_FEW} before 1st thread finished, change test parameters`,
];
/** Up to 3.0: the head's first line. */
const OLD_VERSION = /^smallfile version (\S+) *$/;
/** Last lines of a run, which say all even without their end: the texts, and rates with all their six decimals. */
const WHOLE_TAIL = /^(?:(?:files\/sec|MiB\/sec) = \d+\.\d{6}|\d+\.\d{6} (?:files|MB)\/sec)$/;

export const isSmallfile = (text: string): boolean =>
  text.includes('files/thread : ') && /(?:^|\n)(?: +version :|smallfile version) \S+ *\n/.test(text);

/**
 * Parses smallfile's output: one test a run, which is one operation. Its rates are sums over the threads, each by its own clock, so they are
 * above files ÷ time; `seconds` is the slowest thread's. Below a millisecond it prints no rate (its JSON has one). A thread that failed has
 * an elapsed time of −1.8e9, which is never read as a figure, and the exit status is 0 all the same (3.1; smallfile, output_results.py).
 */
export function parseSmallfile(input: Lines, cmd: CommandFile): ParserFinding {
  const reader = new SmallfileReader();
  for (const line of input.each(reader.runs)) reader.readLine(line);
  const { tail } = input;
  const endsInTail = TAILS.includes(tail) || WHOLE_TAIL.test(tail);
  if (endsInTail) reader.readLine(tail);
  const { runs, problems, cautions } = reader;
  for (const run of runs) {
    if (run.totals.size === 0) problems.add('no_result_rows');
    else if (!hasEnded(run)) problems.add('truncated');
  }
  const announced = countStarts(cmd.command, 'smallfile_cli\\.py\\s');
  const whole = runs.every(hasEnded) && (tail.trim() === '' || endsInTail) && !problems.has('threads_missing');
  const results = runs.map(resultOf);
  return {
    version: results[0]?.version ?? null,
    complete: whole && runs.length >= Math.max(1, announced ?? 1),
    incompleteReason: whole ? 'the command announces more runs' : 'the last line is truncated',
    problems,
    cautions,
    samples: results.flatMap(samplesOf),
    tests: results.map(describeResult),
  };
}

interface Run {
  readonly options: Map<string, string>;
  /** Elapsed time of the slowest thread, seconds. */
  slowest: number;
  failure: string | undefined;
  readonly totals: Map<string, string>;
  readonly warnings: Set<string>;
}

class SmallfileReader {
  readonly runs: Run[] = [];
  readonly problems = new Set<string>();
  readonly cautions = new Set<string>();

  readLine(line: string): void {
    this.readMessage(line);
    // `%40s : %s` (smallfile, parse.py)
    const colon = line.startsWith(' ') ? line.indexOf(' : ') : -1;
    if (colon > 0) {
      this.readOption(line.slice(0, colon).trim(), line.slice(colon + 3).trim());
      return;
    }
    const [, version] = OLD_VERSION.exec(line) ?? [];
    if (version !== undefined) this.readOption('version', version);
    const run = this.runs.at(-1);
    if (run === undefined) return;
    const thread = line.startsWith('host = ') ? THREAD.exec(line) : null;
    if (thread) {
      if (DECIMALS.test(thread[1] as string)) run.slowest = Math.max(run.slowest, Number(thread[1]));
      if (thread[1] === 'None') this.problems.add('threads_missing');
      if (thread[2] !== 'ok') this.readFailure(run, (thread[2] as string).replace(/^ERR: /, ''));
      return;
    }
    const total = TOTAL.exec(line);
    if (total) run.totals.set(total[1] as string, total[2] as string);
    // Up to 2017: `661.943755 files/sec`, in which MB are 2^20 bytes (smallfile, output_results.py).
    const [, old, name] = OLD_TOTAL.exec(line) ?? [];
    if (old !== undefined && name !== undefined) run.totals.set(LATER_NAMES[name] ?? name, old);
    // Up to 2019 the threshold is a minimum, and has no sign of per cent before 2021.
    const share = /^ *(\d+\.\d\d)% of requested files processed, (?:warning threshold|minimum) is +(\d+\.\d\d)%?$/.exec(
      line,
    );
    if (share) {
      run.totals.set('share', share[1] as string);
      run.totals.set('threshold', share[2] as string);
    }
    for (const warning of [TOO_SHORT, FAILED, TOO_FEW]) if (line.includes(warning)) run.warnings.add(warning);
  }

  private readOption(name: string, value: string): void {
    if (name === 'version') {
      const options = new Map<string, string>();
      this.runs.push({ options, slowest: 0, failure: undefined, totals: new Map(), warnings: new Set() });
    }
    this.runs.at(-1)?.options.set(name, value);
  }

  private readFailure(run: Run, message: string): void {
    run.failure ??= message;
    this.problems.add(codeOfErrno(message));
  }

  private readMessage(line: string): void {
    if (line === TOO_SHORT) this.cautions.add('too_short');
    if (line.includes(TOO_FEW)) this.cautions.add('few_files_measured');
    if (/^WARNING: (?:failed to get some responses|thread .* never completed)/.test(line))
      this.problems.add('threads_missing');
    if (/^KeyboardInterrupt|^control-C signal seen|^saw SIGINT signal/.test(line)) this.problems.add('interrupted');
    if (line.startsWith('ERROR: ') && !line.includes(TOO_FEW)) this.problems.add(codeOfErrno(line));
  }
}

/** There is no end marker, but each line shows whether another must follow. */
function hasEnded({ totals, failure, warnings }: Run): boolean {
  // Up to 2019 the requests are printed even if there were none, and no warning if the time is too short for rates.
  const moves = Number(totals.get('total IOPS')) > 0 || totals.has('total data');
  const rated = totals.has('files/sec') && (!moves || totals.has('MiB/sec'));
  const short = warnings.has(TOO_SHORT) || Number(totals.get('elapsed time')) <= 0.001;
  if (!totals.has('elapsed time') || !(rated || short)) return false;
  if (failure !== undefined) return warnings.has(FAILED);
  return Number(totals.get('share')) >= Number(totals.get('threshold')) || warnings.has(TOO_FEW);
}

function resultOf(run: Run): SmallfileResult {
  const { options, totals, warnings, failure } = run;
  const option = (name: string) => {
    const text = options.get(name) ?? '';
    return /^\d{1,15}$/.test(text) ? Number(text) : null;
  };
  const total = (name: string): SmallfileFigure | undefined => {
    const text = totals.get(name);
    return text === undefined ? undefined : { value: Number(text) };
  };
  const hosts = options.get('hosts in test')?.match(/'[^']+'/g)?.length ?? 1;
  const unrated = warnings.has(TOO_SHORT)
    ? { value: null, reason: failure ?? 'not printed, since the run took less than a millisecond' }
    : undefined;
  const figures: Record<string, SmallfileFigure | undefined> = {
    operations: total('files/sec') ?? unrated,
    io_operations: total('IOPS'),
    throughput: total('MiB/sec'),
    seconds: secondsOf(run),
    bytes: rounded(totals.get('total data'), 2 ** 30),
    files: total('total files'),
  };
  return {
    operation: options.get('operation') ?? 'unknown',
    version: options.get('version') ?? null,
    began: null,
    threads: total('total threads')?.value ?? null,
    hosts,
    filesPerThread: option('files/thread'),
    recordKiB: option('record size (KB, 0 = maximum)'),
    fileKiB: option('file size (KB)'),
    figures,
  };
}

/** The total is the slowest thread's time, rounded to milliseconds: the thread's own line has more digits. */
function secondsOf({ totals, slowest }: Run): SmallfileFigure | undefined {
  const printed = totals.get('elapsed time');
  if (printed === undefined) return undefined;
  return slowest.toFixed(3) === Number(printed).toFixed(3) ? { value: slowest } : rounded(printed, 1);
}

/** A figure with three decimals: its value, with the bounds that the rounding leaves. */
function rounded(text: string | undefined, scale: number): SmallfileFigure | undefined {
  if (text === undefined) return undefined;
  const at = (value: number) => (scale === 1 ? Number(value.toFixed(4)) : Math.round(value * scale));
  const value = Number(text);
  return { value: at(value), low: at(Math.max(0, value - 0.0005)), high: at(value + 0.0005) };
}

/** Up to 3.1 of 2021 the keys have hyphens, then underscores and capitals (smallfile, smf_test_params.py and output_results.py). */
const START = /\{\s*"params"\s*:\s*\{\s*"host[-_]?[sS]et"\s*:/;

export const isSmallfileJson = (text: string): boolean => text.includes('"params"') && START.test(text);

/**
 * smallfile's `--output-json`, one file a run; several in one text are read in turn. Its rates are sums over the threads, each by its own
 * clock. A run that failed has rates of 0, which are printed figures of an output that is not valid.
 */
export function parseSmallfileJson(input: Lines): ParserFinding {
  const problems = new Set<string>();
  const cautions = new Set<string>();
  const results: SmallfileResult[] = [];
  for (const { document } of objectsIn(input, START)) {
    if (document === undefined) {
      problems.add('truncated');
      continue;
    }
    const outcome = plainKeys(object(document.results));
    const params = plainKeys(object(document.params));
    const { status } = outcome;
    if (typeof status === 'string' && status !== 'Success') problems.add(codeOfErrno(status));
    if (!hasResults(outcome)) problems.add('no_result_rows');
    const result = jsonResultOf(params, outcome);
    if (isShort(params, result)) problems.add('threads_missing');
    for (const code of cautionsOf(outcome)) cautions.add(code);
    results.push(result);
  }
  return {
    version: results[0]?.version ?? null,
    complete: !['truncated', 'no_result_rows', 'threads_missing'].some((code) => problems.has(code)),
    problems,
    cautions,
    samples: results.flatMap(samplesOf),
    tests: results.map(describeResult),
  };
}

/** Keys without hyphens, underscores and capitals, which changed. */
const plainKeys = (json: Json): Json =>
  Object.fromEntries(Object.entries(json).map(([key, value]) => [key.replace(/[-_]/g, '').toLowerCase(), value]));

function jsonResultOf(params: Json, results: Json): SmallfileResult {
  const figure = (value: unknown, scale = 1): SmallfileFigure | undefined => {
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isFinite(value)) return { value: value * scale };
    return { value: null, reason: `printed as ${String(value).slice(0, 40)}` };
  };
  const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
  const hosts = typeof params.hostset === 'string' ? params.hostset.split(',').length : 1;
  const figures: Record<string, SmallfileFigure | undefined> = {
    operations: figure(results.filespersec),
    io_operations: figure(results.iops),
    throughput: figure(results.mibps),
    seconds: figure(results.elapsed),
    bytes: figure(results.totaldatagb, 2 ** 30),
    files: figure(results.files),
  };
  return {
    operation: typeof params.operation === 'string' ? params.operation : 'unknown',
    version: typeof params.version === 'string' ? params.version : null,
    began: typeof results.date === 'string' ? results.date : null,
    // The newer form has a slip of the pen.
    threads: number(results.totalthreads ?? results.totalhreads),
    hosts,
    filesPerThread: number(params.filesperthread),
    recordKiB: null,
    fileKiB: number(params.filesize),
    figures,
  };
}

/** Every figure that the tool writes is there: those of requests where there were some. */
function hasResults(results: Json): boolean {
  const always = [results.filespersec, results.elapsed, results.files, results.totalthreads ?? results.totalhreads];
  const requests = Number(results.records) > 0 ? [results.iops, results.mibps, results.totaldatagb] : [];
  return ![...always, ...requests].includes(undefined);
}

/** Fewer threads answered than were started on the hosts. */
const isShort = (params: Json, { threads, hosts }: SmallfileResult): boolean =>
  threads !== null && typeof params.threads === 'number' && threads < params.threads * hosts;

/** Returns warnings that the tool's text has and its JSON lacks (smallfile, output_results.py, and pct_files_min of smallfile.py). */
function cautionsOf({ status, elapsed, pctfilesdone: share }: Json): string[] {
  const short = typeof elapsed === 'number' && elapsed < 0.001;
  const few = status === 'Success' && typeof share === 'number' && share < 70;
  return [...(short ? ['too_short'] : []), ...(few ? ['few_files_measured'] : [])];
}
