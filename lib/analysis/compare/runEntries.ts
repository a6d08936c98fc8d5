import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { chunks } from '../../common/collections';
import { readTextOrNull } from '../../schema/document';
import { CLIENT_METRICS } from '../../schema/metrics';
import type { RunStatus } from '../../schema/run';
import type { RunFigures } from '../../schema/summary';
import type { BrowsableStore, DatedFile } from '../../store/bucket';
import { RUN_FILES, SAMPLES, STATUS, statusOrNone } from '../../store/documents';
import {
  folderOf,
  foldersIn,
  holdsRun,
  INPUT_FOLDERS,
  type Inputs,
  inputsOf,
  KEPT,
  keep,
  keptIn,
  readKept,
} from '../../store/library';
import type { RunReference } from '../../store/record';

/** A run of the bucket or of this computer. */
export type RunEntry = Awaited<ReturnType<typeof entryOf>>;

export type Analyse = (folder: string) => Promise<RunFigures>;

interface Place {
  readonly status: RunStatus | null;
  readonly figures: RunFigures | null;
}

interface Here extends Place {
  readonly folder: string;
}

/** All runs of store and computer, oldest first, with kept figures. @param analyse makes missing ones of ended runs here. @default - these have a reason */
export async function listRuns(
  results: string,
  store: BrowsableStore | null,
  analyse: Analyse | null = null,
): Promise<RunEntry[]> {
  const here = runsHere(results);
  const there = store === null ? new Map<string, Place>() : await runsIn(store);
  const entries: RunEntry[] = [];
  for (const key of new Set([...here.keys(), ...there.keys()])) {
    const [benchmark = '', run = ''] = key.split('/');
    entries.push(await entryOf({ benchmark, run }, here.get(key), there.get(key), analyse));
  }
  return entries.sort(byTime);
}

/** Sorts by start. Ids begin with the time and replace an unknown start. */
function byTime(a: RunEntry, b: RunEntry): number {
  const time = ({ startedAt, run }: RunEntry): string => `${startedAt?.replace(/[-:]|\.\d+/g, '') ?? run} ${run}`;
  return time(a) < time(b) ? -1 : 1;
}

async function entryOf(
  { benchmark, run }: RunReference,
  here: Here | undefined,
  there: Place | undefined,
  analyse: Analyse | null,
) {
  // The bucket is where the driver writes; a copy can be older.
  const status = there?.status ?? here?.status ?? null;
  const isCurrent = here !== undefined && here.status?.updatedAt === status?.updatedAt;
  const kept = (isCurrent ? here.figures : null) ?? there?.figures ?? null;
  // A run with samples was started, even if no record of its end is left.
  const measured =
    here !== undefined && (statSync(join(here.folder, SAMPLES), { throwIfNoEntry: false })?.size ?? 0) > 0;
  const state: RunStatus['state'] | 'planned' = status?.state ?? (measured ? 'interrupted' : 'planned');
  const ended = state === 'done' || state === 'failed' || state === 'interrupted';
  const made = kept ?? (isCurrent && ended && analyse ? await tryAnalyse(here, analyse) : null);
  // A run is known by the name of its folder, which may have been renamed.
  const [figures, error] = made instanceof Error ? [null, made] : [made && { ...made, run }, null];
  const page = here ? join(here.folder, 'report', 'index.html') : null;
  return {
    benchmark,
    run,
    where: here ? (there ? ('both' as const) : ('here' as const)) : ('bucket' as const),
    state,
    startedAt: status?.startedAt ?? null,
    stepsDone: status?.stepsDone ?? null,
    stepsTotal: status?.stepsTotal ?? null,
    figures,
    /** Why there are no figures, and the command that mends it. */
    ...(figures ? { reason: null, next: null } : missing(run, state, error, there !== undefined)),
    folder: here?.folder ?? null,
    report: page !== null && existsSync(page) ? page : null,
  };
}

function missing(run: string, state: RunStatus['state'] | 'planned', error: Error | null, inBucket: boolean) {
  if (state === 'planned' || state === 'starting' || state === 'running')
    return { reason: `it has not ${state === 'planned' ? 'started' : 'ended'}`, next: `npx fsxbench watch ${run}` };
  const next = `npx fsxbench report ${run}${inBucket ? ' --upload' : ''}`;
  return { reason: error === null ? 'not yet reported' : `it cannot be analysed: ${error.message}`, next };
}

async function tryAnalyse({ folder }: Here, analyse: Analyse): Promise<RunFigures | Error> {
  try {
    const inputs = inputsOf(folder);
    const figures = await analyse(folder);
    try {
      keep(folder, figures, inputs);
    } catch {
      // A folder that cannot be written to is analysed again next time.
    }
    return figures;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function runsHere(results: string): Map<string, Here> {
  const found = new Map<string, Here>();
  for (const benchmark of foldersIn(join(results, 'runs')))
    for (const run of foldersIn(join(results, 'runs', benchmark))) {
      const folder = folderOf(results, benchmark, run);
      if (!holdsRun(folder)) continue;
      found.set(`${benchmark}/${run}`, { folder, status: statusOrNone(folder), figures: keptIn(folder) });
    }
  return found;
}

/** Runs of a bucket that are read at the same time. */
const AT_ONCE = 16;

async function runsIn(store: BrowsableStore): Promise<Map<string, Place>> {
  const prefixes: string[] = [];
  for (const benchmark of (await store.browse('runs/')).folders)
    prefixes.push(...(await store.browse(benchmark)).folders);
  const found = new Map<string, Place>();
  for (const part of chunks(prefixes, AT_ONCE)) {
    const places = await Promise.all(part.map((prefix) => placeIn(store, prefix)));
    for (const [index, place] of places.entries())
      if (place !== null) found.set((part[index] as string).split('/').slice(1, 3).join('/'), place);
  }
  return found;
}

async function placeIn(store: BrowsableStore, prefix: string): Promise<Place | null> {
  const { files, folders } = await store.browse(prefix);
  if (!files.some(({ key }) => RUN_FILES.includes(basename(key)))) return null;
  const read = async (path: string): Promise<string | null> =>
    (await store.get(`${prefix}${path}`))?.toString('utf8') ?? null;
  const below = async (folder: string): Promise<DatedFile[]> =>
    folders.includes(`${prefix}${folder.split('/')[0]}/`) ? (await store.browse(`${prefix}${folder}/`)).files : [];
  const [status, reports, ...inputs] = await Promise.all([
    read(STATUS.file),
    below(dirname(KEPT)),
    // Those of the clients have their own folder: an arm may have any name.
    ...[...INPUT_FOLDERS, dirname(CLIENT_METRICS)].map(below),
  ]);
  const used = [
    ...files.filter(({ key }) => RUN_FILES.includes(basename(key))),
    ...inputs.flat().filter(({ key }) => key.endsWith('.json')),
  ];
  const report = reports.find(({ key }) => key === `${prefix}${KEPT}`);
  // Their content would have to be fetched to be compared.
  const isCurrent = (inputs: Inputs): boolean =>
    used.length === Object.keys(inputs).length &&
    used.every(({ key, modified }) => key.slice(prefix.length) in inputs && modified <= (report?.modified ?? 0));
  const kept = report === undefined ? null : await read(KEPT);
  return {
    status: status === null ? null : readTextOrNull(STATUS.schema, status),
    figures: kept === null ? null : readKept(kept, isCurrent),
  };
}
