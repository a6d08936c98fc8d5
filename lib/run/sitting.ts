import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inside } from '../kit/inside';
import { type ClientConfig, clientSchema } from '../schema/client';
import { readText } from '../schema/document';
import type { NodeEnvironment } from '../schema/environment';
import type { Plan } from '../schema/plan';
import type { Manifest, RunStatus } from '../schema/run';
import type { StorageChange } from '../storage/change';
import type { ResultsStore } from '../store/bucket';
import { RunFolder } from '../store/folder';
import { readManifest, readPlan } from '../store/library';
import { type FlushOptions, Uploader } from '../store/upload';
import { releaseIn, workloadNamed } from '../workload/lookup';
import { drive } from './driver';
import { asRoot, type Clients, onEachClient } from './launch';
import { type Execute, execute as executeForReal, failureOf } from './process';
import { awaitReady } from './ready';
import { takeSeat } from './seat';
import type { Pause } from './settle';

/** One sitting of a driver over a run's folder, which holds `plan.json` and `manifest.json`. */
export interface SittingOptions {
  readonly folder: string;
  readonly client: ClientConfig;
  /** Where the folder is kept for good; absent for a run that stays on this machine. */
  readonly results?: { readonly store: ResultsStore; readonly prefix: string; readonly flush?: FlushOptions };
  readonly abort: AbortSignal;
  /** Told of every change; must not throw. */
  readonly onStatus?: (status: RunStatus) => void;
  /** @default real processes */
  readonly execute?: Execute;
  /** Makes a change of a file system, where the plan goes around one. @default what its storage registered */
  readonly change?: StorageChange['make'];
  /** Waits between two looks. @default real time */
  readonly pause?: Pause;
}

/** Seconds that a node may take to describe itself. */
const DESCRIBE_SECONDS = 60;

/** How a sitting ended. */
export interface SittingResult {
  readonly status: RunStatus;
  /** Why the results are not all in the store; `null` when they are, or when there is none. */
  readonly uploadError: string | null;
}

/**
 * Carries out what remains of a run: learns what the machines are, drives the plan, brings everything to the store.
 *
 * @throws when another process does so already
 */
export async function sit(options: SittingOptions): Promise<SittingResult> {
  const leave = await takeSeat(options.folder);
  try {
    return await seated(options);
  } finally {
    leave();
  }
}

async function seated(options: SittingOptions): Promise<SittingResult> {
  const { folder: path, client, results, abort, onStatus, execute = executeForReal, change, pause } = options;
  if (results) await recover(path, results.store, results.prefix);
  const folder = new RunFolder(path);
  const plan = readPlan(path);
  const manifest = readManifest(path);
  const clients = clientsOf(client, manifest, plan);
  requireTools(plan, client);
  const uploader = results ? new Uploader(path, results.store, results.prefix) : null;

  const status = await drive({
    run: manifest.run,
    plan,
    clients,
    folder,
    execute,
    abort,
    ...(change ? { change } : {}),
    ...(pause ? { pause } : {}),
    prepare: async (say) => {
      const unready = await awaitReady({ clients, folder, execute, abort, say, ...(pause ? { pause } : {}) });
      if (unready === null) await describeNodes(clients, folder, execute, abort);
      return unready;
    },
    onChange: (changed) => {
      onStatus?.(changed);
      uploader?.note();
    },
  });
  return { status, uploadError: (await uploader?.finish(results?.flush)) ?? null };
}

/** A leader that took another's place finds what was measured in the store only. */
async function recover(folder: string, store: ResultsStore, prefix: string): Promise<void> {
  const file = join(folder, 'samples.jsonl');
  if (existsSync(file)) return;
  // The status tells what the earlier sessions took.
  for (const name of ['samples.jsonl', 'status.json']) {
    const kept = await store.get(`${prefix}/${name}`);
    if (kept) writeFileSync(inside(folder, name), kept);
  }
}

/**
 * The clients that the plan counts on, as the manifest names them.
 *
 * @throws when the fleet is smaller than the plan: a benchmark on fewer clients answers another question
 */
function clientsOf(config: ClientConfig, manifest: Manifest, plan: Plan): Clients {
  if (config.launch === 'local') return { config, addresses: [], groups: plan.arms.length };
  const addresses = manifest.fleet.clients.map((client) => client.privateIp);
  if (addresses.length !== plan.fleet.clients) {
    throw new Error(
      `the plan needs ${plan.fleet.clients} clients, the fleet has ${addresses.length}: wait until all are in service, then run it with --resume`,
    );
  }
  return { config, addresses, groups: plan.arms.length };
}

/**
 * A plan for tools that the clients do not have would fail at its first step, after minutes of preparation.
 *
 * @throws naming what the plan needs and what is there, or the tool that is not known here
 */
function requireTools(plan: Plan, { tools }: ClientConfig): void {
  const needed = new Set(
    plan.steps.flatMap((step) => step.tasks.flatMap(({ action }) => ('tool' in action ? [action.tool] : []))),
  );
  const there = Object.entries(tools).map(([tool, version]) => `${tool} ${version}`);
  for (const tool of needed) {
    const found = tools[tool];
    const workload = workloadNamed(tool);
    if (workload.version === undefined) continue;
    const wanted = releaseIn(workload, plan.parameters);
    if (found !== undefined && (wanted === undefined || found === wanted)) continue;
    throw new Error(
      `the plan needs ${tool}${wanted === undefined ? '' : ` ${wanted}`}, the clients have ${there.join(', ') || 'no tool'}: make a plan for what is there (--set), or deploy what the plan needs`,
    );
  }
}

/** Provenance: every node says what it is, into `environment/<node>.json`. A node that does not answer is recorded as such. */
async function describeNodes(clients: Clients, folder: RunFolder, execute: Execute, abort: AbortSignal): Promise<void> {
  const { config, addresses } = clients;
  // As root: what lies in debugfs, such as llite.*.max_cached_mb, lctl does not even find as another user.
  const launches = onEachClient(clients, 'all', asRoot(clients, [`${config.home}/bin/describe-node`]));
  await Promise.all(
    launches.map(async (launch, index) => {
      const node = addresses[index] ?? 'local';
      const outputFile = folder.write(`environment/${node}.out`, '');
      const outcome = await execute({ argv: launch.argv, outputFile, timeoutSeconds: DESCRIBE_SECONDS }, abort);
      const failure = failureOf(outcome);
      const description = failure === null ? descriptionIn(readFileSync(outputFile, 'utf8')) : null;
      folder.write(
        `environment/${node}.json`,
        `${JSON.stringify(description ?? { node, reason: failure ?? 'describe-node printed no JSON' }, null, 2)}\n`,
      );
    }),
  );
}

/** What `describe-node` says, in an output whose other lines are a log. */
function descriptionIn(text: string): NodeEnvironment | null {
  const start = text.startsWith('{') ? 0 : text.indexOf('\n{') + 1;
  try {
    return JSON.parse(text.slice(start, text.lastIndexOf('}') + 1)) as NodeEnvironment;
  } catch {
    return null;
  }
}

/** Reads `client.json`. @throws with the path and what to do when it is not there */
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
