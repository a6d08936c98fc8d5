import { hash } from 'node:crypto';
import { existsSync, fstatSync, mkdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { isRunning, statOf } from '../../common/processIdentity';
import { documentOrNone, findFile, findJson } from '../../store/documents';

/** The process that drives a run; its start time distinguishes it from a later one with the same pid. */
const holderSchema = z.object({ host: z.string(), pid: z.number(), startTicks: z.string() });
type Holder = z.infer<typeof holderSchema>;

const LOCK = 'driver.lock';
const TOUCH_SECONDS = 3;

/** Seconds in which a driver on another machine touches its lock, with a file server that is slow. */
const BEAT_SECONDS = 8;

/** The winner of two drivers that start at the same moment writes its name within less. */
const NAME_SECONDS = 2;

/** Locks a run's folder, since two drivers would disturb each other. A killed driver's lock is stale. @returns what releases it @throws naming the holder */
export async function acquireLock(folder: string, beatSeconds = BEAT_SECONDS): Promise<() => void> {
  const file = join(folder, LOCK);
  const me = { host: hostname(), pid: process.pid, startTicks: statOf(process.pid)?.startTicks ?? '' };
  mkdirSync(folder, { recursive: true });
  const held = await bindName(folder);
  const other = held === 'taken' ? await waitForHolder(folder) : await driverOf(folder, beatSeconds);
  if (held === 'taken' || other !== null) {
    if (held !== 'taken') held?.close();
    // Every user of this computer can take the name.
    if (other === null)
      throw new Error(
        `the lock of this run, in ${folder}, is held by another process: sudo ss -xlp | grep ${nameFor(folder).slice(0, 24)} names it; end it, then repeat the command`,
      );
    throw new Error(
      `${nameOf(other)} is already running this run, in ${folder}: wait until it has ended, or interrupt it with kill ${other.pid}`,
    );
  }
  rmSync(file, { force: true });
  // Never through a link that somebody puts there meanwhile.
  writeFileSync(file, JSON.stringify(me), { flag: 'wx' });
  const touching = setInterval(() => touch(file), TOUCH_SECONDS * 1000).unref();
  return () => {
    clearInterval(touching);
    try {
      rmSync(file, { force: true });
    } catch {
      // On a disk that is read-only by now; the lock of a process that has ended is stale, and this must not hide why the run ended.
    }
    held?.close();
  };
}

/** Takes a name that the kernel gives to one process at a time, so one of two drivers replaces a killed one's lock. Abstract sockets are Linux's (unix(7)). */
function bindName(folder: string): Promise<Server | 'taken' | null> {
  const server = createServer((caller) => caller.destroy());
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' ? 'taken' : null));
    server.listen(`\0${nameFor(folder)}`, () => resolve(server.unref()));
  });
}

const nameFor = (folder: string): string => `fsxbench-run-${hash('sha256', realpathSync(folder))}`;

async function waitForHolder(folder: string): Promise<Holder | null> {
  for (let waited = 0; waited < NAME_SECONDS; waited += 0.05) {
    const holder = holderOf(folder);
    if (holder !== null && runsHere(holder)) return holder;
    await sleep(50);
  }
  return null;
}

/** `process 7`, with its machine if that is another one. */
export const nameOf = ({ host, pid }: Holder): string => `process ${pid}${host === hostname() ? '' : ` on ${host}`}`;

/** The process that drives the run in a folder now, on this computer or on another that has the folder as well; `null` if none does. */
export async function driverOf(folder: string, beatSeconds = BEAT_SECONDS): Promise<Holder | null> {
  const holder = holderOf(folder);
  if (holder === null) return null;
  const works = holder.host === hostname() ? runsHere(holder) : await beats(folder, beatSeconds);
  return works ? holder : null;
}

const runsHere = (holder: Holder): boolean => holder.host === hostname() && isRunning(holder);

/** Shows drivers on other machines with the same folder that the lock's holder is alive. */
function touch(file: string): void {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // A folder that is gone or read-only fails the run where it is written.
  }
}

/** True if the holder of a lock touches it: the only sign of a process on another machine, such as a job's node or another login node. */
async function beats(folder: string, seconds: number): Promise<boolean> {
  const before = touchedAt(folder);
  for (let waited = 0; waited < seconds; waited += 0.25) {
    await sleep(250);
    const now = touchedAt(folder);
    if (now !== before) return now !== null;
  }
  return false;
}

/** The time of a file's last touch, as its server has it: NFS asks again when a file is opened (nfs(5), close-to-open). `null` without the file. */
const touchedAt = (folder: string): number | null =>
  documentOrNone(findFile(folder, LOCK, (file) => fstatSync(file).mtimeMs));

/** Locks the run in a folder that no driver holds. @returns what unlocks it, `lives` for one that is held, `unknown` for another machine's */
export async function lockOutDrivers(folder: string): Promise<(() => void) | 'lives' | 'unknown'> {
  const holder = holderOf(folder);
  if (!existsSync(folder) || (holder !== null && holder.host !== hostname())) return 'unknown';
  return acquireLock(folder).catch(() => 'lives' as const);
}

/** `null` without a lock file, or for one left truncated by a full disk or a killed driver. */
const holderOf = (folder: string): Holder | null => documentOrNone(findJson(folder, LOCK, holderSchema));
