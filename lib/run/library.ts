import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plan } from '../model/plan';
import type { Manifest, RunStatus } from '../model/run';
import type { ResultsStore } from './store';

/** A run that can be read: a folder on this machine. */
export interface LocalRun {
  readonly benchmark: string;
  readonly run: string;
  readonly folder: string;
}

/** Where runs lie below a results folder of this machine. */
export function folderOf(results: string, benchmark: string, run: string): string {
  return join(results, 'runs', benchmark, run);
}

/**
 * Finds a run by its folder or its id, first on this machine.
 *
 * @returns `null` when this machine does not have it
 */
export function findLocalRun(text: string, results: string): LocalRun | null {
  const candidates = [resolve(text), ...benchmarksIn(results).map((benchmark) => folderOf(results, benchmark, text))];
  const folder = candidates.find(holdsRun);
  if (!folder) return null;
  return { benchmark: benchmarkIn(folder), run: basename(folder), folder };
}

/** Files that make a folder the folder of a run: what is left of a damaged one can still be read. */
const OF_A_RUN = ['plan.json', 'manifest.json', 'status.json', 'samples.jsonl'];

/** Whether a folder of this machine holds a run, or what is left of one. */
export function holdsRun(folder: string): boolean {
  return OF_A_RUN.some((name) => existsSync(join(folder, name)));
}

/** As the first file says that can be read; else as the folder above, where runs of one benchmark lie. */
function benchmarkIn(folder: string): string {
  for (const name of OF_A_RUN.filter((one) => one.endsWith('.json'))) {
    try {
      const { benchmark } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { benchmark?: unknown };
      if (typeof benchmark === 'string') return benchmark;
    } catch {
      // The next one may know.
    }
  }
  return basename(dirname(folder));
}

function benchmarksIn(results: string): string[] {
  return foldersIn(join(results, 'runs'));
}

/** Names of the folders in a folder, sorted; none when there is no such folder. Programs leave files of their own everywhere. */
export function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory())
    .sort();
}

function record(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Error('it holds no object');
}

/** @throws when a text is not what a driver writes */
export function statusFrom(text: string): RunStatus {
  const status = record(text);
  if (typeof status.state !== 'string') throw new Error("it has no 'state'");
  return status as unknown as RunStatus;
}

/** What the driver last said, in a folder of this machine; `null` before its first word. @throws when that cannot be read */
export function readStatus(folder: string): RunStatus | null {
  const path = join(folder, 'status.json');
  if (!existsSync(path)) return null;
  try {
    return statusFrom(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(
      `'${path}' must say how the run fares, and cannot be read (${(error as Error).message}): bring it back from the results bucket, or remove it; report and list do without it`,
    );
  }
}

/**
 * Brings a run from the store to this machine; what is already here in the same size is not fetched again, but for what grows.
 *
 * @throws when the store has no such run
 */
export async function fetchRun(
  store: ResultsStore,
  benchmark: string,
  run: string,
  results: string,
): Promise<LocalRun> {
  const prefix = `runs/${benchmark}/${run}/`;
  const folder = folderOf(results, benchmark, run);
  const files = await store.list(prefix);
  if (files.length === 0)
    throw new Error(`${store.describe} has no run ${run} of ${benchmark}: 'npx fsxbench list' names them`);
  for (const { key, size } of files) {
    const path = join(folder, key.slice(prefix.length));
    if (key.endsWith('.out') && existsSync(path) && readFileSync(path).length === size) continue;
    const body = await store.get(key);
    if (!body) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, body);
  }
  return { benchmark, run, folder };
}

/** The benchmark of a run id in the store. @throws when there is none */
export async function benchmarkOf(store: ResultsStore, run: string): Promise<string> {
  const found = (await store.list('runs/')).find(({ key }) => key.split('/')[2] === run);
  if (!found) throw new Error(`there is no run '${run}' here or in ${store.describe}: 'npx fsxbench list' names them`);
  return found.key.split('/')[1] as string;
}

/** @throws when the folder has none, or it cannot be read */
export function readPlan(folder: string): Plan {
  const path = join(folder, 'plan.json');
  try {
    const plan = record(readFileSync(path, 'utf8'));
    if (!Array.isArray(plan.steps)) throw new Error("it has no 'steps'");
    return plan as unknown as Plan;
  } catch (error) {
    throw new Error(
      `'${path}' must say what is to be done, and cannot be read (${(error as Error).message}): bring it back from the results bucket`,
    );
  }
}

/** @throws when the folder has none, or it cannot be read */
export function readManifest(folder: string): Manifest {
  const path = join(folder, 'manifest.json');
  try {
    const manifest = record(readFileSync(path, 'utf8'));
    const { clients } = (manifest.fleet ?? {}) as { clients?: unknown };
    if (!Array.isArray(clients)) throw new Error("it has no 'fleet' with 'clients'");
    return manifest as unknown as Manifest;
  } catch (error) {
    throw new Error(
      `'${path}' must say what was deployed, and cannot be read (${(error as Error).message}): bring it back from the results bucket; report and list do without it`,
    );
  }
}
