/** How long the command line takes to start, as a multiple of an empty Node.js process in the same run. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const CLI = join(process.cwd(), 'dist', 'fsxbench.js');
const FIXTURE = join(process.cwd(), 'test', 'fixtures', 'tools', 'ior330_wr_fpp_4r.out');
const ROUNDS = 15;

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'an empty process': ['-e', '0'],
  '--help': [CLI, '--help'],
  'parse of one file': [CLI, 'parse', '--json', FIXTURE],
  'plan CompressionBench': [CLI, 'plan', 'CompressionBench', '--json'],
  'cost CompressionBench': [CLI, 'cost', 'CompressionBench', '--json'],
};

/** Interleaved, so that a busy moment meets all alike; the median of each. */
const times = new Map<string, number[]>(Object.keys(COMMANDS).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, args] of Object.entries(COMMANDS)) {
    const started = process.hrtime.bigint();
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
    if (status !== 0) throw new Error(`${name} ended with status ${status}`);
    times.get(name)?.push(Number(process.hrtime.bigint() - started) / 1e6);
  }
}
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const base = median(times.get('an empty process') ?? []);
for (const [name, values] of times)
  console.log(
    `${name.padEnd(24)} ${median(values).toFixed(0).padStart(5)} ms  ${(median(values) / base).toFixed(2)} ×`,
  );
