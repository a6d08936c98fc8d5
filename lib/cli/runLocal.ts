import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BenchmarkDefinition } from '../benchmark/definition';
import type { ClientConfig } from '../model/deployment';
import type { Plan } from '../model/plan';
import type { Manifest } from '../model/run';
import { PLAN_SCALES } from '../plan/parameters';
import { makePlan, PLAN_NAMES } from '../plan/plan';
import { RunFolder } from '../run/folder';
import { findLocalRun, folderOf, readManifest } from '../run/library';
import { describeMount, filesystemOf } from '../run/mounts';
import { newRunId } from '../run/runner';
import { sit } from '../run/sitting';
import { toolVersions } from '../run/tools';
import { type CliContext, Unsuccessful, UsageError } from './context';
import { LAB_FLEET, oneOf, subjectOf, usage } from './plan';
import { makeProgress } from './progress';
import { renderIssues } from './renderPlan';
import type { RunOptions, StartedRun } from './startedRun';
import { localSurroundings } from './surroundings';
import { toolSettings } from './tools';

/** True when a run id or folder belongs to a run on local directories. */
export function isLocalRun(run: string, results: string): boolean {
  const found = findLocalRun(run, results);
  return found !== null && readManifest(found.folder).arms.every((arm) => arm.kind === 'local');
}

/** `none=/mnt/a` texts. @throws UsageError naming the text and what is wrong with it */
function parseDirectories(texts: readonly string[]): Map<string, string> {
  const directories = new Map<string, string>();
  for (const text of texts) {
    const [, arm, path] = /^([a-z][a-z0-9-]*)=(.+)$/.exec(text) ?? [];
    if (!arm || !path)
      throw new UsageError(`--local takes arm=directory, such as none=/mnt/a lz4=/mnt/b, got '${text}'`);
    if (directories.has(arm)) throw new UsageError(`--local names the arm '${arm}' twice`);
    const directory = resolve(path);
    if (!existsSync(directory) || !statSync(directory).isDirectory())
      throw new UsageError(`--local ${arm}: there is no directory ${directory}`);
    try {
      accessSync(directory, constants.W_OK);
    } catch {
      throw new UsageError(`--local ${arm}: ${directory} is not writable for this user`);
    }
    directories.set(arm, directory);
  }
  if (directories.size < 2) throw new UsageError(`--local compares two directories or more, got ${directories.size}`);
  return directories;
}

/** Starts, or resumes, a run on directories of this machine, in this process. */
export async function startLocal(
  context: CliContext,
  definition: BenchmarkDefinition,
  options: RunOptions,
): Promise<StartedRun> {
  const prepared =
    options.resume === undefined
      ? await prepare(context, definition, options)
      : reopen(options.resume, options.results);
  const { folder, manifest, client } = prepared;
  context.err(`run ${manifest.run} in ${folder}\n`);
  return {
    run: manifest.run,
    manifest,
    follow: async () => {
      const abort = new AbortController();
      const stop = (): void => abort.abort();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
      const progress = makeProgress(context);
      try {
        const { status } = await sit({
          folder,
          client,
          abort: abort.signal,
          onStatus: (changed) => progress.show(changed),
        });
        return status;
      } finally {
        progress.stop();
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeListener(signal, stop);
      }
    },
  };
}

interface Prepared {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly client: ClientConfig;
}

async function prepare(context: CliContext, definition: BenchmarkDefinition, options: RunOptions): Promise<Prepared> {
  const directories = parseDirectories(options.local ?? []);
  const tools = await toolVersions(context.environment);
  const client: ClientConfig = {
    schema: 'fsxbench.client/1',
    launch: 'local',
    user: null,
    home: join(context.root, 'assets', 'client'),
    networkCidr: null,
    arms: Object.fromEntries(
      [...directories].map(([arm, directory]) => [
        arm,
        { mountPoint: directory, filesystem: filesystemOf(directory), actually: describeMount(directory) },
      ]),
    ),
    tools,
  };
  const plan = planFor(definition, client, options);
  const stop = plan.issues.filter((issue) => issue.severity === 'error');
  if (stop.length > 0) throw new Unsuccessful(`this plan would not be run:\n${renderIssues(stop)}`);
  const run = newRunId(plan.plan, new Date());
  const manifest: Manifest = {
    schema: 'fsxbench.manifest/1',
    run,
    benchmark: definition.name,
    lab: false,
    stack: null,
    region: null,
    account: null,
    arms: plan.arms.map(({ name, description }) => ({
      name,
      description,
      kind: 'local',
      fileSystemId: null,
      describe: null,
      hourlyUsd: null,
      hourlyReason: 'a directory of this machine has no list price',
      actually: client.arms[name]?.actually ?? null,
    })),
    fleet: {
      autoScalingGroup: null,
      instanceType: null,
      image: null,
      clients: [],
      hourlyUsd: null,
      hourlyReason: 'this machine',
    },
    bucket: null,
    document: null,
    dashboard: null,
    metricsPeriodSeconds: 60,
    tools,
    notices: ['This run compared directories of one machine; Amazon FSx had no part in it.'],
  };
  const path = folderOf(options.results, definition.name, run);
  const folder = new RunFolder(path);
  folder.write('plan.json', `${JSON.stringify(plan, null, 2)}\n`);
  folder.write('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
  folder.write('client.json', `${JSON.stringify(client, null, 2)}\n`);
  return { folder: path, manifest, client };
}

function planFor(definition: BenchmarkDefinition, client: ClientConfig, options: RunOptions): Plan {
  const arms = Object.entries(client.arms).map(([name, arm]) => ({ name, description: arm.actually }));
  return usage(() =>
    makePlan({
      benchmark: definition.name,
      ...subjectOf(definition),
      plan: oneOf('plan', options.plan, PLAN_NAMES),
      scale: oneOf('scale', options.scale ?? 'lab', PLAN_SCALES),
      arms,
      fleet: LAB_FLEET,
      set: [...toolSettings(client.tools, options.plan, definition.subject), ...options.set],
      hourlyUsd: 0,
      surroundings: localSurroundings(
        Object.values(client.arms).map((arm) => arm.mountPoint),
        false,
      ),
    }),
  );
}

function reopen(run: string, results: string): Prepared {
  const found = findLocalRun(run, results);
  if (!found) throw new UsageError(`there is no run '${run}' below ${results}: 'npx fsxbench list --here' names them`);
  const client = JSON.parse(readFileSync(join(found.folder, 'client.json'), 'utf8')) as ClientConfig;
  return { folder: found.folder, manifest: readManifest(found.folder), client };
}
