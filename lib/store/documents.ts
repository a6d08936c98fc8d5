import { closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { inside } from '../common/inside';
import { linePieces, linesIn } from '../common/linePieces';
import { readWhole } from '../common/readWhole';
import { type Of, parseJson, read } from '../schema/document';
import { type DashboardMetricsFile, dashboardMetricsSchema } from '../schema/metrics';
import { queueSchema } from '../schema/queue';
import { type Manifest, manifestSchema, type RunStatus, statusSchema } from '../schema/run';
import { parseSamples, type SamplesRead } from './parseSamples';

/** A document of a run, with its schema and the next step if it cannot be read. */
export interface StoredDocument<S extends z.ZodType> {
  readonly name: string;
  readonly file: string;
  readonly schema: S;
  readonly next: string;
}

/** The next step for a document of a run that cannot be read. */
export const RESTORE = 'restore it from the results bucket';

/** Read by lib/store/runnablePlan.ts, which knows every tool and storage. */
export const PLAN_FILE = 'plan.json';
export const MANIFEST = {
  name: 'manifest',
  file: 'manifest.json',
  schema: manifestSchema,
  next: `${RESTORE}; report and list work without it`,
};
export const STATUS = {
  name: 'status',
  file: 'status.json',
  schema: statusSchema,
  next: `${RESTORE}, or remove it; report and list work without it`,
};
/** Record of the scheduler's job, where the driver is one. */
export const QUEUE = { file: 'queue.json', schema: queueSchema };
export const SAMPLES = 'samples.jsonl';

/** The files that make a folder a run, even a damaged one. They decide what its report says. */
export const RUN_FILES: readonly string[] = [PLAN_FILE, MANIFEST.file, STATUS.file, SAMPLES];

/** The metrics that a run's dashboard showed, below the run's folder. */
export const DASHBOARD_METRICS = 'metrics/dashboard/series.json';

/** A document, or what is wrong with its file, such as `is missing`. */
export type FoundFile<T> = { readonly document: T } | { readonly fault: string };

/** A JSON file below a run's folder. */
export function findJson<S extends z.ZodType>(folder: string, file: string, schema: S): FoundFile<Of<S>> {
  const text = findText(folder, file);
  if ('fault' in text) return text;
  const parsed = parseJson(text.document);
  if (parsed === undefined) return { fault: 'is not JSON' };
  const found = read(schema, parsed);
  return 'document' in found ? found : { fault: `does not have the expected form${found.fault}` };
}

/** A text file below a run's folder, never read through a link, nor if it is larger than a document may be. */
export const findText = (folder: string, file: string): FoundFile<string> =>
  findFile(folder, file, (opened) => readWhole(opened));

/** Opens a file and hands it to `use`. Somebody may have put a pipe in its place, whose end never comes. */
export function findFile<T>(folder: string, file: string, use: (opened: number) => T): FoundFile<T> {
  let opened: number | null = null;
  try {
    opened = openSync(inside(folder, file), constants.O_RDONLY | constants.O_NONBLOCK);
    const kind = fstatSync(opened);
    if (!kind.isFile() && !kind.isDirectory()) return { fault: 'cannot be read (it is no regular file)' };
    return { document: use(opened) };
  } catch (error) {
    if (error instanceof RangeError) return { fault: `cannot be read (${error.message})` };
    const code = (error as NodeJS.ErrnoException).code ?? 'it is a link, or not below the run';
    return { fault: code === 'ENOENT' ? 'is missing' : `cannot be read (${code})` };
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

/** @throws if the folder has none, or it cannot be read */
export const readManifest = (folder: string): Manifest => required(folder, MANIFEST);

/** The driver's latest status; `null` before its first. @throws if it cannot be read */
export const readStatus = (folder: string): RunStatus | null =>
  existsSync(join(folder, STATUS.file)) ? required(folder, STATUS) : null;

/** The driver's latest status; `null` if there is none, or it is damaged. */
export function statusOrNone(folder: string): RunStatus | null {
  const found = findJson(folder, STATUS.file, STATUS.schema);
  return 'document' in found ? found.document : null;
}

/** @throws if the folder has none, or it cannot be read */
export function required<S extends z.ZodType>(folder: string, { name, file, schema, next }: StoredDocument<S>): Of<S> {
  const found = findJson(folder, file, schema);
  if ('document' in found) return found.document;
  throw new Error(`cannot read the run's ${name} '${join(folder, file)}' (it ${found.fault}): ${next}`);
}

/** Bytes of the samples that are in memory as text: the file may be longer than a string can be. */
const PART = 2 ** 20;

/** The lines of an open file; the last one is empty if every line was written to its end. */
export function* linesOf(file: number): Generator<string> {
  let whole = true;
  for (const piece of linePieces(file, fstatSync(file).size, PART)) {
    yield* linesIn(piece);
    whole = piece.at(-1) === 0x0a;
  }
  if (whole) yield '';
}

/** Every complete sample of a run, and what is wrong with the file. */
export function readSamples(folder: string): SamplesRead {
  const found = findFile(folder, SAMPLES, (file) => parseSamples(linesOf(file)));
  return 'document' in found ? found.document : { samples: [], problems: [{ file: SAMPLES, message: found.fault }] };
}

/**
 * The samples on which a driver builds, and the lines that it leaves out: unreadable ones, and those of another run, whose steps may have the
 * same names.
 * @throws if the file cannot be read, or is another run's
 */
export function readOwnSamples(folder: string, run?: string): SamplesRead {
  const path = join(folder, SAMPLES);
  const read = findFile(folder, SAMPLES, (file) => parseSamples(linesOf(file), run));
  if ('fault' in read) {
    if (!existsSync(path)) return { samples: [], problems: [] };
    throw new Error(`cannot read the run's samples '${path}' (it ${read.fault}): ${RESTORE}`);
  }
  const found = read.document;
  if (found.samples.length > 0 || found.others.length === 0) return found;
  throw new Error(
    `the samples '${path}' are of ${found.others.join(', ')}, none is of ${run}: ${RESTORE}, or remove it to measure everything again`,
  );
}

/** The metrics that a run's dashboard showed; `null` if they were not collected. @throws if they cannot be read */
export function readDashboardMetrics(folder: string): DashboardMetricsFile | null {
  if (!existsSync(join(folder, DASHBOARD_METRICS))) return null;
  const found = findJson(folder, DASHBOARD_METRICS, dashboardMetricsSchema);
  if ('document' in found) return found.document;
  throw new Error(
    `cannot read the metrics of the run's dashboard '${join(folder, DASHBOARD_METRICS)}' (it ${found.fault}): collect them again with npx fsxbench collect`,
  );
}
