import type { ParsedSample } from '../../schema/parse';
import { type CommandFile, invocations } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import { holds } from '../common/parse/holds';
import { firstMatch, type Lines } from '../common/parse/lines';
import type { Tool } from '../tool';

/** A call of du behind a prompt or `set -x`: `$ du -sh f`, `[user@host dir]$ du …`, `+ du -sh dir`. */
const SHOWN = /^(?:\+ |.*?[$#] |)(du -.*)$/;
const ENTRY = /^(\d+(?:\.\d+)?)([KMGTPE]?)\t(.+)$/;
const POWER: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4, P: 5, E: 6 };

function isDu(text: string): boolean {
  const shown = holds(text, 'du -') && /^(?:[^\n]{0,200}[$#] |\+ )?du -/m.test(text);
  return shown || /^\d+(?:\.\d+)?[KMGTPE]?\t[^\n]+(?:\n|$)/.test(text);
}

/** Output mode of a call of du, by its options. */
interface Manner {
  readonly apparent: boolean | null;
  /** Bytes of the unit of a bare number; `null` where calls differ in it. */
  readonly unit: number | null;
  /** 1000 with --si. */
  readonly base: number;
}

/**
 * du, one file or directory a line: `bytes` of `apparent` (--apparent-size, -b) or `allocated`, or of `disk_usage` where the output does
 * not show which (bare lists; a file that comes again is `disk_usage_2`). The test is the file's name. du rounds up: a value of -h or of whole blocks is the
 * upper bound, and `low` the value just below. Inside other output only what follows a visible call is read.
 * There is no end marker: complete is only what the command announces.
 */
function parseDu(input: Lines, cmd: CommandFile): ParserFinding {
  const samples: ParsedSample[] = [];
  const alone = isPure(input);
  const byCommand = mannerOfAll(cmd.command);
  let shown: Manner | undefined;
  let calls = 0;
  const bare = new Map<string, number>();
  const again = (file: string) => bare.set(file, (bare.get(file) ?? 0) + 1).get(file) as number;
  let answered = 0;
  let assumed = false;
  for (const line of input.each(samples)) {
    const call = line.includes('du -') ? SHOWN.exec(line) : null;
    if (call) {
      shown = mannerOf(call[1] as string);
      calls += 1;
      continue;
    }
    const entry = line.includes('\t') ? ENTRY.exec(line) : null;
    if (!entry || (shown === undefined && !alone)) {
      shown = undefined;
      continue;
    }
    const manner = shown ?? byCommand;
    assumed ||= shown === undefined && cmd.command === null && entry[2] === '' && entry[1] !== '0';
    // A visible call belongs to one answer: what comes after a prompt's answer without a call may be another tool's.
    if (shown !== undefined) {
      answered += 1;
      shown = undefined;
    }
    const seen = manner.apparent === null ? again(entry[3] as string) : 1;
    samples.push(sampleOf(entry[1] as string, entry[2] as string, entry[3] as string, manner, seen));
  }
  const announced = invocations(cmd.command, 'du\\s+-')?.length;
  const complete = announced !== undefined && announced > 0 && (calls === 0 ? samples.length : answered) >= announced;
  return {
    complete: complete && input.tail.trim() === '',
    incompleteReason: 'du prints no end marker: the expected number of calls must come from the command',
    problems: samples.length === 0 ? ['no_result_rows'] : [],
    cautions: assumed ? ['unit_assumed'] : [],
    samples,
  };
}

/** The output begins with du, and no benchmark speaks in it: then bare lists are read too. */
function isPure(input: Lines): boolean {
  const first = firstMatch(input, /\S[^\n]*/)?.[0].trimEnd() ?? '';
  return (ENTRY.test(first) || SHOWN.test(first)) && !firstMatch(input, /IOR-\d|mdtest-\d|"fio version"/);
}

function mannerOf(call: string): Manner {
  const options = call.split(/\s+/).filter((word) => word.startsWith('-'));
  const short = options.filter((word) => /^-[^-]/.test(word)).join('');
  const bytes = options.includes('--bytes') || /b/.test(short.replace(/-B\S*/g, ''));
  const apparent = bytes || options.includes('--apparent-size');
  const block = /(?:\s-[a-zA-Z]*B\s?|--block-size=)(\d*)([KMGT]?)/.exec(call);
  let unit = 1024;
  if (bytes || /h/.test(short) || options.some((word) => /^--(?:human|si)/.test(word))) unit = 1;
  else if (block) unit = Number(block[1] || 1) * 1024 ** (POWER[block[2] ?? ''] ?? 0);
  else if (/m/.test(short)) unit = 2 ** 20;
  return { apparent, unit, base: options.includes('--si') ? 1000 : 1024 };
}

/** Returns the output mode common to all calls of a command; without any, bare numbers are bytes. */
function mannerOfAll(command: string | null): Manner {
  const calls = [...(command ?? '').matchAll(/(?:^|[\s;&|(])(du +[^;&|)\s][^;&|)\n]*)/g)].map((match) =>
    mannerOf(match[1] as string),
  );
  const { apparent, unit, base } = calls[0] ?? { apparent: null, unit: 1, base: 1024 };
  return {
    apparent: calls.every((call) => call.apparent === apparent) ? apparent : null,
    unit: calls.every((call) => call.unit === unit) ? unit : null,
    base,
  };
}

function sampleOf(digits: string, suffix: string, file: string, manner: Manner, seen: number): ParsedSample {
  const { apparent, unit, base } = manner;
  const scale = suffix === '' ? unit : base ** (POWER[suffix] as number);
  const step = digits.includes('.') ? 0.1 : 1;
  const unknown = seen === 1 ? 'disk_usage' : `disk_usage_${seen}`;
  const operation = apparent === null ? unknown : apparent ? 'apparent' : 'allocated';
  const common = { operation, test: file, iteration: null, metric: 'bytes', unit: 'B' } as const;
  if (scale === null) return { ...common, value: null, reason: 'the calls of du print different units' };
  const value = Math.round(Number(digits) * scale);
  const rounded = scale > 1 && value > 0;
  const low = Math.round((Number(digits) - step) * scale);
  return { ...common, value, ...(rounded ? { low } : {}) };
}

/** du: apparent and allocated bytes. It measures space and is not a workload. */
export const du: Tool = { id: 'du', output: { formats: [{ recognizes: isDu, parse: parseDu }] } };
