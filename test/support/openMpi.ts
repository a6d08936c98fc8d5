import { execFileSync } from 'node:child_process';

/** Version of this machine's Open MPI: `4.1.4`. */
export function openMpiVersion(): string {
  const said = execFileSync('mpirun', ['--version'], { encoding: 'utf8' });
  return /\(Open MPI\) (\S+)/.exec(said)?.[1] ?? said;
}
