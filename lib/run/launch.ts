import { commandLine } from '../kit/format/shell';
import { groupOf } from '../kit/groups';
import type { ClientConfig } from '../schema/client';
import type { ClientGroup, WorkloadAction } from '../schema/plan';
import { workloadNamed } from '../workload/lookup';

/** One process of a launch; several when a tool is started on each client by itself. */
export interface Launch {
  readonly argv: readonly string[];
  /** Distinguishes the raw files of one task; `null` when there is only one. */
  readonly client: number | null;
  readonly environment: Readonly<Record<string, string>>;
}

/** The clients of a run, as the driver starts processes on them. */
export interface Clients {
  readonly config: ClientConfig;
  /** Private addresses, sorted; empty when everything runs on this machine. */
  readonly addresses: readonly string[];
  /** How many groups the fleet is cut into. */
  readonly groups: number;
}

/** Open MPI refuses to run as root without these (facts-tools, section 1). */
const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };

/** The addresses of a group. */
export function addressesOf(clients: Clients, group: ClientGroup): readonly string[] {
  return groupOf(clients.addresses, clients.groups, group);
}

/** How many clients work in a group. */
export function clientsIn(clients: Clients, group: ClientGroup): number {
  return clients.config.launch === 'local' ? 1 : addressesOf(clients, group).length;
}

/** Prefix that makes the driver, which is root on a fleet, act as the fleet's unprivileged user; `runuser` alone leaves root's HOME. */
function asUser(config: ClientConfig): string[] {
  return config.user === null ? [] : ['runuser', '-u', config.user, '--', 'env', `HOME=/home/${config.user}`];
}

/** A command on one client of the fleet, over ssh. */
function onClient(config: ClientConfig, address: string, argv: readonly string[]): string[] {
  return [...asUser(config), 'ssh', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=10', address, commandLine(argv)];
}

/** A command that needs root, as the fleet's user may run it: the sudo rule of bin/create-user names it, without arguments. */
export function asRoot({ config }: Pick<Clients, 'config'>, argv: readonly string[]): string[] {
  return config.launch === 'ssh' ? ['sudo', '-n', ...argv] : [...argv];
}

/** The same command on each client of a group. */
export function onEachClient(clients: Clients, group: ClientGroup, argv: readonly string[]): Launch[] {
  const { config } = clients;
  if (config.launch === 'local') return [{ argv, client: null, environment: {} }];
  return addressesOf(clients, group).map((address, client) => ({
    argv: onClient(config, address, argv),
    client,
    environment: {},
  }));
}

/** Which time a command of rounds is started. */
export interface Round {
  /** From 1: the files that it works on. */
  readonly round: number;
  /** Directories on metadata targets, below the data directory; none where it was not spread. */
  readonly targets: readonly string[];
  /** By how many clients the ranks are moved on, so that another client looks at files than the one that made them. */
  readonly shift: number;
}

/** Hosts up to which Open MPI 4 starts all daemons at once (`plm_rsh_num_concurrent`, its default; ompi_info). */
const DAEMONS_AT_ONCE = 128;

/**
 * The processes that carry out a workload, as its tool is launched: once by MPI over the whole group, once on each client of it, or once.
 *
 * @param directory - the task's data directory, the same on all clients
 * @param hostFile - where a host file may be written; its content comes back
 */
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
    action.command.map((word) =>
      word
        .replaceAll('{bin}', `${config.home}/bin`)
        .replaceAll('{dirs}', below.join('@'))
        .replaceAll('{dir}', directory)
        .replaceAll('{round}', String(round.round))
        .replaceAll('{client}', String(client)),
    );
  const ranks = action.ranksPerClient * clientsIn(clients, group);
  const how = workloadNamed(action.tool).launch;

  if (how.by !== 'mpi') {
    const addresses = addressesOf(clients, group);
    const launches =
      config.launch === 'local'
        ? [{ argv: fill(0), client: null, environment: {} }]
        : (how.by === 'once' ? addresses.slice(0, 1) : addresses).map((address, client) => ({
            argv: onClient(config, address, fill(client)),
            client,
            environment: {},
          }));
    return { launches, hostFileContent: null, ranks };
  }

  if (config.launch === 'local') {
    // Waiting ranks give way, or two on one core spend their time polling.
    const mpi = [
      'mpirun',
      '--oversubscribe',
      '--bind-to',
      'none',
      '--mca',
      'mpi_yield_when_idle',
      '1',
      ...(how.inDataDirectory ? ['--wdir', directory] : []),
      '-np',
      String(ranks),
    ];
    return {
      launches: [{ argv: [...mpi, ...fill(0)], client: null, environment: AS_ROOT }],
      hostFileContent: null,
      ranks,
    };
  }
  const addresses = addressesOf(clients, group);
  // Open MPI puts the machine that it is started on first, wherever the host file has it: to move ranks on, it must be told each place.
  // Tried with 4.1.4. How version 5 takes such a file is not known: there the dropped caches must do.
  const moved = addresses.length < 2 || round.shift === 0 ? 0 : 1 + ((round.shift - 1) % (addresses.length - 1));
  const inSequence = how.ranksInTurn === true && moved > 0 && !isOpenMpi5(config);
  const content = inSequence
    ? Array.from({ length: ranks }, (_, rank) => `${addresses[(rank + moved) % addresses.length]}\n`).join('')
    : addresses.map((address) => `${address} slots=${action.ranksPerClient}\n`).join('');
  const network =
    config.networkCidr === null
      ? []
      : ['--mca', 'btl_tcp_if_include', config.networkCidr, '--mca', 'oob_tcp_if_include', config.networkCidr];
  const ranksOver = [
    ...(how.ranksInTurn
      ? ['-np', String(ranks), '--map-by', inSequence ? 'seq' : 'node']
      : ['-npernode', String(action.ranksPerClient)]),
    ...(how.inDataDirectory ? ['--wdir', directory] : []),
  ];
  const mpi = [
    'mpirun',
    '--hostfile',
    hostFile,
    ...ranksOver,
    '--oversubscribe',
    ...network,
    ...daemons(config, addresses.length),
  ];
  return {
    launches: [{ argv: [...asUser(config), ...mpi, ...fill(0)], client: null, environment: {} }],
    hostFileContent: content,
    ranks,
  };
}

/**
 * Open MPI 4 starts at most 128 daemons at a time unless it is told more. Its tree of daemons stays on: the leader then holds 32
 * connections, not one to each of 200 clients, and needs no more than the usual 1,024 open files. Version 5 has other names.
 */
function daemons(config: ClientConfig, hosts: number): string[] {
  if (hosts <= DAEMONS_AT_ONCE || isOpenMpi5(config)) return [];
  return ['--mca', 'plm_rsh_num_concurrent', String(hosts)];
}

function isOpenMpi5({ tools }: ClientConfig): boolean {
  return Number.parseInt(tools.openmpi ?? '4', 10) >= 5;
}
