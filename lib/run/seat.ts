import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { identify, isRunning } from '../kit/processIdentity';

/** Who drives a run: the start of the process tells it from a later one with the same number. */
interface Seat {
  readonly host: string;
  readonly pid: number;
  readonly startTicks: string;
}

/**
 * Takes the one driver's seat of a run's folder: two drivers would measure one another and write into the same files. The seat of a
 * driver that was killed is free.
 *
 * @returns what gives it back
 * @throws with the process that has it
 */
export async function takeSeat(folder: string): Promise<() => void> {
  const file = join(folder, 'driver.seat');
  const me = { host: hostname(), pid: process.pid, startTicks: (await identify(process.pid))?.startTicks ?? '' };
  mkdirSync(folder, { recursive: true });
  while (!sitDown(file, me)) {
    const other = whoSits(file);
    if (other !== null && other.host === me.host && (await isRunning(other))) {
      throw new Error(
        `process ${other.pid} is at work on this run already, in ${folder}: wait until it has ended, or interrupt it with 'kill ${other.pid}'`,
      );
    }
    rmSync(file, { force: true });
  }
  return () => rmSync(file, { force: true });
}

/** False when somebody was quicker. */
function sitDown(file: string, me: Seat): boolean {
  try {
    writeFileSync(file, JSON.stringify(me), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** `null` for what a full disk or a killed driver left half written. */
function whoSits(file: string): Seat | null {
  try {
    const { host, pid, startTicks } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Seat>;
    return typeof host === 'string' && typeof pid === 'number' && typeof startTicks === 'string'
      ? { host, pid, startTicks }
      : null;
  } catch {
    return null;
  }
}
