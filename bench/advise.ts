/** How long advice takes, as a multiple of an empty Node.js process in the same run, and within a process for each answer. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { advise } from '../lib/advise';

const CLI = join(process.cwd(), 'dist', 'fsxbench.js');
const ROUNDS = 15;
const REQUIRED = ['--read', '20', '--write', '10', '--capacity', '200', '--metadata', '50000', '--ratio', '2'];
const PREDICTED = ['--deployment', 'PERSISTENT_1', '--per-unit', '200', '--capacity', '14400', '--ratio', '3.75'];

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'an empty process': ['-e', '0'],
  predict: [CLI, 'predict', ...PREDICTED, '--json'],
  advise: [CLI, 'advise', ...REQUIRED, '--json'],
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
    `${name.padEnd(24)} ${median(values).toFixed(0).padStart(5)} ms  ${(median(values) / base).toFixed(2)} ×  slowest ${Math.max(...values).toFixed(0)} ms`,
  );

const answers: number[] = [];
for (let round = 0; round < 50; round++) {
  const started = process.hrtime.bigint();
  advise({
    readMBps: 1000 + round * 700,
    writeMBps: 500 + round * 400,
    capacityTB: 1 + round * 20,
    createsPerSecond: 1000 + round * 7000,
    ratio: 2,
    clients: { count: 64, instanceType: 'c6in.32xlarge', efa: true },
  });
  answers.push(Number(process.hrtime.bigint() - started) / 1e6);
}
console.log(
  `an answer in a process   ${median(answers).toFixed(1).padStart(5)} ms  ${(median(answers) / base).toFixed(2)} ×`,
);
