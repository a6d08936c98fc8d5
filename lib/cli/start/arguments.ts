import { existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { BENCHMARK_NAMES } from '../../benchmark/lookup';
import type { PlanDefinition } from '../../benchmark/plan';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { describeRecorded, recordedIn } from '../../parse/recorded';
import { notWritable, requirePlainPath } from '../../run/clients/directory';
import type { ClientConfig } from '../../schema/client';
import type { Manifest, RunStatus } from '../../schema/run';
import type { RecordedWork } from '../../workload/common/measured';
import { UsageError, usage } from '../context';
import { chosenPlan, type PlanOptions } from '../plan';

/** `buildTools` becomes `build-tools`. */
const optionOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const stray = (word: string): string =>
  `'${word}' belongs to no option: write --set before each setting, and -- before your own program (-- ./app {dir})`;

/** Operands of a command: what it names, and the user's own program behind its `--`. */
export interface Operands {
  readonly named: readonly string[];
  readonly program: readonly string[];
}

export function operandsOf({ args, parent }: Command): Operands {
  // Commander keeps the whole line in a field that its types do not name.
  const line = (parent as unknown as { readonly rawArgs: readonly string[] }).rawArgs;
  const dashes = line.indexOf('--');
  const program = dashes < 0 ? [] : line.slice(dashes + 1);
  return { named: args.slice(0, args.length - program.length), program };
}

/** The benchmark, or the directory of --on, to measure. @param without the error if neither is named @returns `name`: `null` for a run on one directory */
export function argumentsOf<Options extends Omit<RunOptions, 'results'>>(
  without: string,
  { named: [first, ...others], program }: Operands,
  typed: Options,
): { name: string | null; options: Options } {
  const options = { ...typed, program: [...program] };
  const { on, resume } = options;
  const ofMount = first === undefined || first === MOUNT_BENCHMARK.name;
  const [word] = on === undefined || ofMount || BENCHMARK_NAMES.includes(first) ? others : [first];
  if (word !== undefined) throw new UsageError(stray(word));
  if (on === undefined) {
    for (const key of ['as', 'nodes', 'hosts', 'ranks', 'like', 'recorded', 'shared', 'buildTools'] as const)
      if (options[key] !== undefined)
        throw new UsageError(`--${optionOf(key)} describes the directory of --on: also give --on`);
    const { module: modules = [], local } = options;
    if (modules.length > 0 && local === undefined && resume === undefined)
      throw new UsageError('--module is for tools on this computer: name a directory with --on or --local');
    if (!ofMount) return { name: first, options };
    if (resume !== undefined) return { name: null, options };
    throw new UsageError(without);
  }
  if (resume !== undefined) throw new UsageError('--resume cannot be combined with --on: the run has its directory');
  if (ofMount) return { name: null, options };
  throw new UsageError(`${first} compares file systems, and --on measures one: leave out one of them`);
}

/** Returns the absolute path. @throws UsageError naming the option, unless it is a directory writable by this user */
export function writableDirectory(option: string, path: string): string {
  const directory = resolve(path);
  usage(() => requirePlainPath(option, directory));
  if (!existsSync(directory) || !statSync(directory).isDirectory())
    throw new UsageError(`${option}: there is no directory ${directory}: mount the file system, or create it`);
  const denied = notWritable(directory);
  if (denied !== null) throw new UsageError(`${option}: ${denied}`);
  return directory;
}

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
  const work = like === undefined ? null : workIn('--like', like);
  if (work === null || clients === null) return [...own, ...set];
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
