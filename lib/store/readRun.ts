import { existsSync, readdirSync, readSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type * as z from 'zod';
import { bytes, counted } from '../common/format/units';
import { jsonElements } from '../common/jsonElements';
import { type Of, parseJson, read } from '../schema/document';
import { environmentSchema } from '../schema/environment';
import {
  CLIENT_METRICS,
  clientMetricsSchema,
  type MetricSeries,
  type MetricsFile,
  metricsSchema,
  SeriesColumns,
} from '../schema/metrics';
import type { RunSession, RunStatus } from '../schema/run';
import type { Sample } from '../schema/sample';
import { type FoundFile, findFile, findJson, MANIFEST, readSamples, SAMPLES, STATUS } from './documents';
import { PLAN, type RawFile, type ReadProblem, type RunRecord } from './record';

const PIECE = 2 ** 20;
/** A series of twelve hours has 30 kB. */
const MOST_BYTES = 64e6;

/** The metrics of an arm below a run's folder, read series by series: the text of all would take several times the memory of their points. */
function readMetrics(folder: string, file: string, columns: SeriesColumns): FoundFile<MetricsFile> {
  const found = findFile(folder, file, (opened): FoundFile<MetricsFile> => {
    const elements = jsonElements(piecesOf(opened), 'series', MOST_BYTES);
    const series: MetricSeries[] = [];
    let fault: string | null = null;
    let next = elements.next();
    for (; !next.done; next = elements.next()) {
      const parsed = parseJson(next.value);
      if (parsed === undefined) return { fault: 'is not JSON' };
      const one = read(metricsSchema.shape.series.element, parsed);
      if ('document' in one) series.push(columns.of(one.document));
      else fault ??= one.fault.replace(' (', ` (series.${series.length}.`);
    }
    const parsed = parseJson(next.value);
    if (parsed === undefined) return { fault: 'is not JSON' };
    const whole = read(metricsSchema, parsed);
    const wrong = 'fault' in whole ? whole.fault : fault;
    if (wrong !== null) return { fault: `does not have the expected form${wrong}` };
    return { document: { ...(parsed as MetricsFile), series } };
  });
  return 'document' in found ? found.document : found;
}

/** Pieces of an open file; each overwrites the one before. */
function* piecesOf(file: number): Generator<Buffer> {
  const buffer = Buffer.alloc(PIECE);
  for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) yield buffer.subarray(0, read);
}

/** Bytes of samples for 300 MB of memory (docs/decisions/memory-of-large-reports.md): 180,000, 8 × those of 12 hours on 200 clients. Not for drivers. */
const MOST_SAMPLES = 96 * 2 ** 20;

/** Reads a run folder. Missing or damaged parts are named in `problems`. Rejects if there is no run, or more samples than fit in memory. */
export async function readRun(directory: string): Promise<RunRecord> {
  const problems: ReadProblem[] = [];
  const get = <S extends z.ZodType>(file: string, schema: S): Of<S> | null => {
    const found = findJson(directory, file, schema);
    if ('document' in found) return found.document;
    problems.push({ file, message: found.fault });
    return null;
  };

  refuseTooMany(join(directory, SAMPLES));
  const plan = get(PLAN.file, PLAN.schema);
  const manifest = get(MANIFEST.file, MANIFEST.schema);
  const status = get(STATUS.file, STATUS.schema);
  const { samples: found, problems: ofSamples } = readSamples(directory);
  problems.push(...ofSamples);
  if (plan === null && manifest === null && status === null && found.length === 0)
    throw new Error(
      `'run' must be the folder of a run, with plan.json and samples.jsonl in it, got '${directory}'; npx fsxbench list shows the runs`,
    );

  const columns = new SeriesColumns();
  const metrics = jsonFiles(directory, 'metrics', problems).flatMap((file) => {
    const found = readMetrics(directory, file, columns);
    if ('document' in found) return found.document;
    problems.push({ file, message: found.fault });
    return [];
  });
  const ofClients = existsSync(join(directory, CLIENT_METRICS)) ? get(CLIENT_METRICS, clientMetricsSchema) : null;
  const environment = jsonFiles(directory, 'environment', problems).flatMap((file) => {
    const facts = get(file, environmentSchema);
    return facts === null ? [] : [{ node: basename(file, '.json'), facts }];
  });

  const run = status?.run ?? manifest?.run ?? found[0]?.run ?? basename(resolve(directory));
  const { samples, problem } = ownSamples(found, run);
  if (problem !== null) problems.push({ file: SAMPLES, message: problem });
  const raw = await listFiles(directory, 'raw');
  const clientMetrics = ofClients ?? undefined;
  return { run, plan, manifest, status, samples, metrics, clientMetrics, environment, raw, problems };
}

/** @throws by the size of the file, before it is read */
function refuseTooMany(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= MOST_SAMPLES) return;
  throw new Error(
    `the samples '${path}' have ${bytes(size)}, an analysis reads at most ${bytes(MOST_SAMPLES)}: all of them stay as they are; to report a part, copy the run's folder and keep in its ${SAMPLES} the lines of some repeats, e.g. those with "repeat":0`,
  );
}

/** Drops samples of another run, unless all are another run's: then the folder was renamed. */
function ownSamples(found: readonly Sample[], run: string): { samples: readonly Sample[]; problem: string | null } {
  const names = [...new Set(found.map((sample) => sample.run))];
  const own = names.includes(run) ? run : names[0];
  const samples = found.filter((sample) => sample.run === own);
  const others = names.filter((name) => name !== own).slice(0, 3);
  const left = `has ${counted(found.length - samples.length, 'sample')} of another run (${others.join(', ')}), which are left out`;
  const renamed = `has the samples of ${own}, not of ${run}`;
  const faults = [...(own === run || own === undefined ? [] : [renamed]), ...(others.length > 0 ? [left] : [])];
  return { samples, problem: faults.length === 0 ? null : faults.join('; it ') };
}

/** The JSON files of a folder below the run's, in a fixed order; none if it does not exist, or, with a problem, if it cannot be read. */
function jsonFiles(directory: string, below: string, problems: ReadProblem[]): string[] {
  let names: string[] = [];
  try {
    names = readdirSync(join(directory, below));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') problems.push({ file: below, message: `cannot be read (${code})` });
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => `${below}/${name}`);
}

async function listFiles(root: string, below: string): Promise<RawFile[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => []);
  const files: RawFile[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${below}/${entry.name}`;
    if (entry.isDirectory()) files.push(...(await listFiles(root, path)));
    if (!entry.isFile()) continue;
    // A running driver renames its drafts meanwhile.
    const found = await stat(join(root, path)).catch(() => null);
    if (found !== null) files.push({ path, bytes: found.size });
  }
  return files;
}

export interface Session extends RunSession {
  readonly endedAt: string;
}

/** If a session is known only from samples, a gap of this many seconds between two of them ends it. */
const SILENCE_SECONDS = 600;

/** The sessions of a run, in order. @param status `null` if lost: sessions then come from samples, with a lower bound of their duration */
export function sessionsOf(
  status: Pick<RunStatus, 'updatedAt' | 'endedAt' | 'sessions'> | null,
  samples: readonly Sample[],
): Session[] {
  if (status === null) return spansOf(samples);
  const { updatedAt, endedAt, sessions } = status;
  // A killed driver left its last status, without an end.
  return sessions.map((session) => ({ ...session, endedAt: session.endedAt ?? endedAt ?? updatedAt }));
}

/** From the first start to the last end of samples without long gaps. */
function spansOf(samples: readonly Sample[]): Session[] {
  const spans: Session[] = [];
  for (const { startedAt, endedAt } of [...samples].sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))) {
    const span = spans.at(-1);
    if (span === undefined || secondsFrom(span.endedAt, startedAt) > SILENCE_SECONDS)
      spans.push({ startedAt, endedAt });
    else if (Date.parse(endedAt) > Date.parse(span.endedAt)) spans[spans.length - 1] = { ...span, endedAt };
  }
  return spans;
}

/** Seconds within and between sessions; `null` if a time is not a date or runs backwards. */
export interface SessionTimes {
  readonly worked: number | null;
  readonly between: number | null;
}

export function timesOf(sessions: readonly Session[]): SessionTimes {
  const sum = (parts: readonly number[]): number | null =>
    parts.some((part) => !(part >= 0)) ? null : parts.reduce((total, part) => total + part, 0);
  if (sessions.length === 0) return { worked: null, between: null };
  const worked = sessions.map(({ startedAt, endedAt, seconds }) => seconds ?? secondsFrom(startedAt, endedAt));
  const ends = sessions.map(({ endedAt }) => endedAt);
  const between = sessions.slice(1).map(({ startedAt }, index) => secondsFrom(ends[index] ?? '', startedAt));
  return { worked: sum(worked), between: sum(between) };
}

const secondsFrom = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;
