import type { ParsedSample } from '../../schema/parse';
import { type CommandFile, invocations } from '../common/parse/command';
import { agrees, type ParserFinding } from '../common/parse/finding';
import { firstMatch, type Lines } from '../common/parse/lines';

/**
 * GNU dd in any language, by the form: `1073741824 bytes (1.1 GB, 1.0 GiB) copied, 1.32411 s, 811 MB/s`, in Chinese and Japanese with wide commas, in
 * Japanese `MB/秒`. Without a blank before its unit a rate is busybox's, whose MB are 2^20 bytes; a rate without digits is infinite.
 */
const STATUS =
  /^(\d+) ?[^\s\d(,]+ ?(?:\(.{1,60}\) ?)?[^\d(),，、]{0,40}[,，、] *([\d.]+(?:e[+-]?\d+)?) ?[^\s\d,，、]{1,12}[,，、] *(?:([\d.]+)( ?)([kKMGTP]?)B\/[^\s\d]{1,3}|[^\d,]{1,40} B\/[^\s\d]{1,3})$/;
/** The end of a status line in any language. */
const RATE_ENDS = /B\/[^\s\d]{1,3}$|bytes\/sec\)$/;
/** BSD, macOS, and GNU dd up to 2004. */
const TRANSFERRED =
  /^(\d+) bytes transferred in ([\d.]+(?:e[+-]?\d+)?) sec(?:ond)?s? \(([\d.]+(?:e[+-]?\d+)?|inf) bytes\/sec\)$/;
/** A status line whose figures cannot be read. */
const DAMAGED_STATUS = /^[-\d.,]+ bytes? .*copied, \S+ s, /;
const OTHER_STATUS = /^\d+ bytes? .*(?:copied|transferred)/;
/** Lines whose figures have the decimal comma of many locales. */
const FIGURES = /^(?:\d+ ?[^\s\d+].*[\d.,]+ ?[kKMGTP]?B\/[^\s\d]{1,3}$|\d+ bytes? .*copied, |(?:real|user|sys)\s)/;
const DECIMAL_COMMA = /(?<=\d),(?=\d)/g;
/** `1024+0 records out`, in other languages without the word, or with one before it. */
const COUNTS = /^(?:[^\x20-\x7e]{1,20} )?\d+\+\d+ [^\s\d]+(?: [^\s\d]+){0,3}$/;
/** `# create large`, `== thread 1`: how job scripts head what follows. */
const LABEL = /^(?:#+|=+) (\S.*?)(?: [#=]+)?$/;
const EXPONENT: Readonly<Record<string, number>> = { '': -6, k: -3, M: 0, G: 3, T: 6, P: 9 };
const FSYNC_ON_NULL = /^dd: fsync failed for '\/dev\/null': Invalid argument$/;

const IN_ANY_LANGUAGE =
  /(?:^|\n)\d+ ?[^\s\d(,]+ ?\([\d.,]+ [kMGTP]?B(?:, [\d.,]+ [KMGTP]?i?B)?\) ?[^\n\d(),，、]{1,40}[,，、] *[\d.,]+ ?[^\s\d,，、]{1,12}[,，、] *[\d.,]+ [kMGTP]?B\/[^\s\d]{1,3}\r?\n/;

export const isDd = (text: string): boolean =>
  (text.includes('+') && /(?:^|\n)\d+\+\d+ records (?:in|out)\r?\n/.test(text)) ||
  (text.includes('copied, ') && /(?:^|\n)\d+ bytes? (?:\(.{1,60}\) )?copied, /.test(text)) ||
  (text.includes(' bytes transferred in ') && /(?:^|\n)\d+ bytes transferred in /.test(text)) ||
  (text.includes('B/') && IN_ANY_LANGUAGE.test(text)) ||
  isTime(text);

const isTime = (text: string): boolean =>
  (/^real\s/.test(text) || text.includes('\nreal') ? /(?:^|\n)real\s+(?:\d+m ?)?\d+[.,]\d+s?\s/.test(text) : false) ||
  text.includes('Elapsed (wall clock) time') ||
  (text.includes('system ') && /(?:^|\n)[\d.]+user [\d.]+system /.test(text));

/**
 * dd's status lines, and the output of `time` around commands: bash's `real 17m24.812s` (minutes are never folded into hours), `time -p`,
 * a TIMEFORMAT of `real %R user %U sys %S`, GNU time in both forms. Times are separate operations (`real`, `user`, `sys`, metric `seconds`).
 * dd gives `throughput` (MB/s, 10^6: bytes ÷ seconds, since it rounds its rate to two or three digits, unless the seconds are rounded more), `bytes`
 * and `seconds`, of `read` or `write` by the command or the label before it, else of `copy`. The test is the label, else a running number.
 * There is no end marker: complete is only what the command announces.
 */
export function parseDd(input: Lines, cmd: CommandFile): ParserFinding {
  const samples: ParsedSample[] = [];
  const problems = new Set<string>();
  const cautions = new Set<string>();
  const commands = invocations(cmd.command, 'dd\\s+\\w+=');
  const counted = firstMatch(input, /\d\+\d+ \D/) !== null;
  let label: string | null = null;
  let records = false;
  let copies = 0;
  /** Copies that were counted without a status line. */
  let missing = 0;
  let times = 0;
  let clock: Clock = {};

  for (const printed of input.each(samples)) {
    const line = FIGURES.test(printed) ? printed.replace(DECIMAL_COMMA, '.') : printed;
    const headed = LABEL.exec(line);
    if (headed) label = headed[1] as string;
    if (COUNTS.test(line)) {
      if (line.endsWith(' records in') && records) missing += 1;
      records = true;
    }
    if (FSYNC_ON_NULL.test(line)) cautions.add('fdatasync_on_dev_null');
    const status = RATE_ENDS.test(line) ? statusIn(line) : null;
    if (status === null && DAMAGED_STATUS.test(line)) problems.add('nonsense_rates');
    else if (status === null && OTHER_STATUS.test(line)) problems.add('rows_not_read');
    // status=progress prints the same line while dd runs: the last one follows the counts.
    if (status && (records || !counted)) {
      records = false;
      const rate = rateOf(status);
      if (rate === null) problems.add('figures_disagree');
      const common = { operation: directionOf(commands?.[copies], label), test: label ?? copies, iteration: null };
      samples.push(
        { ...common, metric: 'throughput', unit: 'MB/s', ...(rate ?? { value: status.printed }) },
        { ...common, metric: 'bytes', value: status.bytes, unit: 'B' },
        { ...common, metric: 'seconds', value: status.seconds, unit: 's' },
      );
      copies += 1;
      continue;
    }
    clock = wholeTime(line) ?? partOfTime(line, clock);
    const { real, user, sys } = clock;
    if (real === undefined || user === undefined || sys === undefined) continue;
    for (const [operation, value] of Object.entries({ real, user, sys }))
      samples.push({ operation, test: label ?? times, iteration: null, metric: 'seconds', value, unit: 's' });
    times += 1;
    clock = {};
  }
  if (records) missing += 1;
  const silent = commands?.some((command) => command.includes('status=noxfer')) === true;
  const unread = problems.has('rows_not_read') || problems.has('nonsense_rates');
  if (samples.length === 0 && !unread) problems.add('no_result_rows');
  else if (missing > 0 && !silent && !unread) problems.add('missing_rows');
  const announced = invocations(cmd.command, '(?:/usr/bin/)?time\\s')?.length;
  const expected = (commands?.length ?? 0) + (announced ?? 0);
  const asAnnounced =
    (commands === null || copies >= printing(commands)) &&
    announced !== undefined &&
    times >= announced &&
    expected > 0;
  return {
    complete: asAnnounced && input.tail.trim() === '',
    incompleteReason:
      'dd and time print no end marker: the expected number of copies and times must come from the command',
    problems,
    replaces: cautions.has('fdatasync_on_dev_null') && onlyOnNull(input.each()) ? ['invalid_argument'] : [],
    cautions,
    samples,
  };
}

interface Status {
  readonly bytes: number;
  readonly seconds: number;
  /** The rate as printed, MB/s, and what its last digit stands for; `null` for an infinite one. */
  readonly printed: number | null;
  readonly step: number;
  readonly text: string;
  /** False for whole seconds. */
  readonly exact: boolean;
}

function statusIn(line: string): Status | null {
  const [, bytes, time, digits, blank, prefix = ''] = STATUS.exec(line) ?? [];
  const [, old, oldTime, rate] = bytes === undefined ? (TRANSFERRED.exec(line) ?? []) : [];
  const seconds = time ?? oldTime;
  if (seconds === undefined) return null;
  const binary = blank === '' ? 1024 ** ('KMGTP'.indexOf(prefix.toUpperCase() || '?') + 1) / 1e6 : undefined;
  const scale = old !== undefined ? 1e-6 : (binary ?? Number(`1e${EXPONENT[prefix]}`));
  const figure = digits ?? (rate === 'inf' ? undefined : rate);
  return {
    bytes: Number(bytes ?? old),
    seconds: Number(seconds),
    // Through the exponent, 2.1 stays 2.1.
    printed:
      figure === undefined
        ? null
        : digits !== undefined && binary === undefined
          ? Number(`${digits}e${EXPONENT[prefix]}`)
          : Number(figure) * scale,
    step: scale * 10 ** -(figure?.split('.')[1]?.length ?? 0),
    text: line
      .slice(line.search(/[^,，(]*\)?$/))
      .replace(/\)$/, '')
      .trim(),
    exact: seconds.includes('.'),
  };
}

/** The rate of a copy by the more precise of its figures, MB/s; `null` if they disagree. */
function rateOf(status: Status): { value: number | null; reason?: string } | null {
  const { bytes, seconds, printed, step, text, exact } = status;
  if (printed === null) return { value: null, reason: 'printed as Infinity' };
  const value = bytes / seconds / 1e6;
  if (agrees(value, printed, step + value * 0.001))
    return { value, reason: `bytes ÷ seconds; dd rounds it to ${text}` };
  // Whole seconds are rounded ones.
  const [min, max] = [bytes / (seconds + 0.5) / 1e6, bytes / Math.max(0, seconds - 0.5) / 1e6];
  return !exact && printed + step >= min && printed - step <= max ? { value: printed } : null;
}

function onlyOnNull(lines: Iterable<string>): boolean {
  for (const line of lines) if (line.includes('Invalid argument') && !FSYNC_ON_NULL.test(line)) return false;
  return true;
}

interface Clock {
  readonly real?: number;
  readonly user?: number;
  readonly sys?: number;
}

/** Counts the commands that print a status line: not those with `status=none` or their messages sent away. */
const printing = (commands: readonly string[]): number =>
  commands.filter((command) => !/status=(?:none|noxfer)|2>/.test(command)).length;

function directionOf(command: string | undefined, label: string | null): string {
  if (command !== undefined) return /\bof=\/dev\/null\b/.test(command) ? 'read' : 'write';
  if (label !== null && /\bread/i.test(label)) return 'read';
  return label !== null && /\b(?:write|create)/i.test(label) ? 'write' : 'copy';
}

/** A time that stands in one line: TIMEFORMAT in the style of -p, and GNU time's default. */
function wholeTime(line: string): Clock | undefined {
  const inline = /^real ([\d.]+) user ([\d.]+) sys ([\d.]+)$/.exec(line);
  if (inline) return { real: Number(inline[1]), user: Number(inline[2]), sys: Number(inline[3]) };
  const gnu = /^([\d.]+)user ([\d.]+)system ([\d:.]+)elapsed /.exec(line);
  return gnu ? { real: seconds(gnu[3] as string), user: Number(gnu[1]), sys: Number(gnu[2]) } : undefined;
}

function partOfTime(line: string, clock: Clock): Clock {
  const bash = /^(real|user|sys)\s+(?:(\d+)m ?)?(\d+(?:\.\d+)?)(s?)$/.exec(line);
  if (bash && (bash[2] === undefined) === (bash[4] === '')) {
    // Rounded to the printed milliseconds: 1m7.607s is 67.607 s.
    const value = Number((Number(bash[2] ?? 0) * 60 + Number(bash[3])).toFixed(6));
    return bash[1] === 'real' ? { real: value } : { ...clock, [bash[1] as string]: value };
  }
  const verbose = /^\s*(User time|System time|Elapsed \(wall clock\) time) \(.*\): ([\d:.]+)$/.exec(line);
  if (!verbose) return clock;
  const value = seconds(verbose[2] as string);
  if (verbose[1] === 'User time') return { user: value };
  return { ...clock, [verbose[1] === 'System time' ? 'sys' : 'real']: value };
}

/** `h:mm:ss`, `m:ss.hh` or plain seconds. */
function seconds(text: string): number {
  const total = text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Number(total.toFixed(6));
}
