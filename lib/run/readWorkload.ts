import { basename } from 'node:path';
import type { ParseDocument, ParsedSample } from '../model/parse';
import type { Action } from '../model/plan';
import { parseFile } from '../parse';
import { meaningOf } from '../parse/codes';
import { groupBy } from '../results/statistics';
import type { Measured } from './measure';
import { failureOf, type Outcome } from './process';

export type Workload = Extract<Action, { kind: 'workload' }>;

/** What a workload is for: the value that stands in its samples, or is missing there. */
export function mainMeasure({ tool, operation, items }: Workload): Pick<Measured, 'operation' | 'metric' | 'unit'> {
  if (tool === 'mdtest' || (operation !== 'write' && operation !== 'read')) {
    const first = operation === 'all' ? 'create' : operation;
    return { operation: `${items === 'directories' ? 'dir' : 'file'}_${first}`, metric: 'rate', unit: 'op/s' };
  }
  return { operation, metric: 'throughput', unit: 'MB/s' };
}

/** One process of a workload that has ended, with its raw files. */
export interface EndedRun {
  readonly outcome: Outcome;
  readonly outputFile: string;
}

const MB_PER_MIB = 2 ** 20 / 1e6;

/** What every command for files does by intent: one operation at a time; bytes that fio counts for them are not used. */
const EXPECTED_CAUTIONS: ReadonlySet<string> = new Set(['phases_not_run', 'fictitious_bytes']);

/**
 * The values of a workload from the raw output of its processes. Throughput is in MB/s (10⁶) whatever the tool prints, so that arms and
 * tools can stand on one axis. A process that failed, or whose output is incomplete, makes the whole workload fail: the sum of the others
 * is no throughput of the group.
 */
export function readWorkload(
  action: Workload,
  runs: readonly EndedRun[],
): { measured: Measured[]; failure: string | null } {
  const documents = runs.map((run) => parseFile(run.outputFile, action.tool));
  const problems = [...new Set(documents.flatMap((document) => document.problems))];
  const cautions = [...new Set(documents.flatMap((document) => document.cautions))].filter(
    (code) => !(mainMeasure(action).metric === 'rate' && EXPECTED_CAUTIONS.has(code)),
  );
  const common = { problems, cautions, ...tookPart(documents) };
  const failure = reasonOf(runs, documents);
  if (failure !== null)
    return { measured: [{ ...mainMeasure(action), value: null, reason: failure, ...common }], failure };
  const measured = valuesOf(action, documents);
  if (measured.length === 0) {
    const reason = `${action.tool} printed no rate of ${mainMeasure(action).operation}`;
    return { measured: [{ ...mainMeasure(action), value: null, reason, ...common }], failure: reason };
  }
  return { measured: measured.map((each) => ({ ...each, ...common })), failure: null };
}

/**
 * Processes and machines by the tools' own count: of a tool that was started on each client the sum, and no number of machines. Of
 * several tests in one output the smallest, so that a test which lacks somebody is seen.
 */
function tookPart(documents: readonly ParseDocument[]): Required<Pick<Measured, 'ranks' | 'nodes'>> {
  const ranks = documents.map(({ tests }) =>
    leastOf(
      // A tool may list each process of a test by itself.
      [...groupBy(tests, ({ test }) => String(test)).values()].map((own) =>
        own.length > 1 ? own.length : (own[0]?.tasks ?? null),
      ),
    ),
  );
  const nodes = documents.length === 1 ? leastOf((documents[0]?.tests ?? []).map((test) => test.nodes)) : null;
  return {
    ranks: ranks.some((each) => each === null) ? null : ranks.reduce<number>((sum, each) => sum + (each ?? 0), 0),
    nodes,
  };
}

/** `null` where one is not known, or there is none. */
function leastOf(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 || known.length < counts.length ? null : Math.min(...known);
}

function valuesOf(action: Workload, documents: readonly ParseDocument[]): Measured[] {
  if (action.tool === 'mdtest') return documents.flatMap((document) => mdtestValues(action, document));
  if (action.tool === 'ior') return iorValues(action, documents);
  return mainMeasure(action).metric === 'rate' ? fioFileValues(action, documents) : fioValues(action, documents);
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

/** Each iteration of IOR: rate, time, and what the time consists of; then when the first and the last process were done. */
function iorValues(action: Workload, documents: readonly ParseDocument[]): Measured[] {
  return documents.flatMap((document) => {
    const own = document.samples.filter(({ operation, value }) => operation === action.operation && value !== null);
    const values = own.map((sample): Measured => {
      const common = { operation: sample.operation, iteration: sample.iteration };
      if (sample.metric === 'throughput')
        return { ...common, metric: 'throughput', value: (sample.value as number) * MB_PER_MIB, unit: 'MB/s' };
      // In samples.jsonl `operations` counts them; IOR's rate of transfers keeps IOR's own word there.
      const metric = sample.metric === 'operations' ? 'iops' : sample.metric;
      return { ...common, metric, value: sample.value, unit: sample.unit };
    });
    return [...values, ...iorEnds(action, own), ...atTheWall(action, document)];
  });
}

/**
 * IOR closes file by file: from the first that closes to the last that has closed is its time of closing, so that the first process was
 * done at the total less that. With `-g` they wait for each other before, and nothing is known of the first.
 */
function iorEnds({ command, operation }: Workload, own: readonly ParsedSample[]): Measured[] {
  if (command.includes('-g')) return [];
  const iterations = [...new Set(own.map(({ iteration }) => iteration))];
  return iterations.flatMap((iteration): Measured[] => {
    const of = (metric: string): number | null =>
      own.find((sample) => sample.iteration === iteration && sample.metric === metric)?.value ?? null;
    const [total, closing] = [of('total_time'), of('close_time')];
    return total === null || closing === null
      ? []
      : ends({ operation, iteration }, Math.max(0, total - closing), total);
  });
}

function atTheWall({ operation }: Workload, { tests }: ParseDocument): Measured[] {
  return tests.flatMap(({ transferBytes, stonewall = [] }) =>
    stonewall.flatMap((reached) =>
      transferBytes === null || reached.operation !== operation
        ? []
        : amounts(
            { operation, iteration: reached.iteration },
            reached.leastTransfers * transferBytes,
            reached.mostTransfers * transferBytes,
          ),
    ),
  );
}

type Place = Pick<Measured, 'operation' | 'iteration'>;

/** Seconds until the first and until the last process (of fio: client) was done. */
function ends(place: Place, first: number, last: number): Measured[] {
  return [
    { ...place, metric: 'first_done', value: first, unit: 's' },
    { ...place, metric: 'last_done', value: last, unit: 's' },
  ];
}

/** What the slowest and the fastest process (of fio: client) had moved when the time was up. */
function amounts(place: Place, least: number, most: number): Measured[] {
  return [
    { ...place, metric: 'least_bytes', value: least, unit: 'B' },
    { ...place, metric: 'most_bytes', value: most, unit: 'B' },
  ];
}

/** All clients' bytes over the time of the slowest: what the group did together. */
function fioValues(action: Workload, documents: readonly ParseDocument[]): Measured[] {
  const all = (metric: string): number[] =>
    documents.flatMap((document) =>
      document.samples
        .filter((sample) => sample.operation === action.operation && sample.metric === metric)
        .map((sample) => sample.value ?? Number.NaN),
    );
  const runtimes = all('runtime');
  if (runtimes.length === 0) return [];
  const bytes = all('bytes').reduce((sum, value) => sum + value, 0);
  const seconds = Math.max(...runtimes);
  const { operation } = action;
  const value = (metric: string, amount: number, unit: string): Measured => ({
    operation,
    metric,
    value: amount,
    unit,
  });
  return [
    value('throughput', bytes / seconds / 1e6, 'MB/s'),
    value('bytes', bytes, 'B'),
    value('total_time', seconds, 's'),
    // fio reports the processes of a client as one.
    ...(documents.length < 2
      ? []
      : [
          ...ends({ operation }, Math.min(...runtimes), seconds),
          ...amounts({ operation }, Math.min(...all('bytes')), Math.max(...all('bytes'))),
        ]),
  ];
}

/**
 * Rates of all ranks together: of each iteration where mdtest prints it, which is with -v up to 3.3.0, or where there is one iteration
 * only. Otherwise, from 4.0.0, the statistics over iterations (facts-tools, section 4).
 */
function mdtestValues(action: Workload, { samples, summary, tests }: ParseDocument): Measured[] {
  const wanted = (operation: string): boolean =>
    action.operation === 'all' ? /^(file|dir)_\w+$/.test(operation) : operation === mainMeasure(action).operation;
  const files = tests[0]?.items ?? null;
  const rates = samples.filter(({ operation, metric, value }) => wanted(operation) && metric === 'operations' && value);
  if (rates.length > 0) {
    return rates.flatMap(({ operation, iteration, value }) =>
      countedRate(operation, value as number, files, iteration),
    );
  }
  return summary
    .filter(
      ({ operation, metric, mean, basis }) =>
        wanted(operation) && metric === 'operations' && mean && basis === 'iterations',
    )
    .flatMap(({ operation, mean, max, min }) => [
      { operation, metric: 'rate', value: mean, unit: 'op/s' },
      { operation, metric: 'rate_max', value: max, unit: 'op/s' },
      { operation, metric: 'rate_min', value: min, unit: 'op/s' },
    ]);
}

/** All clients' files over the time of the slowest. */
function fioFileValues(action: Workload, documents: readonly ParseDocument[]): Measured[] {
  const { operation } = mainMeasure(action);
  const all = (metric: string): number[] =>
    documents.flatMap(({ samples }) =>
      samples
        .filter((sample) => sample.operation === operation && sample.metric === metric)
        .map(({ value }) => value ?? 0),
    );
  const files = all('ios').reduce((sum, value) => sum + value, 0);
  const seconds = Math.max(...all('runtime'), 0);
  if (!(files > 0 && seconds > 0)) return [];
  return [
    ...countedRate(operation, files / seconds, files, null),
    ...(documents.length < 2 ? [] : ends({ operation }, Math.min(...all('runtime')), seconds)),
  ];
}

function countedRate(operation: string, rate: number, files: number | null, iteration: number | null): Measured[] {
  const common = { operation, iteration };
  const measured: Measured = { ...common, metric: 'rate', value: rate, unit: 'op/s' };
  if (files === null) return [measured];
  return [
    measured,
    { ...common, metric: 'operations', value: files, unit: '1' },
    { ...common, metric: 'seconds', value: files / rate, unit: 's' },
  ];
}
