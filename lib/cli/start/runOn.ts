import { realpathSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { explain } from '../../common/aws/explain';
import { type Mount, mountAbove } from '../../common/mounts';
import { thisInstanceType } from '../../fleet/common/thisMachine';
import { instanceType } from '../../fleet/instanceTypes';
import { deployedFleet } from '../../fleet/registry';
import { defaultPlan, parametersOf } from '../../plan/plan';
import { changeWarnings } from '../../run/changing';
import { describeMount, filesystemOf } from '../../run/clients/directory';
import { examineMachines, type FoundMachine, type MachinesFound } from '../../run/clients/machines';
import { toolVersions } from '../../run/clients/tools';
import { toolsOf } from '../../run/driver/session';
import { localManifest } from '../../run/manifest';
import type { ClientConfig } from '../../schema/client';
import type { StorageConfiguration } from '../../schema/deployment';
import type { Plan } from '../../schema/plan';
import type { Described } from '../../schema/run';
import { isNeverDeployed, storageOf } from '../../storage/lookup';
import { LOCAL_KIND, STORAGES } from '../../storage/registry';
import { workloadNamed } from '../../workload/lookup';
import { type CliContext, UsageError, usage } from '../context';
import { configurationAs } from '../input/configurationOptions';
import { documentedEnvironment, localEnvironment } from '../input/environment';
import { planAs } from '../plan';
import { planIn, type RunOptions, recordedNotices, type StartedRun, settingsIn, writableDirectory } from './arguments';
import { drivenHere, keepLocalRun, localClient } from './localRun';
import { clientsIn, machinesOf, scriptsFolder } from './machines';
import { installHint, missingTools, otherTool, toolSettings } from './tools';

/** A mounted directory and the machines that measure it, as they are before anything is measured. */
export type MountSurvey = Awaited<ReturnType<typeof surveyOf>>;

/** Looks at a directory and its machines, for `run --on` and for `doctor --on`. @throws UsageError for what cannot be looked at */
export async function surveyOf(context: CliContext, options: RunOptions) {
  const { directory, known, arm } = await directoryIn(context, options);
  const { session } = options;
  const machines = await machinesOf(context, options);
  const noMpi = (machines && (await deployedFleet(machines.option).noMpi?.(context.environment))) ?? null;
  const { openmpi, ...others } = await toolVersions(context.environment);
  const tools = { ...others, ...(openmpi === undefined || noMpi !== null ? {} : { openmpi }) };
  const home = scriptsFolder(context, machines === null ? {} : options);
  const client = localClient(context, new Map([[arm, directory]]), tools, {
    session,
    machines: machines ?? undefined,
    home,
  });
  const clients = { config: client, addresses: machines?.names ?? [], groups: 1 };
  const there = await examineMachines(clients, directory);
  // A login node is seldom of the type of the machines that measure.
  const clientType = machines === null ? thisInstanceType() : typeOf(there.machines);
  const actually = client.arms[arm]?.actually ?? directory;
  const ofPlan = { directory, arm, actually, clientType, known, clients: machines?.names.length ?? 1, tools, there };
  const better = await installHint(context, missingTools(tools, planIn(options), options.set));
  return { ...ofPlan, machines, client, noMpi, better };
}

async function directoryIn(context: CliContext, options: RunOptions) {
  if (options.local !== undefined)
    throw new UsageError('--on measures one directory and --local compares several: choose one');
  const directory = writableDirectory('--on', options.on ?? '');
  const known = await configurationOn(context, mountAbove(realpathSync(directory)), options.as);
  return { directory, known, arm: armName(directory) };
}

/** The plan of a run on a directory, without asking another machine; its own tool is assumed if the tools here cannot run it. @throws UsageError */
export async function sketchOn(context: CliContext, options: RunOptions): Promise<Plan> {
  const { directory, known, arm } = await directoryIn(context, options);
  const found = await toolVersions(context.environment);
  const chosen = planIn(options);
  let tools: PlannedMount['tools'] = found;
  try {
    toolSettings(found, chosen, defaultPlan(MOUNT_BENCHMARK).name);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    context.err(`here ${error.message}; this is the plan with ${chosen.tools?.preferred.label}\n`);
    tools = null;
  }
  const others = clientsIn(options);
  const clientType = others === null ? thisInstanceType() : null;
  for (const sentence of [...known.notices, ...recordedNotices(options)]) context.err(`${sentence}\n`);
  const mount = { directory, arm, actually: describeMount(directory), clientType, known, clients: others ?? 1 };
  return planOn({ ...mount, tools, there: null }, options).plan;
}

/** `/mnt/My data` becomes `my-data`. */
function armName(directory: string): string {
  const words = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return words.replaceAll(/^[^a-z]+|-+$/g, '').slice(0, 24) || 'mount';
}

/** The instance type that all machines have; `null` if they differ or it is unknown. */
function typeOf(machines: readonly FoundMachine[]): string | null {
  const [first, ...others] = new Set(machines.map(({ facts }) => facts?.instance?.type ?? null));
  return first != null && others.length === 0 && instanceType(first) !== null ? first : null;
}

/** A mounted directory, as far as a plan depends on it. */
export interface PlannedMount {
  readonly directory: string;
  readonly arm: string;
  /** The directory in the words of its mount. */
  readonly actually: string;
  readonly clientType: string | null;
  readonly known: MountedFileSystem;
  readonly clients: number;
  /** Versions of the tools on them; `null` where the plan's own tool is supposed. */
  readonly tools: ClientConfig['tools'] | null;
  /** `null` if the machines were not asked. */
  readonly there: MachinesFound | null;
}

/** The plan of a run on the surveyed file system, and tools that machines lack or have in several versions. @throws UsageError if no plan fits */
export function planOn(
  { directory, arm, actually, clientType, known, clients, tools, there }: PlannedMount,
  options: RunOptions,
) {
  const { configuration } = known;
  const storage = storageOf(configuration);
  const chosen = planIn(options);
  const description = isNeverDeployed(storage) ? actually : storage.configuration.describe(configuration);
  const ranksPerClient = Math.min(MOST_PROCESSES, there?.cpus ?? cpus().length);
  const here = localEnvironment([directory]);
  const { documentedBytesPerSecond, serverMemoryBytes } = documentedEnvironment([configuration], '', new Date());
  const plan = planAs(MOUNT_BENCHMARK, options, {
    plan: chosen.name,
    scale: 'lab',
    arms: [{ name: arm, description, configuration }],
    fleet: { clients, instanceType: clientType, ranksPerClient },
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
    /** Why another tool than the plan's own is used; `null` if it is not. */
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
export async function configurationOn(context: CliContext, mount: Mount | undefined, as: string | undefined) {
  if (as !== undefined) {
    const configuration = configurationAs(as);
    const { client, configuration: slice } = storageOf(configuration);
    const [{ type }] = client.filesystems;
    const notices = [
      `This run compares with what is documented for ${slice.describe(configuration)}, as --as said; nobody verified that.`,
    ];
    if (mount !== undefined && mount.type !== type)
      notices.push(
        `However, ${mount.device} is mounted with type ${mount.type}, not ${type}: this is another file system than --as said.`,
      );
    return { configuration, fileSystemId: null, describe: null, region: regionOf(context), notices };
  }
  const found = mount === undefined ? null : await identify(context, mount);
  if (found !== null && typeof found !== 'string') return found;
  const say = 'Say what it is to compare it with what is documented: --as lustre:PERSISTENT_2:500,12TiB.';
  const what = mount === undefined ? 'this directory' : `${mount.type} on ${mount.device}`;
  const reason =
    found === null
      ? `Nothing is documented for ${what}, so no limit of it is known.`
      : `${found}, so its documented limits are not known.`;
  const configuration = { kind: LOCAL_KIND };
  return { configuration, fileSystemId: null, describe: null, region: null, notices: [`${reason} ${say}`] };
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

/** Refuses mistakes that do not depend on the machines before any are waited for or paid. @throws UsageError */
export function refuseEarly(options: RunOptions): void {
  writableDirectory('--on', options.on ?? '');
  if (options.as !== undefined) configurationAs(options.as);
  const fleet = { clients: 1, instanceType: null, ranksPerClient: 1 };
  usage(() =>
    parametersOf(planIn(options), { scale: 'lab', fleet, set: settingsIn(options, Number(options.nodes) || null) }),
  );
}

/** Starts a run on one file system that is mounted here: no stack, and nothing to compare it with but what is documented for it. */
export async function startOn(context: CliContext, options: RunOptions): Promise<StartedRun> {
  const survey = await surveyOf(context, options);
  const { directory, clientType, known, machines, client, there, noMpi, better } = survey;
  for (const sentence of [noMpi, better]) if (sentence !== null) context.err(`${sentence}\n`);
  if (there !== null && there.problems.length > 0)
    throw new UsageError(
      `${machines === null ? 'this computer cannot' : 'not every client can'} measure ${directory}:\n${there.problems.join('\n')}`,
    );
  const { plan, lacks, otherTool } = planOn(survey, options);
  if (lacks.length > 0) throw new UsageError(`not every client has what the plan runs:\n${lacks.join('\n')}`);
  const notices = [...known.notices, ...recordedNotices(options), ...(there?.notices ?? [])];
  for (const sentence of [...notices, ...(otherTool === null ? [] : [otherTool])]) context.err(`${sentence}\n`);
  const { region, fileSystemId, describe } = known;
  const fleet = machines && {
    machines: { asked: `--${machines.option} ${machines.wanted}`, names: machines.names },
    hourlyReason: 'clients that existed already',
  };
  const manifest = localManifest(plan, client, {
    run: options.id,
    region,
    known: () => ({ fileSystemId, describe }),
    fleet: { instanceType: clientType, ...fleet },
    notices,
  });
  for (const sentence of changeWarnings(manifest.arms)) context.err(`warning: ${sentence}\n`);
  return drivenHere(context, await keepLocalRun(context, options.results, { plan, manifest, client }));
}
