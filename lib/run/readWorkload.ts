import { basename } from 'node:path';
import type { ParseDocument } from '../model/parse';
import type { Action } from '../model/plan';
import { parseFile } from '../parse';
import { meaningOf } from '../parse/codes';
import type { Measured } from './measure';
import { failureOf, type Outcome } from './process';

type Workload = Extract<Action, { kind: 'workload' }>;

/** One process of a workload that has ended, with its raw files. */
export interface EndedRun {
  readonly outcome: Outcome;
  readonly outputFile: string;
}

const MB_PER_MIB = 2 ** 20 / 1e6;

/**
 * The values of a workload from the raw output of its processes. Throughput is in MB/s (10⁶) whatever the tool prints, so that arms and
 * tools can stand on one axis. A process that failed, or whose output is incomplete, makes the whole workload fail: the sum of the others
 * is no throughput of the group.
 */
export function readWorkload(
  action: Workload,
  runs: readonly EndedRun[],
): { measured: Measured[]; failure: string | null } {
  const documents = runs.map((run) => parseFile(run.outputFile));
  const problems = [...new Set(documents.flatMap((document) => document.problems))];
  const cautions = [...new Set(documents.flatMap((document) => document.cautions))];
  const failure = reasonOf(runs, documents);
  if (failure !== null) {
    return {
      measured: [
        {
          operation: action.operation,
          metric: 'throughput',
          value: null,
          unit: 'MB/s',
          reason: failure,
          problems,
          cautions,
        },
      ],
      failure,
    };
  }
  const measured = action.tool === 'ior' ? iorValues(action, documents) : fioValues(action, documents);
  return { measured: measured.map((each) => ({ ...each, problems, cautions })), failure: null };
}

function reasonOf(runs: readonly EndedRun[], documents: readonly ParseDocument[]): string | null {
  for (const [index, document] of documents.entries()) {
    const run = runs[index] as EndedRun;
    const failure = failureOf(run.outcome);
    const codes = document.problems.map(inWords).join('; ');
    if (failure !== null) return codes === '' ? failure : `${failure} (${codes})`;
    if (!document.complete || !document.valid)
      return `${basename(run.outputFile)} is not a whole run: ${codes || 'no problem named'}`;
  }
  return null;
}

/** `job_error_28, a job ended with this errno: ENOSPC` */
function inWords(code: string): string {
  const meaning = meaningOf(code);
  return meaning === undefined ? code : `${code}, ${meaning}`;
}

/** Each iteration of IOR: rate, time, and what the time consists of. */
function iorValues(action: Workload, documents: readonly ParseDocument[]): Measured[] {
  return documents.flatMap((document) =>
    document.samples
      .filter((sample) => sample.operation === action.operation && sample.value !== null)
      .map((sample): Measured => {
        const common = { operation: sample.operation, iteration: sample.iteration };
        if (sample.metric === 'throughput')
          return { ...common, metric: 'throughput', value: (sample.value as number) * MB_PER_MIB, unit: 'MB/s' };
        return { ...common, metric: sample.metric, value: sample.value, unit: sample.unit };
      }),
  );
}

/** All clients' bytes over the time of the slowest: what the group did together. */
function fioValues(action: Workload, documents: readonly ParseDocument[]): Measured[] {
  const all = (metric: string): number[] =>
    documents.flatMap((document) =>
      document.samples
        .filter((sample) => sample.operation === action.operation && sample.metric === metric)
        .map((sample) => sample.value ?? Number.NaN),
    );
  const bytes = all('bytes').reduce((sum, value) => sum + value, 0);
  const seconds = Math.max(...all('runtime'));
  const value = (metric: string, amount: number, unit: string): Measured => ({
    operation: action.operation,
    metric,
    value: amount,
    unit,
  });
  return [
    value('throughput', bytes / seconds / 1e6, 'MB/s'),
    value('bytes', bytes, 'B'),
    value('total_time', seconds, 's'),
  ];
}
