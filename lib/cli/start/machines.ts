import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { childrenOf } from '../../common/processIdentity';
import { deployedFleet, STANDING_FLEETS } from '../../fleet/registry';
import { sha256, startedHere } from '../../run/started';
import type { ClientConfig } from '../../schema/client';
import { findLocalRun } from '../../store/library';
import { filesBelow } from '../../store/upload';
import { type CliContext, Unsuccessful, UsageError, usage } from '../context';
import { SIGNALS } from '../input/interrupt';
import type { RunOptions } from './arguments';
import { writableDirectory } from './arguments';
import { loadModules, withFirst } from './tools';

/** Machines that a run uses next to this one, or in its place. */
export type Machines = NonNullable<ClientConfig['machines']>;

type Asked = Pick<Machines, 'option' | 'wanted'>;

/** The machines that the options ask for; `null` for this one alone. @throws UsageError for two kinds at once */
function askedIn(options: RunOptions): Asked | null {
  const [first, second] = STANDING_FLEETS.flatMap(({ option }) => {
    const wanted = options[option as keyof RunOptions];
    return typeof wanted === 'string' ? [{ option, wanted }] : [];
  });
  if (first && second)
    throw new UsageError(`--${first.option} and --${second.option} each name the clients: choose one`);
  return first ?? null;
}

/** Set where a command runs again on machines that it reserved: to the id of its run if it was queued, else empty. */
export const RESERVED = 'FSXBENCH_RESERVED';

const labelsOf = ({ slurm = '' }: RunOptions): string[] => slurm.split(/\s+/).filter((word) => word !== '');

interface Reservation {
  /** Reserves a run's machines, then runs the words that follow it there. */
  readonly command: readonly string[];
  readonly ifRefused?: string;
}

/** The command that reserves a run's machines; `null` if nothing is to be reserved. @throws UsageError for options of a reservation without a reservation */
function reservation(context: CliContext, options: RunOptions): Reservation | null {
  if (context.environment[RESERVED] !== undefined) return null;
  const asked = askedBy(context, options);
  const words = labelsOf(options);
  const fleet = asked && deployedFleet(asked.option);
  const command = fleet && usage(() => fleet.reserve(asked.wanted, words, context.environment));
  if (command !== null) return { command, ifRefused: fleet?.ifRefused };
  if (words.length > 0) throw new UsageError('--slurm requires --nodes: add --nodes, or leave --slurm out');
  return null;
}

/** Machines that the options ask for; for a resumed run those that it was started on. */
function askedBy(context: CliContext, options: RunOptions): Asked | null {
  if (options.resume === undefined) return askedIn(options);
  const found = findLocalRun(options.resume, options.results);
  return (found && startedHere(context.environment, found)?.client?.machines) ?? null;
}

/** Queues a command. @returns the id of its job @throws UsageError without a queue, Unsuccessful with the message of a queue that refuses */
export function queue(context: CliContext, options: RunOptions, run: string, log: string): string {
  const asked = askedBy(context, options);
  const fleet = asked && deployedFleet(asked.option);
  if (asked === null || fleet?.submit === undefined) throw new UsageError(DRIVEN_HERE);
  const { environment, command = [], root } = context;
  const job = { log, scripts: join(root, 'assets', 'client') };
  const submit = usage(() => fleet.submit?.(asked.wanted, labelsOf(options), job, environment) ?? []);
  const [program = '', ...words] = [...submit, 'env', `${RESERVED}=${run}`, ...command];
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    env: environment,
    encoding: 'utf8',
    timeout: QUEUE_MS,
  });
  if (status === 0) return (stdout.trim().split(';')[0] as string).trim();
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') throw new UsageError(noProgram(program));
  context.err(stderr);
  throw new Unsuccessful(refusal(program, stderr || (error?.message ?? ''), fleet.ifRefused));
}

export const DRIVEN_HERE = 'a local run is driven by this command: leave out --detach, or start it with nohup';
const QUEUE_MS = 60_000;

const noProgram = (program = ''): string =>
  `there is no ${program} on this computer (${hostname()}): start the run on a login node of the cluster, or in a job`;

const refusal = (program: string, words: string, ifRefused?: string): string =>
  `${program} on ${hostname()} named no nodes: '${words.trim().split('\n').at(-1)}'${ifRefused ? `; ${ifRefused}` : ''}`;

/** Runs this command again on the machines that it reserves; `false` if it reserves none. @throws Unsuccessful if that one fails */
export async function ranOnReserved(context: CliContext, options: RunOptions): Promise<boolean> {
  const reserved = reservation(context, options);
  if (reserved === null) return false;
  const status = await handOver(context, reserved);
  if (status !== 0) throw new Unsuccessful('', status === 2 ? 2 : 1);
  return true;
}

/** Has a command say at 4 that it begins, and say everything else where this process does: 2 belongs to the command that reserves. */
const BEGIN = 'echo >&4; exec "$@" 2>&3 3>&- 4>&-';

/** Runs this command on machines that another one reserves, with this process's terminal and signals. @returns its exit status */
async function handOver(context: CliContext, { command, ifRefused }: Reservation): Promise<number> {
  const [program = '', ...words] = command;
  const env = { ...context.environment, [RESERVED]: '' };
  const child = spawn(program, [...words, 'sh', '-c', BEGIN, 'sh', ...(context.command ?? [])], {
    env,
    stdio: ['inherit', 'inherit', 'pipe', 2, 'pipe'],
  });
  let [said, begun, interrupted] = ['', false, false];
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk;
    context.err(String(chunk));
  });
  child.stdio[4]?.once('data', () => {
    begun = true;
  });
  // To the command itself, which then ends its run cleanly; salloc would give the machines back first. Without one it still waits for them.
  const pass = (): void => {
    interrupted = true;
    const own = child.pid === undefined ? [] : childrenOf(child.pid);
    if (own.length === 0) child.kill('SIGTERM');
    for (const pid of own) {
      try {
        process.kill(pid, 'SIGTERM');
      } catch {
        // It has just ended.
      }
    }
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  try {
    const status = await new Promise<number>((done, fail) => {
      child.once('error', (error: NodeJS.ErrnoException) =>
        fail(error.code === 'ENOENT' ? new UsageError(noProgram(program)) : error),
      );
      child.once('close', (code) => done(code ?? 1));
    });
    if (!begun && !interrupted) throw new Unsuccessful(refusal(program, said, ifRefused));
    return status;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, pass);
  }
}

/** The machines that the options ask for, as they are now; `null` for this one alone. @throws UsageError saying what is wrong */
export async function machinesOf(context: CliContext, options: RunOptions): Promise<Machines | null> {
  const asked = askedIn(options);
  return asked === null ? null : found(context, asked, options.loaded);
}

/** Number of machines that the options ask for, without asking any; `null` for this one alone. @throws UsageError */
export function clientsIn(options: RunOptions): number | null {
  const asked = askedIn(options);
  return asked === null ? null : usage(() => deployedFleet(asked.option).count(asked.wanted));
}

/** Clients as they are now, for a client that was recorded when its run was started. */
export async function clientAnew(context: CliContext, client: ClientConfig): Promise<ClientConfig> {
  const { machines, session } = client;
  const variables = { ...machines?.variables, ...(await loadModules(context, session?.modules ?? [])) };
  const PATH = machines?.path ?? session?.path;
  Object.assign(context.environment, { ...variables, ...(PATH === undefined ? {} : { PATH }) });
  return machines === undefined ? client : { ...client, machines: await found(context, machines, variables) };
}

/** Variables without which programs of a module may not find their libraries; those that a boot sets would come before them (assets/client/lib/common.sh). */
const alwaysIn = ({ LD_LIBRARY_PATH }: NodeJS.ProcessEnv): Record<string, string> => ({
  FSXBENCH_BIN: dirname(process.execPath),
  ...(LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }),
});

async function found({ environment }: CliContext, { option, wanted }: Asked, variables: Machines['variables'] = {}) {
  const { names, unset = [] } = await deployedFleet(option)
    .machines(wanted, environment)
    .catch((error: Error) => {
      throw new UsageError(error.message);
    });
  for (const name of unset) delete environment[name];
  // The running Node.js, if its directory is on all machines; srun passes the PATH on.
  environment.PATH = withFirst(dirname(process.execPath), environment);
  const handedOn = { ...variables, ...alwaysIn(environment) };
  Object.assign(environment, handedOn);
  return { option, wanted, names: [...names], path: environment.PATH, variables: handedOn };
}

/** Folder of the clients' scripts where every machine finds them: a copy in `--shared`, or the project's own. */
export function scriptsFolder({ root }: CliContext, { shared }: Pick<RunOptions, 'shared'>): string {
  const own = join(root, 'assets', 'client');
  return shared === undefined ? own : copied(own, writableDirectory('--shared', shared));
}

/** Some hundred small files, on a shared directory that may be slow. */
const COPY_MS = 300_000;

/** Copies a folder under a name derived from its content: another release, or another user, gets another copy. */
function copied(folder: string, parent: string): string {
  const draft = mkdtempSync(join(parent, '.fsxbench-client-'));
  try {
    // Its links lead out of the folder: their targets are copied.
    execFileSync('cp', ['-rLT', folder, draft], { timeout: COPY_MS });
    const sums = filesBelow(draft).map((path) => `${relative(draft, path)} ${sha256(readFileSync(path))}`);
    const place = join(parent, `fsxbench-client-${sha256(sums.join('\n')).slice(0, 12)}`);
    chmodSync(draft, 0o755);
    if (!existsSync(place)) renameSync(draft, place);
    return place;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
