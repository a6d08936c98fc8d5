import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnd } from '../../common/files';
import { launcherOf } from '../../fleet/registry';
import { type ClientConfig, clientSchema } from '../../schema/client';
import { readText, readTextOrNull } from '../../schema/document';
import { environmentSchema } from '../../schema/environment';
import type { Plan } from '../../schema/plan';
import type { Manifest, RunStatus } from '../../schema/run';
import type { ResultsStore } from '../../store/bucket';
import { readManifest, SAMPLES, STATUS } from '../../store/documents';
import { RunFolder } from '../../store/folder';
import { readPlan } from '../../store/record';
import { type FlushOptions, Uploader } from '../../store/upload';
import { releaseIn, workloadNamed } from '../../workload/lookup';
import { armArguments } from '../clients/directory';
import { type AtClients, asRoot, type Clients, onEachClient } from '../clients/launch';
import { endLeftovers, withRunMark } from '../clients/leftovers';
import { documentIn } from '../clients/machines';
import { type Execute, execute as executeForReal, failureOf } from '../clients/process';
import { awaitReady } from '../clients/reach';
import { type DriverOptions, drive } from './driver';
import { acquireLock } from './lock';

/** One session of a driver on a run's folder, which contains `plan.json` and `manifest.json`. */
export interface SessionOptions extends Pick<DriverOptions, 'abort' | 'pause' | 'converged' | 'answering'> {
  readonly folder: string;
  readonly client: ClientConfig;
  /** Permanent store of the folder; absent for a local run. */
  readonly results?: { readonly store: ResultsStore; readonly prefix: string; readonly flush?: FlushOptions };
  /** Environment of the driver, which some launchers read. @default - empty */
  readonly environment?: NodeJS.ProcessEnv;
  /** Called on every change; must not throw. */
  readonly onStatus?: (status: RunStatus) => void;
  readonly execute?: Execute;
}

const DESCRIBE_SECONDS = 60;

export interface SessionResult {
  readonly status: RunStatus;
  /** Why some results are not in the store; `null` if all are, or if there is no store. */
  readonly uploadError: string | null;
}

/** Runs the rest of a run: describes the machines, drives the plan, uploads everything to the store. @throws if another process already does so */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const release = await acquireLock(options.folder);
  return await locked(options).finally(release);
}

async function locked(options: SessionOptions): Promise<SessionResult> {
  const { folder: path, client, results, abort, onStatus, execute = executeForReal } = options;
  const { environment = {}, pause, converged, answering } = options;
  if (results) await recover(path, results.store, results.prefix);
  const folder = new RunFolder(path);
  const plan = readPlan(path);
  const manifest = readManifest(path);
  const clients = { ...clientsOf(client, manifest, plan, environment), mark: path };
  requireTools(plan, client);
  const uploader = results ? new Uploader(path, results.store, results.prefix) : null;

  const at = { clients, folder, execute, abort };
  const ready = (say: (message: string) => Promise<void>) => awaitReady({ ...at, say, pause });

  const status = await drive({
    run: manifest.run,
    plan,
    pause,
    converged,
    answering,
    ...at,
    execute: withRunMark(path, execute),
    ready,
    prepare: async (say, note) => {
      const unready = await ready(say);
      if (unready !== null) return unready;
      const { ended, running, problem } = await endLeftovers(at);
      if (ended.length > 0)
        await note('leftovers', `ended what an earlier session had left behind: ${ended.join(', ')}`);
      if (running.length > 0) await note('other-run', `processes of ${running.join(', ')}, whose driver still works`);
      if (problem !== null) return problem;
      await describeNodes(at);
      return null;
    },
    onChange: (changed) => {
      onStatus?.(changed);
      uploader?.note();
    },
  });
  return { status, uploadError: (await uploader?.finish(results?.flush)) ?? null };
}

/** Fetches earlier measurements, which a replacement leader finds only in the store. */
async function recover(folder: string, store: ResultsStore, prefix: string): Promise<void> {
  if (existsSync(join(folder, SAMPLES))) return;
  // The status has the duration of earlier sessions.
  for (const name of [SAMPLES, STATUS.file]) await store.download(`${prefix}/${name}`, join(folder, name));
}

/** The plan's clients, from their launcher. @throws if there are fewer than planned, since their results are not comparable */
function clientsOf(config: ClientConfig, manifest: Manifest, plan: Plan, environment: NodeJS.ProcessEnv): Clients {
  const groups = plan.arms.length;
  const { peers } = launcherOf(config);
  if (peers === undefined) return { config, addresses: [], groups };
  const addresses = config.machines?.names ?? peers.addresses(manifest.fleet, environment);
  if (addresses.length !== plan.fleet.clients)
    throw new Error(
      `the plan needs ${plan.fleet.clients} clients, the fleet has ${addresses.length}: wait until all are in service, then run it with --resume`,
    );
  return { config, addresses, groups };
}

/** Checks the plan's tools now: the first step would fail only after minutes. @throws naming needed and installed tools, or the unknown one */
function requireTools(plan: Plan, { tools }: ClientConfig): void {
  const there = Object.entries(tools).map(([tool, version]) => `${tool} ${version}`);
  for (const tool of toolsOf(plan)) {
    const found = tools[tool];
    const workload = workloadNamed(tool);
    if (workload.version === undefined) continue;
    const wanted = releaseIn(workload, plan.parameters);
    if (found !== undefined && (wanted ?? found) === found) continue;
    throw new Error(
      `the plan needs ${tool}${wanted === undefined ? '' : ` ${wanted}`}, the clients have ${there.join(', ') || 'no tool'}: make a plan for the installed tools (--set), or deploy what the plan needs`,
    );
  }
}

/** Tools that a plan runs, in the order of its steps. */
export const toolsOf = ({ steps }: Plan): ReadonlySet<string> =>
  new Set(steps.flatMap(({ tasks }) => tasks.flatMap(({ action }) => ('tool' in action ? action.tool : []))));

/** Provenance: saves every node's description as `environment/<node>.json`. A node that does not answer is recorded as such. */
async function describeNodes({ clients, folder, execute, abort }: AtClients): Promise<void> {
  const { config, addresses } = clients;
  // As root, since lctl cannot find parameters in debugfs, such as llite.*.max_cached_mb, as another user.
  const command = [`${config.home}/bin/describe-node`, ...armArguments(config)];
  const launches = onEachClient(clients, 'all', asRoot(clients, command));
  await Promise.all(
    launches.map(async (launch, index) => {
      const node = addresses[index] ?? 'local';
      const outputFile = folder.write(`environment/${node}.out`, '');
      const outcome = await execute({ argv: launch.argv, outputFile, timeoutSeconds: DESCRIBE_SECONDS }, abort);
      const failure = failureOf(outcome);
      const found = failure === null ? readTextOrNull(environmentSchema, documentIn(readEnd(outputFile))) : null;
      const description = found ?? { node, reason: failure ?? 'describe-node printed no description' };
      folder.write(`environment/${node}.json`, `${JSON.stringify(description, null, 2)}\n`);
    }),
  );
}

/** Reads `client.json`. @throws with the path and what to do if it is missing */
export function readClientConfig(path: string): ClientConfig {
  try {
    return readText(clientSchema, readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `cannot read the client's configuration ${path}: ${reason}; it is written at the end of a client's boot`,
    );
  }
}
