import { spawnSync } from 'node:child_process';

/** Milliseconds of each command by name, one per round. */
export type Times = ReadonlyMap<string, readonly number[]>;

/** Runs commands in turn, so that a busy moment affects all alike. @throws if one of them fails */
export function timeCommands(
  commands: Readonly<Record<string, readonly string[]>>,
  rounds: number,
  environment: NodeJS.ProcessEnv = process.env,
): Times {
  const times = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, [command = '', ...args]] of Object.entries(commands)) {
      const { milliseconds, result } = timed(() =>
        spawnSync(command, args, { env: environment, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] }),
      );
      if (result.status !== 0) throw new Error(`${name} ended with status ${result.status}: ${result.stderr}`);
      times.get(name)?.push(milliseconds);
    }
  }
  return times;
}

/** The result of some work, and its duration. */
export function timed<T>(work: () => T): { readonly milliseconds: number; readonly result: T } {
  const started = process.hrtime.bigint();
  const result = work();
  return { milliseconds: Number(process.hrtime.bigint() - started) / 1e6, result };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** One line per command: its median in milliseconds, as a multiple of the first, and the slowest round. */
export function printTimes(times: Times): void {
  const [first = []] = times.values();
  for (const [name, values] of times) console.log(line(name, median(values), median(first), values));
}

/** `predict                    142 ms  3.10 ×  slowest 171 ms` */
export function line(name: string, milliseconds: number, base: number, values: readonly number[]): string {
  const slowest = Math.max(...values).toFixed(0);
  return `${name.padEnd(24)} ${milliseconds.toFixed(milliseconds < 100 ? 1 : 0).padStart(6)} ms  ${(milliseconds / base).toFixed(2)} ×  slowest ${slowest} ms`;
}
