import type { ParsedSample } from '../../schema/parse';
import type { CommandFile } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import type { Lines } from '../common/parse/lines';
import type { Tool } from '../tool';
import { HEAD, RECORD } from './records';
import { darshanWork } from './work';

/** First line of every form of `darshan-parser`'s output. */
const LOG = /(?:^|\n)# darshan log version: (\d+\.\d+)/;

/**
 * Counters that become figures, without the module's name: the operation, the metric and its unit
 * (https://www.mcs.anl.gov/research/projects/darshan/docs/darshan-util.html). Seconds are those of all processes together.
 */
const FIGURES: ReadonlyMap<string, readonly [string, string, ParsedSample['unit']]> = new Map([
  ['BYTES_WRITTEN', ['write', 'bytes', 'B']],
  ['WRITES', ['write', 'operations', '1']],
  ['SEQ_WRITES', ['write', 'sequential_operations', '1']],
  ['CONSEC_WRITES', ['write', 'consecutive_operations', '1']],
  ['F_WRITE_TIME', ['write', 'seconds', 's']],
  ['BYTES_READ', ['read', 'bytes', 'B']],
  ['READS', ['read', 'operations', '1']],
  ['SEQ_READS', ['read', 'sequential_operations', '1']],
  ['CONSEC_READS', ['read', 'consecutive_operations', '1']],
  ['F_READ_TIME', ['read', 'seconds', 's']],
  ['OPENS', ['open', 'operations', '1']],
  ['STATS', ['stat', 'operations', '1']],
  ['SEEKS', ['seek', 'operations', '1']],
  ['FSYNCS', ['fsync', 'operations', '1']],
  ['F_META_TIME', ['metadata', 'seconds', 's']],
]);

/** `total_POSIX_OPENS: 8` */
const TOTAL = /^total_([A-Z][A-Z0-9-]*)_([A-Z0-9_]+): (-?[\d.]+)$/;
/** Printed with --show-incomplete of a module that had no memory for all records. */
const PARTIAL = /The \S+ module contains incomplete data!/;

/**
 * A Darshan log as `darshan-parser FILE` prints it, a test for each record, named by module, rank and file; or as `darshan-parser --total FILE`
 * does, a test for each module.
 */
function parseDarshan(input: Lines, { exitStatus }: CommandFile): ParserFinding {
  const head: Record<string, string> = {};
  const samples: ParsedSample[] = [];
  let partial = false;
  for (const line of input.each(samples)) {
    const [, key, printed] = HEAD.exec(line) ?? [];
    if (key !== undefined && printed !== undefined) head[key] ??= printed;
    if (PARTIAL.test(line)) partial = true;
    const [, module = '', rank, , counter, value, file] = RECORD.exec(line) ?? [];
    if (counter?.startsWith(`${module}_`))
      add(samples, `${module} ${rank} ${file}`, counter.slice(module.length + 1), Number(value));
    const [, name, total, sum] = TOTAL.exec(line) ?? [];
    if (name !== undefined && total !== undefined) add(samples, name, total, Number(sum));
  }
  const job = [jobSample('seconds', 's', head['run time']), jobSample('processes', '1', head.nprocs)].flat();
  const problems = [
    ...(samples.length === 0 ? ['no_result_rows'] : []),
    ...(partial || input.tail !== '' ? ['truncated'] : []),
  ];
  return {
    version: head.metadata?.match(/^lib_ver = (\S+)/)?.[1] ?? null,
    command: head.exe ?? null,
    complete: problems.length === 0 && exitStatus === 0,
    incompleteReason: 'darshan-parser prints no end marker: the exit status must come from the command',
    problems,
    samples: [...job, ...samples],
  };
}

function jobSample(metric: string, unit: ParsedSample['unit'], text = ''): ParsedSample[] {
  if (!/^\d+(?:\.\d+)?$/.test(text)) return [];
  return [{ operation: 'run', test: null, iteration: null, metric, value: Number(text), unit }];
}

function add(samples: ParsedSample[], test: string, counter: string, value: number): void {
  const found = FIGURES.get(counter);
  if (found === undefined) return;
  const [operation, metric, unit] = found;
  const known = value < 0 ? { value: null, reason: 'Darshan could not count it' } : { value };
  samples.push({ operation, test, iteration: null, metric, unit, ...known });
}

/** Darshan, which records the I/O of a user's own program: its logs are read, by the text of darshan-parser. */
export const darshan: Tool = {
  id: 'darshan',
  output: {
    formats: [{ recognizes: (text) => LOG.test(text), parse: parseDarshan }],
    program: 'darshan-parser',
    binary: {
      // As the runtime names a log, and one of a program that did not end (darshan-core.c).
      names: /\.darshan(?:_partial)?$/,
      command: (path) => ['darshan-parser', path],
      package: 'darshan-util (module load darshan, or spack install darshan-util)',
    },
  },
  recorded: darshanWork,
};
