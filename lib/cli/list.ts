import { findResultsBucket } from '../run/deployed';
import { listRuns, type RunEntry } from '../run/library';
import { S3Store } from '../run/store';
import { type CliContext, printJson } from './context';
import { renderTable } from './table';

/** `fsxbench list`: an account without a bucket, or no account at all, still has the runs of this machine. */
export async function listCommand(
  context: CliContext,
  options: { results: string; here?: boolean; json?: boolean },
): Promise<void> {
  let store: S3Store | null = null;
  let reason: string | null = options.here ? 'not asked' : null;
  if (!options.here) {
    try {
      store = new S3Store(await findResultsBucket());
    } catch (error) {
      reason = error instanceof Error ? error.message.split('\n')[0] || error.name : String(error);
    }
  }
  const runs = await listRuns(options.results, store);
  if (options.json) {
    printJson(context, { schema: 'fsxbench.list/1', bucket: store?.bucket ?? null, bucketReason: reason, runs });
    return;
  }
  if (reason !== null && !options.here) context.err(`only this machine's runs: ${reason}\n`);
  context.out(runs.length === 0 ? 'no runs yet: npm run quickstart makes one\n' : renderTable(HEADER, runs.map(row)));
}

const HEADER = ['run', 'benchmark', 'state', 'steps', 'started', 'where'] as const;

function row(entry: RunEntry): string[] {
  const steps = entry.stepsDone === null ? '–' : `${entry.stepsDone}/${entry.stepsTotal}`;
  return [entry.run, entry.benchmark, entry.state, steps, entry.startedAt ?? '–', entry.where];
}
