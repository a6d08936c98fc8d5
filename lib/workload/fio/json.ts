import type { ParsedSample } from '../../schema/parse';
import { agrees, isOrdered } from '../common/parse/agreement';
import { type DocumentReader, readDocuments } from '../common/parse/documents';
import type { ParserFinding, TestHead } from '../common/parse/finding';
import { holds } from '../common/parse/holds';
import { type Json, object } from '../common/parse/json';
import { ERRNO_CODES } from '../common/parse/launch';
import { figure, firstMatch, type Lines, readFigure, UNREADABLE } from '../common/parse/lines';
import { patternOf } from './pattern';

const START = /\{\s*"fio version"\s*:/;

export const isFioJson = (text: string): boolean => holds(text, '"fio version"') && START.test(text);

/** Operations of fio's engines for metadata. fio reports them as reads of 4096 B each, which nobody moved. */
const METADATA_ENGINES: Readonly<Record<string, string>> = {
  filecreate: 'file_create',
  filestat: 'file_stat',
  filedelete: 'file_remove',
};

const FORM = { begins: 'fio version', lists: ['jobs', 'client_stats'] };

/** Findings in one document. */
interface DocumentFinding {
  readonly version: string | null;
  readonly problems: Set<string>;
  readonly cautions: Set<string>;
  readonly tests: TestHead[];
  /** Index of its first sample. */
  first: number;
  /** Run time of the longest direction of a job, in ms. */
  ran: number;
  /** When the document was printed, in ms; NaN for a truncated one. */
  printed: number;
}

/**
 * fio's JSON and JSON+, of any size, with whatever stands before and after it; several in one text are read in turn. One test a job name: without
 * `group_reporting` a name has a sample for each process. `client_stats` of `--client` are read like jobs, their sum under fio's own name
 * `All clients`. Throughput is bw_bytes in MB/s (10^6), latencies are means in s; a direction without requests gives nothing, and what fio was
 * told not to time has no latency.
 */
export function parseFioJson(input: Lines): ParserFinding {
  const samples: ParsedSample[] = [];
  const documents: DocumentFinding[] = [];
  const open = (head: Json): DocumentReader => {
    const version = typeof head['fio version'] === 'string' ? head['fio version'] : null;
    const document: DocumentFinding = {
      version,
      problems: new Set(),
      cautions: new Set(),
      tests: [],
      first: samples.length,
      ran: 0,
      printed: Number.NaN,
    };
    return {
      element: (job) => readJob(job, object(head['global options']), document, samples),
      end: (fields) => {
        if (fields === undefined) document.problems.add('truncated');
        document.printed = Number(fields?.timestamp_ms);
        const before = documents.at(-1);
        if (before !== undefined && isInterim(before, document)) {
          documents.pop();
          samples.splice(before.first, document.first - before.first);
          document.first = before.first;
        }
        documents.push(document);
      },
    };
  };
  const fills = readDocuments(input, FORM, open, samples);
  const problems = new Set(documents.flatMap((document) => [...document.problems]));
  // Jobs that failed, or were cut off, have said why.
  if (samples.length === 0 && problems.size === 0) problems.add('no_result_rows');
  // Messages stand beside a document, not in it.
  if (!fills && firstMatch(input, /fio: terminating on signal/) !== null) problems.add('interrupted');
  return {
    version: documents.find(({ version }) => version !== null)?.version ?? null,
    complete: problems.size === 0,
    problems,
    replaces: [...problems].some((code) => code.startsWith('job_error')) ? ERRNO_CODES : [],
    cautions: new Set(documents.flatMap((document) => [...document.cautions])),
    samples,
    tests: documents.flatMap(({ tests }) => tests),
    fills,
  };
}

function readJob(job: Json, global: Json, document: DocumentFinding, samples: ParsedSample[]): void {
  const { version, problems, cautions, tests } = document;
  const error = Number(job.error ?? 0);
  if (error !== 0) problems.add(`job_error_${error}`);
  const options = { ...global, ...object(job['job options']) };
  if (METADATA_ENGINES[String(options.ioengine)] !== undefined) cautions.add('fictitious_bytes');
  for (const [name, printed] of directionsOf(job)) {
    const data = inBytes(printed, version);
    if (!isSound(printed)) problems.add('figures_disagree');
    document.ran = Math.max(document.ran, Number(data.runtime) || 0);
    samples.push(...samplesOf(job, operationOf(name, options), data));
  }
  tests.push(describe(job, options, version));
}

/**
 * True for what fio prints on the way (`--status-interval`), which the next document holds, too: its jobs have run on for as long as has passed since.
 * A run of its own begins after the one before.
 */
function isInterim(document: DocumentFinding, next: DocumentFinding): boolean {
  const names = ({ tests }: DocumentFinding) => tests.map(({ test }) => test).join('\n');
  const passed = next.printed - document.printed;
  return names(document) === names(next) && Math.abs(passed - (next.ran - document.ran)) < document.ran / 2;
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
  if (!inKiB && bytesPerSecond !== undefined) return data;
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
  return { test: String(job.jobname ?? ''), version, tasks: Number.isInteger(processes) ? processes : null };
}
