import type { ParsedSample } from '../../schema/parse';
import { binarySize, needing } from '../common/lint/access';
import { append, type LintedTool, type LintRule, type Options, readOptions, rule } from '../common/lint/rule';
import type { ShellWord } from '../common/lint/shell';
import type { CommandFile } from '../common/parse/command';
import type { ParserFinding, TestHead } from '../common/parse/finding';
import type { Lines } from '../common/parse/lines';
import type { Tool } from '../tool';
import {
  announcedPhases,
  bothDone,
  type ElbenchoPhase,
  incompleteReason,
  isBetween,
  isBuffered,
  latencies,
  metricOf,
} from './figures';
import { isElbencho, parseElbencho } from './text';

const HEADER = /^ISO date,.*\boperation,time ms \[first\],/;

const isElbenchoCsv = (text: string): boolean =>
  text.includes('operation,time ms [first],') && /(?:^|\n)ISO date,/.test(text);

/**
 * elbencho's `--csvfile`: the figures of its table, one line a phase, with requests counted in every phase that moves data. elbencho adds
 * further runs to the same file without a head: one test is all that has the same date. Nothing marks the end: complete is only what the
 * command announces.
 */
function parseElbenchoCsv(input: Lines, cmd: CommandFile): ParserFinding {
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
    if (HEADER.test(line)) {
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

/** Long options without a value (elbencho 2.3, `--help-all`). */
const FLAGS = new Set([
  ...['mkdirs', 'write', 'read', 'stat', 'delfiles', 'deldirs', 'direct', 'rand', 'sync', 'dropcache', 'nolive'],
  ...['verifydirect', 'trunc', 'trunctosize', 'preallocfile', 'lat', 'latpercent', 'cpu', 'version', 'infloop'],
]);

const elbenchoOptions = (words: readonly ShellWord[]): Options =>
  readOptions(words, 'tnNsb', (name) => !FLAGS.has(name));

/** Files below this are about metadata, whatever they contain. */
const SMALL_FILE = 2 ** 20;

/** True for a command on data: on one file for each thread, or on files that are not small. */
function hasData({ options }: LintedTool): boolean {
  const size = options.value('s') ?? options.value('size');
  if (size === undefined) return false;
  const files = options.value('N') ?? options.value('files') ?? '1';
  return /^1$/.test(files) || (binarySize(size) ?? SMALL_FILE) >= SMALL_FILE;
}
const writes = (subject: LintedTool): boolean => hasData(subject) && subject.options.has('w', 'write');

const ELBENCHO_RULES: readonly LintRule[] = [
  needing({ id: 'elbencho-needs-rewriting', ability: 'rewriting' }, (subject) =>
    writes(subject) && subject.options.has('rand')
      ? { does: 'With --rand elbencho writes anywhere in a file', suggestion: null }
      : null,
  ),

  needing({ id: 'elbencho-needs-lasting-directories', ability: 'lasting-directories' }, ({ options }) =>
    options.has('D', 'deldirs')
      ? { does: 'With -D elbencho removes the directories of files that it removed', suggestion: null }
      : null,
  ),

  rule('elbencho-missing-sync', 'warning', (subject) => {
    const message = "A buffered write without --sync ends while data are still in the client's memory.";
    return (
      writes(subject) && !subject.options.has('direct', 'sync') && { message, suggestion: append(subject, '--sync') }
    );
  }),

  /** https://github.com/breuner/elbencho/issues/98 is what its default writes. */
  rule('elbencho-repeats-blocks', 'warning', (subject) => {
    if (!writes(subject) || subject.context.compresses === false || subject.options.has('blockvarpct')) return null;
    return {
      message: 'Without --blockvarpct each thread writes the same block again and again, which compression exploits.',
      suggestion: append(subject, '--blockvarpct 100 --blockvaralgo balanced'),
    };
  }),

  rule('elbencho-reads-cached', 'warning', (subject) => {
    const { options } = subject;
    if (!hasData(subject) || !options.has('r', 'read') || options.has('direct', 'dropcache')) return null;
    const before = subject.line.slice(
      0,
      subject.line.indexOf(subject.line.find(({ command }) => command === subject.command) as never),
    );
    const isWritten = before.some((one) => one.tool === subject.tool && elbenchoOptions(one.args).has('w', 'write'));
    if (!options.has('w', 'write') && !isWritten) return null;
    return {
      message: "Data just written are read from the client's memory; --dropcache empties it between the phases.",
      suggestion: append(subject, '--dropcache'),
    };
  }),
];

/** elbencho: its output is parsed and its commands are linted. */
export const elbencho: Tool = {
  id: 'elbencho',
  lint: { options: elbenchoOptions, rules: ELBENCHO_RULES },
  formats: [
    { recognizes: isElbencho, parse: parseElbencho },
    { recognizes: isElbenchoCsv, parse: parseElbenchoCsv },
  ],
};
