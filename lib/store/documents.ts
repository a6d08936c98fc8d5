import { hash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { entryOf } from '../common/collections';
import { inside, readWhole } from '../common/files';
import { counted } from '../common/format/units';
import { linePieces, linesIn } from '../common/linePieces';
import { queueSchema } from '../schema/client';
import { type Of, parseJson, read } from '../schema/document';
import { type DashboardMetricsFile, dashboardMetricsSchema } from '../schema/metrics';
import { type Manifest, manifestSchema, type RunStatus, statusSchema } from '../schema/run';
import { type Sample, sampleSchema } from '../schema/sample';
import type { ReadProblem } from './record';

interface SamplesRead {
  readonly samples: readonly Sample[];
  readonly problems: readonly ReadProblem[];
}

/**
 * The samples of `samples.jsonl`, and its unreadable lines: a killed driver leaves a truncated last one. Identical lines are one sample, since no step
 * measures twice in a millisecond. @param lines the last one is the rest after the last line end
 * @param run leaves out the samples of other runs, of which at most three are returned. @default - all samples
 */
export function parseSamples(
  lines: Iterable<string>,
  run?: string,
): SamplesRead & { readonly others: readonly string[] } {
  const samples: Sample[] = [];
  const seen = new Set<string>();
  const shared = new Map<string, unknown>();
  const others = new Set<string>();
  const faults = new Map<string, number[]>();
  const fault = (what: string, line: number): void => {
    entryOf(faults, what, () => []).push(line);
  };
  let number = 0;
  let torn = false;
  for (const raw of lines) {
    number += 1;
    if (torn) fault('', number - 1);
    torn = false;
    // Editors of other systems may leave a byte order mark, which trim() takes away.
    const line = raw.trim();
    if (line === '') continue;
    const fingerprint = hash('sha1', line, 'base64');
    if (seen.has(fingerprint)) {
      fault(AGAIN, number);
      continue;
    }
    const parsed = parseJson(line);
    if (parsed === undefined) {
      torn = true;
      continue;
    }
    const found = read(sampleSchema, sharing(parsed, shared));
    if ('fault' in found) {
      fault(found.fault, number);
      continue;
    }
    seen.add(fingerprint);
    if (run === undefined || found.document.run === run) samples.push(found.document);
    else {
      others.add(found.document.run);
      fault(FOREIGN, number);
    }
  }
  if (torn) fault(TORN, number);
  const problems = [...faults].map(([what, at]) => ({ file: 'samples.jsonl', message: worded(what, at) }));
  return { samples, problems, others: [...others].slice(0, NAMED) };
}

/** A copy that shares texts and lists with other samples: it takes a third of the memory. */
function sharing(value: unknown, shared: Map<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (typeof field !== 'string' && !Array.isArray(field)) continue;
    const key = typeof field === 'string' ? field : JSON.stringify(field);
    const kept = shared.get(key);
    if (typeof kept === typeof field) fields[name] = kept;
    else shared.set(key, field);
  }
  return value;
}

const AGAIN = 'again';
const TORN = 'torn';
const FOREIGN = 'foreign';
const NAMED = 3;

function worded(what: string, lines: readonly number[]): string {
  const one = lines.length === 1;
  const named = lines.slice(0, NAMED).join(', ');
  const more = lines.length > NAMED ? ` and ${counted(lines.length - NAMED, 'more', 'more')}` : '';
  const which = `${one ? 'line' : 'lines'} ${named}${more}`;
  const left = `${one ? 'is' : 'are'} left out`;
  if (what === TORN) return `${which} was not written to its end and is left out`;
  if (what === FOREIGN) return `${which} ${one ? 'is a sample' : 'are samples'} of another run and ${left}`;
  if (what === AGAIN)
    return `${which} ${one ? 'repeats an earlier line and is' : 'repeat earlier lines and are'} counted once`;
  return `${which} ${one ? 'is not a sample' : 'are not samples'}${what} and ${left}`;
}

/** A document of a run, with its schema and the next step if it cannot be read. */
interface StoredDocument<S extends z.ZodType> {
  readonly name: string;
  readonly file: string;
  readonly schema: S;
  readonly next: string;
}

export const RESTORE = 'restore it from the results bucket';

/** Read by lib/store/record.ts, which knows every tool and storage. */
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
/** Record of the scheduler's job if the driver is one. */
export const QUEUE = { file: 'queue.json', schema: queueSchema };
export const SAMPLES = 'samples.jsonl';

/** The files that make a folder a run, even a damaged one. They decide what its report says. */
export const RUN_FILES: readonly string[] = [PLAN_FILE, MANIFEST.file, STATUS.file, SAMPLES];

export const DASHBOARD_METRICS = 'metrics/dashboard/series.json';

/** A document, or what is wrong with its file, such as `is missing`. */
export type FoundFile<T> = { readonly document: T } | { readonly fault: string };

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
    if (!kind.isFile() && !kind.isDirectory()) return { fault: 'cannot be read (it is not a regular file)' };
    return { document: use(opened) };
  } catch (error) {
    if (error instanceof RangeError) return { fault: `cannot be read (${error.message})` };
    const code = (error as NodeJS.ErrnoException).code ?? 'it is a link, or not below the run';
    return { fault: code === 'ENOENT' ? 'is missing' : `cannot be read (${code})` };
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

/** @throws if it is missing or cannot be read */
export const readManifest = (folder: string): Manifest => required(folder, MANIFEST);

/** The driver's latest status; `null` before its first. @throws if it cannot be read */
export const readStatus = (folder: string): RunStatus | null =>
  existsSync(join(folder, STATUS.file)) ? required(folder, STATUS) : null;

/** The driver's latest status; `null` if it is missing or damaged. */
export const statusOrNone = (folder: string): RunStatus | null =>
  documentOrNone(findJson(folder, STATUS.file, STATUS.schema));

export const documentOrNone = <T>(found: FoundFile<T>): T | null => ('document' in found ? found.document : null);

/** @throws if it is missing or cannot be read */
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

export function readSamples(folder: string): SamplesRead {
  const found = findFile(folder, SAMPLES, (file) => parseSamples(linesOf(file)));
  return 'document' in found ? found.document : { samples: [], problems: [{ file: SAMPLES, message: found.fault }] };
}

/** The samples on which a driver builds, and lines that it leaves out, such as another run's. @throws if the file cannot be read, or is another run's */
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
