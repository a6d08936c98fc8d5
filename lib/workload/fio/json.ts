import type { ParsedSample } from '../../schema/parse';
import { agrees, isOrdered } from '../kit/parse/agreement';
import type { ParserFinding, TestHead } from '../kit/parse/finding';
import { holds } from '../kit/parse/holds';
import { endOfObject, type Json, list, object, objectsIn, readJson } from '../kit/parse/json';
import { ERRNO_CODES } from '../kit/parse/launch';
import { figure, type Lines, readFigure, UNREADABLE } from '../kit/parse/lines';

const START = /\{\s*"fio version"\s*:/;

export function isFioJson(text: string): boolean {
  return holds(text, '"fio version"') && START.test(text);
}

/** Operations of fio's engines for metadata. fio reports them as reads of 4096 B each, which nobody moved. */
const METADATA_ENGINES: Readonly<Record<string, string>> = {
  filecreate: 'file_create',
  filestat: 'file_stat',
  filedelete: 'file_remove',
};

/**
 * fio's JSON and JSON+, with whatever stands before and after it; several in one text are read in turn. One test a job name: without
 * `group_reporting` a name has a sample for each process. `client_stats` of `--client` are read like jobs, their sum under fio's own name
 * `All clients`. Throughput is bw_bytes in MB/s (10^6), latencies are means in s; a direction without requests gives nothing.
 */
export function parseFioJson(input: Lines): ParserFinding {
  const { text } = input;
  const problems = new Set<string>();
  const cautions = new Set<string>();
  const samples: ParsedSample[] = [];
  const tests: TestHead[] = [];
  let version: string | null = null;
  let whole = true;
  for (const { section, document } of objectsIn(input, START)) {
    if (document === undefined) {
      whole = false;
      problems.add('truncated');
    }
    const found = document ?? {
      'fio version': /"fio version"\s*:\s*"([^"\n]+)"/.exec(section.slice(0, 200))?.[1],
      jobs: jobsOfTruncated(section),
    };
    if (typeof found['fio version'] === 'string') version ??= found['fio version'];
    for (const job of [...list(found.jobs), ...list(found.client_stats)]) {
      const error = Number(job.error ?? 0);
      if (error !== 0) problems.add(`job_error_${error}`);
      const options = { ...object(found['global options']), ...object(job['job options']) };
      if (METADATA_ENGINES[String(options.ioengine)] !== undefined) cautions.add('fictitious_bytes');
      if (DIRECTIONS.some((direction) => !isSound(object(job[direction])))) problems.add('figures_disagree');
      samples.push(...jobSamples(job, options));
      tests.push(describe(job, options, version));
    }
    if (whole && list(found.jobs).length + list(found.client_stats).length === 0) problems.add('no_result_rows');
  }
  // Messages stand beside a document, not in it.
  if (input.json === undefined && holds(text, 'fio: terminating on signal')) problems.add('interrupted');
  return {
    version,
    complete: whole && problems.size === 0,
    problems,
    replaces: [...problems].some((code) => code.startsWith('job_error')) ? ERRNO_CODES : [],
    cautions,
    samples,
    tests,
  };
}

/** `randwrite` for the writes of a `randrw` job, and so on, as fio names its patterns. */
function operationOf(direction: string, options: Json): string {
  const metadata = METADATA_ENGINES[String(options.ioengine)];
  if (metadata !== undefined && direction === 'read') return metadata;
  return /^rand/.test(String(options.rw ?? options.readwrite ?? '')) ? `rand${direction}` : direction;
}

const DIRECTIONS = ['read', 'write', 'trim'] as const;

/** fio prints rates as well as amounts and milliseconds, and means as well as extremes. */
function isSound({ io_bytes, bw_bytes, total_ios, short_ios, iops, runtime, lat_ns, clat_ns }: Json): boolean {
  const number = (value: unknown) => (typeof value === 'number' ? value : Number.NaN);
  const seconds = number(runtime) / 1000;
  const isRate = (rate: unknown, amount: number) =>
    !(seconds > 0) || agrees(number(rate) * seconds, amount, 1 + amount * (1e-6 + 0.001 / seconds) + seconds);
  const { percentile } = object(clat_ns);
  const [p50, p99, p999] = PERCENTILES.map(([key]) => number(object(percentile)[key])) as [number, number, number];
  const isMean = ({ min, mean, max }: Json) => isOrdered(number(min), number(mean), number(max), 1);
  return (
    isRate(bw_bytes, number(io_bytes)) &&
    isRate(iops, number(total_ios) - (number(short_ios) || 0)) &&
    isOrdered(p50, p99, p999) &&
    isMean(object(lat_ns)) &&
    isMean(object(clat_ns))
  );
}

const PERCENTILES = [
  ['50.000000', 'p50'],
  ['99.000000', 'p99'],
  ['99.900000', 'p99.9'],
] as const;

function jobSamples(job: Json, options: Json): ParsedSample[] {
  const samples: ParsedSample[] = [];
  const test = String(job.jobname ?? '');
  for (const direction of DIRECTIONS) {
    const data = object(job[direction]);
    if (!(Number(data.total_ios) > 0) && !(Number(data.io_bytes) > 0)) continue;
    const operation = operationOf(direction, options);
    const add = (metric: string, value: unknown, divisor: number, unit: ParsedSample['unit']) => {
      if (value === undefined) return;
      const read = (Number.isFinite(value) ? readFigure(value as number) : figure(String(value))) ?? { value: null };
      const sample = { operation, test, iteration: null, metric, value: read.value, unit };
      if (read.value === null) samples.push({ ...sample, reason: read.reason ?? UNREADABLE });
      else samples.push({ ...sample, value: read.value / divisor });
    };
    add('throughput', data.bw_bytes, 1e6, 'MB/s');
    add('operations', data.iops, 1, 'op/s');
    add('bytes', data.io_bytes, 1, 'B');
    add('ios', data.total_ios, 1, '1');
    add('runtime', data.runtime, 1000, 's');
    add('latency', object(data.lat_ns).mean, 1e9, 's');
    add('completion_latency', object(data.clat_ns).mean, 1e9, 's');
    const percentiles = object(object(data.clat_ns).percentile);
    for (const [key, name] of PERCENTILES) {
      add(`completion_latency_${name}`, percentiles[key], 1e9, 's');
    }
  }
  return samples;
}

function describe(job: Json, options: Json, version: string | null): TestHead {
  const processes = Number(options.numjobs ?? 1);
  return {
    ...{ test: String(job.jobname ?? ''), version, command: null, began: null, finished: null, repetitions: null },
    ...{ nodes: null, transferBytes: null, blockBytes: null, aggregateBytes: null, items: null },
    tasks: Number.isInteger(processes) ? processes : null,
  };
}

/** The jobs that stand whole in an output which ends early. */
function jobsOfTruncated(text: string): Json[] {
  const jobs: Json[] = [];
  const opening = /"(?:jobs|client_stats)"\s*:\s*\[/g;
  const list = opening.exec(text);
  if (list === null) return jobs;
  let at = text.indexOf('{', opening.lastIndex);
  while (at >= 0) {
    const end = endOfObject(text, at);
    const job = end === undefined ? undefined : readJson(text.slice(at, end));
    if (end === undefined || job === undefined || job.jobname === undefined) return jobs;
    jobs.push(job);
    at = text.indexOf('{', end);
  }
  return jobs;
}
