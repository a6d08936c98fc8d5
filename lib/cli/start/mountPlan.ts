import { cpus } from 'node:os';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { defaultPlan } from '../../plan/plan';
import type { MachinesFound } from '../../run/clients/machines';
import { filesystemOf } from '../../run/clients/mounts';
import type { ClientConfig } from '../../schema/client';
import type { Plan } from '../../schema/plan';
import { storageOf } from '../../storage/lookup';
import { workloadNamed } from '../../workload/lookup';
import { documentedSurroundings, localSurroundings } from '../input/surroundings';
import { otherTool, toolSettings } from '../input/tools';
import { planAs } from '../plan';
import type { MountedFileSystem } from './mountedFileSystem';
import { planIn, settingsIn } from './recorded';
import type { RunOptions } from './startedRun';

/** A mounted directory, as far as a plan depends on it. */
export interface PlannedMount {
  readonly directory: string;
  readonly arm: string;
  /** The directory in the words of its mount. */
  readonly actually: string;
  readonly clientType: string | null;
  readonly known: MountedFileSystem;
  /** Number of machines that measure. */
  readonly clients: number;
  /** Versions of the tools on them; `null` where the plan's own tool is supposed. */
  readonly tools: ClientConfig['tools'] | null;
  /** `null` where nobody asked the machines. */
  readonly there: MachinesFound | null;
}

/** The plan of a run on the surveyed file system. */
export interface SurveyedPlan {
  readonly plan: Plan;
  /** Tools of the plan that machines lack, or have in several versions, a line for each. */
  readonly lacks: readonly string[];
  /** Why another tool than the plan's own is used; `null` if it is not. */
  readonly otherTool: string | null;
}

/** @throws UsageError where no plan fits the options and the tools */
export function planOn(
  { directory, arm, actually, clientType, known, clients, tools, there }: PlannedMount,
  options: RunOptions,
): SurveyedPlan {
  const { configuration } = known;
  const storage = storageOf(configuration);
  const chosen = planIn(options);
  const here = localSurroundings([directory], false);
  const { documentedBytesPerSecond, serverMemoryBytes } = documentedSurroundings([configuration], '', new Date());
  const plan = planAs(MOUNT_BENCHMARK, options, {
    plan: chosen.name,
    scale: 'lab',
    arms: [
      {
        name: arm,
        description: storage.local ? actually : storage.configuration.describe(configuration),
        configuration,
      },
    ],
    fleet: {
      clients,
      instanceType: clientType,
      ranksPerClient: Math.min(MOST_PROCESSES, there?.cpus ?? cpus().length),
    },
    set: [
      ...(tools === null ? [] : toolSettings(tools, chosen, defaultPlan(MOUNT_BENCHMARK).name)),
      ...(chosen.within?.(sizeOf((here.capacityBytes ?? 0) / clients)) ?? []),
      ...settingsIn(options, clients),
    ],
    hourlyUsd: null,
    costReason: 'the machines and the file system are there already, and are not priced',
    mountedAs: { [arm]: filesystemOf(directory) },
    surroundings: { ...here, documentedBytesPerSecond, serverMemoryBytes, uncounted: known.fileSystemId === null },
  });
  return {
    plan,
    lacks: there?.lacks(toolsOf(plan)) ?? [],
    otherTool: tools === null ? null : otherTool(tools, chosen, options.set),
  };
}

/** Tools that a plan runs on its clients, with what starts them. */
function toolsOf({ steps }: Plan): string[] {
  const tools = steps.flatMap(({ tasks }) => tasks.flatMap(({ action }) => ('tool' in action ? [action.tool] : [])));
  return [...new Set(tools.flatMap((tool) => (workloadNamed(tool).launch.by === 'mpi' ? [tool, 'openmpi'] : [tool])))];
}

/** One client's network card is full long before. */
const MOST_PROCESSES = 16;
/** A quarter of what is free, since the file system is in use; MiB. Time ends a phase before. */
const sizeOf = (freeBytes: number): number => Math.max(1, Math.min(1_048_576, Math.floor(freeBytes / 4 / 2 ** 20)));
