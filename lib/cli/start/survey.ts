import { realpathSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { instanceType } from '../../fleet/instanceTypes';
import { thisInstanceType } from '../../fleet/kit/thisMachine';
import { standingFleet } from '../../fleet/launchers';
import { explain } from '../../kit/aws/explain';
import { type Mount, mountAbove } from '../../kit/mounts';
import { defaultPlan } from '../../plan/plan';
import { examineMachines, type FoundMachine, type MachinesFound } from '../../run/clients/machines';
import { describeMount } from '../../run/clients/mounts';
import { toolVersions } from '../../run/clients/tools';
import type { ClientConfig } from '../../schema/client';
import type { Plan } from '../../schema/plan';
import type { Described } from '../../schema/run';
import { storageOf } from '../../storage/lookup';
import { LOCAL_KIND, STORAGES } from '../../storage/registry';
import type { StorageConfiguration } from '../../storage/storage';
import { workloadNamed } from '../../workload/lookup';
import { type CliContext, UsageError } from '../context';
import { configurationAs } from '../input/configurationOptions';
import { documentedSurroundings, localSurroundings } from '../input/surroundings';
import { missingTools, otherTool, toolSettings } from '../input/tools';
import { planAs } from '../plan';
import { localClient, writableDirectory } from './localRun';
import { clientsIn, type Machines, machinesOf, scriptsFolder } from './machines';
import { planIn, recordedNotices, settingsIn } from './recorded';
import type { RunOptions } from './startedRun';
import { wayTo } from './tools';

/** Configuration of a mounted file system, and its origin. */
interface Known {
  readonly configuration: StorageConfiguration;
  readonly fileSystemId: string | null;
  readonly describe: Described | null;
  readonly region: string | null;
  /** Sentences for the user and the report. */
  readonly notices: readonly string[];
}

/** A mounted directory, as far as a plan depends on it. */
interface Planned {
  readonly directory: string;
  readonly arm: string;
  /** The directory in the words of its mount. */
  readonly actually: string;
  readonly clientType: string | null;
  readonly known: Known;
  /** Number of machines that measure. */
  readonly clients: number;
  /** Versions of the tools on them; `null` where the plan's own tool is supposed. */
  readonly tools: ClientConfig['tools'] | null;
  /** `null` where nobody asked the machines. */
  readonly there: MachinesFound | null;
}

/** A mounted directory and the machines that measure it, as they are before anything is measured. */
export interface MountSurvey extends Planned {
  /** `null` for this machine alone. */
  readonly machines: Machines | null;
  readonly client: ClientConfig;
  /** Why MPI is left out; `null` if it is not. */
  readonly noMpi: string | null;
  /** Next step to the tools that the plan prefers and this machine lacks; `null` if it has them, or nobody here does. */
  readonly better: string | null;
}

/**
 * Looks at a directory and its machines, for `run --on` and for `doctor --on`.
 *
 * @param alone asks this machine, too, where it is the only one
 * @throws UsageError for what cannot be looked at
 */
export async function surveyOf(context: CliContext, options: RunOptions, alone = false): Promise<MountSurvey> {
  const { directory, asked, known, arm } = await directoryIn(context, options);
  const machines = await machinesOf(context, options);
  const noMpi = (machines && (await standingFleet(machines.option).noMpi?.(context.environment))) ?? null;
  const { openmpi, ...others } = await toolVersions(context.environment);
  const tools = { ...others, ...(openmpi === undefined || noMpi !== null ? {} : { openmpi }) };
  const home = scriptsFolder(context, machines === null ? {} : options);
  const client = localClient(context, new Map([[arm, directory]]), tools, { session: options.session, machines, home });
  const clients = { config: client, addresses: machines?.names ?? [], groups: 1 };
  const there = machines === null && !alone ? null : await examineMachines(clients, directory);
  // A login node is seldom of the type of the machines that measure.
  const clientType = asked ?? (machines === null ? thisInstanceType() : typeOf(there?.machines ?? []));
  const actually = client.arms[arm]?.actually ?? directory;
  const ofPlan = { directory, arm, actually, clientType, known, clients: machines?.names.length ?? 1, tools, there };
  const better = await wayTo(context, missingTools(tools, planIn(options), options.set));
  return { ...ofPlan, machines, client, noMpi, better };
}

async function directoryIn(context: CliContext, options: RunOptions) {
  if (options.local !== undefined)
    throw new UsageError('--on measures one directory and --local compares several: choose one');
  const directory = writableDirectory('--on', options.on ?? '');
  const asked = clientTypeOf(options.instance);
  const known = await configurationOn(context, mountAbove(realpathSync(directory)), options.as);
  return { directory, asked, known, arm: armName(directory) };
}

/**
 * The plan that a run on a directory would carry out, by what is known here: no machine is asked, and none is waited for. Where the tools of
 * this machine do not run it, with the plan's own tool, which the others may have.
 *
 * @throws UsageError where no plan fits the options
 */
export async function sketchOn(context: CliContext, options: RunOptions): Promise<Plan> {
  const { directory, asked, known, arm } = await directoryIn(context, options);
  const found = await toolVersions(context.environment);
  const chosen = planIn(options);
  let tools: Planned['tools'] = found;
  try {
    toolSettings(found, chosen, defaultPlan(MOUNT_BENCHMARK).name);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    context.err(`here ${error.message}; this is the plan with ${chosen.tools?.preferred.label}\n`);
    tools = null;
  }
  const others = clientsIn(options);
  const clients = others ?? 1;
  const clientType = asked ?? (others === null ? thisInstanceType() : null);
  for (const sentence of [...known.notices, ...recordedNotices(options)]) context.err(`${sentence}\n`);
  const actually = describeMount(directory);
  return planOn({ directory, arm, actually, clientType, known, clients, tools, there: null }, options).plan;
}

/** The plan of a run on what was surveyed. */
export interface SurveyedPlan {
  readonly plan: Plan;
  /** Tools of the plan that machines lack, or have in several versions, a line for each. */
  readonly lacks: readonly string[];
  /** Why another tool than the plan's own is used; `null` if it is not. */
  readonly otherTool: string | null;
}

/** @throws UsageError where no plan fits the options and the tools */
export function planOn(
  { directory, arm, actually, clientType, known, clients, tools, there }: Planned,
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
    surroundings: { ...here, documentedBytesPerSecond, serverMemoryBytes },
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

/** `/mnt/My data` becomes `my-data`. */
function armName(directory: string): string {
  const name = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 24);
  return name === '' ? 'mount' : name;
}

/** @returns `null` where none was asked for @throws UsageError for a type that is not known */
export function clientTypeOf(asked: string | undefined): string | null {
  if (asked === undefined) return null;
  if (instanceType(asked) === null)
    throw new UsageError(`'--instance' must be an instance type that fsxbench has data for, got '${asked}'`);
  return asked;
}

/** The instance type that all machines have; `null` where they differ, or where it is not known. */
function typeOf(machines: readonly FoundMachine[]): string | null {
  const [first, ...others] = new Set(machines.map(({ facts }) => facts?.instance?.type ?? null));
  return first != null && others.length === 0 && instanceType(first) !== null ? first : null;
}

async function configurationOn(context: CliContext, mount: Mount | undefined, as: string | undefined): Promise<Known> {
  if (as !== undefined) {
    const configuration = configurationAs('--as', as);
    const [{ type }] = storageOf(configuration).client.filesystems;
    const other = mount !== undefined && mount.type !== type;
    const notices = [
      `This run compares with what is documented for ${storageOf(configuration).configuration.describe(configuration)}, as --as said; nobody verified that.`,
      ...(other ? [`But ${mount.device} is mounted as ${mount.type}, and such a file system as ${type}.`] : []),
    ];
    return { configuration, fileSystemId: null, describe: null, region: regionOf(context), notices };
  }
  const found = mount === undefined ? null : await identify(context, mount);
  if (found !== null && typeof found !== 'string') return found;
  const say = 'Say what it is to compare it with what is documented: --as lustre:PERSISTENT_2:500,12TiB';
  return {
    configuration: { kind: LOCAL_KIND },
    ...{ fileSystemId: null, describe: null, region: null },
    notices: [
      found === null
        ? `Nothing is documented for ${mount === undefined ? 'this directory' : `${mount.type} on ${mount.device}`}, so no limit of it is known. ${say}.`
        : `${found}, so its documented limits are not known. ${say}.`,
    ],
  };
}

const regionOf = ({ environment }: CliContext): string | null => environment.AWS_REGION ?? null;

/** Asks its service about a mounted file system. Returns the reason if the service does not answer; `null` for one that no service has. */
async function identify(context: CliContext, mount: Mount): Promise<Known | string | null> {
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
