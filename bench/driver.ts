/**
 * The driver against a bare `mpirun ior`, or `fio` without IOR, of 60 s: the program's seconds under `fsxbench run --on`, by the run's samples, over
 * those of the same command line from a shell, in turns. The duration is an option of the program, so a busy machine changes the bytes and not the
 * time. The CPU time of `fsxbench run` beyond the program's is a separate row. `--quick` takes 10 s.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { QUICK } from './shared/quick';
import { median, processorSeconds } from './shared/rounds';
import { tell } from './shared/row';

const SECONDS = QUICK ? 10 : 60;
const ROUNDS = QUICK ? 1 : 3;
const CLI = [process.execPath, join(process.cwd(), 'dist', 'fsxbench.js')];
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-driver-'));
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Writes for so many seconds into a directory. */
const ior = (path: string) => {
  const mpirun = ['mpirun', '--allow-run-as-root', '--oversubscribe', '-np', '2'];
  return [
    ...mpirun,
    'ior',
    '-w',
    '-F',
    '-e',
    '-t',
    '1m',
    '-b',
    '64m',
    '-D',
    String(SECONDS),
    '-i',
    '1',
    '-o',
    `${path}/file`,
  ];
};
const fio = (path: string) => [
  ...['fio', '--name=bench', `--filename=${path}/file`, '--size=64M', '--rw=write', '--bs=1M', '--end_fsync=1'],
  ...['--time_based', `--runtime=${SECONDS}`, '--output-format=json'],
];

interface Round {
  readonly bare: number;
  readonly driven: number;
  readonly processor: number;
}

function round(command: (path: string) => readonly string[]): Round {
  const [on, results] = ['on', 'results'].map((name) => join(folder, name)) as [string, string];
  mkdirSync(join(on, 'bare'), { recursive: true });
  const [program = '', ...args] = command(join(on, 'bare'));
  const started = process.hrtime.bigint();
  const done = spawnSync(program, args, { stdio: 'ignore', timeout: 1000 * (SECONDS + 120) });
  const bare = Number(process.hrtime.bigint() - started) / 1e9;
  if (done.status !== 0) throw new Error(`${program} ended with status ${done.status}`);
  const words = [
    'run',
    '--on',
    on,
    '--set',
    'repeats=1',
    '--set',
    `seconds=${SECONDS}`,
    '--results',
    results,
    '--',
    ...command('{dir}'),
  ];
  const whole = processorSeconds([...CLI, ...words], {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  });
  const runs = readdirSync(results, { recursive: true, encoding: 'utf8' });
  const samples = runs.find((path) => path.endsWith('samples.jsonl')) ?? '';
  const lines = readFileSync(join(results, samples), 'utf8').trim().split('\n');
  const values = lines.map(
    (line) =>
      JSON.parse(line) as { operation: string; metric: string; value: number; startedAt: string; endedAt: string },
  );
  const of = (metric: string) => values.find((one) => one.operation === 'run' && one.metric === metric);
  const { startedAt = '', endedAt = '' } = of('seconds') ?? {};
  rmSync(results, { recursive: true });
  return {
    bare,
    driven: (Date.parse(endedAt) - Date.parse(startedAt)) / 1000,
    processor: whole - (of('user_seconds')?.value ?? Number.NaN) - (of('system_seconds')?.value ?? Number.NaN),
  };
}

try {
  const [name, command] = has('ior') && has('mpirun') ? (['`mpirun ior`', ior] as const) : (['`fio`', fio] as const);
  const rounds = Array.from({ length: ROUNDS }, () => round(command));
  const added = 100 * (median(rounds.map(({ driven, bare }) => driven / bare)) - 1);
  const processor = median(rounds.map((one) => one.processor));
  console.log(
    `${name} of ${SECONDS} s: the driver adds ${added.toFixed(2)} %; whole command: ${processor.toFixed(1)} s of processor`,
  );
  const note = `by the clock, of ${SECONDS} s`;
  tell({ what: 'time that the driver adds', against: `bare ${name}`, value: added, unit: '%', most: 1, note });
  tell({
    what: '`fsxbench run --on`, start to report',
    against: `${name} of ${SECONDS} s`,
    value: (100 * processor) / SECONDS,
    unit: '%',
    note: 'processor time beyond the program’s, of its duration',
  });
} finally {
  rmSync(folder, { recursive: true });
}
