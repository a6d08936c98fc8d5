import type { ParsedSample } from '../../schema/parse';
import type { CommandFile } from '../common/parse/command';
import type { ParserFinding, TestHead } from '../common/parse/finding';
import { holds } from '../common/parse/holds';
import type { Lines } from '../common/parse/lines';
import {
  announcedPhases,
  bothDone,
  describeRun,
  type ElbenchoPhase,
  isBetween,
  isBuffered,
  latencies,
  metricOf,
} from './figures';

const HEADER = /^ISO date,.*\boperation,time ms \[first\],/;

export const isElbenchoCsv = (text: string): boolean =>
  holds(text, 'operation,time ms [first],') && /(?:^|\n)ISO date,/.test(text);

/**
 * elbencho's `--csvfile`: the figures of its table, one line a phase, with requests counted in every phase that moves data. elbencho adds
 * further runs to the same file without a head: one test is all that has the same date. Nothing marks the end: complete is only what the
 * command announces.
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
      tests.push(describeRun(tests.length, null, began));
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
    incompleteReason:
      announced === null
        ? "elbencho's CSV has no end marker: the expected phases must come from the command"
        : 'the command announces more phases',
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

/**
 * The fields of a row. Later versions put the label and the command between quotes, 2.0 and 2.1 each word of the command, which is last and
 * in which they replace commas.
 */
function splitRow(line: string, count: number): string[] {
  const quoted = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))(?=,|$)/g)];
  const values = quoted.map((match) => match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
  if (values.length === count) return values;
  const plain = line.split(',');
  return [...plain.slice(0, count - 1), ...(plain.length < count ? [] : [plain.slice(count - 1).join(',')])];
}
