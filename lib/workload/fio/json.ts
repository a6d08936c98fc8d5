import type { ParsedSample } from '../../schema/parse';
import { agrees, isOrdered } from '../kit/parse/agreement';
import type { ParserFinding, TestHead } from '../kit/parse/finding';
import { holds } from '../kit/parse/holds';
import { endOfObject, type Json, list, object, objectsIn, readJson } from '../kit/parse/json';
import { ERRNO_CODES } from '../kit/parse/launch';
import { figure, type Lines, readFigure, UNREADABLE } from '../kit/parse/lines';
import { patternOf } from './pattern';

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
 * `All clients`. Throughput is bw_bytes in MB/s (10^6), latencies are means in s; a direction without requests gives nothing, and what fio was
 * told not to time has no latency.
 */
export function parseFioJson(input: Lines): ParserFinding {
  const { text } = input;
  const problems = new Set<string>();
  const cautions = new Set<string>();
  const samples: ParsedSample[] = [];
  const tests: TestHead[] = [];
  let version: string | null = null;
  let whole = true;
  const printed = objectsIn(input, START);
  for (const [index, { section, document }] of printed.entries()) {
    if (isInterim(document, printed[index + 1]?.document)) continue;
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
      const directions = directionsOf(job);
      if (directions.some(([, data]) => !isSound(data))) problems.add('figures_disagree');
      samples.push(
        ...directions.flatMap(([name, data]) => samplesOf(job, operationOf(name, options), inBytes(data, version))),
      );
      tests.push(describe(job, options, version));
    }
  }
  // Jobs that failed, or were cut off, have said why.
  if (samples.length === 0 && problems.size === 0) problems.add('no_result_rows');
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

/**
 * True for what fio prints on the way (`--status-interval`), which the next document holds, too: its jobs have run on for as long as has passed since.
 * A run of its own begins after the one before.
 */
function isInterim(document: Json | undefined, next: Json | undefined): boolean {
  const [before, after] = [list(document?.jobs), list(next?.jobs)];
  const names = (jobs: readonly Json[]) => jobs.map(({ jobname }) => String(jobname)).join('\n');
  const ran = (jobs: readonly Json[]) =>
    Math.max(0, ...jobs.flatMap((job) => directionsOf(job).map(([, { runtime }]) => Number(runtime) || 0)));
  const passed = Number(next?.timestamp_ms) - Number(document?.timestamp_ms);
  return names(before) === names(after) && Math.abs(passed - (ran(after) - ran(before))) < ran(before) / 2;
}

/** `randwrite` for the writes of a `randrw` job, and so on, as fio names its patterns. */
function operationOf(direction: string, options: Json): string {
  const metadata = METADATA_ENGINES[String(options.ioengine)];
  if (metadata !== undefined && direction === 'read') return metadata;
  return patternOf(direction, /^rand/.test(String(options.rw ?? options.readwrite ?? '')));
}

const DIRECTIONS = ['read', 'write', 'trim', 'mixed'] as const;

/** The directions of a job. All of them together, as `mixed`, only where they are not told apart (`unified_rw_reporting`). */
function directionsOf(job: Json): [string, Json][] {
  const apart = DIRECTIONS.filter((name) => name !== 'mixed' && job[name] !== undefined);
  return (apart.length > 0 ? apart : DIRECTIONS).map((name) => [name, object(job[name])]);
}

/** Releases before 3.2 print a rate in KiB/s only, and those before 2.21 amounts in KiB under the name that later ones give to bytes. */
function inBytes(data: Json, version: string | null): Json {
  const { io_bytes: amount, bw_bytes: bytesPerSecond, bw } = data;
  const [major = 3, minor = 0] =
    /^fio-(\d+)\.(\d+)/
      .exec(version ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  const inKiB = typeof amount === 'number' && (major < 2 || (major === 2 && minor < 21));
  return {
    ...data,
    ...(inKiB ? { io_bytes: amount * 1024 } : {}),
    ...(bytesPerSecond === undefined && typeof bw === 'number' ? { bw_bytes: bw * 1024 } : {}),
  };
}

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

function samplesOf(job: Json, operation: string, data: Json): ParsedSample[] {
  if (!(Number(data.total_ios) > 0) && !(Number(data.io_bytes) > 0)) return [];
  const samples: ParsedSample[] = [];
  const test = String(job.jobname ?? '');
  const add = (metric: string, value: unknown, divisor: number, unit: ParsedSample['unit']) => {
    if (value === undefined) return;
    const read = (Number.isFinite(value) ? readFigure(value as number) : figure(String(value))) ?? { value: null };
    const sample = { operation, test, iteration: null, metric, value: read.value, unit };
    if (read.value === null) samples.push({ ...sample, reason: read.reason ?? UNREADABLE });
    else samples.push({ ...sample, value: read.value / divisor });
  };
  const completion = object(data.clat_ns);
  add('throughput', data.bw_bytes, 1e6, 'MB/s');
  add('operations', data.iops, 1, 'op/s');
  add('bytes', data.io_bytes, 1, 'B');
  add('ios', data.total_ios, 1, '1');
  add('runtime', data.runtime, 1000, 's');
  // What fio was told not to time it prints as zeros.
  if (completion.max === 0) return samples;
  add('latency', object(data.lat_ns).mean, 1e9, 's');
  add('completion_latency', completion.mean, 1e9, 's');
  const percentiles = object(completion.percentile);
  for (const [key, name] of PERCENTILES) add(`completion_latency_${name}`, percentiles[key], 1e9, 's');
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
