import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { PlanDefinition } from '../../benchmark/plan';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { recordedIn, recordedWords } from '../../parse/recorded';
import type { RecordedWork } from '../../workload/common/recorded';
import { UsageError } from '../context';
import { chosenPlan, usage } from '../plan';
import type { RunOptions } from './startedRun';

/** The plan that the options ask for. @throws UsageError for two at once */
export function planIn(options: RunOptions): PlanDefinition {
  if (options.like === undefined) return chosenPlan(MOUNT_BENCHMARK, options);
  const found = MOUNT_BENCHMARK.plans.find(({ like }) => like !== undefined);
  if (found === undefined) throw new Error('no plan replays a program');
  if ((options.plan ?? found.name) !== found.name || (options.program ?? []).length > 0)
    throw new UsageError('--like drives IOR as the record says: leave out --plan, and the program after --');
  return found;
}

/** The plan's parameters as the options set them. @param clients `null` while it is not known how many there are */
export function settingsIn(options: RunOptions, clients: number | null): string[] {
  const { ranks, like, set } = options;
  const own = ranks === undefined ? [] : [`ranksPerClient=${ranks}`];
  if (like === undefined) return [...own, ...set];
  const work = workIn('--like', like);
  if (clients === null) return [...own, ...set];
  try {
    return [...(planIn(options).like?.(work, clients, ranks === undefined ? undefined : Number(ranks)) ?? []), ...set];
  } catch (error) {
    throw new UsageError(`--like cannot replay ${like}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @throws UsageError for a file that is no record of a program */
function workIn(option: string, log: string): RecordedWork {
  if (!existsSync(log)) throw new UsageError(`${option}: there is no file '${log}'`);
  return usage(() => recordedIn(log));
}

/** Findings from a program's record, for the report. */
export function recordedNotices({ like, recorded }: RunOptions): string[] {
  if (like !== undefined)
    return [
      `This run replays with IOR what a program did, according to ${basename(like)}: ${recordedWords(workIn('--like', like))}`,
    ];
  if (recorded === undefined) return [];
  const words = recordedWords(workIn('--recorded', recorded));
  return [
    `According to ${basename(recorded)} the program did this: ${words} To replay it with IOR: npx fsxbench run --on DIRECTORY --like ${basename(recorded)}`,
  ];
}
