import { childrenOf, statOf } from '../../kit/processIdentity';

/** True if a process or one below it is stopped, as by SIGSTOP: what it measures meanwhile is too slow. */
export function hasStopped(pid: number): boolean {
  const stat = statOf(pid);
  if (stat === null || stat.state === 'T') return stat !== null;
  return childrenOf(pid).some(hasStopped);
}
