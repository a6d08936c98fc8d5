import { execFileSync } from 'node:child_process';

/** Version of this computer's Open MPI: `4.1.4`. */
export function openMpiVersion(): string {
  const said = execFileSync('mpirun', ['--version'], { encoding: 'utf8' });
  return /\(Open MPI\) (\S+)/.exec(said)?.[1] ?? said;
}

/** Nodes that are one computer: ranks that wait give way, and Open MPI 5 finds a way from its address to itself. */
export const ON_ONE_MACHINE = { OMPI_MCA_mpi_yield_when_idle: '1', OMPI_MCA_btl_tcp_if_include: 'lo' };
