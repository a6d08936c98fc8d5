import type { ClientConfig } from '../schema/client';
import type { WorkloadAction } from '../schema/plan';
import type { Commands } from '../storage/filesystem';
import type { Measured } from './measure';

type Servers = ClientConfig['arms'][string]['servers'];

/** A first word of a command that stands for the servers of the arm. */
const AT_SERVERS = '{server}';

/** Without these a client cannot ask. */
const NO_SERVERS = 'the servers of this storage cannot be worked on from a client';

/**
 * The action with the way to its arm's servers in the place of `{server}`.
 *
 * @throws Error where there is no such way
 */
export function atServers(action: WorkloadAction, servers: Servers): WorkloadAction {
  const [first, ...words] = action.command;
  if (first !== AT_SERVERS) return action;
  if (servers === undefined) throw new Error(`${NO_SERVERS}: client.json names no servers of the arm`);
  return { ...action, command: [...servers.command, ...words] };
}

/** Longest time that the servers may take to write what is in memory and say how long they worked. */
const ANSWER_SECONDS = 120;

/** Seconds of processor time by whoever spent it: a process or thread that comes later began at 0. */
export type CpuParts = Readonly<Record<string, number>>;

/** What the program `cpu` of the servers printed: `{"schema":"fsxbench.cpu/1","seconds":{"mfschunkserver 123 4567":1.25}}`; `null` for anything else. */
export function parseCpu(text: string): CpuParts | null {
  const line = /^\{"schema":"fsxbench\.cpu\/1".*\}$/m.exec(text)?.[0];
  if (line === undefined) return null;
  try {
    const { seconds } = JSON.parse(line) as { seconds?: unknown };
    if (typeof seconds !== 'object' || seconds === null) return null;
    const parts = Object.entries(seconds);
    return parts.length > 0 && parts.every(([, value]) => typeof value === 'number' && value >= 0)
      ? (seconds as CpuParts)
      : null;
  } catch {
    return null;
  }
}

/** What was spent between two readings. What ended in between is not in the second: its last share is missing. */
export const spentBetween = (before: CpuParts, after: CpuParts): number =>
  Object.entries(after).reduce((sum, [part, seconds]) => sum + Math.max(0, seconds - (before[part] ?? 0)), 0);

/** Reads the servers' processor time; `null` with the reason. */
async function readCpu(
  servers: Servers,
  commands: Commands,
): Promise<{ readonly parts: CpuParts } | { readonly reason: string }> {
  if (servers === undefined) return { reason: NO_SERVERS };
  const failure = await commands.run([...servers.command, 'cpu'], ANSWER_SECONDS);
  if (failure !== null) return { reason: `the servers did not say their processor time: ${failure}` };
  const parts = parseCpu(commands.text);
  return parts === null ? { reason: 'the servers’ program cpu printed no processor time' } : { parts };
}

/**
 * The processor time that the servers spend on a command. It never fails the command: a reading that is missing is a value that is missing.
 *
 * @param named commands with raw files of their own
 */
export async function withServerCpu<Result extends { readonly measured: readonly Measured[] }>(
  operation: string,
  servers: Servers,
  named: (suffix: string) => Commands,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = await readCpu(servers, named('cpu-before'));
  const result = await work();
  const after = 'parts' in before ? await readCpu(servers, named('cpu-after')) : before;
  const [{ toolVersion = null } = {}] = result.measured;
  const sample = { operation, metric: 'server_cpu_seconds', unit: 's', toolVersion };
  const measured: Measured =
    'parts' in before && 'parts' in after
      ? { ...sample, value: spentBetween(before.parts, after.parts) }
      : { ...sample, value: null, reason: 'reason' in after ? after.reason : NO_SERVERS };
  return { ...result, measured: [...result.measured, measured] };
}
