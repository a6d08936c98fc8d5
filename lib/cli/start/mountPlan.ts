import { cpus } from 'node:os';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { explain } from '../../common/aws/explain';
import type { Mount } from '../../common/mounts';
import { defaultPlan } from '../../plan/plan';
import { filesystemOf } from '../../run/clients/directory';
import type { MachinesFound } from '../../run/clients/machines';
import { toolsOf } from '../../run/driver/session';
import type { ClientConfig } from '../../schema/client';
import type { StorageConfiguration } from '../../schema/deployment';
import type { Plan } from '../../schema/plan';
import type { Described } from '../../schema/run';
import { storageOf } from '../../storage/lookup';
import { LOCAL_KIND, STORAGES } from '../../storage/registry';
import { workloadNamed } from '../../workload/lookup';
import type { CliContext } from '../context';
import { configurationAs } from '../input/configurationOptions';
import { documentedEnvironment, localEnvironment } from '../input/environment';
import { otherTool, toolSettings } from '../input/tools';
import { planAs } from '../plan';
import { planIn, type RunOptions, settingsIn } from './recorded';

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
  /** `null` if the machines were not asked. */
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

/** @throws UsageError if no plan fits the options and the tools */
export function planOn(
  { directory, arm, actually, clientType, known, clients, tools, there }: PlannedMount,
  options: RunOptions,
): SurveyedPlan {
  const { configuration } = known;
  const storage = storageOf(configuration);
  const chosen = planIn(options);
  const here = localEnvironment([directory], false);
  const { documentedBytesPerSecond, serverMemoryBytes } = documentedEnvironment([configuration], '', new Date());
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
    costReason: 'the clients and the file system exist already and are not priced',
    mountedAs: { [arm]: filesystemOf(directory) },
    environment: { ...here, documentedBytesPerSecond, serverMemoryBytes, uncounted: known.fileSystemId === null },
  });
  return {
    plan,
    lacks: there?.lacks(launchedBy(plan)) ?? [],
    otherTool: tools === null ? null : otherTool(tools, chosen, options.set),
  };
}

/** Tools that a plan runs on its clients, with what starts them. */
const launchedBy = (plan: Plan): string[] => {
  const tools = [...toolsOf(plan)].flatMap((tool) =>
    workloadNamed(tool).launch.by === 'mpi' ? [tool, 'openmpi'] : tool,
  );
  return [...new Set(tools)];
};

/** One client's network card is full long before. */
const MOST_PROCESSES = 16;
/** A quarter of what is free, since the file system is in use; MiB. Time ends a phase before. */
const sizeOf = (freeBytes: number): number => Math.max(1, Math.min(1_048_576, Math.floor(freeBytes / 4 / 2 ** 20)));

interface MountedFileSystem {
  readonly configuration: StorageConfiguration;
  readonly fileSystemId: string | null;
  readonly describe: Described | null;
  readonly region: string | null;
  /** Sentences for the user and the report. */
  readonly notices: readonly string[];
}

/** The configuration of a mounted file system: as the user says, as its service describes it, or unknown. @throws UsageError for an `as` that describes none */
export async function configurationOn(
  context: CliContext,
  mount: Mount | undefined,
  as: string | undefined,
): Promise<MountedFileSystem> {
  if (as !== undefined) {
    const configuration = configurationAs(as);
    const [{ type }] = storageOf(configuration).client.filesystems;
    const other = mount !== undefined && mount.type !== type;
    const notices = [
      `This run compares with what is documented for ${storageOf(configuration).configuration.describe(configuration)}, as --as said; nobody verified that.`,
      ...(other
        ? [
            `However, ${mount.device} is mounted with type ${mount.type}, not ${type}: this is another file system than --as said.`,
          ]
        : []),
    ];
    return { configuration, fileSystemId: null, describe: null, region: regionOf(context), notices };
  }
  const found = mount === undefined ? null : await identify(context, mount);
  if (found !== null && typeof found !== 'string') return found;
  const say = 'Say what it is to compare it with what is documented: --as lustre:PERSISTENT_2:500,12TiB';
  return {
    configuration: { kind: LOCAL_KIND },
    fileSystemId: null,
    describe: null,
    region: null,
    notices: [
      found === null
        ? `Nothing is documented for ${mount === undefined ? 'this directory' : `${mount.type} on ${mount.device}`}, so no limit of it is known. ${say}.`
        : `${found}, so its documented limits are not known. ${say}.`,
    ],
  };
}

const regionOf = ({ environment }: CliContext): string | null => environment.AWS_REGION ?? null;

/** Asks its service about a mounted file system. Returns the reason if the service does not answer; `null` for one that no service has. */
async function identify(context: CliContext, mount: Mount): Promise<MountedFileSystem | string | null> {
  for (const storage of STORAGES) {
    if (storage.account.identify === undefined || storage.account.describeAll === undefined) continue;
    try {
      const id = await storage.account.identify(mount);
      if (id === null) continue;
      const describe = (await storage.account.describeAll([id])).get(id) ?? null;
      const configuration = storage.account.fromDescription(describe);
      if (configuration === null) return `${storage.label} did not describe ${id}`;
      const notices = [`${mount.mountPoint} is ${id}: ${storage.configuration.describe(configuration)}.`];
      return { configuration, fileSystemId: id, describe, region: regionOf(context), notices };
    } catch (error) {
      return `${storage.label} could not be asked what ${mount.device} is (${explain(error)})`;
    }
  }
  return null;
}
