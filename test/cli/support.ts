import { resolve } from 'node:path';
import type { CliContext } from '../../lib/cli/context';
import { runProgram } from '../../lib/cli/program';
import type { RunStatus } from '../../lib/schema/run';

/** Output and end of a command. */
export interface Answer {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** The command line in this process, in a world that holds nothing unless `world` puts it there. */
export async function fsxbenchIn(world: Partial<CliContext>, argv: readonly string[]): Promise<Answer> {
  let [out, err] = ['', ''];
  const context: CliContext = {
    root: '/',
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    environment: {},
    interactive: false,
    ...world,
  };
  const status = await runProgram(context, argv);
  return { status, out, err };
}

/** The folder of the project. */
export const PROJECT = resolve(__dirname, '../..');

/** The command line in this process, in this project. */
export const fsxbench = (...argv: string[]): Promise<Answer> =>
  fsxbenchIn({ root: PROJECT, environment: process.env }, argv);

/** A run that measures. */
export const status = (change: Partial<RunStatus> = {}): RunStatus => ({
  schema: 'fsxbench.status/1',
  run: 'r-1',
  benchmark: 'CompressionBench',
  state: 'running',
  step: 'r1-c1-write',
  phase: 'measure',
  stepsDone: 1,
  stepsTotal: 9,
  failedSteps: [],
  startedAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
  endedAt: null,
  sessions: [],
  etaSeconds: 60,
  message: 'fio write on none',
  ...change,
});
