import { readFile } from 'node:fs/promises';

/** A process that cannot be mistaken for another. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/PID/stat: with it a pid that was given to another process is not mistaken. */
  readonly startTicks: string;
}

/** The identity of a running process; `null` when it is gone, or a zombie, which holds nothing any more. */
export async function identify(pid: number): Promise<ProcessIdentity | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The second field, the command's name in parentheses, may hold anything: count from its end. See proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' || startTicks === undefined ? null : { pid, startTicks };
}

/** Whether this very process still runs. */
export async function isRunning(process_: ProcessIdentity): Promise<boolean> {
  return (await identify(process_.pid))?.startTicks === process_.startTicks;
}
