import type { ParsedSample } from '../../schema/parse';
import { agrees } from '../common/parse/agreement';
import { type CommandFile, invocations } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import { holds } from '../common/parse/holds';
import { firstMatch, type Lines } from '../common/parse/lines';

const STATUS = /^(\d+) bytes? (?:\(.*\) )?copied, ([\d.]+(?:e[+-]?\d+)?) s, (?:([\d.]+) ([kMGTP]?)B\/s|Infinity B\/s)$/;
/** A status line whose figures cannot be read. */
const DAMAGED_STATUS = /^[-\d.,]+ bytes? .*copied, \S+ s, /;
/** Lines whose figures have the decimal comma of many locales. */
const FIGURES = /^(?:\d+ bytes? .*copied, |(?:real|user|sys)\s)/;
const DECIMAL_COMMA = /(?<=\d),(?=\d)/g;
const COUNTS = /^\d+\+\d+ records out$/;
/** `# create large`, `== thread 1`: how job scripts head what follows. */
const LABEL = /^(?:#+|=+) (\S.*?)(?: [#=]+)?$/;
const EXPONENT: Readonly<Record<string, number>> = { '': -6, k: -3, M: 0, G: 3, T: 6, P: 9 };
const FSYNC_ON_NULL = /^dd: fsync failed for '\/dev\/null': Invalid argument$/;

export const isDd = (text: string): boolean =>
  (holds(text, '+') && /(?:^|\n)\d+\+\d+ records (?:in|out)\r?\n/.test(text)) ||
  (holds(text, 'copied, ') && /(?:^|\n)\d+ bytes? (?:\(.{1,60}\) )?copied, /.test(text)) ||
  isTime(text);

const isTime = (text: string): boolean =>
  (/^real\s/.test(text) || holds(text, '\nreal') ? /(?:^|\n)real\s+(?:\d+m)?\d+[.,]\d+s?\s/.test(text) : false) ||
  holds(text, '\tElapsed (wall clock) time') ||
  (holds(text, 'system ') && /(?:^|\n)[\d.]+user [\d.]+system /.test(text));

/**
 * dd's status lines and what `time` prints around commands: bash's `real 17m24.812s` (minutes are never folded into hours), `time -p`,
 * a TIMEFORMAT of `real %R user %U sys %S`, GNU time in both forms.
 *
 * dd gives `throughput` (MB/s as printed, 10^6), `bytes` and `seconds`, of `read` or `write` by the command or the label before it, else
 * of `copy`. Times are operations of their own (`real`, `user`, `sys`, metric `seconds`). The test is the label, else a running number.
 * There is no end marker: complete is only what the command announces.
 */
export function parseDd(input: Lines, cmd: CommandFile): ParserFinding {
  const samples: ParsedSample[] = [];
  const problems = new Set<string>();
  const cautions = new Set<string>();
  const commands = invocations(cmd.command, 'dd\\s+\\w+=');
  const counted = firstMatch(input, /\d\+\d+ records out/) !== null;
  let label: string | null = null;
  let records = false;
  let copies = 0;
  let times = 0;
  let clock: Clock = {};

  for (const printed of input.each(samples)) {
    const line = FIGURES.test(printed) ? printed.replace(DECIMAL_COMMA, '.') : printed;
    const headed = LABEL.exec(line);
    if (headed) label = headed[1] as string;
    if (COUNTS.test(line)) records = true;
    if (FSYNC_ON_NULL.test(line)) cautions.add('fdatasync_on_dev_null');
    const status = line.includes('copied, ') ? STATUS.exec(line) : null;
    if (status === null && DAMAGED_STATUS.test(line)) problems.add('nonsense_rates');
    // status=progress prints the same line while dd runs: the last one follows the counts.
    if (status && (records || !counted)) {
      records = false;
      if (!isRate(status)) problems.add('figures_disagree');
      samples.push(...samplesOf(status, directionOf(commands?.[copies], label), label ?? copies));
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
  if (samples.length === 0) problems.add('no_result_rows');
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

function samplesOf(
  [, bytes, time, digits, prefix]: RegExpExecArray,
  operation: string,
  test: ParsedSample['test'],
): ParsedSample[] {
  const common = { operation, test, iteration: null };
  const rate = digits === undefined ? null : Number(`${digits}e${EXPONENT[prefix ?? '']}`);
  const reason = rate === null ? { reason: 'printed as Infinity' } : {};
  return [
    { ...common, metric: 'throughput', value: rate, unit: 'MB/s', ...reason },
    { ...common, metric: 'bytes', value: Number(bytes), unit: 'B' },
    { ...common, metric: 'seconds', value: Number(time), unit: 's' },
  ];
}

/** dd rounds its rate to 2 or 3 digits. */
function isRate([, bytes, time, digits, prefix]: RegExpExecArray): boolean {
  if (digits === undefined) return true;
  const place = 10 ** ((EXPONENT[prefix ?? ''] as number) - (digits.split('.')[1]?.length ?? 0));
  const rate = Number(bytes) / Number(time) / 1e6;
  return agrees(rate, Number(`${digits}e${EXPONENT[prefix ?? '']}`), place + rate * 0.001);
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
  const bash = /^(real|user|sys)\s+(?:(\d+)m)?(\d+(?:\.\d+)?)(s?)$/.exec(line);
  if (bash && (bash[2] === undefined) === (bash[4] === '')) {
    // Rounded to the printed milliseconds: 1m7.607s is 67.607 s.
    const value = Number((Number(bash[2] ?? 0) * 60 + Number(bash[3])).toFixed(6));
    return bash[1] === 'real' ? { real: value } : { ...clock, [bash[1] as string]: value };
  }
  const verbose = /^\t(User time|System time|Elapsed \(wall clock\) time) \(.*\): ([\d:.]+)$/.exec(line);
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
