import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { identify, isRunning } from '../kit/processIdentity';

/** The process that drives a run; its start time distinguishes it from a later one with the same pid. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly startTicks: string;
}

/**
 * Locks a run's folder: two drivers would disturb each other's measurements and write to the same files. The lock of a killed
 * driver is stale and ignored.
 *
 * @returns a function that releases the lock
 * @throws naming the process that holds it
 */
export async function acquireLock(folder: string): Promise<() => void> {
  const file = join(folder, 'driver.lock');
  const me = { host: hostname(), pid: process.pid, startTicks: (await identify(process.pid))?.startTicks ?? '' };
  mkdirSync(folder, { recursive: true });
  while (!tryLock(file, me)) {
    const other = holderOf(file);
    if (other !== null && other.host === me.host && (await isRunning(other))) {
      throw new Error(
        `process ${other.pid} is already running this run, in ${folder}: wait until it has ended, or interrupt it with kill ${other.pid}`,
      );
    }
    rmSync(file, { force: true });
  }
  return () => rmSync(file, { force: true });
}

/** The process that drives the run in a folder now; `null` if none does, or only on another machine. */
export async function driverOf(folder: string): Promise<number | null> {
  const holder = holderOf(join(folder, 'driver.lock'));
  return holder !== null && holder.host === hostname() && (await isRunning(holder)) ? holder.pid : null;
}

/** Returns false if another process was faster. */
function tryLock(file: string, me: Holder): boolean {
  try {
    writeFileSync(file, JSON.stringify(me), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** `null` for a lock file left truncated by a full disk or a killed driver. */
function holderOf(file: string): Holder | null {
  try {
    const { host, pid, startTicks } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>;
    return typeof host === 'string' && typeof pid === 'number' && typeof startTicks === 'string'
      ? { host, pid, startTicks }
      : null;
  } catch {
    return null;
  }
}
