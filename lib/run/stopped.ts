import { readFileSync } from 'node:fs';

/**
 * True if a process or one below it is stopped, as by SIGSTOP: what it measures meanwhile is too slow. Field 3 of /proc/PID/stat is `T` then;
 * `t` is a debugger's. Source: proc_pid_stat(5).
 */
export function hasStopped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the command's name in parentheses, may hold anything.
    if (stat.slice(stat.lastIndexOf(')') + 2)[0] === 'T') return true;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children !== '' && children.split(' ').some((child) => hasStopped(Number(child)));
  } catch {
    // It has ended, or this kernel does not list children.
    return false;
  }
}
