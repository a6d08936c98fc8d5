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

/** The user's own program, as a list of arguments without a shell, run once on the first client of the group. */
export const command: Workload = {
  id: 'command',
  label: 'command',
  launch: { by: 'once' },
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
  executable: MEASURE,
  program: {
    command: (words, { outputs = [], ranksPerClient = null } = {}) => [
      MEASURE,
      ...(ranksPerClient === null ? [] : ['--ranks', `${ranksPerClient}`, '--nodes', '{clients}']),
      ...outputs.flatMap((path) => ['--output', path]),
      ...words,
    ],
  },
  output: {
    formats: [{ recognizes: isMeasured, parse: parseMeasured, ofWhole: true, ofJson: true }],
    program: 'measure-command',
  },
};
