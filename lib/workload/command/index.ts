import type { ParsedSample } from '../../schema/parse';
import type { ParserFinding } from '../common/parse/finding';
import { type Json, readJson } from '../common/parse/json';
import type { Lines } from '../common/parse/lines';
import type { Operation } from '../operation';
import type { Workload } from '../workload';

/** assets/client/bin/measure-command, on a client. */
const MEASURE = '{bin}/measure-command';

/** Not restartable: the leftovers of an interrupted program would change the time of the next attempt. */
const RUN: Operation = {
  id: 'run',
  on: 'command',
  verb: 'run',
  metric: 'seconds',
  past: 'ran',
  makesData: true,
  cached: true,
  restartable: false,
};

/** Demands on the user's own program, and preparations for it. */
export interface ProgramPhase {
  /** Files or directories that it must leave; it failed where one is missing or empty. @default none */
  readonly outputs?: readonly string[];
  /** Ranks that an srun or mpirun in it starts on each client of the group; `null`: as its own options say. @default null */
  readonly ranksPerClient?: number | null;
}

export const programCommand = (
  words: readonly string[],
  { outputs = [], ranksPerClient = null }: ProgramPhase = {},
): string[] => [
  MEASURE,
  ...(ranksPerClient === null ? [] : ['--ranks', `${ranksPerClient}`, '--nodes', '{clients}']),
  ...outputs.flatMap((path) => ['--output', path]),
  ...words,
];

/** The line that assets/client/bin/measure-command ends with. */
const MEASURED = /(?:^|\n)(\{"schema":"fsxbench\.command\/1",[^\n]*\})\s*$/;

const isMeasured = (text: string): boolean => text.includes('"fsxbench.command/') && MEASURED.test(text);

const FIGURES = [
  ['seconds', 's', 'wall_s'],
  ['user_seconds', 's', 'user_s'],
  ['system_seconds', 's', 'system_s'],
  ['bytes_read', 'B', 'read_bytes'],
  ['bytes_written', 'B', 'written_bytes'],
  ['exit_status', '1', 'exit_status'],
] as const;

/** Only where outputs were declared. */
const OUTPUT = ['output_bytes', 'B', 'output_bytes'] as const;

/** The measurements of a user's program (bytes: those of its system calls), all of the operation `run`. Its own output, before that line, is ignored. */
function parseMeasured({ text }: Lines): ParserFinding {
  const printed: Json = readJson(MEASURED.exec(text)?.[1] ?? '') ?? {};
  const status = printed.exit_status;
  const samples = [...FIGURES, ...('output_bytes' in printed ? [OUTPUT] : [])].map(
    ([metric, unit, field]): ParsedSample => {
      const value = printed[field];
      const common = { operation: 'run', test: null, iteration: null, metric, unit };
      return typeof value === 'number' && Number.isFinite(value) && value >= 0
        ? { ...common, value }
        : { ...common, value: null, reason: value === null ? 'not reported by the kernel' : 'not printed' };
    },
  );
  return {
    // measure-command prints them all, if only as `null`.
    complete: FIGURES.every(([, , field]) => field in printed),
    problems: typeof status === 'number' && status !== 0 ? [`exit_status_${status}`] : [],
    samples,
  };
}

/** The user's own program, as a list of arguments without a shell, run once on the first client of the group. */
export const command: Workload = {
  id: 'command',
  label: 'command',
  launch: { by: 'once', executable: MEASURE },
  operations: [RUN],
  // TIMEFORMAT of assets/client/bin/measure-command, where Bash is older than 5.0.
  clockStep: 0.001,
  values: (_, { id }, documents) =>
    documents.flatMap(({ samples }) =>
      samples.flatMap(({ operation, metric, value, unit }) =>
        operation === id && value !== null ? [{ operation, metric, value, unit }] : [],
      ),
    ),
  formats: [{ recognizes: isMeasured, parse: parseMeasured, form: 'last-line' }],
  program: 'measure-command',
};
