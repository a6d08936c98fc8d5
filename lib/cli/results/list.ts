import { relative, sep } from 'node:path';
import { type Analyse, listRuns, type RunEntry } from '../../analysis/compare/runEntries';
import { explain } from '../../common/aws/explain';
import { renderTable } from '../../common/format/text';
import type { S3Store } from '../../store/bucket';
import { type CliContext, printJson } from '../context';

/** `fsxbench list`: without a bucket or an account, the runs of this computer. With `--json`, figures of local runs are computed once if needed. */
export async function listCommand(
  context: CliContext,
  { results, json, here }: { readonly results: string; readonly here?: boolean; readonly json?: boolean },
): Promise<void> {
  const { store, reason } = here ? { store: null, reason: 'not queried' } : await findStore();
  const entries = await listRuns(results, store, json ? analyse : null);
  if (reason !== null && !here && !json) context.err(`listing only this computer's runs: ${reason}\n`);
  const runs = entries.map((entry) => runOf(entry, results));
  if (json)
    printJson(context, { schema: 'fsxbench.list/1', bucket: store?.bucket ?? null, bucketReason: reason, runs });
  else if (entries.length === 0) context.out('no runs yet: npm run quickstart creates one\n');
  else context.out(renderTable(HEADER, entries.map(row)));
}

async function findStore(): Promise<{ store: S3Store | null; reason: string | null }> {
  try {
    const { findResultsBucket } = await import('../../run/deployed');
    const { S3Store } = await import('../../store/bucket');
    return { store: new S3Store(await findResultsBucket()), reason: null };
  } catch (error) {
    return { store: null, reason: explain(error).split('\n', 1)[0] as string };
  }
}

const analyse: Analyse = async (folder) => {
  const { figuresOf, readRun, summariseRun } = await import('../../report');
  return figuresOf(summariseRun(await readRun(folder)));
};

/** A run as the document has it; paths relative to the results folder. */
function runOf({ figures, folder: _, report, ...entry }: RunEntry, results: string) {
  const { plan = null, scale = null, platform = null, seconds = null, validity = null } = figures ?? {};
  const { findings = [], costUsd = null, costReason } = figures ?? {};
  const page = report === null ? null : relative(results, report).split(sep).join('/');
  return { ...entry, plan, scale, platform, seconds, validity, findings, costUsd, costReason, report: page };
}

const HEADER = ['run', 'benchmark', 'state', 'validity', 'steps', 'started', 'where'] as const;

function row({ run, benchmark, state, figures, stepsDone, stepsTotal, startedAt, where }: RunEntry): string[] {
  const steps = stepsDone === null ? '–' : `${stepsDone}/${stepsTotal}`;
  return [run, benchmark, state, figures?.validity ?? '–', steps, startedAt ?? '–', where];
}
