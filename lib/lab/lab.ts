import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { listed } from '../common/format/text';
import { DRAFT, writeWhole } from '../common/writeWhole';
import { bySlurm } from '../fleet/common/slurm';
import { thisMachine } from '../fleet/common/thisMachine';
import { mountedAt } from '../run/clients/directory';
import { toolVersions } from '../run/clients/tools';
import type { ClientConfig } from '../schema/client';
import { limitsOfModel, MODEL_LIMITS, type ModelLimits, type ScaleModel } from '../schema/model';
import { labDown, labStatus } from './down';
import { emulatorEnvironment, startEmulator } from './emulator';
import { LabError } from './error';
import { isServedByModel } from './model';
import { modelOf } from './model/figures';
import { clientMountOf, serversOf, spaceCommand } from './model/machine';
import { type LabPaths, labPaths } from './paths';
import { LAB_MARKER, searchPath } from './processes';
import { checkSlurm, type SlurmRequest, startSlurm } from './slurm';
import { type LabState, type LabStorage, newState, readState, writeState } from './state';
import { type MakeStoragesOptions, makeStorages } from './storages';
import { ensureVenv } from './venv';

/** Makes this computer the lab's client, by `.lab/client/client.json` and scripts. @param aliases names of other arms with the same storages, in their order */
async function writeClient(
  paths: LabPaths,
  { storages, notices = [], slurm }: Pick<LabState, 'storages' | 'notices' | 'slurm'>,
  aliases: readonly (readonly string[])[] = [],
): Promise<ClientConfig> {
  const arms = storages.flatMap(({ arm, kind, mountPoint, filesystem, actually, model }, index) => {
    const described = {
      mountPoint,
      filesystem,
      actually,
      ...(existsSync(mountPoint) ? mountedAt(mountPoint) : {}),
      model,
      ...(isServedByModel({ kind }) && { spaceCommand: spaceCommand(paths, arm), servers: serversOf(paths, arm) }),
    };
    return [arm, ...aliases.flatMap((names) => names[index] ?? [])].map((name) => [name, described] as const);
  });
  const config: ClientConfig = {
    schema: 'fsxbench.client/1',
    boots: false,
    launch: (slurm === undefined ? thisMachine : bySlurm).name,
    user: null,
    home: paths.clientHome,
    networkCidr: null,
    arms: Object.fromEntries(arms),
    notices: notices.length === 0 ? undefined : notices,
    tools: {
      ...(slurm === undefined ? {} : { slurm: slurm.replace(/^\S+ /, '') }),
      ...(await toolVersions({ ...process.env, PATH: searchPath(paths.tools), [LAB_MARKER]: paths.lab })),
    },
  };
  await mkdir(paths.clientHome, { recursive: true });
  for (const folder of ['bin', 'lib', 'storage'])
    await link(join(paths.root, 'assets/client', folder), join(paths.clientHome, folder));
  writeWhole(paths.clientConfig, `${JSON.stringify(config, null, 2)}\n`);
  return config;
}

/** Points `path` to `target`, replacing any existing link. */
async function link(target: string, path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}${DRAFT}`;
  await symlink(target, draft);
  await rename(draft, path);
}

export interface LabUpOptions extends Omit<MakeStoragesOptions, 'paths' | 'record' | 'environment'> {
  readonly root: string;
  /** Refuse a running lab that holds something else. @default false */
  readonly insists?: boolean;
  /** A Slurm that starts the driver and its processes. @default - they are started on this computer as it is */
  readonly slurm?: SlurmRequest;
  /** For other benchmarks, the arms that the storages stand in for, in the storages' order. @default - none */
  readonly aliases?: readonly (readonly string[])[];
  /** Called when the emulator answers, while the file systems are made. @default - nothing else is done */
  readonly meanwhile?: (emulator: Pick<Lab, 'paths' | 'environment'>) => Promise<void>;
  /** Ends the start before its next step. @default - nothing does */
  readonly signal?: AbortSignal;
}

export interface Lab {
  readonly paths: LabPaths;
  readonly endpoint: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly storages: readonly LabStorage[];
  readonly client: ClientConfig;
  /** Notices for readers of the results. */
  readonly notices: readonly string[];
}

/** Starts the lab: Python, the emulator, a file system for each arm, this computer as client. Reuses a running lab, and removes an interrupted one. */
export async function labUp(options: LabUpOptions): Promise<Lab> {
  const { root, onProgress = () => {}, slurm, aliases = [], meanwhile = async () => {}, signal } = options;
  const paths = labPaths(root);
  const status = await labStatus(root);
  if (status.state === 'up') {
    const held = heldBy(status.storages.flatMap((storage) => storage.model ?? []));
    if (options.insists) requireThrottled(held, options.model);
    onProgress(`the lab is already up, with ${held}`, 'setting up the client');
    return resume(paths, aliases);
  }
  if (status.state === 'broken') {
    onProgress('removing the leftovers of an earlier lab');
    await labDown(root);
  }
  if (slurm !== undefined) await checkSlurm(paths);
  const python = await ensureVenv(root, onProgress);
  let state = newState();
  const record = async (change: Partial<LabState>) => {
    signal?.throwIfAborted();
    state = { ...state, ...change };
    await writeState(paths, state);
  };
  await record({});
  try {
    const starting = startEmulator({ paths, python, record: (started) => record({ emulator: started }) });
    const environment = async () => emulatorEnvironment(paths, (await starting).endpoint);
    const making = makeStorages({
      ...options,
      ...{ paths, onProgress, environment },
      record: (made) => record({ storages: [...made] }),
    });
    const using = starting.then(async ({ endpoint }) => {
      onProgress(`the AWS emulator answers at ${endpoint}`, 'making the file systems');
      await meanwhile({ paths, environment: await environment() });
    });
    // Work of one of them can be removed only when all have ended.
    await Promise.allSettled([making, using]);
    const [emulator, { storages, notices }] = await Promise.all([starting, making, using]);
    await record({ notices });
    if (slurm !== undefined) {
      const release = await startSlurm(paths, { ...slurm, mounts: mountsOfNodes(paths, storages) });
      onProgress(`${release} with ${slurm.nodes} nodes on this computer`, 'setting up the client');
      await record({ slurm: release });
    }
    const client = await writeClient(paths, state, aliases);
    await record({ ready: true });
    return describe(paths, emulator.endpoint, storages, client, notices);
  } catch (error) {
    await labDown(root);
    throw error;
  }
}

/** Commands with which Slurm nodes mount the storages of a model that holds their links. */
const mountsOfNodes = (paths: LabPaths, storages: readonly LabStorage[]) =>
  storages.flatMap(({ arm, mountPoint, model }) =>
    model?.held.some(({ name }) => name === 'client_write') ? [clientMountOf(paths, arm, mountPoint)] : [],
  );

function requireThrottled(held: string, model: LabUpOptions['model']): void {
  const asked = heldBy(model?.arms.map(({ storage }) => modelOf(storage, model.scale)) ?? []);
  if (held !== asked)
    throw new LabError(
      `'--model' and '--scale' must be those of the lab that is up, ${held}, got ${asked}: leave them out, or stop it first with npx fsxbench lab down`,
    );
}

function heldBy(models: readonly Pick<ScaleModel, 'scale' | 'stands'>[]): string {
  const each = new Set(models.map(({ scale, stands }) => `a 1:${scale} model of ${stands}`));
  return each.size === 0 ? 'no scale model' : listed([...each].sort());
}

async function resume(paths: LabPaths, aliases: LabUpOptions['aliases']): Promise<Lab> {
  const state = await readState(paths);
  if (state?.emulator === null || state === null)
    throw new LabError('the lab was stopped meanwhile; run the command again');
  const client = await writeClient(paths, state, aliases);
  return describe(paths, state.emulator.endpoint, state.storages, client, state.notices ?? []);
}

function describe(
  paths: LabPaths,
  endpoint: string,
  storages: readonly LabStorage[],
  client: ClientConfig,
  notices: readonly string[],
): Lab {
  const limits = Object.fromEntries(
    storages.flatMap(({ arm, model }): [string, ModelLimits[string]][] =>
      model === undefined ? [] : [[arm, limitsOfModel(model)]],
    ),
  );
  const environment = { ...emulatorEnvironment(paths, endpoint), [MODEL_LIMITS]: JSON.stringify(limits) };
  return { paths, endpoint, environment, storages, client, notices };
}
