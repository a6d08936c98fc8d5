import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { withRetry } from '../../common/aws/connection';
import { explain } from '../../common/aws/explain';
import { singleLine } from '../../common/format/text';
import { withQueue } from '../../run/clients/launch';
import { firstClientOf, type Runner, SsmRunner } from '../../run/runner';
import type { QueueStatus } from '../../schema/client';
import type { Manifest, RunStatus } from '../../schema/run';
import { documentOrNone, findJson, QUEUE, readManifest, readStatus } from '../../store/documents';
import type { LocalRun } from '../../store/library';
import type { RunRecord, RunReference } from '../../store/record';
import { quote } from '../../workload/common/lint/shell';
import { type CliContext, printJson, Unsuccessful } from '../context';
import { RESULTS } from '../input/options';
import type { NextStep } from '../render/answer';
import { makeProgress } from '../render/progress';
import { obtainRun } from './runs';

const LOOK_EVERY = 1000;
/** Seconds of silence after which someone should look at the leader. The driver sends a heartbeat every 5 s, however long a step takes. */
const SILENCE_SECONDS = 180;

interface FollowOptions {
  readonly signal?: AbortSignal;
  readonly silenceSeconds?: number;
  readonly since?: string | null;
}

/** Follows a run until it ends. Stopping the watch does not stop the run, nor does a network that is away for a while stop the watch. */
export async function follow(
  context: CliContext,
  runner: Pick<Runner, 'status'>,
  reference: RunReference,
  { signal, silenceSeconds = SILENCE_SECONDS, since = null }: FollowOptions = {},
): Promise<RunStatus> {
  const progress = makeProgress(context);
  const statusOf = withRetry(() => runner.status(reference), {
    everySeconds: LOOK_EVERY / 1000,
    maxSeconds: silenceSeconds,
    onAway: (message) => context.err(`${message}\n`),
    lost: (error) =>
      new Unsuccessful(
        `${reference.run} can no longer be followed, and may continue: ${explain(error)}; to follow it again: npx fsxbench watch ${reference.run}`,
      ),
  });
  let lastHeard = Date.now();
  let lastUpdate: string | null = null;
  try {
    for (;;) {
      const status = await statusOf();
      signal?.throwIfAborted();
      // Status left by an earlier session does not describe this one.
      const current = status && (since === null || status.updatedAt > since) ? status : null;
      // A queue may add to a status without changing its time.
      if (current && (current.updatedAt !== lastUpdate || current.endedAt !== null)) {
        lastHeard = Date.now();
        lastUpdate = current.updatedAt;
        progress.show(current);
        if (current.endedAt !== null) return current;
      }
      if ((Date.now() - lastHeard) / 1000 > silenceSeconds)
        throw new Unsuccessful(
          `the driver of ${reference.run} has been silent for ${silenceSeconds} s: see driver.log on ${status?.driver?.host ?? 'the leader'}, and resume with npx fsxbench run ${reference.benchmark} --resume ${reference.run}`,
        );
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    }
  } finally {
    progress.stop();
  }
}

/** Follows a run whose driver is a job, from its folder; meanwhile the clients' own script writes there what the queue says of the job. */
async function followQueued(context: CliContext, run: LocalRun, job: string): Promise<RunStatus> {
  const script = join(context.root, 'assets/client/lib/watch-queue.mjs');
  const watcher = spawn(process.execPath, [script, job, run.folder], { env: context.environment, stdio: 'ignore' });
  const status = async () => withQueue(run, readStatus(run.folder), queueIn(run.folder));
  try {
    return await follow(context, { status }, run);
  } finally {
    watcher.kill();
  }
}

/** `fsxbench watch RUN`: exit status 0 if the run is done, 1 if it failed or was interrupted. */
export async function watchCommand(context: CliContext, text: string, options: { results: string; json?: boolean }) {
  const found = await obtainRun(text, options.results);
  const queue = queueIn(found.folder);
  const ended = queue === null ? endedHere(found) : await followQueued(context, found, queue.job);
  const status = ended ?? (await followFleet(context, found));
  if (options.json) printJson(context, status);
  const collects = status.state === 'done' && hasService(readManifest(found.folder));
  const here = ended === null ? null : { folder: found.folder, named: text };
  await printOutcome(context, status, options.json ?? false, { collects, results: options.results, here });
}

/** State in the queue of a run whose driver is a job; `null` for any other. */
const queueIn = (folder: string): QueueStatus | null => documentOrNone(findJson(folder, QUEUE.file, QUEUE.schema));

/** The status of a run that is done, or was driven by a command that has ended; `null` for others, whose driver must be asked. */
function endedHere({ folder }: LocalRun): RunStatus | null {
  const status = readStatus(folder);
  if (status?.state === 'done') return status;
  const isLocal = fleetOf(readManifest(folder)) === null;
  return isLocal && status !== null && status.state !== 'running' && status.state !== 'starting' ? status : null;
}

/** @throws Unsuccessful for a run that another command on this computer drives */
async function followFleet(context: CliContext, run: LocalRun): Promise<RunStatus> {
  const fleet = fleetOf(readManifest(run.folder));
  if (fleet === null)
    throw new Unsuccessful(`the run ${run.run} is local: it is driven by the command that started it`);
  return follow(context, fleet, run);
}

function fleetOf({ bucket, document, fleet }: Manifest): SsmRunner | null {
  const leader = firstClientOf(fleet);
  return bucket && document && leader ? new SsmRunner(bucket, document, leader) : null;
}

export const hasService = ({ arms }: Manifest): boolean => arms.some(({ fileSystemId }) => fileSystemId !== null);

/** ` --results FOLDER`, unless it is the usual one. */
export const resultsOption = (results: string): string =>
  results === RESULTS.defaultValue ? '' : ` --results ${quote(results)}`;

interface Following {
  /** True if a service may have metrics of the run. */
  readonly collects: boolean;
  readonly results: string;
  /** The run as it ended, if it is on this computer: its id, or the folder as it was typed. */
  readonly here: { readonly folder: string; readonly named: string } | null;
}

/** True once metrics of all samples are in a run's folder: one that was resumed may have those of its first session alone. */
const isCollected = ({ samples, metrics }: RunRecord): boolean =>
  samples.every(({ endedAt }) => metrics.some(({ window }) => window.to >= endedAt));

/** Prints the outcome of a run and the next step. @throws Unsuccessful unless it is done */
export async function printOutcome(
  context: CliContext,
  status: RunStatus,
  quiet: boolean,
  { collects, results, here }: Following,
): Promise<void> {
  const [named, there] =
    here === null || here.named === status.run ? [status.run, resultsOption(results)] : [quote(here.named), ''];
  const run = `${named}${there}`;
  const again = `npx fsxbench run ${status.benchmark} --resume ${run}`;
  if (status.state !== 'done')
    throw new Unsuccessful(`${status.run} ${status.state}: ${singleLine(status.message)}; resume it with ${again}`);
  if (quiet) return;
  const { printAnswer } = await import('../render/answer');
  const { writePage } = await import('./report');
  const { folder } = here ?? (await obtainRun(status.run, results, status));
  const written = await writePage(folder);
  const next: readonly NextStep[] =
    collects && !isCollected(written.run.record)
      ? [['to add what the service counted', `npx fsxbench collect ${run} && npx fsxbench report ${run}`]]
      : [
          ['all of it as text', `npx fsxbench report ${named} --markdown${there}`],
          ['the runs with which fsxbench can compare it', `npx fsxbench list --here${resultsOption(results)}`],
        ];
  await printAnswer(context, written, next);
}
