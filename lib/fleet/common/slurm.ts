import type { Launcher, MpiLaunch } from '../launcher';

/**
 * Slurm's steps in the allocation in which the driver runs (docs/decisions/driver-in-the-allocation.md). `--overlap` lets groups
 * and questions share nodes (otherwise each step has its resources alone, srun(1)). `--overcommit` allows more ranks than CPUs, and
 * `--cpu-bind=none` leaves ranks to the kernel, as mpirun's `--oversubscribe` does. `--export=ALL` passes the PATH on. Some sites ask for
 * `sbatch --export=NONE`, under which srun would otherwise start steps without any variable.
 */
const STEP = ['srun', '--overlap', '--overcommit', '--cpu-bind=none', '--export=ALL'];

/** srun within the driver's allocation. */
export const bySlurm: Launcher = {
  name: 'slurm',
  peers: {
    addresses: (_, { FSXBENCH_NODES: nodes = '' }) => {
      const found = nodes.split(' ').filter((node) => node !== '');
      if (found.length > 0) return found;
      throw new Error(
        "'FSXBENCH_NODES' must name the nodes of the allocation, got none: the driver runs as a Slurm job, which assets/client/bin/start-run submits",
      );
    },
    on: (_, node, argv) => [...STEP, '--mpi=none', '--nodes=1', '--ntasks=1', `--nodelist=${node}`, ...argv],
    own: /^srun: /,
  },
  mpi: ({ addresses: nodes, ranksPerClient, directory, shift, hostFile, command }): MpiLaunch => {
    const ranks = ranksPerClient * nodes.length;
    // Slurm sorts a list of nodes: ranks that are shifted need a file with the node of each.
    const shifted = shift !== null && shift > 0;
    return {
      argv: [
        ...STEP,
        // A rank that fails ends the job, as with mpirun. Without this, the others would wait for it until the deadline.
        ...['--mpi=pmix', '--kill-on-bad-exit=1', `--ntasks=${ranks}`],
        ...(shifted
          ? ['--distribution=arbitrary']
          : [
              ...[`--nodes=${nodes.length}`, `--nodelist=${nodes.join(',')}`, `--ntasks-per-node=${ranksPerClient}`],
              `--distribution=${shift === null ? 'block' : 'cyclic'}`,
            ]),
        ...(directory === undefined ? [] : [`--chdir=${directory}`]),
        ...command,
      ],
      environment: shifted ? { SLURM_HOSTFILE: hostFile } : {},
      hostFile: shifted
        ? Array.from({ length: ranks }, (_, rank) => `${nodes[(rank + shift) % nodes.length]}\n`).join('')
        : null,
    };
  },
};
