import { commandLine } from '../kit/format/shell';
import { groupOf } from '../kit/groups';
import type { ClientConfig } from '../schema/client';
import type { ClientGroup, WorkloadAction } from '../schema/plan';
import { workloadNamed } from '../workload/lookup';

/** One process of a launch; several if a tool is started on each client independently. */
export interface Launch {
  readonly argv: readonly string[];
  /** Distinguishes the raw files of one task; `null` if there is only one. */
  readonly client: number | null;
  readonly environment: Readonly<Record<string, string>>;
}

/** The clients of a run, on which the driver starts processes. */
export interface Clients {
  readonly config: ClientConfig;
  /** Private addresses, sorted; empty when everything runs on this machine. */
  readonly addresses: readonly string[];
  /** Number of groups in the fleet. */
  readonly groups: number;
}

/** Open MPI refuses to run as root without these (facts-tools, section 1). */
const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };

/** The addresses of a group. */
export function addressesOf(clients: Clients, group: ClientGroup): readonly string[] {
  return groupOf(clients.addresses, clients.groups, group);
}

/** Number of clients in a group. */
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

/** A command that needs root, allowed for the fleet's user without arguments by the sudo rule of bin/create-user. */
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

/** A start of a command that works in rounds. */
export interface Round {
  /** Number of the round, from 1: selects the files. */
  readonly round: number;
  /** Directories on metadata targets, in the data directory; empty if it was not spread. */
  readonly targets: readonly string[];
  /** Number of clients by which the ranks are shifted, so that files are accessed from another client than the one that created them. */
  readonly shift: number;
}

/** Hosts up to which Open MPI 4 starts all daemons at once (`plm_rsh_num_concurrent`, its default; ompi_info). */
const DAEMONS_AT_ONCE = 128;

/**
 * The processes of a workload, depending on its tool's launch: one MPI job over the whole group, one on each of its clients, or one.
 *
 * @param directory - the task's data directory, the same on all clients
 * @param hostFile - path of a host file; its content is returned
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
    // Waiting ranks yield; otherwise two on one core spend their time polling.
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
  // Open MPI puts the local machine first, regardless of its place in the host file: to shift ranks, every rank's host must be listed.
  // Tested with 4.1.4. How version 5 treats such a file is unknown: there dropping caches must suffice.
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
 * Open MPI 4 starts at most 128 daemons at a time by default. Its daemon tree stays on: the leader then has 32
 * connections instead of one per client, and stays below the usual limit of 1,024 open files. Version 5 has other names.
 */
function daemons(config: ClientConfig, hosts: number): string[] {
  if (hosts <= DAEMONS_AT_ONCE || isOpenMpi5(config)) return [];
  return ['--mca', 'plm_rsh_num_concurrent', String(hosts)];
}

function isOpenMpi5({ tools }: ClientConfig): boolean {
  return Number.parseInt(tools.openmpi ?? '4', 10) >= 5;
}
