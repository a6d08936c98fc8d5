import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isRunning, type ProcessIdentity } from '../kit/processIdentity';

/**
 * Environment variable that the emulator, and so everything that it starts, carries: the lab's folder.
 * It finds processes that nobody had the time to write down.
 */
export const LAB_MARKER = 'FSXBENCH_LAB';

const GRACE_MS = 3_000;
/** A guard: what is killed goes as soon as the kernel comes to it. */
const KILL_MS = 60_000;

/** Every process that carries the marker of the lab in `labFolder`, but for this one and its ancestors. */
export async function processesOfLab(labFolder: string): Promise<ProcessIdentity[]> {
  const spared = await ancestors();
  const marker = `${LAB_MARKER}=${labFolder}`;
  const found: ProcessIdentity[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || spared.has(pid)) continue;
    // Of others' processes the environment cannot be read; ours are ours.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (!environment.split('\0').includes(marker)) continue;
    const identity = await identify(pid);
    if (identity !== null) found.push(identity);
  }
  return found;
}

/** Ends processes: asks first, then kills. Returns those that are still there. */
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
