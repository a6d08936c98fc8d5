import { readFileSync } from 'node:fs';
import { statOf } from '../../kit/processIdentity';

/** True if a process or one below it is stopped, as by SIGSTOP: what it measures meanwhile is too slow. */
export function hasStopped(pid: number): boolean {
  const stat = statOf(pid);
  if (stat === null || stat.state === 'T') return stat !== null;
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children !== '' && children.split(' ').some((child) => hasStopped(Number(child)));
  } catch {
    // It has ended, or this kernel does not list children.
    return false;
  }
}
