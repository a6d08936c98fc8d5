import type { ParsedSample } from '../../schema/parse';
import { invocations } from '../common/parse/command';

export interface ElbenchoPhase {
  /** elbencho's name of the phase: `WRITE`, `MKDIRS`, `RWMIX50` … */
  readonly name: string;
  readonly test: number;
  /** Index of the phase among those of this name in its run, from 0. */
  readonly iteration: number;
}

/** elbencho's phases in the words of the other tools; any other name stays, in lower case. */
const OPERATIONS: Readonly<Record<string, string>> = {
  MKDIRS: 'dir_create',
  STATDIRS: 'dir_stat',
  RMDIRS: 'dir_remove',
  STAT: 'file_stat',
  RMFILES: 'file_remove',
};

const operationOf = (phase: string): string => OPERATIONS[phase] ?? phase.toLowerCase();

/** Writes and reads move data, and count files in addition to requests; the other phases count nothing but entries. */
const movesData = (phase: string): boolean => /^(?:WRITE|READ|RWMIX)/.test(phase);

/** A row of the text or a column of the CSV, as the document has it. */
export interface ElbenchoMetric {
  readonly metric: string;
  readonly unit: ParsedSample['unit'];
  /** Value of one unit of the printed integer. elbencho cuts off the fraction. */
  readonly scale: number;
  /** For a size or a time the interval is given: a small one is cut down to 0. */
  readonly bounded?: boolean;
  /** Share of reads or of writes in a mix of both. */
  readonly share?: 'read' | 'write';
}

/**
 * The metric of a name in the text (`Files/s`, `IOPS read`, `Total MiB`) or in the CSV (`entries/s`, `rwmix read IOPS`), which differ by version;
 * `undefined` for any other name. In a mix the names without a share are those of the writes in 1.9 (elbencho, Statistics.cpp).
 */
export function metricOf(phase: string, name: string): ElbenchoMetric | undefined {
  const share = /(?:^| )(read|write|total)$/.exec(name)?.[1] ?? /^(?:rwmix )?(read) /i.exec(name)?.[1]?.toLowerCase();
  const bare = name.replace(/^rwmix read |^(?:Read|Total|Throughput) | (?:read|write|total)$/g, '');
  const side = share === 'read' || share === 'write' ? share : undefined;
  const mixed = phase.startsWith('RWMIX') && share === undefined && !/^(?:Elapsed|time|CPU)/.test(name);
  const found = plainMetric(phase, bare);
  return found && { ...found, share: side ?? (mixed ? 'write' : undefined) };
}

const SECONDS: ElbenchoMetric = { metric: 'seconds', unit: 's', scale: 1e-3, bounded: true };
const CPU: ElbenchoMetric = { metric: 'cpu', unit: '1', scale: 0.01 };
const METRICS: ReadonlyMap<string, ElbenchoMetric> = new Map([
  ['Elapsed ms', SECONDS],
  ['Elapsed time', SECONDS],
  ['time ms', SECONDS],
  ['IOPS', { metric: 'operations', unit: 'op/s', scale: 1 }],
  ['MiB/s', { metric: 'throughput', unit: 'MiB/s', scale: 1 }],
  ['MB/s', { metric: 'throughput', unit: 'MB/s', scale: 1 }],
  ['MiB', { metric: 'bytes', unit: 'B', scale: 2 ** 20, bounded: true }],
  ['IOs', { metric: 'ios', unit: '1', scale: 1 }],
  ['CPU util %', CPU],
  ['CPU%', CPU],
]);

function plainMetric(phase: string, name: string): ElbenchoMetric | undefined {
  const known = METRICS.get(name);
  if (known !== undefined) return known;
  const rate = name.endsWith('/s');
  const entries = /^(files|dirs|objects|buckets|entries)$/i.exec(rate ? name.slice(0, -2) : name)?.[1]?.toLowerCase();
  if (entries === undefined) return undefined;
  // The CSV calls all of them entries.
  const kind = entries !== 'entries' ? entries : (/(DIRS|BUCKETS)$/.exec(phase)?.[1]?.toLowerCase() ?? 'files');
  if (!rate) return { metric: kind, unit: '1', scale: 1 };
  return { metric: movesData(phase) ? `${kind.replace(/s$/, '')}_operations` : 'operations', unit: 'op/s', scale: 1 };
}

/** Two samples of a row: LAST DONE is the whole phase, with the plain name; FIRST DONE ends with the fastest thread, `first_done_…`. */
export const bothDone = (phase: ElbenchoPhase, row: ElbenchoMetric, first: number, last: number): ParsedSample[] => [
  sampleOf(phase, row, row.metric, last),
  sampleOf(phase, row, `first_done_${row.metric}`, first),
];

function sampleOf(phase: ElbenchoPhase, row: ElbenchoMetric, metric: string, count: number): ParsedSample {
  const { name, test, iteration } = phase;
  const { unit, scale, bounded, share = operationOf(name) } = row;
  const high = bounded ? { high: scaled(count + 1, scale) } : {};
  return { operation: share, test, iteration, metric, value: scaled(count, scale), unit, ...high };
}

/** Counts times a power of ten go through the division, which keeps 40 ms at 0.04 s. */
const scaled = (count: number, scale: number): number => (scale < 1 ? count / Math.round(1 / scale) : count * scale);

/** Mean, least and greatest latency, s: of one request (`latency`), or of one file or directory with all its requests (`entry_latency`). */
export const latencies = (
  phase: ElbenchoPhase,
  kind: string,
  seconds: { readonly min: number; readonly avg: number; readonly max: number },
): ParsedSample[] => [
  latency(phase, kind, '', seconds.avg),
  latency(phase, kind, '_min', seconds.min),
  latency(phase, kind, '_max', seconds.max),
];

/** Percentiles from the text `[ 1%<=48 50%<=1448 99.9%<=19484 ]`: the upper end, s, of the class in which each lies (`latency_p99.9`). */
export const latencyPercentiles = (phase: ElbenchoPhase, kind: string, text: string): ParsedSample[] =>
  [...text.matchAll(/ (\d{1,2}(?:\.\d{1,9})?)%<=(\d{1,15}(?:\.\d{1,3})?)(?= )/g)].map((match) =>
    latency(phase, kind, `_p${match[1]}`, Number(match[2]) / 1e6),
  );

function latency({ name, test, iteration }: ElbenchoPhase, kind: string, which: string, value: number): ParsedSample {
  const share = /\b(rd|wr)$/.exec(kind)?.[1];
  const operation = share === undefined ? operationOf(name) : share === 'rd' ? 'read' : 'write';
  const metric = /^IO\b/.test(kind) ? 'latency' : 'entry_latency';
  return { operation, test, iteration, metric: `${metric}${which}`, value, unit: 's' };
}

/** Options that are a phase each, by their long name. `--sync` and `--dropcache` come between them and are not counted. */
const PHASE_OPTIONS: Readonly<Record<string, string>> = {
  mkdirs: 'd',
  write: 'w',
  stat: 'stat',
  read: 'r',
  delfiles: 'F',
  deldirs: 'D',
  statdirs: 'statdirs',
};
/** Short options that are followed by a value: the letters behind them belong to it. */
const WITH_VALUE = 'bintsNR';

/** A command line whose words elbencho put between quotes, without those: `"elbencho" "-w" "/fsx/f 1" `. */
const unquoted = (command: string): string =>
  command.replace(/^"[^\n]*$/gm, (line) => line.replace(/"((?:[^"]|"")*)"/g, '$1'));

/** Counts the announced phases, without syncs and cache drops. @returns `null` if unknown, or if no known option requests a phase */
export function announcedPhases(command: string | null): number | null {
  const counts = invocations(command === null ? null : unquoted(command), 'elbencho\\s+-')?.map(phasesOf) ?? [];
  return counts.length === 0 || counts.includes(0) ? null : counts.reduce((sum, count) => sum + count, 0);
}

export const incompleteReason = (announced: number | null): string =>
  announced === null
    ? 'elbencho prints no end marker: the expected phases must come from the command'
    : 'the command announces more phases';

function phasesOf(run: string): number {
  const words = run.replaceAll(/["']/g, '').split(/\s+/);
  const phases = new Set<string>();
  for (const word of words) {
    const long = /^--([a-z]+)$/.exec(word)?.[1];
    if (long !== undefined && PHASE_OPTIONS[long] !== undefined) phases.add(PHASE_OPTIONS[long] as string);
    if (!/^-[a-zA-Z]/.test(word)) continue;
    for (const letter of word.slice(1)) {
      if (WITH_VALUE.includes(letter)) break;
      if ('dwrFD'.includes(letter)) phases.add(letter);
    }
  }
  const iterations = /\s(?:-i|--iterations)[\s=]?(\d{1,6})(?=\s|$)/.exec(` ${words.join(' ')}`)?.[1];
  return phases.size * Number(iterations ?? 1);
}

/** Neither O_DIRECT nor a sync, which is its own phase: a write then ends in memory. */
export const isBuffered = (command: string | null): boolean =>
  command !== null && !/\s["']?--(?:direct|sync)\b/.test(command);

export const isBetween = (phase: string): boolean => phase === 'SYNC' || phase === 'DROPCACHE';
