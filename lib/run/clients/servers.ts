import * as z from 'zod';
import type { ClientConfig } from '../../schema/client';
import { count, readTextOrNull } from '../../schema/document';
import { isAtServers, type Plan, type WorkloadAction } from '../../schema/plan';
import type { Commands } from '../../storage/filesystem';
import { storageOrNone } from '../../storage/lookup';
import type { Measured } from '../../workload/common/measured';

type Servers = ClientConfig['arms'][string]['servers'];

/** A word of such a command that stands for the arm's own file system there. */
const OF_ARM = '{fileSystem}';

/** True for a command that works on the arm's own file system, below what clients see. */
export const isBelowArm = ({ command }: WorkloadAction): boolean => command.includes(OF_ARM);

const NO_SERVERS = 'the servers of this storage cannot be worked on from a client';

/** Fills in `{server}`, the way to an arm's servers, and `{fileSystem}`, their name of its file system. @throws Error without such a way */
export function atServers(action: WorkloadAction, servers: Servers): WorkloadAction {
  if (!isAtServers(action)) return action;
  if (servers === undefined) throw new Error(`${NO_SERVERS}: client.json names no servers of the arm`);
  const { fileSystem } = servers;
  if (isBelowArm(action) && fileSystem === undefined)
    throw new Error(`${NO_SERVERS} below the file system: client.json does not say what they call it`);
  const words = action.command.slice(1).map((word) => (word === OF_ARM ? String(fileSystem) : word));
  return { ...action, command: [...servers.command, ...words] };
}

/** Longest time that the servers may take to write what is in memory and say how long they worked. */
const ANSWER_SECONDS = 120;

/** Seconds of processor time by process or thread, such as `mfschunkserver 123 4567`; one that comes later began at 0. */
export type CpuParts = Readonly<Record<string, number>>;

const cpuSchema = z.object({
  schema: z.literal('fsxbench.cpu/1'),
  seconds: z.record(z.string(), z.number().min(0)).refine((parts) => Object.keys(parts).length > 0),
});
const offloadedSchema = z.object({ schema: z.literal('fsxbench.offloaded/1'), requests: count });

/** Parses the output of the servers' `cpu`; `null` for other text. */
export const parseCpu = (text: string): CpuParts | null => readTextOrNull(cpuSchema, documentIn(text))?.seconds ?? null;

/** Parses the output of the servers' `offloaded`; `null` for other text. */
export const parseOffloaded = (text: string): number | null =>
  readTextOrNull(offloadedSchema, documentIn(text))?.requests ?? null;

const documentIn = (text: string): string => /^\{.*\}$/m.exec(text)?.[0] ?? '';

/** Processor time spent between two readings. Processes that ended in between are not in the second: their last share is missing. */
export const spentBetween = (before: CpuParts, after: CpuParts): number =>
  Object.entries(after).reduce((sum, [part, seconds]) => sum + Math.max(0, seconds - (before[part] ?? 0)), 0);

type Answer<T> = { readonly said: T } | { readonly reason: string };

/** A program of the servers that prints a figure. */
interface Question<T> {
  readonly program: string;
  readonly what: string;
  readonly parse: (text: string) => T | null;
}

const CPU: Question<CpuParts> = { program: 'cpu', what: 'their processor time', parse: parseCpu };
const OFFLOADED = { program: 'offloaded', what: 'what their hardware compressed', parse: parseOffloaded };

/** Runs a program on each server, with its own raw files, and reads the output, or gives the reason why there is nothing to read. */
async function askAll<T>(
  servers: Servers,
  named: (suffix: string) => Commands,
  { program, what, parse }: Question<T>,
  time: 'before' | 'after',
): Promise<Answer<readonly T[]>> {
  if (servers === undefined) return { reason: NO_SERVERS };
  const all: T[] = [];
  for (const [index, command] of [servers.command, ...(servers.others ?? [])].entries()) {
    const commands = named(`${program}-${time}${index === 0 ? '' : `-${index + 1}`}`);
    const failure = await commands.each([[...command, program]], ANSWER_SECONDS);
    if (failure !== null) return { reason: `the servers did not say ${what}: ${failure}` };
    const said = parse(commands.text);
    if (said === null) return { reason: `the servers’ program ${program} did not print ${what}` };
    all.push(said);
  }
  return { said: all };
}

/** Asks a question before and after the work, but not again if the first was not answered. */
async function around<T, Result>(
  servers: Servers,
  named: (suffix: string) => Commands,
  question: Question<T>,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly said: Answer<readonly [readonly T[], readonly T[]]> }> {
  const before = await askAll(servers, named, question, 'before');
  const result = await work();
  if ('reason' in before) return { result, said: before };
  const after = await askAll(servers, named, question, 'after');
  return { result, said: 'reason' in after ? after : { said: [before.said, after.said] } };
}

interface Work {
  readonly measured: readonly Measured[];
}

const toolVersionOf = ({ measured: [first] }: Work): string | null => first?.toolVersion ?? null;

/** The servers' CPU time for a command; a missing reading is a missing value, not a failure. @param named commands with their own raw files */
export async function withServerCpu<Result extends Work>(
  operation: string,
  servers: Servers,
  named: (suffix: string) => Commands,
  work: () => Promise<Result>,
): Promise<Result> {
  const { result, said } = await around(servers, named, CPU, work);
  const found = 'said' in said ? { value: sumOver(said.said, spentBetween) } : { value: null, reason: said.reason };
  const sample = { operation, metric: 'server_cpu_seconds', unit: 's', toolVersion: toolVersionOf(result), ...found };
  return { ...result, measured: [...result.measured, sample] };
}

export function offloadsOn({ arms }: Plan, arm: string): boolean {
  const { configuration } = arms.find(({ name }) => name === arm) ?? {};
  return configuration !== undefined && (storageOrNone(configuration.kind)?.client.offloads?.(configuration) ?? false);
}

/**
 * The requests that the servers' hardware compressed during a command. If none, or unknown, CPUs may have done all of it: all its figures are then
 * `null` with that reason. The data exist, so the command has not failed.
 *
 * @param named commands with their own raw files
 */
export async function withOffload<Result extends Work>(
  operation: string,
  servers: Servers,
  named: (suffix: string) => Commands,
  work: () => Promise<Result>,
): Promise<Result> {
  const { result, said } = await around(servers, named, OFFLOADED, work);
  const reason = 'said' in said ? standstill(...said.said) : said.reason;
  const requests = 'said' in said ? sumOver(said.said, (before, after) => after - before) : 0;
  const metric = { operation, metric: 'offloaded_requests', unit: '1', toolVersion: toolVersionOf(result) };
  const measured: readonly Measured[] = [...result.measured, { ...metric, value: requests }];
  const without = ({ value, reason: own, ...each }: Measured): Measured => ({
    ...each,
    value: null,
    reason: (value === null ? own : null) ?? reason ?? undefined,
  });
  return { ...result, measured: reason === null ? measured : measured.map(without) };
}

const sumOver = <T>(
  [before, after]: readonly [readonly T[], readonly T[]],
  of: (before: T, after: T) => number,
): number => before.reduce((sum, one, index) => sum + of(one, after[index] as T), 0);

/** Why two readings of each server's counter prove no offload; `null` where they do. */
function standstill(before: readonly number[], after: readonly number[]): string | null {
  const index = before.findIndex((one, server) => (after[server] as number) <= one);
  if (index === -1) return null;
  const [from, to] = [before[index], after[index]];
  const where = before.length === 1 ? '' : ` of server ${index + 1}`;
  return to === from
    ? `the hardware${where} compressed nothing: its counter stayed at ${to}`
    : `the hardware's counter${where} went back from ${from} to ${to}, so the server was restarted`;
}
