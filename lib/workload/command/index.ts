import type { ParseDocument } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import type { Measured } from '../kit/measured';
import type { Operation } from '../operation';
import type { Workload } from '../workload';
import { isMeasured, parseMeasured } from './text';

/** assets/client/bin/measure-command, on a client. */
const MEASURE = '{bin}/measure-command';

/** Not restartable: the leftovers of an interrupted program would change the time of the next attempt. */
const RUN: Operation = {
  ...{ id: 'run', on: 'command', verb: 'run', metric: 'seconds', unit: 's', label: 'run', better: 'lower' },
  ...{ makesData: true, cached: true, restartable: false },
};

/** Demands on the user's own program, and preparations for it. */
export interface ProgramPhase {
  /** Files or directories that it must leave; it failed where one is missing or empty. @default none */
  readonly outputs?: readonly string[];
  /** Ranks that an srun or mpirun in it starts on each client of the group; `null`: as its own options say. @default null */
  readonly ranksPerClient?: number | null;
}

/** The command that runs and measures a program. */
export const programCommand = (
  words: readonly string[],
  { outputs = [], ranksPerClient = null }: ProgramPhase = {},
): string[] => [
  MEASURE,
  ...(ranksPerClient === null ? [] : ['--ranks', `${ranksPerClient}`, '--nodes', '{clients}']),
  ...outputs.flatMap((path) => ['--output', path]),
  ...words,
];

/** The user's own program, as a list of arguments without a shell, run once on the first client of the group. */
export const command: Workload = {
  id: 'command',
  label: 'command',
  launch: { by: 'once', executable: MEASURE },
  operations: [RUN],
  reports: {
    processes: { silent: 'it knows one program' },
    machines: { silent: 'each client runs it by itself' },
    bytes: { silent: 'it takes the time of a program' },
  },
  values: (_: WorkloadAction, { id }: Operation, documents: readonly ParseDocument[]): Measured[] =>
    documents.flatMap(({ samples }) =>
      samples.flatMap(({ operation, metric, value, unit }) =>
        operation === id && value !== null ? [{ operation, metric, value, unit }] : [],
      ),
    ),
  output: {
    formats: [{ recognizes: isMeasured, parse: parseMeasured, ofWhole: true, ofJson: true }],
    program: 'measure-command',
  },
};
