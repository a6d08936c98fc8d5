import { spawnSync } from 'node:child_process';

/** Processor seconds (user and system) of each command by name, one per round. */
export type Times = Readonly<Record<string, readonly number[]>>;

/** A command and its arguments. */
export type Command = readonly string[];

/** Bash adds the processor time of a command and of all that it waits for to the end of its errors, in milliseconds. */
const TIMED = 'TIMEFORMAT="%3U %3S"; time "$@"';

/** Processor seconds of a command and its children. @throws if it fails */
export function processorSeconds([command = '', ...args]: Command, env: NodeJS.ProcessEnv = process.env): number {
  const words = ['-c', TIMED, 'bash', command, ...args];
  const { status, stderr } = spawnSync('bash', words, { env, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with status ${status}: ${stderr}`);
  const [user = Number.NaN, system = Number.NaN] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return user + system;
}

/** Runs commands in turn: a busy moment affects all alike. @throws if one of them fails */
export function timeCommands(
  commands: Readonly<Record<string, Command>>,
  rounds: number,
  env: NodeJS.ProcessEnv = process.env,
): Times {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, command] of Object.entries(commands)) times[name]?.push(processorSeconds(command, env));
  return times;
}

/** Processor seconds of some work in this process, the compilers' and collectors' threads included. */
export function processorSecondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Median of the ratios within a round. */
export function ratioOf(times: Times, name: string, reference: string): number {
  const [own = [], others = []] = [times[name], times[reference]];
  return median(own.map((seconds, round) => seconds / (others[round] as number)));
}

/** One line per command: its median in milliseconds of processor, as a multiple of the first, and the most of a round. */
export function printTimes(times: Times): void {
  const [first = ''] = Object.keys(times);
  for (const [name, values] of Object.entries(times)) {
    const [middle, most] = [median(values), Math.max(...values)].map((seconds) =>
      (1000 * seconds).toFixed(0).padStart(6),
    );
    console.log(`${name.padEnd(32)} ${middle} ms  ${ratioOf(times, name, first).toFixed(2)} ×  at most ${most} ms`);
  }
}
