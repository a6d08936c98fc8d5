import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isRunning, type ProcessIdentity } from '../kit/processIdentity';

/**
 * Environment variable with the lab's folder, set on the emulator and so on everything it starts.
 * It identifies processes that were never recorded.
 */
export const LAB_MARKER = 'FSXBENCH_LAB';

const GRACE_MS = 3_000;
/** Timeout: killed processes exit as soon as the kernel gets to them. */
const KILL_MS = 60_000;

/** Every process with the marker of the lab in `labFolder`, except this one and its ancestors. */
export async function processesOfLab(labFolder: string): Promise<ProcessIdentity[]> {
  const spared = await ancestors();
  const marker = `${LAB_MARKER}=${labFolder}`;
  const found: ProcessIdentity[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || spared.has(pid)) continue;
    // The environment of other users' processes cannot be read, and they are not the lab's.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (!environment.split('\0').includes(marker) && !(await isStepOfSlurm(pid, labFolder))) continue;
    const identity = await identify(pid);
    if (identity !== null) found.push(identity);
  }
  return found;
}

/** Slurm's steps overwrite their environment with their titles; what is left of their origin is their node's view of the mounts. */
async function isStepOfSlurm(pid: number, labFolder: string): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (!name.startsWith('slurm')) return false;
  return (await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '')).includes(` ${labFolder}/slurm/tmp `);
}

/** Terminates processes, then kills them. Returns those that remain. */
export async function endProcesses(processes: readonly ProcessIdentity[]): Promise<ProcessIdentity[]> {
  let left = await signalAll(processes, 'SIGTERM', GRACE_MS);
  if (left.length > 0) left = await signalAll(left, 'SIGKILL', KILL_MS);
  return left;
}

async function signalAll(processes: readonly ProcessIdentity[], signal: NodeJS.Signals, waitMs: number) {
  let left = await running(processes);
  for (const { pid } of left) send(pid, signal);
  const deadline = Date.now() + waitMs;
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(50);
    left = await running(left);
  }
  return left;
}

async function running(processes: readonly ProcessIdentity[]): Promise<ProcessIdentity[]> {
  const alive = await Promise.all(processes.map(isRunning));
  return processes.filter((_, index) => alive[index]);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function ancestors(): Promise<Set<number>> {
  const found = new Set([process.pid]);
  let pid = process.ppid;
  while (pid > 1 && !found.has(pid)) {
    found.add(pid);
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    pid = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return found;
}
