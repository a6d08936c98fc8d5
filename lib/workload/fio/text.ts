import type { ParsedSample } from '../../schema/parse';
import type { ParserFinding } from '../common/parse/finding';
import { holds } from '../common/parse/holds';
import { firstMatch, type Lines } from '../common/parse/lines';
import { patternOf } from './pattern';

const TERSE = /^3;fio-[^;]+;/;
const JOB = /^(.+): \(groupid=\d+, jobs=\d+\): err= *(\d+)/;
const DIRECTION = /^ {2}(read|write|trim|mixed) *: IOPS=([\d.]+)([kM]?), BW=(\S+) \((\S+)\)\(.*?\/(\d+)msec\)/;
/** A rate in powers of ten: the second one, or the first (`kb_base`); in bits on demand (`unit_base`). */
const RATE = /^([\d.]+)([kMGT]?)(B|bit)\/s$/;
const SCALE: Readonly<Record<string, number>> = { '': 0, k: 3, M: 6, G: 9, T: 12 };

export function isFioText(text: string): boolean {
  if (!holds(text, 'fio-') && !holds(text, ': (groupid=')) return false;
  return /(?:^|\n)(?:3;fio-\d|fio-\d+\.\d+\S*\r?\n|.{1,200}: \(groupid=\d+, jobs=\d+\): err=)/.test(text);
}

/**
 * fio's default text and its terse version 3: throughput, iops and runtime, as far as those print them. The text rounds to three digits;
 * neither marks its end, so neither is ever called complete: use `--output-format=json`.
 */
export function parseFioText(input: Lines): ParserFinding {
  const problems = new Set<string>();
  const samples: ParsedSample[] = [];
  let test: string | null = null;
  const random = new Set<string>();
  for (const line of input.each(samples)) {
    if (TERSE.test(line)) {
      samples.push(...terseSamples(line.split(';'), problems));
      continue;
    }
    const pattern = /^(.+): \(g=\d+\): rw=rand/.exec(line);
    if (pattern) random.add(pattern[1] as string);
    const job = JOB.exec(line);
    if (job) {
      test = job[1] as string;
      if (job[2] !== '0') problems.add(`job_error_${job[2]}`);
      continue;
    }
    const read = test === null ? null : DIRECTION.exec(line);
    const rate = RATE.exec(read?.[5] ?? '') ?? RATE.exec(read?.[4] ?? '');
    if (test === null || !read || !rate) continue;
    const common = { operation: patternOf(read[1] as string, random.has(test)), test, iteration: null };
    const throughput = scaled(rate[1], rate[2], -6) / (rate[3] === 'bit' ? 8 : 1);
    samples.push(
      { ...common, metric: 'throughput', value: throughput, unit: 'MB/s' },
      { ...common, metric: 'operations', value: scaled(read[2], read[3], 0), unit: 'op/s' },
      { ...common, metric: 'runtime', value: Number(read[6]) / 1000, unit: 's' },
    );
  }
  if (firstMatch(input, /fio: terminating on signal/)) problems.add('interrupted');
  if (samples.length === 0 && problems.size === 0) problems.add('no_result_rows');
  return {
    version: firstMatch(input, /(?:^|[\n;])(fio-\d+\.\d+[\w.-]*)/)?.[1] ?? null,
    complete: false,
    incompleteReason: "fio's text and terse formats have no end marker: use --output-format=json",
    problems,
    samples,
  };
}

const scaled = (digits: string | undefined, prefix: string | undefined, shift: number): number =>
  Number(`${digits}e${(SCALE[prefix ?? ''] ?? 0) + shift}`);

/** Terse version 3 (fio's HOWTO): 5 fields of the job, then 41 each of reads and writes, which begin with KiB, KiB/s, iops, ms. */
function terseSamples(values: string[], problems: Set<string>): ParsedSample[] {
  if (values.length < 87) return [];
  if (values[4] !== '0') problems.add(`job_error_${values[4]}`);
  const samples: ParsedSample[] = [];
  for (const [operation, at] of [
    ['read', 5],
    ['write', 46],
  ] as const) {
    const [kib, rate, iops, milliseconds] = values.slice(at, at + 4).map(Number) as [number, number, number, number];
    if (![kib, rate, iops, milliseconds].every(Number.isFinite) || kib === 0) continue;
    const common = { operation, test: values[2] as string, iteration: null };
    samples.push(
      { ...common, metric: 'throughput', value: (rate * 1024) / 1e6, unit: 'MB/s' },
      { ...common, metric: 'operations', value: iops, unit: 'op/s' },
      { ...common, metric: 'bytes', value: kib * 1024, unit: 'B' },
      { ...common, metric: 'runtime', value: milliseconds / 1000, unit: 's' },
    );
  }
  return samples;
}
