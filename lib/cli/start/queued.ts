import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { requirePlainPath } from '../../run/clients/directory';
import { newRunId } from '../../run/runner';
import type { QueueStatus } from '../../schema/client';
import { QUEUE } from '../../store/documents';
import { RunFolder } from '../../store/folder';
import { folderOf } from '../../store/library';
import { type CliContext, documentText, printJson, usage } from '../context';
import { chosenPlan } from '../plan';
import { resultsOption } from '../results/watch';
import type { RunOptions } from './arguments';
import { isLocalRun } from './localRun';
import { queue, RESERVED } from './machines';

/** Submits this command to the queue of the machines, and prints how to follow its run, which has its id before its job: a requeued job continues it. */
export function submitRun(context: CliContext, options: RunOptions): void {
  usage(() => requirePlainPath('--results', resolve(options.results)));
  const run = options.resume ?? newRunId(chosenPlan(MOUNT_BENCHMARK, options).name, new Date());
  const path = resolve(folderOf(options.results, MOUNT_BENCHMARK.name, run));
  const made = mkdirSync(path, { recursive: true });
  let job: string;
  try {
    job = queue(context, options, run, join(path, 'driver.log'));
  } catch (error) {
    if (made !== undefined) rmSync(path, { recursive: true });
    throw error;
  }
  const waiting: QueueStatus = {
    schema: 'fsxbench.queue/1',
    job,
    state: 'PENDING',
    ended: false,
    reason: '',
    restarts: 0,
    nodes: '',
    updatedAt: new Date().toISOString(),
  };
  new RunFolder(path).write(QUEUE.file, documentText(waiting));
  const there = resultsOption(options.results);
  const next = `  follow it    npx fsxbench watch ${run}${there}
  its report   npx fsxbench report ${run}${there}
  its log      ${join(path, 'driver.log')}
`;
  if (options.json) printJson(context, { schema: 'fsxbench.run/1', run, job, state: 'starting' });
  else context.out(`${run} is job ${job}: it keeps running after you log out.\n${next}`);
}

/** The options of a run that was queued: as they were given, under its id; those of its continuation once it has begun. */
export function queuedOptions(context: CliContext, options: RunOptions): RunOptions {
  const id = context.environment[RESERVED];
  if (!id) return options;
  const { detach: _, ...rest } = options;
  if (!isLocalRun(context, id, options.results)) return { ...rest, id };
  const { results, json = false, set } = options;
  return { results, json, set, resume: id };
}
