import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for another. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time, which distinguishes the process from a later one with the same pid. */
  readonly startTicks: string;
}

/** A running process as the kernel describes it. */
export interface ProcessStat extends ProcessIdentity {
  readonly name: string;
  /** `T` if it is stopped, as by SIGSTOP; `t` by a debugger. */
  readonly state: string;
  /** The parent process, which is notified of its end. */
  readonly parent: number;
  readonly group: number;
  /** Processor time so far, its own and the kernel's for it, in clock ticks. */
  readonly cpuTicks: number;
}

/** A running process, from proc_pid_stat(5); `null` if it is gone or a zombie, which may remain for ever in a container whose process 1 never waits. */
export function statOf(pid: number): ProcessStat | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The second field, the command's name in parentheses, may hold anything.
  const end = text.lastIndexOf(')');
  const [state = 'X', parent, group, , , , , , , , , userTicks, systemTicks, , , , , , , startTicks = ''] = text
    .slice(end + 2)
    .split(' ');
  if (state === 'Z' || state === 'X') return null;
  const name = text.slice(text.indexOf('(') + 1, end);
  const cpuTicks = Number(userTicks) + Number(systemTicks);
  return { pid, name, state, parent: Number(parent), group: Number(group), cpuTicks, startTicks };
}

/** True if this very process still runs. */
export const isRunning = ({ pid, startTicks }: ProcessIdentity): boolean => statOf(pid)?.startTicks === startTicks;

/** Numbers of a process's children; empty for one that has ended, or where this kernel does not list them. */
export function childrenOf(pid: number): number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return listed.filter((child) => child.trim() !== '').map(Number);
  } catch {
    return [];
  }
}
