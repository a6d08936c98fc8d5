import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, statOf } from '../../common/processIdentity';

/** The process that drives a run; its start time distinguishes it from a later one with the same pid. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly startTicks: string;
}

/** Seconds between two touches of the lock by its holder. */
const TOUCH_SECONDS = 3;

/** Seconds in which a driver on another machine touches its lock, with a file server that is slow. */
const BEAT_SECONDS = 8;

/** The winner of two drivers that start at the same moment writes its name within less. */
const NAME_SECONDS = 2;

/**
 * Locks a run's folder: two drivers would disturb each other's measurements and write to the same files. The lock of a killed
 * driver is stale and ignored.
 *
 * @param beatSeconds time in which a driver on another machine shows that it works
 * @returns a function that releases the lock
 * @throws naming the process that holds it
 */
export async function acquireLock(folder: string, beatSeconds = BEAT_SECONDS): Promise<() => void> {
  const file = join(folder, 'driver.lock');
  const me = { host: hostname(), pid: process.pid, startTicks: statOf(process.pid)?.startTicks ?? '' };
  mkdirSync(folder, { recursive: true });
  const held = await bindName(folder);
  const other = held === 'taken' ? await waitForHolder(file) : await driverOf(folder, beatSeconds);
  if (held === 'taken' || other !== null) {
    if (held !== 'taken') held?.close();
    if (other === null) throw new Error(`the lock of this run, in ${folder}, ${describePeer(nameFor(folder))}`);
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

/**
 * Takes a name that the kernel gives to one process at a time and takes back when it ends: of two drivers that find the lock of a killed one,
 * only one may replace it. Abstract sockets are Linux's (unix(7)); elsewhere the file alone has to do.
 */
function bindName(folder: string): Promise<Server | 'taken' | null> {
  const server = createServer((caller) => caller.destroy());
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' ? 'taken' : null));
    server.listen(`\0${nameFor(folder)}`, () => resolve(server.unref()));
  });
}

const nameFor = (folder: string): string =>
  `fsxbench-run-${createHash('sha256').update(realpathSync(folder)).digest('hex')}`;

/** Says who has the name of a lock, but not the lock: every user of this computer can take the name, and not everybody may see who did. */
function describePeer(name: string): string {
  const peer = peerOf(name);
  return peer === null
    ? `is held by a process of another user, which only root can see: sudo ss -xlp | grep ${name.slice(0, 24)} names it; end it, then repeat the command`
    : `is held by process ${peer.pid} (${peer.name}) of user ${peer.user}: wait until it has ended, or end it with kill ${peer.pid}`;
}

/** The process that has an abstract socket's name (proc_net(5), proc_pid_fd(5)); `null` if this user may not see it. */
function peerOf(name: string): { readonly pid: number; readonly name: string; readonly user: number } | null {
  const socket = readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .find((line) => line.endsWith(` @${name}`));
  const inode = socket?.trim().split(/ +/)[6];
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const files = readdirSync(`/proc/${pid}/fd`).map((file) => readlinkSync(`/proc/${pid}/fd/${file}`));
      const found = files.includes(`socket:[${inode}]`) ? statOf(Number(pid)) : null;
      if (found !== null) return { pid: found.pid, name: found.name, user: statSync(`/proc/${pid}`).uid };
    } catch {
      // It has ended, or is another user's.
    }
  }
  return null;
}

async function waitForHolder(file: string): Promise<Holder | null> {
  for (let waited = 0; waited < NAME_SECONDS; waited += 0.05) {
    const holder = holderOf(file);
    if (holder !== null && runsHere(holder)) return holder;
    await sleep(50);
  }
  return null;
}

/** `process 7`, with its machine if that is another one. */
export const nameOf = ({ host, pid }: Holder): string => `process ${pid}${host === hostname() ? '' : ` on ${host}`}`;

/** The process that drives the run in a folder now, on this computer or on another that has the folder as well; `null` if none does. */
export async function driverOf(folder: string, beatSeconds = BEAT_SECONDS): Promise<Holder | null> {
  const file = join(folder, 'driver.lock');
  const holder = holderOf(file);
  if (holder === null) return null;
  const works = holder.host === hostname() ? runsHere(holder) : await beats(file, beatSeconds);
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
async function beats(file: string, seconds: number): Promise<boolean> {
  const before = touchedAt(file);
  for (let waited = 0; waited < seconds; waited += 0.25) {
    await sleep(250);
    const now = touchedAt(file);
    if (now !== before) return now !== null;
  }
  return false;
}

/** The time of a file's last touch, as its server has it: NFS asks again when a file is opened (nfs(5), close-to-open). `null` without the file. */
function touchedAt(file: string): number | null {
  try {
    const descriptor = openSync(file, 'r');
    try {
      return fstatSync(descriptor).mtimeMs;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

/**
 * Locks the run in a folder that no driver holds, to end its leftovers.
 *
 * @returns a function that unlocks it, `lives` if a driver holds the run, or `unknown` if the run is another machine's
 */
export async function lockOutDrivers(folder: string): Promise<(() => void) | 'lives' | 'unknown'> {
  const holder = holderOf(join(folder, 'driver.lock'));
  if (!existsSync(folder) || (holder !== null && holder.host !== hostname())) return 'unknown';
  return acquireLock(folder).catch(() => 'lives' as const);
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
