import type { ParsedSample } from '../../schema/parse';
import { type CommandFile, repetitionsIn } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import { holds } from '../common/parse/holds';
import { figure, firstMatch, type Lines } from '../common/parse/lines';
import { type IorMetric, rowSamples } from './rows';
import { iorIntent, iorMessages, missingIterations } from './verdict';

const HEADER = 'access,bw(MiB/s),';
/** Columns of 4.0.0 and main; others (block(KiB), numTasks) are no results. */
const COLUMNS: Readonly<Record<string, IorMetric>> = {
  'bw(MiB/s)': 'throughput',
  IOPS: 'operations',
  Latency: 'latency',
  'open(s)': 'open_time',
  'wr/rd(s)': 'access_time',
  'close(s)': 'close_time',
  'total(s)': 'total_time',
};

/** 3.3.0's `summaryFormat=CSV`: version, date and command run together, and not one row of results. */
const WITHOUT_DATA = /^\d+\.\d+\.\S*?[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\S*ior /;

export const isIorCsv = (text: string): boolean => holds(text, HEADER) || WITHOUT_DATA.test(text.slice(0, 2000));

/**
 * `summaryFormat=CSV` of IOR: rows without summary, removes or end. Whether a repetition is missing is known only from the command;
 * without one the file is never called complete.
 */
export function parseIorCsv(input: Lines, cmd: CommandFile): ParserFinding {
  const samples: ParsedSample[] = [];
  const iterations = new Map<string, Set<number>>();
  let header: string[] | undefined;
  let run = -1;
  for (const line of input.each(samples)) {
    if (line.startsWith(HEADER)) {
      header = line.split(',');
      run += 1;
      continue;
    }
    if (header === undefined || !/^(?:write|read),/.test(line)) continue;
    const values = line.split(',');
    const iteration = values[header.indexOf('iter')];
    if (values.length !== header.length || iteration === undefined || !/^\d{1,9}$/.test(iteration)) continue;
    const figures: Parameters<typeof rowSamples>[3] = {};
    for (const [index, name] of header.entries()) {
      const metric = COLUMNS[name];
      if (metric !== undefined) figures[metric] = figure(values[index]);
    }
    const operation = values[0] as string;
    iterations.set(operation, (iterations.get(operation) ?? new Set<number>()).add(Number(iteration)));
    samples.push(...rowSamples(operation, run, Number(iteration), figures));
  }
  const { problems, cautions } = iorMessages(input);
  const repetitions = cmd.command === null ? null : (repetitionsIn(cmd.command) ?? 1);
  const withoutData = header === undefined;
  if (withoutData) problems.add('csv_without_data');
  else if (samples.length === 0) problems.add('no_result_rows');
  const intent = iorIntent(cmd.command);
  if (cmd.command !== null && !withoutData) {
    for (const [operation, wanted] of [
      ['write', intent.writes],
      ['read', intent.reads],
    ] as const) {
      if (wanted && !iterations.has(operation)) iterations.set(operation, new Set());
    }
    if (samples.length > 0 && missingIterations([{ iterations, repetitions }], cmd.command))
      problems.add('missing_iterations');
    if (intent.writes && !intent.synced) cautions.add('buffered_write_no_fsync');
  }
  const version = firstMatch(input, /^(\d+\.\d+\.\d+(?:\+dev)?)(?=[A-Z])/)?.[1] ?? null;
  return {
    version,
    complete: problems.size === 0 && repetitions !== null && input.tail === '',
    incompleteReason: 'the CSV has no end marker: the expected repetitions must come from the command',
    problems,
    cautions,
    samples,
    tests: [{ test: 0, version, command: cmd.command, began: null, finished: null, repetitions }],
  };
}
