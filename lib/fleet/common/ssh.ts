import { assignments, commandLine } from '../../common/format/text';
import type { ClientConfig } from '../../schema/client';
import { type Launcher, RUN_MARK } from '../launcher';

/** Hosts up to which Open MPI 4 starts all daemons at once (`plm_rsh_num_concurrent`, its default; ompi_info). */
const DAEMONS_AT_ONCE = 128;

/** mpirun over ssh, as the fleet's unprivileged user. */
export const overSsh: Launcher = {
  name: 'ssh',
  peers: {
    addresses: ({ clients }) => clients.map(({ privateIp }) => privateIp),
    on: (config, address, argv, mark) => {
      // Without `exec`, the user's shell would be between sshd and the program that waits for sshd to end.
      const within = ['exec', 'setpriv', '--pdeathsig', 'TERM', `${config.home}/bin/within-session`];
      const set = [...(mark === undefined ? [] : [`${RUN_MARK}=${mark}`]), ...variablesOf(config)];
      const marked = set.length === 0 ? [] : ['env', ...set];
      const command = commandLine([...within, ...marked, ...argv]);
      return [...asUser(config), 'ssh', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=10', address, command];
    },
    lost: {
      exitStatus: 255,
      next: (address) => `it must answer 'ssh -o BatchMode=yes ${address} true' without a question`,
    },
  },
  mpi: ({ config, addresses, ranksPerClient, directory, shift, hostFile, command }) => {
    const ranks = ranksPerClient * addresses.length;
    // Open MPI puts the local machine first, regardless of its place in the host file: to shift ranks, every rank's host must be listed.
    // Tested with 4.1.4. How version 5 treats such a file is unknown: there dropping caches must suffice.
    const inSequence = shift !== null && shift > 0 && !isOpenMpi5(config);
    const { networkCidr } = config;
    const network =
      networkCidr === null
        ? []
        : ['--mca', 'btl_tcp_if_include', networkCidr, '--mca', 'oob_tcp_if_include', networkCidr];
    const layout =
      shift === null
        ? ['-npernode', String(ranksPerClient)]
        : ['-np', String(ranks), '--map-by', inSequence ? 'seq' : 'node'];
    return {
      argv: [
        ...asUser(config),
        ...['mpirun', '--hostfile', hostFile],
        ...layout,
        ...(directory === undefined ? [] : ['--wdir', directory]),
        // Ranks on other machines have no other variable of the driver's.
        ...['--oversubscribe', '-x', RUN_MARK],
        ...variablesOf(config).flatMap((word) => ['-x', word]),
        ...network,
        ...daemons(config, addresses.length),
        ...command,
      ],
      environment: {},
      hostFile: inSequence
        ? Array.from({ length: ranks }, (_, rank) => `${addresses[(rank + shift) % addresses.length]}\n`).join('')
        : addresses.map((address) => `${address} slots=${ranksPerClient}\n`).join(''),
    };
  },
};

/** Variables of machines that no boot has set up, whose sessions have a shorter PATH. */
const variablesOf = ({ machines }: ClientConfig): string[] =>
  assignments(machines === undefined ? {} : { PATH: machines.path, ...machines.variables });

/** Prefix that makes the driver, which is root on a fleet, act as the fleet's unprivileged user; `runuser` alone leaves root's HOME. */
const asUser = ({ user }: ClientConfig): string[] =>
  user === null ? [] : ['runuser', '-u', user, '--', 'env', `HOME=/home/${user}`];

/**
 * Open MPI 4 starts at most 128 daemons at a time by default. Its daemon tree stays on: the leader then has 32
 * connections instead of one per client, and stays below the usual limit of 1,024 open files. Version 5 has other names.
 */
function daemons(config: ClientConfig, hosts: number): string[] {
  if (hosts <= DAEMONS_AT_ONCE || isOpenMpi5(config)) return [];
  return ['--mca', 'plm_rsh_num_concurrent', String(hosts)];
}

const isOpenMpi5 = ({ tools }: ClientConfig): boolean => Number.parseInt(tools.openmpi ?? '4', 10) >= 5;
