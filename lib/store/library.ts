import { createHash, hash } from 'node:crypto';
import { existsSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { version } from '../../package.json';
import { inside } from '../common/files';
import { type Of, parseJson, readTextOrNull } from '../schema/document';
import { CLIENT_METRICS } from '../schema/metrics';
import { checkedName, name, relativePath } from '../schema/names';
import { type RunFigures, summarySchema } from '../schema/summary';
import type { ResultsStore, StoredFile } from './bucket';
import { documentOrNone, findFile, findJson, findText, linesOf, QUEUE, RUN_FILES, SAMPLES } from './documents';
import { RunFolder } from './folder';
import { prefixOf } from './record';
import { isPrivate } from './upload';

/** A run that can be read: a folder on this computer. */
export interface LocalRun {
  readonly benchmark: string;
  readonly run: string;
  readonly folder: string;
}

/** Path of a run in a local results folder. @throws unless both are names */
export const folderOf = (results: string, benchmark: string, run: string): string =>
  join(results, 'runs', checkedName('benchmark', benchmark), checkedName('run', run));

/** Finds a run by its folder or its id, first on this computer. @returns `null` if this computer does not have it */
export function findLocalRun(text: string, results: string): LocalRun | null {
  const named = name.safeParse(text).success ? foldersIn(join(results, 'runs')) : [];
  const candidates = [resolve(text), ...named.map((benchmark) => folderOf(results, benchmark, text))];
  const folder = candidates.find(holdsRun);
  return folder === undefined ? null : { benchmark: benchmarkIn(folder), run: basename(folder), folder };
}

/** True if a local folder contains a run, the remains of one, or one that waits for its machines. */
export const holdsRun = (folder: string): boolean =>
  [...RUN_FILES, QUEUE.file].some((file) => existsSync(join(folder, file)));

const ofBenchmark = z.object({ benchmark: name });

/** The benchmark from the first readable file, else from the name of the parent folder. */
function benchmarkIn(folder: string): string {
  for (const file of RUN_FILES.filter((one) => one.endsWith('.json'))) {
    const found = findJson(folder, file, ofBenchmark);
    if ('document' in found) return found.document.benchmark;
  }
  return basename(dirname(folder));
}

export function foldersIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((entry) => name.safeParse(entry).success) : [];
  return names.filter((entry) => statSync(join(folder, entry), { throwIfNoEntry: false })?.isDirectory()).sort();
}

/**
 * Fetches a run from the store, except raw output that is complete here. If the samples here have lines that the store lacks (a driver here could not
 * upload them), all files stay. @throws if the store has no such run, or a key that is not a valid file of it: then nothing is written
 */
export async function fetchRun(store: ResultsStore, benchmark: string, run: string, results: string) {
  const prefix = `${prefixOf({ benchmark, run })}/`;
  const folder = folderOf(results, benchmark, run);
  const files = await store.list(prefix);
  if (files.length === 0)
    throw new Error(`${store.describe} has no run ${run} of ${benchmark}: npx fsxbench list shows all runs`);
  const wanted = files
    .map(({ key, size }) => ({ key, size, path: key.slice(prefix.length) }))
    .filter(({ path }) => !isPrivate(path));
  for (const { key, path } of wanted) {
    if (relativePath.safeParse(path).success) continue;
    throw new Error(
      `${store.describe} holds ${JSON.stringify(key)}, which is not a file of a run: nothing was fetched; find out who wrote it, and remove it`,
    );
  }
  for (const { path } of wanted) inside(folder, path);
  const samples = wanted.find(({ path }) => path === SAMPLES);
  const isAhead = existsSync(join(folder, SAMPLES)) && !(await takeSamples(folder, store, samples));
  for (const { key, size, path } of wanted) {
    const file = inside(folder, path);
    const here = statSync(file, { throwIfNoEntry: false });
    if (here && (isAhead || path === SAMPLES || (path.endsWith('.out') && here.size >= size))) continue;
    await store.download(key, file, { min: growing(path) ? size : 0 });
  }
  return { benchmark, run, folder };
}

/** True for files that are only added to; another may be replaced by a shorter one after it was listed. */
const growing = (path: string): boolean => /\.(out|jsonl)$/.test(path);

/** Replaces the samples in a folder by those of the store. @returns false if they have a line that those of the store lack, and stay */
async function takeSamples(folder: string, store: ResultsStore, samples: StoredFile | undefined): Promise<boolean> {
  if (samples === undefined) return !hasOthers(folder, new Set());
  let lacks = false;
  const accept = (draft: string): boolean => {
    const there = findFile(dirname(draft), basename(draft), (file) => {
      const marks = new Set<string>();
      for (const line of linesOf(file)) marks.add(markOf(line));
      return marks;
    });
    lacks = 'document' in there && hasOthers(folder, there.document);
    return !lacks;
  };
  await store.download(samples.key, join(folder, SAMPLES), { min: samples.size, accept });
  return !lacks;
}

/** True if the samples in a folder have a line besides the known ones; one that was cut off does not count. */
function hasOthers(folder: string, known: ReadonlySet<string>): boolean {
  const found = findFile(folder, SAMPLES, (file) => {
    for (const line of linesOf(file)) if (!known.has(markOf(line)) && parseJson(line) !== undefined) return true;
    return false;
  });
  return documentOrNone(found) ?? false;
}

/** Short enough to keep one of each of millions of lines. */
const markOf = (line: string): string => hash('sha1', line, 'base64').slice(0, 16);

/** The benchmark of a run id in the store. @throws if the store lacks the run */
export async function benchmarkOf(store: ResultsStore, run: string): Promise<string> {
  for (const { key } of await store.list('runs/')) {
    const [, benchmark = '', found] = key.split('/');
    if (found === run && name.safeParse(benchmark).success) return benchmark;
  }
  throw new Error(
    `there is no run '${run}' on this computer or in ${store.describe}: npx fsxbench list shows all runs`,
  );
}

/** Figures of a run that its report saves, below the run's folder. */
export const KEPT = 'report/summary.json';

/** Folders below a run's whose JSON files decide figures. */
export const INPUT_FOLDERS = ['metrics', 'environment'] as const;

/** SHA-256 of each file that figures are made from, by its path below the run. */
export type Inputs = Of<typeof summarySchema>['inputs'];

/** The inputs of a run in a local folder. A file of the same size and time may have another content. */
export function inputsOf(folder: string): Inputs {
  const below = (name: string): string[] =>
    existsSync(join(folder, name)) ? readdirSync(join(folder, name)).map((file) => `${name}/${file}`) : [];
  const documents = INPUT_FOLDERS.flatMap(below).filter((path) => path.endsWith('.json'));
  const paths = [...RUN_FILES, ...documents, CLIENT_METRICS].sort();
  return Object.fromEntries(
    paths.flatMap((path) => {
      if (!existsSync(join(folder, path))) return [];
      const found = findFile(folder, path, sha256Of);
      return [[path, 'document' in found ? found.document : found.fault]];
    }),
  );
}

const PIECE_BYTES = 2 ** 20;

function sha256Of(file: number): string {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) hash.update(piece.subarray(0, read));
  return hash.digest('hex');
}

/** Figures from this fsxbench version's report, if `isCurrent` accepts their inputs; `null` for others, whose rules may differ. */
export function readKept(content: string, isCurrent: (inputs: Inputs) => boolean): RunFigures | null {
  const kept = readTextOrNull(summarySchema, content);
  if (kept?.fsxbench !== version || !isCurrent(kept.inputs)) return null;
  const { fsxbench: _, inputs: __, ...figures } = kept;
  return figures;
}

/** The figures that are kept in a run's folder, if they are still those of the run. */
export function keptIn(folder: string): RunFigures | null {
  const text = documentOrNone(findText(folder, KEPT));
  return text === null ? null : readKept(text, (inputs) => isDeepStrictEqual(inputs, inputsOf(folder)));
}

/** Keeps the figures next to the report, whole or not at all; the path. `inputs` as they were before the run was read. */
export const keep = (folder: string, figures: RunFigures, inputs: Inputs): string =>
  new RunFolder(folder).write(KEPT, `${JSON.stringify({ ...figures, fsxbench: version, inputs })}\n`);
