import { basename } from 'node:path';
import { listed } from '../../common/format/text';
import { parseFile, TooLarge } from '../../parse';
import { explained } from '../../parse/codes';
import type { ParseDocument } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import type { Measured } from '../../workload/common/measured';
import { operationOf, operationOrNone, workloadNamed } from '../../workload/lookup';
import { UNITS } from '../../workload/operation';
import { failureOf, type Outcome } from '../clients/process';

/** The value that a workload measures, which its samples have or lack. */
export function mainMeasure(action: WorkloadAction): Pick<Measured, 'operation' | 'metric' | 'unit'> {
  const found = operationOrNone(action);
  return found === undefined
    ? { operation: action.operation, metric: 'value', unit: '1' }
    : { operation: found.id, metric: found.metric, unit: UNITS[found.metric] };
}

export interface EndedRun {
  readonly outcome: Outcome;
  readonly outputFile: string;
}

/** Cautions that plans cause: one operation per command, bytes of operations on files, a study's read of a large file, which tries to sync /dev/null. */
export const INTENDED: readonly string[] = ['phases_not_run', 'fictitious_bytes', 'fdatasync_on_dev_null'];

/**
 * The values of a workload from the raw output of its processes. One that failed, or has incomplete output, fails the whole workload, since the sum of the
 * others is not the group's throughput. So does an MPI job that counts other than `ranks`: separate jobs write over each other's files.
 */
export function readWorkload(
  action: WorkloadAction,
  runs: readonly EndedRun[],
  ranks?: number,
): { measured: Measured[]; failure: string | null } {
  const operation = operationOf(action);
  const workload = workloadNamed(action.tool);
  const documents = readEach(runs, action.tool);
  const without = (failure: string, common: Partial<Measured> = {}) => ({
    measured: [{ ...mainMeasure(action), value: null, reason: failure, ...common }],
    failure,
  });
  if (documents instanceof TooLarge) return without(documents.message);
  const problems = [...new Set(documents.flatMap((document) => document.problems))];
  const cautions = [
    ...new Set(documents.flatMap((document) => document.cautions)),
    ...(runs.some(({ outcome }) => outcome.stopped) ? ['process_stopped'] : []),
  ].filter((code) => !INTENDED.includes(code));
  const present = tookPart(documents);
  const common = { problems, cautions, ...present, toolVersion: versionOf(action.tool, documents) };
  const failure = reasonOf(runs, documents) ?? otherRanks(action.tool, present.ranks, ranks, documents);
  if (failure !== null) return without(failure, common);
  const measured = workload.values(action, operation, documents);
  if (measured.length === 0) return without(`${action.tool} printed no ${operation.metric} of ${operation.id}`, common);
  const doubts = areApart(action, runs, documents) ? ['clients_apart'] : [];
  const all = { ...common, cautions: [...cautions, ...doubts] };
  return { measured: measured.map((each) => ({ ...each, ...all })), failure: null };
}

/** Clients that begin further apart than this share of the longest time, and these seconds, do not work together. */
const APART = { share: 0.1, seconds: 5 };

/** True if clients that each run the tool did not overlap: their total by the slowest's time exceeds their joint rate. No client's clock matters. */
function areApart(action: WorkloadAction, runs: readonly EndedRun[], documents: readonly ParseDocument[]): boolean {
  if (runs.length < 2) return false;
  const operation = operationOf(action);
  const work = documents.flatMap((document, index) => {
    const measured = workloadNamed(action.tool).values(action, operation, [document]);
    const seconds = measured.find(({ metric }) => metric === 'total_time' || metric === 'seconds')?.value;
    return seconds == null ? [] : [{ seconds, end: (runs[index] as EndedRun).outcome.endedAt.getTime() / 1000 }];
  });
  const longest = Math.max(...work.map(({ seconds }) => seconds));
  const together = Math.max(...work.map(({ end }) => end)) - Math.min(...work.map(({ end, seconds }) => end - seconds));
  return together - longest > Math.max(APART.share * longest, APART.seconds);
}

function readEach(runs: readonly EndedRun[], tool: string): ParseDocument[] | TooLarge {
  try {
    return runs.map((run) => parseFile(run.outputFile, tool));
  } catch (error) {
    if (error instanceof TooLarge) return error;
    throw error;
  }
}

/** Processes and machines as tools counted them: for a tool on each client the sum, without machines; for several tests the minimum, to notice missing ones. */
function tookPart(documents: readonly ParseDocument[]): Required<Pick<Measured, 'ranks' | 'nodes'>> {
  const ranks = documents.map(({ tests }) => {
    const byTest = [...Map.groupBy(tests, ({ test }) => String(test)).values()];
    // A tool may list each process of a test separately.
    return minOf(byTest.map((own) => (own.length > 1 ? own.length : (own[0]?.tasks ?? null))));
  });
  const nodes = documents.length === 1 ? minOf((documents[0]?.tests ?? []).map((test) => test.nodes)) : null;
  const known = ranks.filter((each) => each !== null);
  return { ranks: known.length < ranks.length ? null : known.reduce((sum, each) => sum + each, 0), nodes };
}

/** Why the ranks of an MPI job are not those that were started; `null` where they are, or the tool printed no number. */
function otherRanks(
  tool: string,
  counted: number | null,
  started: number | undefined,
  documents: readonly ParseDocument[],
): string | null {
  if (workloadNamed(tool).launch.by !== 'mpi' || counted === null || started === undefined || counted === started)
    return null;
  const jobs = documents.flatMap(({ tests }) => tests).length;
  if (counted > 1 || jobs < started) return `${tool} counted ${counted} of ${started} processes`;
  return `${tool} ran as ${jobs} jobs of one process each, not as one of ${started}: mpirun is of another MPI than the one that ${tool} was built with`;
}

/** As the tool printed it, without its name; all versions if clients differ. */
function versionOf(tool: string, documents: readonly ParseDocument[]): string | null {
  const printed = documents.flatMap(({ version }) => (version === null ? [] : [version.replace(`${tool}-`, '')]));
  return printed.length === 0 ? null : listed([...new Set(printed)].sort());
}

/** `null` for no counts, or if any is unknown. */
function minOf(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 || known.length < counts.length ? null : Math.min(...known);
}

function reasonOf(runs: readonly EndedRun[], documents: readonly ParseDocument[]): string | null {
  for (const [index, document] of documents.entries()) {
    const run = runs[index] as EndedRun;
    const failure = failureOf(run.outcome);
    const codes = document.problems.map((code) => explained(code, ', ')).join('; ');
    if (failure !== null) return codes === '' ? failure : `${failure} (${codes})`;
    if (!document.complete || !document.valid)
      return `${basename(run.outputFile)} is incomplete: ${codes || 'no problem reported'}`;
  }
  return null;
}
