import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from '../../benchmark/benchmark';
import { labFleet } from '../../benchmark/lab';
import { PLAN_SCALES } from '../../benchmark/plan';
import { defaultPlan } from '../../plan/plan';
import { mountedAs } from '../../run/clients/directory';
import { toolVersions } from '../../run/clients/tools';
import { localManifest } from '../../run/manifest';
import { startedHere } from '../../run/started';
import type { ClientConfig } from '../../schema/client';
import type { Plan } from '../../schema/plan';
import { filesystemNamed } from '../../storage/filesystems';
import { LOCAL_KIND } from '../../storage/registry';
import { QUEUE } from '../../store/documents';
import { findLocalRun } from '../../store/library';
import { type CliContext, UsageError } from '../context';
import { localEnvironment } from '../input/environment';
import { word } from '../input/quantity';
import { otherTool, toolSettings } from '../input/tools';
import { chosenPlan, planAs } from '../plan';
import type { RunOptions, StartedRun } from './arguments';
import { drivenHere, keepLocalRun, localClient, reopenLocalRun, writableDirectory } from './localRun';
import { clientAnew, RESERVED } from './machines';

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

/** Resumes a run that this computer started, whatever it runs. */
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
