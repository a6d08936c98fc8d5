import type { Launcher } from '../launcher';

/** Open MPI refuses to run as root without these (facts-tools, section 1). */
const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };

/** Everything on this machine: the lab, and runs with `--local`. */
export const thisMachine: Launcher = {
  name: 'local',
  mpi: ({ ranksPerClient, directory, command }) => ({
    // Waiting ranks yield; otherwise two on one core spend their time polling.
    argv: [
      ...['mpirun', '--oversubscribe', '--bind-to', 'none', '--mca', 'mpi_yield_when_idle', '1'],
      ...(directory === undefined ? [] : ['--wdir', directory]),
      ...['-np', String(ranksPerClient)],
      ...command,
    ],
    environment: AS_ROOT,
    hostFile: null,
  }),
};
