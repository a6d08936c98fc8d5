import type { ParsedSample, ParsedSummary } from '../../schema/parse';
import { repetitionsIn } from '../common/parse/command';
import { isOrdered } from '../common/parse/finding';
import { fields, figure, UNREADABLE } from '../common/parse/lines';

const OPERATIONS: Readonly<Record<string, string>> = {
  'Directory creation': 'dir_create',
  'Directory stat': 'dir_stat',
  'Directory read': 'dir_read',
  'Directory rename': 'dir_rename',
  'Directory removal': 'dir_remove',
  'File creation': 'file_create',
  'File stat': 'file_stat',
  'File read': 'file_read',
  'File rename': 'file_rename',
  'File removal': 'file_remove',
  'File create (stonewall)': 'file_create_stonewall',
  'Tree creation': 'tree_create',
  'Tree removal': 'tree_remove',
};
/** Wikis make one character of two hyphens, and one blank of several. */
const STARTED = /(?:--|[–—]) started at (\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d) (?:--|[–—])/;
const FINISHED = /(?:--|[–—]) finished at (\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d) (?:--|[–—])/;
const LAUNCHED = /mdtest-(\S+) was launched with (\d+) total task\(s\) on (\d+) node(?:s|\(s\))/;
const BLOCK = /^(.*?)(\d+) tasks, (\d+) (files\/directories|files?|director(?:ies|y))$/;
/** Before -Z and -P chose between them (1.9.3 of 2017) the title has no word for rates. */
const SUMMARY = /^SUMMARY(?: (rate|time))?(?: \(in [^)]*\))?: \(of (\d+) iterations\)/;
/** Of a table with statistics over ranks as well; the deviation is that of the ranks if it comes before the iterations (hpc/ior b208951). */
const RANK_HEADING = /^ {3}Operation +per Rank: (.*) per Iteration:/;
const ROW = /^ *((?:Directory|File|Tree) [a-z]+(?: \(stonewall\))?) *(:?) +(\S.*)$/;
/** Column of the colon in the rows of 1.9, which are narrower than those of 3.3.0. */
const NARROW = 21;
/** With a date in 1.9.4-rc1: `V-1: main: * iteration 1 11/28/2026 12:50:50 *`. */
const ITERATION = /main: \* iteration (\d+) (?:[\d/]+ [\d:]+ )?\*/;
const PHASE = /((?:Directory|File|Tree) [a-z]+) *: +(\S+) sec, +(\S+) ops\/sec$/;

/** mdtest prints 3 decimals. */
const ROUNDING = 0.0011;

export const isMdtest = (text: string): boolean => text.includes(' was launched with ') && LAUNCHED.test(text);

export interface MdtestRun {
  readonly version: string;
  readonly tasks: number;
  readonly nodes: number;
  readonly began: string | null;
  command: string | null;
  finished: string | null;
  summaries: number;
}

/** A block of output that begins with the line `N tasks, M files`. */
export interface MdtestBlock {
  readonly run: MdtestRun;
  readonly test: number;
  readonly tasks: number;
  readonly items: number | null;
  /** Items that the block's line counts: files, directories or both. `null` without that line. */
  readonly made: string | null;
  /** Operations and metrics that the first iteration's lines gave. */
  readonly first: Set<string>;
  /**
   * True for the form of 4.0.0: statistics over iterations, and in the lines of -v the rate of rank 0 alone. 3.4.0+dev has both forms, which only
   * the rows of the SUMMARY distinguish: those of 4.0.0 have no colon (hpc/ior e78613d). Until one is read, the version decides.
   */
  later: boolean;
  repetitions: number | null;
}

export interface Table {
  readonly block: MdtestBlock;
  readonly kind: 'rate' | 'time';
  readonly iterations: number;
  readonly rows: Set<string>;
  /** True if the deviation belongs to the statistics over ranks. */
  ranksDeviation: boolean;
}

export class MdtestReader {
  readonly runs: MdtestRun[] = [];
  readonly blocks: MdtestBlock[] = [];
  readonly samples: ParsedSample[] = [];
  readonly summary: ParsedSummary[] = [];
  readonly tables: Table[] = [];
  disagrees = false;
  nonsense = false;
  phasesNotRun = false;
  private began: string | null = null;
  private run: MdtestRun | undefined;
  private block: MdtestBlock | undefined;
  private table: Table | undefined;
  private iteration = 0;

  readLine(line: string): void {
    const { table } = this;
    // The width of a row says what 1.9 counted.
    const isWhole = line.startsWith('   ') || !table?.block.run.version.startsWith('1.');
    const row = table !== undefined && isWhole ? ROW.exec(line) : null;
    if (line.endsWith('ops/sec')) {
      const phase = PHASE.exec(line);
      if (phase) this.readPhase(phase[1] as string, phase[2] as string, phase[3] as string);
    } else if (row !== null) {
      const form = row[2] === '' ? 'bare' : line[NARROW] === ':' ? 'narrow' : 'wide';
      this.readRow(row[1] as string, form, fields(row[3] as string), table as Table);
    } else if (line.startsWith('   ')) {
      const ranks = table === undefined ? undefined : RANK_HEADING.exec(line)?.[1];
      if (ranks !== undefined) (table as Table).ranksDeviation = ranks.includes('Std Dev');
    } else if (line.startsWith('V-') || line.includes('main: * iteration')) {
      const opened = ITERATION.exec(line);
      if (opened) this.iteration = Number(opened[1]) - 1;
    } else if (line.includes(' started at ')) {
      const [, began] = STARTED.exec(line) ?? [];
      if (began !== undefined) [this.began, this.run] = [began, undefined];
    } else if (line.includes(' was launched with ')) this.readLaunch(line);
    else if (this.run !== undefined) this.readRun(line, this.run);
  }

  /** @returns true if the line, even if truncated, ends the run */
  readEnd(line: string): boolean {
    const end = FINISHED.exec(line);
    if (end === null || this.run === undefined) return false;
    this.run.finished ??= end[1] as string;
    this.table = undefined;
    return true;
  }

  private readLaunch(line: string): void {
    const [, version, tasks, nodes] = LAUNCHED.exec(line) ?? [];
    if (version === undefined) return;
    const counted = { tasks: Number(tasks), nodes: Number(nodes) };
    this.run = { version, ...counted, began: this.began, command: null, finished: null, summaries: 0 };
    this.runs.push(this.run);
    this.block = undefined;
    this.table = undefined;
  }

  private readRun(line: string, run: MdtestRun): void {
    if (line.startsWith('Command line used: ')) run.command = line.slice(19).trim();
    else if (line.startsWith('SUMMARY')) {
      const title = SUMMARY.exec(line);
      if (title === null) return;
      const block = this.block ?? this.openBlock(run, run.tasks, null, null);
      block.repetitions = Number(title[2]);
      const kind = title[1] === 'time' ? 'time' : 'rate';
      this.table = { block, kind, iterations: Number(title[2]), rows: new Set(), ranksDeviation: false };
      this.tables.push(this.table);
      run.summaries += 1;
    } else if (line.includes(' tasks, ')) {
      const opened = BLOCK.exec(line.trimEnd());
      // Behind the text of another rank the first digits may be that rank's: then only the launch line can be trusted.
      if (opened)
        this.openBlock(run, opened[1] === '' ? Number(opened[2]) : run.tasks, Number(opened[3]), opened[4] as string);
    } else if (line.includes(' finished at ')) this.readEnd(line);
  }

  private openBlock(run: MdtestRun, tasks: number, items: number | null, made: string | null): MdtestBlock {
    const repetitions = repetitionsIn(run.command);
    const later = isFour(run.version);
    this.block = { run, test: this.blocks.length, tasks, items, made, first: new Set(), later, repetitions };
    this.blocks.push(this.block);
    this.iteration = 0;
    this.table = undefined;
    return this.block;
  }

  /** A row of a SUMMARY: max, min, mean and deviation, before them three figures over ranks with --showRankStatistics. */
  private readRow(label: string, form: 'bare' | 'narrow' | 'wide', tokens: string[], table: Table): void {
    const { block, kind, iterations, rows } = table;
    const operation = OPERATIONS[label];
    const read = tokens.map(figure);
    if (operation === undefined || (tokens.length !== 4 && tokens.length !== 7) || read.includes(undefined)) return;
    const values = read.map((one) => one?.value ?? null);
    const early = tokens.length === 7 && table.ranksDeviation;
    const [max, min, mean, stddev] = early
      ? [...values.slice(-3), null]
      : (values.slice(-4) as [number | null, number | null, number | null, number | null]);
    if ((form === 'bare') !== block.later && rows.size === 0) this.reread(block, form === 'bare');
    rows.add(operation);
    if (read.some((one) => one?.reason === UNREADABLE)) this.nonsense = true;
    if (!isOrdered(min, mean, max, ROUNDING)) this.disagrees = true;
    const isTree = label.startsWith('Tree');
    if (tokens.some((token) => /nan|inf|^-[\d.]/i.test(token))) this.nonsense = true;
    if (kind === 'rate' && !isTree && max === 0 && mean === 0) this.phasesNotRun = true;
    const { later } = block;
    // With barriers, 1.9 takes the fastest rank of each iteration (hpc/ior 8902bc8 removed that): then one iteration has one value.
    const isFastest =
      form === 'narrow' && !/\s["']?-B["']?(?=\s|$)/.test(block.run.command ?? '') && (iterations > 1 || max === min);
    const perIteration = later || isFastest || tokens.length === 7 || isTree || label.includes('stonewall');
    const metric = kind === 'rate' ? 'operations' : 'seconds';
    const common = { operation, test: block.test, unit: kind === 'rate' ? ('op/s' as const) : ('s' as const) };
    const unread = early ? 'not printed' : read.slice(-4).find((one) => one?.value === null)?.reason;
    this.summary.push({
      ...{ ...common, metric, max, min, mean, stddev },
      count: perIteration ? iterations : iterations * block.tasks,
      basis: perIteration ? 'iterations' : 'ranks x iterations',
      ...(unread === undefined ? {} : { reason: unread }),
    });
    if (tokens.length === 7) {
      const [rankMax, rankMin, rankMean] = values as [number | null, number | null, number | null];
      this.summary.push({
        ...common,
        metric: `rank_${metric}`,
        max: rankMax,
        min: rankMin,
        mean: rankMean,
        stddev: early ? (values[3] ?? null) : null,
        count: (isTree ? 1 : block.tasks) * iterations,
        basis: 'ranks x iterations',
        ...(early ? {} : { reason: 'not printed' }),
      });
    }
    if (later && iterations === 1 && mean !== null && mean > 0 && !block.first.has(`${operation} ${metric}`))
      this.samples.push({ ...common, iteration: 0, metric, value: mean });
  }

  /** Gives the lines of -v that were read before a SUMMARY the meaning that its form shows. */
  private reread(block: MdtestBlock, later: boolean): void {
    block.later = later;
    const renamed = (metric: string) => (later ? `rank0_${metric}` : metric.replace(/^rank0_/, ''));
    const isOfRank = (operation: string) => !operation.startsWith('tree_');
    for (const [index, sample] of this.samples.entries()) {
      if (sample.test !== block.test || !isOfRank(sample.operation)) continue;
      const metric = sample.metric.endsWith('operations') ? renamed(sample.metric) : sample.metric;
      this.samples[index] = { ...sample, metric };
    }
    const first = [...block.first].map((line) => (isOfRank(line) ? line.replace(/\S*operations$/, renamed) : line));
    block.first.clear();
    for (const line of first) block.first.add(line);
  }

  /** A line of -v: the time of rank 0, and a rate whose meaning depends on the version. */
  private readPhase(label: string, seconds: string, rate: string): void {
    const operation = OPERATIONS[label];
    const [time, speed] = [figure(seconds), figure(rate)];
    if (this.run === undefined || operation === undefined) return;
    if (time === undefined || speed === undefined) {
      this.nonsense = true;
      return;
    }
    const block = this.block ?? this.openBlock(this.run, this.run.tasks, null, null);
    const alone = label.startsWith('Tree');
    const { iteration } = this;
    for (const [metric, unit, { value, reason }] of [
      [alone || !block.later ? 'operations' : 'rank0_operations', 'op/s', speed],
      [alone ? 'seconds' : 'rank0_seconds', 's', time],
    ] as const) {
      const why = value === null ? { reason: reason ?? 'not printed' } : {};
      this.samples.push({ operation, test: block.test, iteration, metric, value, unit, ...why });
      if (iteration === 0) block.first.add(`${operation} ${metric}`);
    }
  }
}

/** A SUMMARY has a row for every phase of its block, also for one that was not run; 4.0.0 added the renaming of directories. */
export function missesRows({ block, rows }: Table): boolean {
  const has = (kind: RegExp, prefix: string) =>
    block.made === null ? [...rows].some((row) => row.startsWith(prefix)) : kind.test(block.made);
  const expected = [
    ...['tree_create', 'tree_remove'],
    ...(has(/file/, 'file_') ? ['file_create', 'file_stat', 'file_read', 'file_remove'] : []),
    ...(has(/director/, 'dir_') ? ['dir_create', 'dir_stat', 'dir_remove'] : []),
    ...(has(/director/, 'dir_') && block.later ? ['dir_rename'] : []),
  ];
  return expected.some((row) => !rows.has(row));
}

/** Each iteration prints the same lines; a torn or lost one makes them differ in number. */
export function missesLines(samples: readonly ParsedSample[], { test }: MdtestBlock): boolean {
  const counts = new Map<string, number>();
  const iterations = new Set<number | null>();
  for (const { test: own, operation, metric, iteration } of samples) {
    if (own !== test) continue;
    iterations.add(iteration);
    const line = `${operation} ${metric}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts.values()].some((count) => count % iterations.size !== 0);
}

/** True from 3.4.0+dev on, of which most builds print what 4.0.0 does ({@link MdtestBlock.later}). 3.2.1 calls itself 1.9.3. */
const isFour = (version: string): boolean => Number(/^\d+\.\d/.exec(version)?.[0] ?? 0) >= 3.4;
