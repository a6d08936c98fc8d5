import type { ParsedSample } from '../../schema/parse';
import type { CommandFile } from '../common/parse/command';
import type { ParserFinding, TestHead } from '../common/parse/finding';
import { codeOfErrno } from '../common/parse/launch';
import { fields, type Lines } from '../common/parse/lines';
import {
  announcedPhases,
  bothDone,
  type ElbenchoPhase,
  incompleteReason,
  isBetween,
  isBuffered,
  latencies,
  latencyPercentiles,
  metricOf,
} from './figures';

const HEADER = /^OPERATION +RESULT TYPE +FIRST DONE +LAST DONE *$/;
const PHASE = /^([A-Z][A-Z0-9_+]*) +(Elapsed (?:ms|time)) *$/;
const END_OF_PHASE = '---';

export const isElbencho = (text: string): boolean =>
  text.includes('RESULT TYPE') && /(?:^|\n)OPERATION +RESULT TYPE +FIRST DONE +LAST DONE *(?:\n|$)/.test(text);

/**
 * elbencho's table. One test a run (each prints its head once), one iteration for each time that `-i` repeats a phase. LAST DONE gives
 * the plain metrics, FIRST DONE those that begin with `first_done_`. All figures are cut down to integers: sizes and times have `high`.
 * In phases that move data, files are counted in addition to requests: `file_operations` and `operations`. elbencho prints only the
 * former if each file is one request (elbencho, Statistics.cpp).
 *
 * `---` ends a phase, nothing ends a run: complete is only what the command announces.
 */
export function parseElbencho(input: Lines, cmd: CommandFile): ParserFinding {
  const reader = new ElbenchoReader();
  for (const line of input.each(reader.samples)) reader.readLine(line);
  // The line has no figure: it may lack its end.
  if (input.tail === END_OF_PHASE) reader.readLine(input.tail);
  const { samples, runs, phases, open, problems, cautions, spoilt } = reader;
  const command = cmd.command ?? (runs.map(({ command }) => command).join('\n') || null);
  if (open !== undefined || spoilt) problems.add('truncated');
  if (phases === 0 && !reader.failed && !problems.has('rows_not_read')) problems.add('no_result_rows');
  if (reader.services && phases > 0) problems.add('services_in_log');
  if (reader.writes && isBuffered(command)) cautions.add('buffered_write_no_fsync');
  const announced = announcedPhases(command);
  const whole = open === undefined && !spoilt && (input.tail.trim() === '' || input.tail === END_OF_PHASE);
  return {
    command: runs.find((run) => run.command)?.command ?? null,
    complete: whole && announced !== null && phases >= announced,
    incompleteReason: incompleteReason(announced),
    problems,
    cautions,
    samples,
    tests: runs,
  };
}

class ElbenchoReader {
  readonly samples: ParsedSample[] = [];
  readonly runs: TestHead[] = [];
  readonly problems = new Set<string>();
  readonly cautions = new Set<string>();
  /** Number of completed phases, without those between the measured ones. */
  phases = 0;
  open: ElbenchoPhase | undefined;
  spoilt = false;
  failed = false;
  writes = false;
  /** True if services listen in the same log: their results are between those of the client, which are the sums. */
  services = false;
  private readonly seen = new Map<string, number>();
  private layout: Layout = { colon: 0, width: 0 };
  private began: string | null = null;
  private command: string | null = null;

  readLine(line: string): void {
    if (HEADER.test(line)) this.openRun(line);
    else if (line.startsWith('ISO DATE: ')) this.began = line.slice(10).trim();
    else if (line.startsWith('COMMAND LINE: ')) this.command = line.slice(14).trim();
    else if (line === END_OF_PHASE) this.closePhase();
    else if (this.runs.length > 0) this.readRow(line);
    this.readMessage(line);
  }

  private openRun(header: string): void {
    this.layout = layoutOf(header);
    if (this.open !== undefined) this.spoilt = true;
    this.open = undefined;
    this.seen.clear();
    this.runs.push({ test: this.runs.length, command: this.command, began: this.began });
    this.began = null;
    this.command = null;
  }

  private closePhase(): void {
    if (this.open !== undefined && !isBetween(this.open.name)) this.phases += 1;
    this.open = undefined;
  }

  private readRow(line: string): void {
    const colon = line.indexOf(':');
    if (colon < 0) {
      // Messages begin at the left edge; what is left of a row does not.
      if (this.open !== undefined && line.startsWith(' ') && line.trim() !== '') this.spoilt = true;
      return;
    }
    const head = line.slice(0, colon);
    const begins = PHASE.exec(head);
    if (begins) this.openPhase(begins[1] as string);
    const values = line.slice(colon + 1);
    const isRow = fields(values).length === 2 && fields(values).every((token) => /^[\d.]+\w{0,2}$/.test(token));
    if (isRow && !begins && /^[A-Z][A-Z0-9_+]* {2,}\S/.test(head)) this.problems.add('rows_not_read');
    if (this.open === undefined || !(begins || head.startsWith('  '))) return;
    const label = begins ? (begins[2] as string) : head.trim();
    // A long name moves the colon to the right, and then nothing pads it.
    const { colon: usual } = this.layout;
    if (colon < usual || (usual > 0 && colon > usual && head.endsWith('  '))) {
      this.spoilt = true;
      return;
    }
    if (/ latency(?: us)?$/.test(label)) {
      const read = latencyOf(values, label.endsWith(' us'));
      const kind = label.replace(/ latency(?: us)?$/, '');
      if (read === undefined) this.spoilt = true;
      else this.samples.push(...latencies(this.open, kind, read));
      return;
    }
    const percentiles = / lat %(?:ile)? us$/.exec(label);
    if (percentiles) {
      this.samples.push(...latencyPercentiles(this.open, label.slice(0, percentiles.index), values));
      return;
    }
    const metric = metricOf(this.open.name, label);
    if (metric === undefined) {
      if (isRow && /\/s(?: |$)/.test(label)) this.problems.add('rows_not_read');
      return;
    }
    const tokens = fields(values);
    const [first, last] = tokens.map(metric.metric === 'seconds' ? milliseconds : integer);
    if (first === undefined || last === undefined || !isAligned(values, tokens, this.layout)) this.spoilt = true;
    else this.samples.push(...bothDone(this.open, metric, first, last));
  }

  private openPhase(name: string): void {
    if (this.open !== undefined) this.spoilt = true;
    const iteration = this.seen.get(name) ?? 0;
    this.seen.set(name, iteration + 1);
    this.open = { name, test: this.runs.length - 1, iteration };
    if (/^(?:WRITE|RWMIX)/.test(name)) this.writes = true;
  }

  /** elbencho's own words (Statistics.cpp, WorkersSharedData.cpp, Coordinator.cpp). */
  private readMessage(line: string): void {
    if (line.startsWith('WARNING: Fastest worker thread completed in less than')) this.cautions.add('too_short');
    if (/^(?:Service now listening|Preparing new benchmark phase)/.test(line)) this.services = true;
    if (line.includes('Terminating due to phase time limit')) this.cautions.add('stonewall_hit');
    if (line.includes('Terminating due to interrupt signal')) this.problems.add('interrupted');
    if (!line.startsWith('ERROR: ')) return;
    this.failed = true;
    this.problems.add(codeOfErrno(line));
  }
}

/** Layout of a row: the position of the colon, and the width of its two right-aligned figures. */
interface Layout {
  readonly colon: number;
  /** 0 where white space was folded together: then nothing is aligned. */
  readonly width: number;
}

/** 10 or, in later versions, 11 characters a figure (elbencho, Statistics.h). */
function layoutOf(header: string): Layout {
  const firstEnds = header.indexOf('FIRST DONE') + 'FIRST DONE'.length;
  const width = header.trimEnd().length - firstEnds - 1;
  return width < 10 ? { colon: 0, width: 0 } : { colon: firstEnds - width - 2, width };
}

/** Two figures where they belong: pieces of two rows that ran together hardly ever are. */
function isAligned(values: string, tokens: readonly string[], { width }: Layout): boolean {
  if (tokens.length !== 2) return false;
  return width === 0 || values.trimEnd() === tokens.map((token) => ` ${token.padStart(width)}`).join('');
}

const integer = (token: string): number | undefined => (/^\d{1,15}$/.test(token) ? Number(token) : undefined);

/** Milliseconds up to 1.9, then `7ms`, `1.250s`, `2m3.456s`, `1h2m3s` (elbencho, UnitTk.cpp). */
function milliseconds(token: string): number | undefined {
  const plain = integer(token.replace(/^(\d+)ms$/, '$1'));
  if (plain !== undefined) return plain;
  const match = /^(?:(\d{1,6})h)?(?:(\d{1,2})m)?(\d{1,2})(?:\.(\d{3}))?s$/.exec(token);
  if (match === null) return undefined;
  const [hours, minutes, seconds, rest] = match.slice(1).map((part) => Number(part ?? 0));
  return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000 + (rest ?? 0);
}

const SECONDS: Readonly<Record<string, number>> = { us: 1e6, ms: 1e3, s: 1 };

/** `[ min=46 avg=1509 max=19308 ]`, from 2.x on with a unit at each figure. */
function latencyOf(text: string, microseconds: boolean): { min: number; avg: number; max: number } | undefined {
  const match = /^ *\[ min=(\d+(?:\.\d+)?)([mu]?s)? avg=(\d+(?:\.\d+)?)([mu]?s)? max=(\d+(?:\.\d+)?)([mu]?s)? \]$/.exec(
    text.trimEnd(),
  );
  if (match === null) return undefined;
  const value = (at: number) => {
    const unit = match[at + 1] ?? (microseconds ? 'us' : 's');
    return Number(match[at]) / (SECONDS[unit] as number);
  };
  return { min: value(1), avg: value(3), max: value(5) };
}

const CSV_HEADER = /^ISO date,.*\boperation,time ms \[first\],/;

export const isElbenchoCsv = (text: string): boolean =>
  text.includes('operation,time ms [first],') && /(?:^|\n)ISO date,/.test(text);

/**
 * elbencho's `--csvfile`: the figures of its table, one line a phase, with requests counted in every phase that moves data. elbencho adds further
 * runs to the same file without a head: one test is all that has the same date. Nothing marks the end: complete is only what the command announces.
 */
export function parseElbenchoCsv(input: Lines, cmd: CommandFile): ParserFinding {
  const samples: ParsedSample[] = [];
  const tests: TestHead[] = [];
  const seen = new Map<string, number>();
  const commands = new Set<string>();
  let version: string | null = null;
  let header: string[] = [];
  let phases = 0;
  let spoilt = false;
  let buffered = isBuffered(cmd.command);
  let writes = false;
  for (const line of input.each(samples)) {
    if (CSV_HEADER.test(line)) {
      header = line.split(',');
      continue;
    }
    if (header.length === 0 || line === '') continue;
    const values = splitRow(line, header.length);
    if (values.length !== header.length) {
      spoilt = true;
      continue;
    }
    const row = new Map(header.map((column, index) => [column, values[index] as string]));
    const began = row.get('ISO date') ?? '';
    if (tests.at(-1)?.began !== began) {
      tests.push({ test: tests.length, began });
      seen.clear();
    }
    version ??= row.get('version') || null;
    const command = row.get('command')?.trim();
    if (command) commands.add(`${began}\n${command}`);
    const name = row.get('operation') ?? '';
    const iteration = seen.get(name) ?? 0;
    seen.set(name, iteration + 1);
    samples.push(...rowSamples({ name, test: tests.length - 1, iteration }, row));
    if (!isBetween(name)) phases += 1;
    if (/^(?:WRITE|RWMIX)/.test(name)) {
      writes = true;
      buffered ||= cmd.command === null && row.get('direct IO') === '0';
    }
  }
  const own = [...commands].map((one) => one.slice(one.indexOf('\n') + 1));
  const announced = announcedPhases(cmd.command ?? (own.join('\n') || null));
  return {
    version,
    command: own[0] ?? null,
    complete: !spoilt && input.tail === '' && announced !== null && phases >= announced,
    incompleteReason: incompleteReason(announced),
    problems: [...(phases === 0 ? ['no_result_rows'] : []), ...(spoilt ? ['truncated'] : [])],
    cautions: writes && buffered ? ['buffered_write_no_fsync'] : [],
    samples,
    tests,
  };
}

/** An empty column is one that the phase does not have. */
function rowSamples(phase: ElbenchoPhase, row: ReadonlyMap<string, string>): ParsedSample[] {
  const number = (column: string) => {
    const text = row.get(column) ?? '';
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  };
  const samples: ParsedSample[] = [];
  for (const column of row.keys()) {
    const name = /^(.+) \[(first|min)\]$/.exec(column);
    if (name?.[2] === 'first') {
      const metric = metricOf(phase.name, name[1] as string);
      const [first, last] = [number(column), number(`${name[1]} [last]`)];
      if (metric !== undefined && first !== undefined && last !== undefined)
        samples.push(...bothDone(phase, metric, first, last));
    } else if (name?.[2] === 'min' && name[1]?.endsWith(' lat us')) {
      const [min, avg, max] = ['min', 'avg', 'max'].map((word) => number(`${name[1]} [${word}]`));
      if (min === undefined || avg === undefined || max === undefined) continue;
      const seconds = { min: min / 1e6, avg: avg / 1e6, max: max / 1e6 };
      samples.push(...latencies(phase, (name[1] as string).replace(/ lat us$/, ''), seconds));
    }
  }
  return samples;
}

/** The fields of a row. Later versions quote label and command; 2.0 and 2.1 quote each word of the last field, the command, without commas. */
function splitRow(line: string, count: number): string[] {
  const quoted = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))(?=,|$)/g)];
  const values = quoted.map((match) => match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
  if (values.length === count) return values;
  const plain = line.split(',');
  return [...plain.slice(0, count - 1), ...(plain.length < count ? [] : [plain.slice(count - 1).join(',')])];
}
