import type { ParsedSample, ParsedSummary } from '../../schema/parse';
import { type DocumentReader, readDocuments } from '../common/parse/documents';
import { agrees, isOrdered, type ParserFinding, type TestHead } from '../common/parse/finding';
import { type Json, list, object, objectsWith } from '../common/parse/json';
import { ERRNO_CODES } from '../common/parse/launch';
import { figure, firstMatch, type Lines, readFigure, UNREADABLE } from '../common/parse/lines';
import { type GroupRow, groupTest, PERCENTILES, patternOf, singleProcesses } from './text';

/** The key that begins fio's documents, unless somebody sorted their keys. */
const KEY = 'fio version';

export const isFioJson = (text: string): boolean =>
  text.includes('"fio version"') && /"fio version"\s*:\s*"/.test(text);

/** Operations of fio's engines for metadata. fio reports them as reads of 4096 B each, which nobody moved. */
const METADATA_ENGINES: Readonly<Record<string, string>> = {
  filecreate: 'file_create',
  filestat: 'file_stat',
  filedelete: 'file_remove',
};

const LISTS = ['jobs', 'client_stats'] as const;

interface Row extends GroupRow {
  readonly bytes: number;
  readonly ios: number;
  readonly milliseconds: number;
}

interface DocumentFinding {
  readonly version: string | null;
  readonly problems: Set<string>;
  readonly cautions: Set<string>;
  readonly tests: TestHead[];
  readonly rows: Row[];
  first: number;
  /** Run time of the longest direction of a job, in ms. */
  ran: number;
  /** When the document was printed, in ms; NaN for a truncated one. */
  printed: number;
}

/**
 * fio's JSON and JSON+, of any size, with any text before and after it; several in one text are read in turn. One test a job name: without
 * `group_reporting` a name has a sample for each process, and `summary` has the group's figures. `client_stats` of `--client` are read like jobs,
 * their sum under fio's own name `All clients`. Throughput is bw_bytes in MB/s (10^6), latencies are in s. A direction without requests gives
 * nothing, and one without timing has no latency. Documents whose keys were sorted are read in one piece.
 */
export function parseFioJson(input: Lines): ParserFinding {
  const samples: ParsedSample[] = [];
  const documents: DocumentFinding[] = [];
  const open = (head: Json): DocumentReader => {
    const version = typeof head['fio version'] === 'string' ? head['fio version'] : null;
    const nothing = { problems: new Set<string>(), cautions: new Set<string>(), tests: [], rows: [] };
    const document: DocumentFinding = { version, ...nothing, first: samples.length, ran: 0, printed: Number.NaN };
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
  let fills = readDocuments(input, { begins: KEY, lists: LISTS }, open, samples);
  if (documents.length === 0) fills = readSorted(input, open);
  for (const { rows, cautions } of documents) if (singleProcesses(rows)) cautions.add('single_processes');
  const problems = new Set(documents.flatMap((document) => [...document.problems]));
  // Jobs that failed, or were cut off, have said why.
  if (samples.length === 0 && problems.size === 0) problems.add('no_result_rows');
  // Messages are next to a document, not in it.
  if (!fills && firstMatch(input, /fio: terminating on signal/) !== null) problems.add('interrupted');
  return {
    version: documents.find(({ version }) => version !== null)?.version ?? null,
    complete: problems.size === 0,
    problems,
    replaces: [...problems].some((code) => code.startsWith('job_error')) ? ERRNO_CODES : [],
    cautions: new Set(documents.flatMap((document) => [...document.cautions])),
    samples,
    // A document that is cut off lacks processes.
    summary: documents.flatMap((document) => (document.problems.has('truncated') ? [] : groupsOf(document.rows))),
    tests: documents.flatMap(({ tests }) => tests),
    fills,
  };
}

/** Reads documents whose first key is another: of `jq -S`, Ansible, `json.dump(sort_keys=True)`. @returns as {@link readDocuments} */
function readSorted(input: Lines, open: (head: Json) => DocumentReader): boolean {
  const isOne = input.json !== undefined && KEY in object(input.json);
  for (const document of isOne ? [object(input.json)] : objectsWith(input.text, KEY)) {
    const reader = open(document ?? {});
    for (const key of LISTS) for (const element of list(document?.[key])) reader.element(element);
    reader.end(document);
  }
  return isOne;
}

/** The figures of each group of jobs, as fio computes them with `group_reporting`: all bytes in the time of the slowest. */
function groupsOf(rows: readonly Row[]): ParsedSummary[] {
  const groups = Map.groupBy(rows, ({ group, operation }) => `${group}\n${operation}`);
  return [...groups.values()].flatMap((own) => {
    const [{ group, operation }] = own as [Row];
    const milliseconds = Math.max(...own.map((row) => row.milliseconds));
    if (own.length < 2 || !(milliseconds > 0)) return [];
    const line = (metric: string, unit: ParsedSummary['unit'], amount: number): ParsedSummary => {
      const value = amount / (milliseconds / 1000);
      const statistics = { max: value, min: value, mean: value, stddev: 0, count: 1 };
      return { operation, test: groupTest(group), metric, unit, ...statistics, basis: 'sum of processes' };
    };
    const sum = (of: (row: Row) => number) => own.reduce((total, row) => total + of(row), 0);
    return [
      line('throughput', 'MB/s', sum((row) => row.bytes) / 1e6),
      line(
        'operations',
        'op/s',
        sum((row) => row.ios),
      ),
    ];
  });
}

function readJob(job: Json, global: Json, document: DocumentFinding, samples: ParsedSample[]): void {
  const { version, problems, cautions, tests } = document;
  const error = Number(job.error ?? 0);
  if (error !== 0) problems.add(`job_error_${error}`);
  const options = { ...global, ...object(job['job options']) };
  if (METADATA_ENGINES[String(options.ioengine)] !== undefined) cautions.add('fictitious_bytes');
  for (const [name, printed] of directionsOf(job)) {
    const data = inUnits(printed, version);
    if (!isSound(printed)) problems.add('figures_disagree');
    document.ran = Math.max(document.ran, Number(data.runtime) || 0);
    const operation = operationOf(name, options);
    const read = samplesOf(job, operation, data);
    samples.push(...read);
    // Clients have their own sum.
    if (read.length > 0 && job.hostname === undefined)
      document.rows.push({
        name: String(job.jobname ?? ''),
        group: String(job.groupid ?? 0),
        operation,
        bytes: Number(data.io_bytes) || 0,
        ios: Number(data.total_ios) || 0,
        milliseconds: Number(data.runtime) || 0,
      });
  }
  tests.push(describe(job, options, version));
}

/**
 * True for an interim document (`--status-interval`), whose figures the next document includes: its jobs have run for as long as has passed since,
 * and have moved more. A separate run begins after the one before, and one of another client at the same time has moved another amount.
 */
function isInterim(document: DocumentFinding, next: DocumentFinding): boolean {
  const names = ({ tests }: DocumentFinding) => tests.map(({ test }) => test).join('\n');
  const moved = ({ rows }: DocumentFinding) => rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const passed = next.printed - document.printed;
  const before = moved(document);
  const more = before === 0 ? 0 : moved(next) / before - 1;
  return (
    names(document) === names(next) &&
    Math.abs(passed - (next.ran - document.ran)) < document.ran / 2 &&
    more >= 0 &&
    (more === 0 || more <= MOST_GROWTH * (passed / document.ran))
  );
}

/** Amounts may grow so many times faster between two prints than before the first one: jobs may have only just begun. */
const MOST_GROWTH = 5;

/** `randwrite` for the writes of a `randrw` job, and so on, as fio names its patterns. */
function operationOf(direction: string, options: Json): string {
  const metadata = METADATA_ENGINES[String(options.ioengine)];
  if (metadata !== undefined && direction === 'read') return metadata;
  return patternOf(direction, /^rand/.test(String(options.rw ?? options.readwrite ?? '')));
}

const DIRECTIONS = ['read', 'write', 'trim', 'mixed'] as const;

/** The directions of a job; their sum, as `mixed`, only if fio does not report them separately (`unified_rw_reporting`). */
function directionsOf(job: Json): [string, Json][] {
  const apart = DIRECTIONS.filter((name) => name !== 'mixed' && job[name] !== undefined);
  return (apart.length > 0 ? apart : DIRECTIONS).map((name) => [name, object(job[name])]);
}

/**
 * A direction in the units of later releases. Those before 3.2 print a rate in KiB/s only, those before 2.21 amounts in KiB under the name
 * that later ones give to bytes, and those before 2.99 latencies in microseconds.
 */
function inUnits(data: Json, version: string | null): Json {
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
    ...(data.lat_ns === undefined && data.lat !== undefined ? { lat_ns: inNanoseconds(object(data.lat)) } : {}),
    ...(data.clat_ns === undefined && data.clat !== undefined ? { clat_ns: inNanoseconds(object(data.clat)) } : {}),
  };
}

const inNanoseconds = (latency: Json): Json =>
  Object.fromEntries(
    Object.entries(latency).map(([key, value]) => [
      key,
      key === 'percentile' ? inNanoseconds(object(value)) : typeof value === 'number' ? value * 1000 : value,
    ]),
  );

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
  // Times that fio was set not to take are printed as zeros.
  if (completion.max === 0) return samples;
  const whole = object(data.lat_ns);
  add('latency', whole.mean, 1e9, 's');
  add('completion_latency', completion.mean, 1e9, 's');
  for (const [key, name] of PERCENTILES) {
    add(`completion_latency_${name}`, object(completion.percentile)[key], 1e9, 's');
    // Of `--lat_percentiles`.
    add(`latency_${name}`, object(whole.percentile)[key], 1e9, 's');
  }
  return samples;
}

function describe(job: Json, options: Json, version: string | null): TestHead {
  const processes = Number(options.numjobs ?? 1);
  return { test: String(job.jobname ?? ''), version, tasks: Number.isInteger(processes) ? processes : null };
}
