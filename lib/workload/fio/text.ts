import type { ParsedSample } from '../../schema/parse';
import type { ParserFinding } from '../common/parse/finding';
import { firstMatch, type Lines } from '../common/parse/lines';

/** An operation as fio names patterns: `rw` for reads and writes in one figure. */
export const patternOf = (direction: string, random: boolean): string =>
  `${random ? 'rand' : ''}${direction === 'mixed' ? 'rw' : direction}`;

/** Percentiles that documents have, by fio's names of them. */
export const PERCENTILES = [
  ['50.000000', 'p50'],
  ['99.000000', 'p99'],
  ['99.900000', 'p99.9'],
] as const;
/** A direction of a job, or without `group_reporting` of one of its processes. */
export interface GroupRow {
  readonly name: string;
  readonly group: string;
  readonly operation: string;
}

/** The test of what all jobs of a group did together. */
export const groupTest = (group: string): string => `group ${group}`;

/** True if a job has a row for each of its processes. */
export const singleProcesses = (rows: readonly GroupRow[]): boolean =>
  new Set(rows.map(({ name, operation }) => `${name}\n${operation}`)).size < rows.length;

const TERSE = /^3;fio-[^;]+;/;
const BANNER = /^fio-\d+\.\d+\S*$/;
const PATTERN = /^(.+): \(g=\d+\): rw=rand/;
const JOB = /^(.+): \(groupid=(\d+), jobs=(\d+)\): err= *(\d+).*?: pid=(\d+)/;
/** A direction of a job. Its name is aligned to the right up to 3.7, and to the left before and after (fio, stat.c). */
const DIRECTION = /^\s*(read|write|trim|mixed)\s*: (.+)$/;
/** From 2.17 on: rates in powers of two and of ten, amount and milliseconds. */
const RATES = /^IOPS=([\d.]+)([kKMG]?), BW=(\S+) \((\S+)\)\((\S+)\/(\d+)msec\)/;
/** Up to 2.16, where K is 1024 for bytes: `io=23187MB, bw=131901KB/s, iops=2060, runt=180008msec`. */
const OLD_RATES = /^io=\s*(\S+), bw=\s*(\S+)\/s, iops=\s*([\d.]+)([kKMG]?)\s*, runt=\s*(\d+)msec/;
const GROUP = /^Run status group (\d+) \(all jobs\):/;
const GROUP_ROW = /^\s*(READ|WRITE|TRIM|MIXED): bw=(\S+) \((\S+)\),.* io=(\S+) \(\S+\), run=\d+-(\d+)msec/;
const OLD_GROUP_ROW = /^\s*(READ|WRITE|TRIM|MIXED): io=(\S+), aggrb=(\S+)\/s,.* maxt=(\d+)msec/;
/** A rate or an amount, in bits on demand (`unit_base`). */
const QUANTITY = /^([\d.]+)([kKMGTPE]?)(i?)(B|bit)(?:\/s)?$/;
const POWER: Readonly<Record<string, number>> = { '': 0, k: 1, K: 1, M: 2, G: 3, T: 4, P: 5, E: 6 };

const LATENCY = /^\s+(c?lat) \((nsec|usec|msec|sec)\): min=.*?, avg= *([\d.]+),/;
const PERCENTILES_OF = /^\s+(c?lat) percentiles \((nsec|usec|msec)\):/;
const PERCENTILE = /([\d.]+)th=\[ *(\d+)\]/g;
const PER_SECOND: Readonly<Record<string, number>> = { nsec: 1e9, usec: 1e6, msec: 1e3, sec: 1 };
const LATENCIES: Readonly<Record<string, string>> = { lat: 'latency', clat: 'completion_latency' };

/** Share by which the amounts of jobs may be below that of their group: each is cut to three digits. */
const ROUNDING = 0.03;

export function isFioText(text: string): boolean {
  if (text.includes('Run status group 0 (all jobs):')) return true;
  if (!text.includes('fio-') && !text.includes(': (groupid=')) return false;
  return /(?:^|\n)(?:3;fio-\d|fio-\d+\.\d+\S*\r?\n|.{1,200}: \(groupid=\d+, jobs=\d+\): err=)/.test(text);
}

/**
 * fio's default text of any release and its terse version 3: throughput, iops, runtime and latencies, as far as those print them. The text rounds
 * to three digits; neither marks its end, so neither is ever called complete: use `--output-format=json`. A group of jobs is a separate test
 * if fio printed its jobs, or their processes, one by one.
 */
export function parseFioText(input: Lines): ParserFinding {
  const reader = new FioTextReader();
  for (const line of input.each(reader.samples)) reader.readLine(line);
  const { samples, problems, cautions } = reader;
  if (firstMatch(input, /fio: terminating on signal/)) problems.add('interrupted');
  const error = firstMatch(input, /(?:^|\n)fio: pid=\d+, err=(\d+)/)?.[1];
  if (error !== undefined) problems.add(`job_error_${error}`);
  if (samples.length === 0 && problems.size === 0) problems.add('no_result_rows');
  return {
    version: firstMatch(input, /(?:^|[\n;])(fio-\d+\.\d+[\w.-]*)/)?.[1] ?? null,
    complete: false,
    incompleteReason: "fio's text and terse formats have no end marker: use --output-format=json",
    problems,
    cautions,
    samples,
  };
}

/** A direction of a job, with its amount as far as it was printed. */
interface Row extends GroupRow {
  readonly direction: string;
  readonly bytes: number | null;
}

class FioTextReader {
  readonly samples: ParsedSample[] = [];
  readonly problems = new Set<string>();
  readonly cautions = new Set<string>();
  private readonly random = new Set<string>();
  private job: { readonly name: string; readonly group: string; readonly pid: string } | null = null;
  /** Operation of the direction whose latencies follow. */
  private operation: string | null = null;
  private percentiles: { readonly metric: string; readonly unit: string } | null = null;
  private rows: Row[] = [];
  private readonly terse: GroupRow[] = [];
  private group: string | null = null;
  /** Processes that have been printed, and the first sample of the run. */
  private readonly printed = new Set<string>();
  private begin = 0;
  /** True if the groups of all jobs so far have been printed. */
  private ended = false;

  readLine(line: string): void {
    if (TERSE.test(line)) this.readTerse(line.split(';'));
    else if (BANNER.test(line)) this.beginRun();
    else if (line.startsWith('Run status group')) {
      this.group = GROUP.exec(line)?.[1] ?? null;
      this.ended = true;
    } else if (this.group !== null && /^\s*[A-Z]+: /.test(line)) this.readGroup(line, this.group);
    else if (line.includes(': (groupid=')) this.openJob(line);
    else if (line.includes(': (g=')) {
      const [, name] = PATTERN.exec(line) ?? [];
      if (name !== undefined) this.random.add(name);
    } else if (this.job !== null) this.readRow(line, this.job);
  }

  private readTerse(values: string[]): void {
    const samples = terseSamples(values, this.problems);
    const [name, group] = values.slice(2) as [string, string];
    for (const operation of new Set(samples.map((sample) => sample.operation)))
      this.terse.push({ name, group, operation });
    this.samples.push(...samples);
    if (singleProcesses(this.terse)) this.cautions.add('single_processes');
  }

  private beginRun(): void {
    this.begin = this.samples.length;
    this.job = null;
    this.group = null;
    this.rows = [];
    this.printed.clear();
  }

  private openJob(line: string): void {
    const [, name, group, , error, pid] = JOB.exec(line) ?? [];
    if (name === undefined || group === undefined || pid === undefined) return;
    if (error !== '0') this.problems.add(`job_error_${error}`);
    // `--status-interval` prints the same processes again and again, of which the last print counts.
    if (this.ended && this.printed.has(pid)) {
      this.samples.splice(this.begin);
      this.rows = [];
      this.printed.clear();
    }
    this.ended = false;
    this.job = { name, group, pid };
    this.operation = null;
    this.group = null;
  }

  private readRow(line: string, { name, group, pid }: NonNullable<FioTextReader['job']>): void {
    const [, direction, figures] = DIRECTION.exec(line) ?? [];
    if (direction === undefined || figures === undefined) {
      this.readLatency(line, name);
      return;
    }
    this.operation = patternOf(direction, this.random.has(name));
    this.percentiles = null;
    const read = rowOf(figures);
    if (read === null) {
      this.problems.add('rows_not_read');
      return;
    }
    const { throughput, operations, milliseconds, bytes } = read;
    this.add(name, 'throughput', throughput, 'MB/s');
    this.add(name, 'operations', operations, 'op/s');
    this.add(name, 'runtime', milliseconds / 1000, 's');
    this.rows.push({ name, group, direction, operation: this.operation, bytes });
    this.printed.add(pid);
  }

  private readLatency(line: string, test: string): void {
    if (this.operation === null) return;
    const [, kind, unit, mean] = LATENCY.exec(line) ?? [];
    if (kind !== undefined && unit !== undefined) {
      this.add(test, LATENCIES[kind] as string, Number(mean) / (PER_SECOND[unit] as number), 's');
      return;
    }
    const [, which, scale] = PERCENTILES_OF.exec(line) ?? [];
    if (which !== undefined && scale !== undefined)
      this.percentiles = { metric: LATENCIES[which] as string, unit: scale };
    else if (!line.trimStart().startsWith('|')) this.percentiles = null;
    if (this.percentiles === null) return;
    const { metric, unit: step } = this.percentiles;
    for (const [, percent, value] of line.matchAll(PERCENTILE)) {
      const known = PERCENTILES.find(([key]) => Number(key) === Number(percent));
      if (known !== undefined)
        this.add(test, `${metric}_${known[1]}`, Number(value) / (PER_SECOND[step] as number), 's');
    }
  }

  /** Holds the rows that were read against what their group did. */
  private readGroup(line: string, group: string): void {
    const now = GROUP_ROW.exec(line);
    const old = now === null ? OLD_GROUP_ROW.exec(line) : null;
    const [, name, ...rest] = now ?? old ?? [];
    if (name === undefined) return;
    const read = now === null ? [rest[1], rest[1], rest[0], rest[2]] : rest;
    const [rate, alternative, amount, milliseconds] = read as [string, string, string, string];
    const direction = name.toLowerCase();
    const rows = this.rows.filter((row) => row.group === group && row.direction === direction);
    const bytes = bytesOf(amount, old !== null);
    const total = rows.reduce((sum, row) => sum + (row.bytes ?? Number.NaN), 0);
    if (rows.length === 0 || (bytes !== null && total < bytes * (1 - ROUNDING))) this.problems.add('missing_rows');
    if (singleProcesses(rows)) this.cautions.add('single_processes');
    // Of an excerpt without a job's lines, the sum of all jobs is all there is.
    if (rows.length < 2 && this.job !== null) return;
    const operations = new Set(rows.map(({ operation }) => operation));
    this.operation = operations.size === 1 ? ([...operations][0] as string) : patternOf(direction, false);
    const throughput = throughputOf(rate, alternative, old !== null);
    if (throughput !== null) this.add(groupTest(group), 'throughput', throughput, 'MB/s');
    this.add(groupTest(group), 'runtime', Number(milliseconds) / 1000, 's');
  }

  private add(test: string, metric: string, value: number, unit: ParsedSample['unit']): void {
    this.samples.push({ operation: this.operation as string, test, iteration: null, metric, value, unit });
  }
}

function rowOf(text: string) {
  const now = RATES.exec(text);
  const old = now === null ? OLD_RATES.exec(text) : null;
  const [iops, prefix, rate, alternative, amount, milliseconds] =
    now?.slice(1) ?? (old === null ? [] : [old[3], old[4], old[2], old[2], old[1], old[5]]);
  const throughput = rate === undefined ? null : throughputOf(rate, alternative as string, old !== null);
  if (throughput === null) return null;
  return {
    throughput,
    operations: Number(`${iops}e${3 * (POWER[prefix ?? ''] as number)}`),
    milliseconds: Number(milliseconds),
    bytes: bytesOf(amount as string, old !== null),
  };
}

/** MB/s from the rate in powers of ten: the second one, or the first (`kb_base`). Up to 2.16 there is one, in powers of two. */
function throughputOf(rate: string, alternative: string, old: boolean): number | null {
  const chosen = [alternative, rate].find((text) => QUANTITY.exec(text)?.[3] === '');
  if (chosen === undefined) return null;
  const [, digits, prefix = '', , unit] = QUANTITY.exec(chosen) as RegExpExecArray;
  const value = old
    ? (Number(digits) * 1024 ** (POWER[prefix] as number)) / 1e6
    : Number(`${digits}e${3 * (POWER[prefix] as number) - 6}`);
  return unit === 'bit' ? value / 8 : value;
}

function bytesOf(text: string, old: boolean): number | null {
  const [, digits, prefix = '', binary, unit] = QUANTITY.exec(text) ?? [];
  if (digits === undefined || unit !== 'B') return null;
  return Number(digits) * (old || binary === 'i' ? 1024 : 1000) ** (POWER[prefix] as number);
}

/** Place of a direction's fields in terse version 3: 5 of the job, then 41 each of reads and writes (fio's HOWTO). */
const TERSE_DIRECTIONS = [
  ['read', 5],
  ['write', 46],
] as const;

/** Of a direction: KiB, KiB/s, iops, ms, 4 of submission, then completion, 20 percentiles and 4 of the whole latency, in microseconds. */
function terseSamples(values: string[], problems: Set<string>): ParsedSample[] {
  if (values.length < 87) return [];
  if (values[4] !== '0') problems.add(`job_error_${values[4]}`);
  const samples: ParsedSample[] = [];
  for (const [operation, at] of TERSE_DIRECTIONS) {
    const [kib, rate, iops, milliseconds] = values.slice(at, at + 4).map(Number) as [number, number, number, number];
    if (![kib, rate, iops, milliseconds].every(Number.isFinite) || kib === 0) continue;
    const common = { operation, test: values[2] as string, iteration: null };
    samples.push(
      { ...common, metric: 'throughput', value: (rate * 1024) / 1e6, unit: 'MB/s' },
      { ...common, metric: 'operations', value: iops, unit: 'op/s' },
      { ...common, metric: 'bytes', value: kib * 1024, unit: 'B' },
      { ...common, metric: 'runtime', value: milliseconds / 1000, unit: 's' },
    );
    const latency = (metric: string, text: string | undefined) => {
      const value = Number(text);
      if (value > 0) samples.push({ ...common, metric, value: value / 1e6, unit: 's' });
    };
    latency('latency', values[at + 34]);
    latency('completion_latency', values[at + 10]);
    for (const field of values.slice(at + 12, at + 32)) {
      const [percent, value] = field.split('%=');
      const known = PERCENTILES.find(([key]) => Number(key) === Number(percent));
      if (known !== undefined) latency(`completion_latency_${known[1]}`, value);
    }
  }
  return samples;
}
