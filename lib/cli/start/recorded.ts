import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { PlanDefinition } from '../../benchmark/plan';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { describeRecorded, recordedIn } from '../../parse/recorded';
import type { ClientConfig } from '../../schema/client';
import type { Manifest, RunStatus } from '../../schema/run';
import type { RecordedWork } from '../../workload/common/measured';
import { UsageError } from '../context';
import { chosenPlan, type PlanOptions, usage } from '../plan';

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

/** @throws UsageError for a file that is not a record of a program */
function workIn(option: string, log: string): RecordedWork {
  if (!existsSync(log)) throw new UsageError(`${option}: there is no file '${log}'`);
  return usage(() => recordedIn(log));
}

/** Findings from a program's record, for the report. */
export function recordedNotices({ like, recorded }: RunOptions): string[] {
  if (like !== undefined)
    return [
      `This run replays with IOR what a program did, according to ${basename(like)}: ${describeRecorded(workIn('--like', like))}`,
    ];
  if (recorded === undefined) return [];
  const words = describeRecorded(workIn('--recorded', recorded));
  return [
    `According to ${basename(recorded)} the program did this: ${words} To replay it with IOR: npx fsxbench run --on DIRECTORY --like ${basename(recorded)}`,
  ];
}

export interface RunOptions extends PlanOptions {
  readonly local?: readonly string[];
  /** One directory. */
  readonly on?: string;
  /** Configuration of the file system under `on`: `lustre:PERSISTENT_2:500,12TiB`. @default - its service is asked */
  readonly as?: string;
  /** Number of Slurm nodes that measure `on` together. @default - this computer */
  readonly nodes?: string;
  /** Hosts that do, reached by ssh: `a,b,c`, or a file. @default - this computer */
  readonly hosts?: string;
  /** Processes on each of them. @default - as the plan has it */
  readonly ranks?: string;
  /** Record of a program, such as a log of Darshan, to do the same. @default - a plan's own work */
  readonly like?: string;
  /** Record of a program that the report quotes. @default - none */
  readonly recorded?: string;
  /** Options of the allocation that `nodes` asks for, between spaces: `--partition=c5n --time=1:00:00`. @default - none */
  readonly slurm?: string;
  /** Directory that all machines have, for the scripts that they need. @default - they have the project's */
  readonly shared?: string;
  /** Builds IOR, mdtest and fio there, unless they are there. @default false: those that are there are used */
  readonly buildTools?: boolean;
  /** Environment modules that are loaded first. @default - none */
  readonly module?: readonly string[];
  /** Recorded for a run that is resumed, where modules or a shared directory have its tools. @default - tools are on every PATH */
  readonly session?: ClientConfig['session'];
  /** Variables that the modules set. @default - none */
  readonly loaded?: Readonly<Record<string, string>>;
  readonly resume?: string;
  readonly detach?: boolean;
  /** Id that a queued run already has. @default - a new one */
  readonly id?: string;
  readonly results: string;
}

/** A run that was started, locally or on a fleet. */
export interface StartedRun {
  readonly run: string;
  readonly manifest: Manifest;
  /** Follows it to its end, or until it is aborted; the run continues. */
  readonly follow: (signal?: AbortSignal) => Promise<RunStatus>;
}
