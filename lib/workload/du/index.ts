import type { ParsedSample } from '../../schema/parse';
import { type CommandFile, invocations } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import { codeOfErrno } from '../common/parse/launch';
import { firstMatch, type Lines } from '../common/parse/lines';
import type { Tool } from '../tool';

/** A call of du behind a prompt or `set -x`: `$ du -sh f`, `[user@host dir]$ du …`, `+ du -sh dir`. */
const SHOWN = /^(?:(?:\+ |.*?[$#] )(?:sudo |time )?(du(?: .*)?)|(du [-/.].*))$/;
const ENTRY = /^(\d+(?:[.,]\d+)?)([KMGTPE]?)\t(.+)$/;
const POWER: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4, P: 5, E: 6 };

function isDu(text: string): boolean {
  const shown = text.includes('du ') && /^(?:(?:[^\n]{0,200}[$#] |\+ )(?:sudo |time )?du [-/.\w]|du -)/m.test(text);
  return shown || /^\d+(?:[.,]\d+)?[KMGTPE]?\t[^\n]+(?:\n|$)/.test(text);
}

/** Bytes of the unit in which file systems count blocks. */
const SECTOR = 512;

/** Output mode of a call of du, by its options. */
interface Manner {
  readonly apparent: boolean | null;
  /** Bytes of the unit of a bare number; `null` where calls differ in it. */
  readonly unit: number | null;
  /** 1000 with --si. */
  readonly base: number;
}

interface Call extends Manner {
  readonly operands: number;
}

/**
 * du, one file or directory a line: `bytes` of `apparent` (--apparent-size, -b) or `allocated`, or of `disk_usage` if the output does
 * not show which (bare lists; a file that comes again is `disk_usage_2`). The test is the file's name. du rounds up: a value of -h or of whole blocks is the
 * upper bound, and `low` the value just below. Without a call, bare numbers are KiB, as du prints them without options. They are bytes if each file
 * is listed twice, with both of its sizes. Inside other output only lines after a visible call are read.
 * There is no end marker: complete is only what the command announces.
 */
function parseDu(input: Lines, cmd: CommandFile): ParserFinding {
  const samples: ParsedSample[] = [];
  const alone = isPure(input);
  const byCommand = mannerOfAll(cmd.command) ?? { apparent: null, unit: bareUnit(input), base: 1024 };
  const problems = new Set<string>();
  let shown: Call | undefined;
  let calls = 0;
  /** Operands of the visible call without an answer. */
  let left = 0;
  const bare = new Map<string, number>();
  const again = (file: string) => bare.set(file, (bare.get(file) ?? 0) + 1).get(file) as number;
  let answered = 0;
  let assumed = false;
  for (const line of input.each(samples)) {
    const call = line.includes('du') ? SHOWN.exec(line) : null;
    if (call) {
      shown = mannerOf((call[1] ?? call[2]) as string);
      left = shown.operands;
      calls += 1;
      continue;
    }
    if (line.startsWith('du: cannot ')) problems.add(codeOfErrno(line));
    const entry = line.includes('\t') ? ENTRY.exec(line) : null;
    if (!entry || (shown === undefined && !alone)) {
      shown = undefined;
      continue;
    }
    const manner = shown ?? byCommand;
    assumed ||= shown === undefined && cmd.command === null && entry[2] === '' && entry[1] !== '0';
    // A visible call has an answer for each operand: what comes after them without a call may be another tool's.
    if (shown !== undefined) {
      answered += left === shown.operands ? 1 : 0;
      left -= 1;
      if (left <= 0) shown = undefined;
    }
    const seen = manner.apparent === null ? again(entry[3] as string) : 1;
    samples.push(sampleOf(entry[1] as string, entry[2] as string, entry[3] as string, manner, seen));
  }
  const announced = invocations(cmd.command, 'du\\s+-')?.length;
  const complete = announced !== undefined && announced > 0 && (calls === 0 ? samples.length : answered) >= announced;
  return {
    complete: complete && input.tail.trim() === '',
    incompleteReason: 'du prints no end marker: the expected number of calls must come from the command',
    problems: samples.length === 0 && problems.size === 0 ? ['no_result_rows'] : problems,
    cautions: assumed ? ['unit_assumed'] : [],
    samples,
  };
}

/** The output begins with du and has no benchmark's output: then bare lists are read as well. */
function isPure(input: Lines): boolean {
  const first = firstMatch(input, /\S[^\n]*/)?.[0].trimEnd() ?? '';
  return (ENTRY.test(first) || SHOWN.test(first)) && !firstMatch(input, /IOR-\d|mdtest-\d|"fio version"/);
}

function mannerOf(call: string): Call {
  const words = call.split(/\s+/).slice(1);
  const options = words.filter((word) => word.startsWith('-'));
  const operands = Math.max(1, words.filter((word) => /^[^-\d]/.test(word)).length);
  const short = options.filter((word) => /^-[^-]/.test(word)).join('');
  const bytes = options.includes('--bytes') || /b/.test(short.replace(/-B\S*/g, ''));
  const apparent = bytes || options.includes('--apparent-size');
  const block = /(?:\s-[a-zA-Z]*B\s?|--block-size=)(\d*)([KMGT]?)/.exec(call);
  let unit = 1024;
  if (bytes || /h/.test(short) || options.some((word) => /^--(?:human|si)/.test(word))) unit = 1;
  else if (block) unit = Number(block[1] || 1) * 1024 ** (POWER[block[2] ?? ''] ?? 0);
  else if (/m/.test(short)) unit = 2 ** 20;
  return { apparent, unit, base: options.includes('--si') ? 1000 : 1024, operands };
}

/** Bytes per bare number without a call, by a suffixed size of the same file. A file that is listed twice has both its sizes, in bytes. */
function bareUnit(input: Lines): number {
  const seen = new Map<string, number>();
  const known = new Map<string, number[]>();
  let multiples = true;
  for (const line of input.each()) {
    const [, digits = '', suffix, file] = line.includes('\t') ? (ENTRY.exec(line) ?? []) : [];
    if (file === undefined) continue;
    const number = Number(digits.replace(',', '.'));
    if (suffix !== '') {
      known.set(file, [...(known.get(file) ?? []), number * 1024 ** (POWER[suffix as string] as number)]);
      continue;
    }
    // A suffix leaves two digits, rounded up.
    const isLike = (bytes: number) =>
      known.get(file)?.some((size) => bytes > size * 0.85 && bytes <= size * 1.01) === true;
    for (const unit of [1, 1024]) if (number > 0 && isLike(number * unit)) return unit;
    multiples &&= number % SECTOR === 0;
    seen.set(file, (seen.get(file) ?? 0) + 1);
  }
  return multiples && seen.size > 0 && [...seen.values()].every((times) => times > 1) ? 1 : 1024;
}

/** Returns the output mode common to all calls of a command; `null` without any. */
function mannerOfAll(command: string | null): Manner | null {
  const calls = [...(command ?? '').matchAll(/(?:^|[\s;&|(])(du +[^;&|)\s][^;&|)\n]*)/g)].map((match) =>
    mannerOf(match[1] as string),
  );
  const [first] = calls;
  if (first === undefined) return null;
  const { apparent, unit, base } = first;
  return {
    apparent: calls.every((call) => call.apparent === apparent) ? apparent : null,
    unit: calls.every((call) => call.unit === unit) ? unit : null,
    base,
  };
}

function sampleOf(digits: string, suffix: string, file: string, manner: Manner, seen: number): ParsedSample {
  const { apparent, unit, base } = manner;
  const scale = suffix === '' ? unit : base ** (POWER[suffix] as number);
  const number = Number(digits.replace(',', '.'));
  const step = /\D/.test(digits) ? 0.1 : 1;
  const unknown = seen === 1 ? 'disk_usage' : `disk_usage_${seen}`;
  const operation = apparent === null ? unknown : apparent ? 'apparent' : 'allocated';
  const common = { operation, test: file, iteration: null, metric: 'bytes', unit: 'B' } as const;
  if (scale === null) return { ...common, value: null, reason: 'the calls of du print different units' };
  const value = Math.round(number * scale);
  const rounded = scale > 1 && value > 0;
  const low = Math.round((number - step) * scale);
  return { ...common, value, ...(rounded ? { low } : {}) };
}

/** du: apparent and allocated bytes. It measures space and is not a workload. */
export const du: Tool = { id: 'du', formats: [{ recognizes: isDu, parse: parseDu }] };
