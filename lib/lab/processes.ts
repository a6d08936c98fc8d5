import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assignments } from '../common/format/text';
import { parseMounts } from '../common/mounts';
import { isRunning, type ProcessStat, statOf } from '../common/processIdentity';
import type { LabPaths } from './paths';

/** Environment variable with the lab's folder, inherited from the emulator: it identifies processes that were never recorded. */
export const LAB_MARKER = 'FSXBENCH_LAB';

const GRACE_MS = 3_000;
/** Timeout: killed processes exit as soon as the kernel gets to them. */
const KILL_MS = 60_000;
const LOOK_EVERY_MS = 50;

export const allProcesses = async (): Promise<ProcessStat[]> =>
  (await readdir('/proc')).flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));

/** Every process with the marker of the lab in `labFolder`, except this one and its ancestors. */
export const processesOfLab = (labFolder: string): Promise<ProcessStat[]> =>
  processesWith(LAB_MARKER, labFolder, (process) => isStepOfSlurm(process, labFolder));

/** Every process with a variable in the environment in which it was started, except this one and its ancestors. */
async function processesWith(
  name: string,
  value: string,
  orIf: (process: ProcessStat) => Promise<boolean> = async () => false,
): Promise<ProcessStat[]> {
  const spared = ancestors();
  const found: ProcessStat[] = [];
  for (const process of await allProcesses()) {
    if (spared.has(process.pid)) continue;
    // The environment of other users' processes cannot be read, and they are not the lab's.
    const environment = await readFile(`/proc/${process.pid}/environ`, 'utf8').catch(() => '');
    if (environment.split('\0').includes(`${name}=${value}`) || (await orIf(process))) found.push(process);
  }
  return found;
}

/** Slurm's steps overwrite their environment with their titles; what is left of their origin is their node's view of the mounts. */
async function isStepOfSlurm({ pid, name }: ProcessStat, labFolder: string): Promise<boolean> {
  if (!name.startsWith('slurm')) return false;
  const mounts = parseMounts(await readFile(`/proc/${pid}/mounts`, 'utf8').catch(() => ''));
  return mounts.some(({ mountPoint }) => mountPoint === `${labFolder}/slurm/tmp`);
}

/** Terminates the processes that `find` lists, then kills them and new ones. @param graceMs before SIGKILL; 0: at once @returns those that remain */
export async function endProcesses(find: () => Promise<readonly ProcessStat[]>, graceMs = GRACE_MS) {
  const left = graceMs > 0 ? await signalAll(find, 'SIGTERM', graceMs) : undefined;
  return left?.length === 0 ? left : await signalAll(find, 'SIGKILL', KILL_MS);
}

async function signalAll(find: () => Promise<readonly ProcessStat[]>, signal: NodeJS.Signals, waitMs: number) {
  const signalled = new Set<string>();
  const deadline = Date.now() + waitMs;
  for (;;) {
    const left = (await find()).filter(isRunning);
    if (left.length === 0 || Date.now() > deadline) return left;
    for (const { pid, startTicks } of left) {
      const one = `${pid} ${startTicks}`;
      if (!signalled.has(one)) send(pid, signal);
      signalled.add(one);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function ancestors(): Set<number> {
  const found = new Set<number>();
  for (let { pid } = process as { pid: number }; pid > 1 && !found.has(pid); pid = statOf(pid)?.parent ?? 0)
    found.add(pid);
  return found;
}

/** `process 4711 (mfsmaster)` */
export const describeProcess = ({ pid, name }: Pick<ProcessStat, 'pid' | 'name'>): string => `process ${pid} (${name})`;

/** The outcome of a command. `code` is `null` if it could not be started or was killed. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Folders with administrative programs, which may be missing on a user's PATH. */
const ADMINISTRATION = ['/usr/sbin', '/sbin'];

/** PATH with the lab's own tools and the Node.js of this process first, and administrative programs last. */
export function searchPath(tools?: string): string {
  const own = [...(tools === undefined ? [] : [tools]), dirname(process.execPath)];
  return [...own, process.env.PATH ?? '', ...ADMINISTRATION].join(delimiter);
}

/** Runs a script of assets/, by its path there, so that it can be found if this process is killed. */
export const runScript = (
  { root, lab }: LabPaths,
  path: string,
  variables: Readonly<Record<string, string | undefined>>,
  words: readonly string[],
): Promise<CommandResult> =>
  runCommand('env', [...assignments(variables), 'bash', join(root, 'assets', path), ...words], { labFolder: lab });

/** Identifies what a command started, in their own sessions as well. */
const COMMAND_MARKER = 'FSXBENCH_COMMAND';

/** Runs a system program; never throws. A timeout ends it and its children. @param labFolder of the lab that finds the process if this one is killed */
export async function runCommand(
  command: string,
  args: readonly string[],
  { labFolder, seconds = 300 }: { labFolder?: string; seconds?: number } = {},
): Promise<CommandResult> {
  const mark = randomUUID();
  const env: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C', PATH: searchPath(), [COMMAND_MARKER]: mark };
  if (labFolder !== undefined) env[LAB_MARKER] = labFolder;
  let late = '';
  return new Promise((resolve) => {
    const options = { env, maxBuffer: 1 << 24, encoding: 'utf8' as const };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      clearTimeout(timer);
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      const reason = stderr || (error !== null && code === null && late === '' ? error.message : '');
      resolve({ code: late === '' ? code : null, stdout, stderr: `${reason}${late}` });
    });
    const timer = setTimeout(() => {
      late = `\n${command} was ended after ${seconds} s`;
      child.kill();
      void endProcesses(() => processesWith(COMMAND_MARKER, mark));
    }, seconds * 1000);
  });
}
