import { realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { convergedTasks } from '../../analysis/converged';
import type { Benchmark } from '../../benchmark/benchmark';
import { labFleet } from '../../benchmark/lab';
import { PLAN_SCALES } from '../../benchmark/plan';
import { remove } from '../../common/files';
import { thisMachine } from '../../fleet/common/thisMachine';
import { deployedFleet } from '../../fleet/registry';
import { defaultPlan } from '../../plan/plan';
import {
  describeMount,
  filesystemOf,
  mountedAs,
  mountedAt,
  requirePlainPath,
  requireWholePaths,
} from '../../run/clients/directory';
import { toolVersions } from '../../run/clients/tools';
import { DATA_ROOT, dataLeftBelow } from '../../run/dataLeft';
import type { ConvergedBy } from '../../run/driver/interim';
import { driverOf, nameOf } from '../../run/driver/lock';
import { runSession } from '../../run/driver/session';
import { localManifest } from '../../run/manifest';
import { releaseIn } from '../../run/release';
import { keepStart, recordsHere, sha256, startedHere, startedPlan } from '../../run/started';
import type { ClientConfig } from '../../schema/client';
import type { Plan } from '../../schema/plan';
import type { Manifest, RunStatus } from '../../schema/run';
import { filesystemNamed } from '../../storage/filesystems';
import { LOCAL_KIND } from '../../storage/registry';
import { QUEUE, readManifest } from '../../store/documents';
import { RunFolder } from '../../store/folder';
import { findLocalRun, folderOf } from '../../store/library';
import { type CliContext, documentText, Unsuccessful, UsageError, usage } from '../context';
import { localEnvironment } from '../input/environment';
import { abortable } from '../input/interrupt';
import { word } from '../input/quantity';
import { chosenPlan, planAs } from '../plan';
import { makeProgress } from '../render/progress';
import { renderIssues } from '../render/renderPlan';
import { type RunOptions, type StartedRun, writableDirectory } from './arguments';
import { clientAnew, RESERVED } from './machines';
import { otherTool, toolSettings } from './tools';

export interface LocallyDriven {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly client: ClientConfig;
}

/** The clients of a run that this process drives, with the directory of each arm. @param machines instead of this one */
export function localClient(
  context: CliContext,
  directories: ReadonlyMap<string, string>,
  tools: ClientConfig['tools'],
  { machines, home = join(context.root, 'assets', 'client'), session }: Partial<ClientConfig> = {},
): ClientConfig {
  const arms = [...directories].map(([arm, mountPoint]) => {
    const [filesystem, actually] = [filesystemOf(mountPoint), describeMount(mountPoint)];
    return [arm, { mountPoint, filesystem, actually, ...mountedAt(mountPoint) }];
  });
  return {
    schema: 'fsxbench.client/1',
    ...(machines === undefined
      ? { launch: thisMachine.name }
      : { launch: deployedFleet(machines.option).launcher.name, machines, boots: false }),
    session,
    user: null,
    home,
    networkCidr: null,
    arms: Object.fromEntries(arms),
    tools,
  };
}

/** Saves a local run's plan and manifest in its folder, and records that this computer started it. @throws Unsuccessful if the plan has an error */
export async function keepLocalRun(
  context: CliContext,
  results: string,
  { plan, client, ...local }: { readonly plan: Plan; readonly manifest: Manifest; readonly client: ClientConfig },
): Promise<LocallyDriven> {
  refuseErrors(plan);
  usage(() => requirePlainPath('--results', resolve(results)));
  usage(() => requireWholePaths(plan, client));
  await refuseSecondRun(context, client);
  const manifest = { ...local.manifest, fsxbench: await releaseIn(context.root) };
  const { benchmark } = plan;
  const { run } = manifest;
  const path = folderOf(results, benchmark, run);
  const folder = new RunFolder(path);
  for (const [name, content] of Object.entries({ plan, manifest, client }))
    folder.write(`${name}.json`, documentText(content));
  const planSha256 = sha256(documentText(plan));
  const record = { schema: 'fsxbench.start/1', benchmark, run, planSha256, stack: null, client } as const;
  await keepStart(context.environment, { ...record, folder: resolve(path) });
  return { folder: path, manifest, client };
}

/** One directory, one run at a time. @throws Unsuccessful naming the run of this user that is running there */
async function refuseSecondRun({ environment }: CliContext, { arms }: ClientConfig, own: string | null = null) {
  const directories = new Set(Object.values(arms).map(({ mountPoint }) => mountPoint));
  // At once: a driver on another machine is watched for some seconds.
  const refusals = recordsHere(environment).map(async ({ run, folder, client }) => {
    const shared = Object.values(client?.arms ?? {}).find(({ mountPoint }) => directories.has(mountPoint));
    if (shared === undefined || folder === undefined || folder === own) return;
    const driver = await driverOf(folder);
    if (driver === null) return;
    throw new Unsuccessful(
      `the run ${run} is still running in ${shared.mountPoint} (${nameOf(driver)}), and two at once would distort each other's results: wait until it ends, or interrupt it with kill ${driver.pid}`,
    );
  });
  await Promise.all(refusals);
}

/** @throws Unsuccessful with the issues that block the plan */
export function refuseErrors({ issues, steps }: Plan): void {
  const stop = issues.filter(({ severity }) => severity === 'error');
  if (stop.length === 0) return;
  const actions = steps.flatMap(({ tasks }) => tasks.map(({ action }) => action));
  const own = actions.some((action) => action.kind === 'workload' && action.program !== undefined);
  const ids = [...new Set(stop.map(({ id }) => `--allow ${id}`))].join(' ');
  const way = own ? `\nTo run your program all the same, with this in the report: ${ids}` : '';
  throw new Unsuccessful(`refusing to run this plan:\n${renderIssues(stop)}${way}`);
}

/** A local run of this computer's record, with its directories and plan. @throws UsageError without one, or if the plan has changed */
export function reopenLocalRun(context: CliContext, run: string, results: string): LocallyDriven {
  const found = findLocalRun(run, results);
  if (!found) throw new UsageError(`there is no run '${run}' in ${results}: npx fsxbench list --here lists them`);
  const record = startedHere(context.environment, found);
  if (record === null || record.client === null) throw new UsageError(notStartedHere(found.run));
  usage(() => startedPlan(found.folder, record));
  const manifest = readManifest(found.folder);
  if (manifest.run !== found.run)
    throw new UsageError(
      `'${join(found.folder, 'manifest.json')}' must be the manifest of ${found.run}, got that of ${manifest.run}`,
    );
  return { folder: found.folder, manifest, client: record.client };
}

export function notStartedHere(run: string): string {
  return `cannot resume ${run}: neither this computer nor the results bucket has a record that this user started it; resume it on the computer that started it, or start a new run`;
}

export function drivenHere(context: CliContext, prepared: LocallyDriven): StartedRun {
  const { folder, manifest } = prepared;
  context.err(`run ${manifest.run} in ${folder}\n`);
  return { run: manifest.run, manifest, follow: () => driveLocally(context, prepared) };
}

/** Drives a local run to its end, with progress; Ctrl-C interrupts it cleanly. */
async function driveLocally(context: CliContext, { folder, manifest, client }: LocallyDriven): Promise<RunStatus> {
  await refuseSecondRun(context, client, resolve(folder));
  const progress = makeProgress(context);
  const onStatus = (changed: RunStatus): void => progress.show(changed);
  const converged: ConvergedBy = (...measured) => convergedTasks(...measured, manifest);
  const work = async (abort: AbortSignal): Promise<RunStatus> => {
    const { status } = await runSession({ folder, client, abort, onStatus, converged });
    if (status.state === 'interrupted' && client.machines !== undefined) await removeData(context, status.run, client);
    return status;
  };
  try {
    return await abortable(work);
  } finally {
    progress.stop();
  }
}

/** Other people's machines are left as they were; a run that is resumed there writes the data of its unfinished unit again. */
async function removeData(context: CliContext, run: string, { home, arms }: ClientConfig): Promise<void> {
  const roots = new Set(Object.values(arms).map(({ mountPoint }) => mountPoint));
  const left = [...roots].flatMap(dataLeftBelow).filter((data) => data.run === run);
  for (const { root, path, identity } of left) {
    const refused = await remove(home, root, [`${DATA_ROOT}/${run}`], identity);
    if (refused !== null) context.err(`${path} could not be removed (${refused}): rm -r it\n`);
  }
}

/** True if this computer started the run and drives it itself, by its own record; the run's folder is not trusted. */
export function isLocalRun(context: CliContext, run: string, results: string): boolean {
  const found = findLocalRun(run, results);
  return found !== null && (startedHere(context.environment, found)?.client ?? null) !== null;
}

/** Parses `none=/mnt/a`. @throws UsageError naming the text and what is wrong with it */
function parseDirectories(texts: readonly string[]): Map<string, string> {
  const directories = new Map<string, string>();
  for (const text of texts) {
    const [, arm, path] = /^([a-z][a-z0-9-]*)=(.+)$/.exec(text) ?? [];
    if (!arm || !path)
      throw new UsageError(`--local takes arm=directory, such as none=/mnt/a lz4=/mnt/b, got '${text}'`);
    if (directories.has(arm)) throw new UsageError(`--local names the arm '${arm}' twice`);
    const directory = writableDirectory(`--local ${arm}`, path);
    const duplicate = [...directories].find(([, other]) => realpathSync(other) === realpathSync(directory))?.[0];
    // Two arms in one directory would overwrite each other's files.
    if (duplicate)
      throw new UsageError(
        `--local ${arm}: ${path} is also the directory of '${duplicate}': use one directory per arm`,
      );
    directories.set(arm, directory);
  }
  if (directories.size < 2)
    throw new UsageError(
      `--local needs at least two directories, got ${directories.size}; npx fsxbench run --on DIRECTORY measures one`,
    );
  return directories;
}

export async function resumeLocal(context: CliContext, run: string, results: string): Promise<StartedRun> {
  const prepared = reopenLocalRun(context, run, results);
  // Its job is no longer what drives it.
  if (context.environment[RESERVED] !== run) rmSync(join(prepared.folder, QUEUE.file), { force: true });
  return drivenHere(context, { ...prepared, client: await clientAnew(context, prepared.client) });
}

export async function startLocal(context: CliContext, definition: Benchmark, options: RunOptions): Promise<StartedRun> {
  const directories = parseDirectories(options.local ?? []);
  const tools = await toolVersions(context.environment);
  const client = localClient(context, directories, tools, { session: options.session });
  const plan = planFor(definition, client, options);
  const why = otherTool(tools, chosenPlan(definition, options), options.set);
  if (why !== null) context.err(`${why}\n`);
  const manifest = localManifest(plan, client, { notices: [noticeOf(client)] });
  return drivenHere(context, await keepLocalRun(context, options.results, { plan, manifest, client }));
}

/** Describes the directories: a network mount may well be Amazon's. */
const noticeOf = ({ arms }: ClientConfig): string =>
  Object.values(arms).some(({ filesystem }) => filesystemNamed(filesystem).remote === true)
    ? 'This run compared directories of file systems mounted on one computer. Their configuration and cost are unknown.'
    : 'This run compared directories on one computer; Amazon FSx was not involved.';

function planFor(definition: Benchmark, client: ClientConfig, options: RunOptions): Plan {
  const chosen = chosenPlan(definition, options);
  const arms = Object.entries(client.arms).map(([name, arm]) => ({
    name,
    description: arm.actually,
    configuration: { kind: LOCAL_KIND },
  }));
  return planAs(definition, options, {
    plan: chosen.name,
    scale: word('scale', options.scale ?? 'lab', PLAN_SCALES),
    arms,
    fleet: labFleet(definition),
    set: [...toolSettings(client.tools, chosen, defaultPlan(definition).name), ...options.set],
    hourlyUsd: 0,
    mountedAs: mountedAs(client),
    environment: localEnvironment(Object.values(client.arms).map((arm) => arm.mountPoint)),
  });
}
