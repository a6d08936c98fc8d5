import { groupOf, ownValue } from '../../common/collections';
import { counted } from '../../common/format/units';
import type { Launch } from '../../fleet/launcher';
import { launcherOf } from '../../fleet/registry';
import type { ClientConfig, QueueStatus } from '../../schema/client';
import type { ClientGroup, Plan, WorkloadAction } from '../../schema/plan';
import type { RunStatus } from '../../schema/run';
import type { RunFolder } from '../../store/folder';
import type { RunReference } from '../../store/record';
import { workloadNamed } from '../../workload/lookup';
import type { Execute } from './process';

/** squeue(1), "JOB STATE CODES": states of a job before its driver starts. */
const WAITS = new Set(['PENDING', 'CONFIGURING', 'REQUEUED', 'REQUEUE_HOLD', 'SUSPENDED', 'COMPLETING', 'SIGNALING']);

/** A run's status if its driver is a scheduler job, which cannot report that it waits for nodes, will be restarted, or was killed. */
export function withQueue(
  { benchmark, run }: RunReference,
  status: RunStatus | null,
  queue: QueueStatus | null,
): RunStatus | null {
  // The last word of a driver that came to its end.
  if (queue === null || status?.state === 'done' || status?.state === 'failed') return status;
  const { job, state, ended, reason, restarts, updatedAt } = queue;
  const base: RunStatus = status ?? {
    schema: 'fsxbench.status/1',
    run,
    benchmark,
    state: 'starting',
    step: null,
    failedSteps: [],
    message: '',
    stepsDone: 0,
    stepsTotal: 0,
    startedAt: updatedAt,
    updatedAt,
    endedAt: null,
    sessions: [],
  };
  // ISO 8601 sorts as text.
  const later = [base.updatedAt, updatedAt].sort()[1] as string;
  const again = restarts > 0 ? `, put back into the queue ${counted(restarts, 'time')}` : '';
  if (ended) {
    if (base.endedAt !== null || base.updatedAt > updatedAt) return base;
    const message = `the job ${job} ended as ${state} before the run was done`;
    return { ...base, state: 'interrupted', endedAt: updatedAt, updatedAt, message };
  }
  const waiting = { ...base, state: 'starting' as const, step: null, phase: null, endedAt: null, updatedAt: later };
  if (WAITS.has(state)) {
    const why = reason === '' || reason === 'None' ? '' : ` (${reason})`;
    return { ...waiting, message: `the job ${job} waits for its nodes: ${state}${why}${again}` };
  }
  // It was interrupted, but its job is still there: it runs again, or the queue will say that it has ended.
  if (base.state === 'interrupted' || status === null)
    return { ...waiting, message: `the job ${job} is ${state}${again}; waiting for its driver` };
  return base;
}

export interface Clients {
  readonly config: ClientConfig;
  /** Names by which the launcher reaches them, sorted; empty when everything runs on this computer. */
  readonly addresses: readonly string[];
  readonly groups: number;
  /** Marks processes on other machines as this run's. @default - not marked */
  readonly mark?: string;
}

/** Means to run programs on clients, whose output is kept in the run's folder. */
export interface AtClients {
  readonly clients: Clients;
  readonly folder: RunFolder;
  readonly execute: Execute;
  readonly abort: AbortSignal;
}

export interface RunAtClients extends AtClients {
  readonly run: string;
  readonly plan: Plan;
}

export const addressesOf = (clients: Clients, group: ClientGroup): readonly string[] =>
  groupOf(clients.addresses, clients.groups, group);

export const clientsIn = (clients: Clients, group: ClientGroup): number =>
  launcherOf(clients.config).peers === undefined ? 1 : addressesOf(clients, group).length;

/** A command that needs root, allowed for the fleet's user without arguments by the sudo rule of bin/create-user. */
export const asRoot = ({ config }: Pick<Clients, 'config'>, argv: readonly string[]): string[] => [
  ...(config.user === null || launcherOf(config).peers === undefined ? [] : ['sudo', '-n']),
  ...argv,
];

export function onEachClient(
  clients: Clients,
  group: ClientGroup,
  command: readonly string[] | ((client: number) => readonly string[]),
): Launch[] {
  const { config } = clients;
  const { peers } = launcherOf(config);
  const argv = typeof command === 'function' ? command : () => command;
  if (peers === undefined) return [{ argv: argv(0), client: null, environment: {} }];
  return addressesOf(clients, group).map((address, client) => ({
    argv: peers.on(config, address, argv(client), clients.mark),
    client,
    environment: {},
  }));
}

export interface Round {
  /** Number of the round, from 1: selects the files. */
  readonly round: number;
  /** Directories on metadata targets, in the data directory; empty if it was not spread. */
  readonly targets: readonly string[];
  /** Number of clients by which the ranks are shifted: files are then accessed from another client than the one that created them. */
  readonly shift: number;
}

/** The processes of a workload: one MPI job over the group, one on each client, or one; with the content of the host file, if there is one. */
export function launchWorkload(
  clients: Clients,
  group: ClientGroup,
  action: WorkloadAction,
  directory: string,
  hostFile: string,
  round: Round = { round: 1, targets: [], shift: 0 },
): { launches: Launch[]; hostFileContent: string | null; ranks: number } {
  const { config } = clients;
  // Relative to the data directory, where mpirun starts the ranks: mdtest has room for 1,024 characters of path.
  const below = (round.targets.length > 0 ? round.targets : ['.']).map((target) => `${target}/round${round.round}`);
  const fill = (client: number): string[] =>
    filled(action.command, {
      bin: `${config.home}/bin`,
      dirs: below.join('@'),
      dir: directory,
      round: String(round.round),
      client: String(client),
      clients: addressesOf(clients, group).join(',') || 'localhost',
    });
  const { ranksPerClient } = action;
  const ranks = ranksPerClient * clientsIn(clients, group);
  const how = workloadNamed(action.tool).launch;

  if (how.by !== 'mpi') {
    const each = onEachClient(clients, group, fill);
    return { launches: how.by === 'once' ? each.slice(0, 1) : each, hostFileContent: null, ranks };
  }
  const addresses = addressesOf(clients, group);
  const job = launcherOf(config).mpi({
    config,
    addresses,
    ranksPerClient,
    hostFile,
    directory: how.inTurn ? directory : undefined,
    shift: how.inTurn ? shiftOf(round, addresses.length) : null,
    command: fill(0),
  });
  const { argv, environment, hostFile: hostFileContent } = job;
  return { launches: [{ argv, client: null, environment }], hostFileContent, ranks };
}

/** Files never come back to the client that created them. */
const shiftOf = ({ shift }: Round, clients: number): number =>
  clients < 2 || shift === 0 ? 0 : 1 + ((shift - 1) % (clients - 1));

/** Fills in all placeholders at once: a directory may itself be called `{client}`, or hold the `$&` that `replaceAll` knows. */
const filled = (command: readonly string[], values: Readonly<Record<string, string>>): string[] =>
  command.map((word) => word.replaceAll(/\{(\w+)\}/g, (all, name: string) => ownValue(values, name) ?? all));
