import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readEnd } from '../../common/files';
import { RUN_MARK } from '../../fleet/launcher';
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
import { documentIn } from '../clients/machines';
import { type Execute, execute as executeForReal, failureOf } from '../clients/process';
import { awaitReady } from '../clients/reach';
import { type DriverOptions, drive } from './driver';
import { acquireLock, lockOutDrivers } from './lock';

/** One session of a driver on a run's folder, which contains `plan.json` and `manifest.json`. */
interface SessionOptions extends Pick<DriverOptions, 'abort' | 'pause' | 'converged' | 'answering'> {
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

interface SessionResult {
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

const SECONDS = 60;

/** Marks every process with the run's folder: what outlives a driver that was killed is found by it. */
export const withRunMark =
  (folder: string, execute: Execute): Execute =>
  (invocation, abort) =>
    execute({ ...invocation, environment: { ...invocation.environment, [RUN_MARK]: folder } }, abort);

/** Ends leftovers of this run, and of runs next to it that no driver holds; processes of those `running` are left alone. @param options whose `execute` marks no process, or they end one another */
export async function endLeftovers(options: AtClients) {
  const { path } = options.folder;
  const own = await endEverywhere(options, path);
  const ended = [...own.ended];
  const running: string[] = [];
  const runs = runsOf(path);
  const others = [...new Set(own.others)].filter((other) => runs !== null && runsOf(other) === runs).sort();
  for (const other of own.problem === null ? others : []) {
    const letIn = await lockOutDrivers(other);
    if (letIn === 'unknown') return { ended, running, problem: unknownDriver(other) };
    if (letIn === 'lives') running.push(basename(other));
    else {
      const found = await endEverywhere(options, other).finally(letIn);
      ended.push(...found.ended.map((process) => `${process} of ${basename(other)}`));
      if (found.problem !== null) return { ended, running, problem: found.problem };
    }
  }
  return { ended, running, problem: own.problem };
}

/** Folder of all runs among which one lies: `runs/<run>` on a fleet, `runs/<benchmark>/<run>` on one computer; `null` for one that lies elsewhere. */
function runsOf(folder: string): string | null {
  const parent = dirname(resolve(folder));
  return [parent, dirname(parent)].find((above) => basename(above) === 'runs') ?? null;
}

const unknownDriver = (folder: string): string =>
  `processes of the run ${basename(folder)} are still running on the clients, and it is not known here whether its driver is alive, since ${folder} belongs to another computer: wait until they end, or end them, then continue with --resume`;

/** Ends the processes of one run, here first, since that ends an MPI job on all clients, then on each client. */
async function endEverywhere(options: AtClients, run: string) {
  const { clients } = options;
  const command = [`${clients.config.home}/bin/end-leftovers`, run];
  const here = await endOn(options, 'here', command);
  if (here.problem !== null || clients.addresses.length === 0) return here;
  const { mark: _, ...unmarked } = clients;
  const launches = onEachClient(unmarked, 'all', command);
  const there = await Promise.all(
    clients.addresses.map((address, index) => endOn(options, address, launches[index]?.argv ?? [])),
  );
  const all = [here, ...there];
  return {
    ended: all.flatMap(({ ended }) => ended),
    others: all.flatMap(({ others }) => others),
    problem: all.find(({ problem }) => problem !== null)?.problem ?? null,
  };
}

async function endOn({ folder, execute, abort }: AtClients, where: string, argv: readonly string[]) {
  const outputFile = folder.write(`environment/${where}.leftovers.out`, '');
  const failure = failureOf(await execute({ argv, outputFile, timeoutSeconds: SECONDS }, abort));
  const lines = readEnd(outputFile).split('\n');
  const ended = lines.flatMap((line) => {
    const [, pid, name] = /^(\d+) (.+)$/.exec(line) ?? [];
    return pid === undefined ? [] : [`${name} (${pid}, ${where})`];
  });
  const others = lines.flatMap((line) => /^other (.+)$/.exec(line)?.[1] ?? []);
  const survivor = lines.flatMap((line) => /^error: (.*)$/.exec(line)?.[1] ?? [])[0];
  const problem = `processes of an earlier session could not be ended (${where}): ${survivor ?? failure}; end them, then continue with --resume`;
  return { ended, others, problem: failure === null ? null : problem };
}
