import { existsSync, realpathSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import type { PlanDefinition } from '../../benchmark/plan';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { instanceType } from '../../fleet/instanceTypes';
import { thisInstanceType } from '../../fleet/kit/thisMachine';
import { standingFleet } from '../../fleet/launchers';
import { explain } from '../../kit/aws/explain';
import { type Mount, mountAbove } from '../../kit/mounts';
import { recordedIn } from '../../parse';
import { recordedWords } from '../../parse/recordedWords';
import { defaultPlan, makePlan, parametersOf } from '../../plan/plan';
import { sumOf } from '../../price/cost';
import { DEFAULT_REGION } from '../../price/prices';
import { examineMachines } from '../../run/clients/machines';
import { toolVersions } from '../../run/clients/tools';
import { newRunId } from '../../run/runner';
import type { Plan } from '../../schema/plan';
import type { Described, Manifest } from '../../schema/run';
import { storageOf } from '../../storage/lookup';
import { LOCAL_KIND, STORAGES } from '../../storage/registry';
import type { StorageConfiguration } from '../../storage/storage';
import type { RecordedWork } from '../../workload/kit/recorded';
import { workloadNamed } from '../../workload/lookup';
import { type CliContext, UsageError } from '../context';
import { configurationAs } from '../input/configurationOptions';
import { documentedSurroundings, localSurroundings } from '../input/surroundings';
import { otherTool, toolSettings } from '../input/tools';
import { chosenPlan, programOf, usage } from '../plan';
import { drivenHere, keepLocalRun, LOCAL_FLEET, type LocallyDriven, localClient, writableDirectory } from './localRun';
import { type Machines, machinesOf, scriptsFolder } from './machines';
import type { RunOptions, StartedRun } from './startedRun';

/** Configuration of a mounted file system, and its origin. */
interface Known {
  readonly configuration: StorageConfiguration;
  readonly fileSystemId: string | null;
  readonly describe: Described | null;
  readonly region: string | null;
  /** Sentences for the user and the report. */
  readonly notices: readonly string[];
}

/** Starts a run on one file system that is mounted here, in this process. */
export async function startOn(context: CliContext, options: RunOptions): Promise<StartedRun> {
  return drivenHere(context, await prepareOn(context, options));
}

/** Refuses what is wrong whatever the machines are like, before any are waited for or paid. @throws UsageError */
export function refuseEarly(options: RunOptions): void {
  writableDirectory('--on', options.on ?? '');
  clientTypeOf(options.instance);
  if (options.as !== undefined) configurationAs('--as', options.as);
  const fleet = { clients: 1, instanceType: null, ranksPerClient: 1 };
  usage(() =>
    parametersOf(planIn(options), { scale: 'lab', fleet, set: settingsIn(options, Number(options.nodes) || null) }),
  );
}

/** The plan that the options ask for. @throws UsageError for two at once */
function planIn(options: RunOptions): PlanDefinition {
  if (options.like === undefined) return chosenPlan(MOUNT_BENCHMARK, options);
  const found = MOUNT_BENCHMARK.plans.find(({ like }) => like !== undefined);
  if (found === undefined) throw new Error('no plan does what a program did');
  if ((options.plan ?? found.name) !== found.name || (options.program ?? []).length > 0)
    throw new UsageError('--like drives IOR as the record says: leave out --plan, and the program after --');
  return found;
}

/** The plan's parameters as the options set them. @param clients `null` while it is not known how many there are */
function settingsIn(options: RunOptions, clients: number | null): string[] {
  const { ranks, like, set } = options;
  const own = ranks === undefined ? [] : [`ranksPerClient=${ranks}`];
  if (like === undefined) return [...own, ...set];
  const work = workIn('--like', like);
  if (clients === null) return [...own, ...set];
  try {
    return [...(planIn(options).like?.(work, clients, ranks === undefined ? undefined : Number(ranks)) ?? []), ...set];
  } catch (error) {
    throw new UsageError(
      `--like cannot do what ${like} says: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** @throws UsageError for a file that is no record of a program */
function workIn(option: string, log: string): RecordedWork {
  if (!existsSync(log)) throw new UsageError(`${option}: there is no file '${log}'`);
  return usage(() => recordedIn(log));
}

/** What a program's record says, for the report. */
function recordedNotices({ like, recorded }: RunOptions): string[] {
  if (like !== undefined)
    return [
      `This run does with IOR what a program did by its record ${basename(like)}: ${recordedWords(workIn('--like', like))}`,
    ];
  if (recorded === undefined) return [];
  const words = recordedWords(workIn('--recorded', recorded));
  return [
    `By its record ${basename(recorded)} the program did this: ${words} The same by IOR: npx fsxbench run --on DIRECTORY --like ${basename(recorded)}`,
  ];
}

/** A run on one file system that is mounted here: no stack, and nothing to compare it with but what is documented for it. */
async function prepareOn(context: CliContext, options: RunOptions): Promise<LocallyDriven> {
  if (options.local !== undefined)
    throw new UsageError('--on measures one directory and --local compares several: choose one');
  const directory = writableDirectory('--on', options.on ?? '');
  const mount = mountAbove(realpathSync(directory));
  const clientType = clientTypeOf(options.instance);
  const known = await configurationOn(context, mount, options.as);
  const arm = armName(directory);
  const machines = await machinesOf(context, options);
  const tools = await toolsOf(context, machines);
  const client = localClient(context, new Map([[arm, directory]]), tools, machines, scriptsFolder(context, options));
  const clients = machines?.names.length ?? 1;
  const there =
    machines === null
      ? null
      : await examineMachines({ config: client, addresses: machines.names, groups: 1 }, directory);
  if (there !== null && there.problems.length > 0)
    throw new UsageError(`not every machine can measure ${directory}:\n${there.problems.join('\n')}`);
  const actually = client.arms[arm]?.actually ?? directory;
  const { configuration } = known;
  const storage = storageOf(configuration);
  const chosen = planIn(options);
  const here = localSurroundings([directory], false);
  const { documentedBytesPerSecond, serverMemoryBytes } = documentedSurroundings([configuration], '', new Date());
  const price = storage.local
    ? { hourlyUsd: null, reason: 'a directory of this machine has no list price' }
    : sumOf(storage.price.cost(configuration, { region: known.region ?? DEFAULT_REGION }));
  const description = storage.local ? actually : storage.configuration.describe(configuration);
  const plan = usage(() =>
    makePlan({
      allow: options.allow,
      benchmark: MOUNT_BENCHMARK,
      plan: chosen.name,
      scale: 'lab',
      arms: [{ name: arm, description, configuration }],
      fleet: {
        clients,
        instanceType: clientType,
        ranksPerClient: Math.min(MOST_PROCESSES, there?.cpus ?? cpus().length),
      },
      set: [
        ...toolSettings(tools, chosen, defaultPlan(MOUNT_BENCHMARK).name),
        ...(chosen.within?.(sizeOf((here.capacityBytes ?? 0) / clients)) ?? []),
        ...settingsIn(options, clients),
      ],
      ...programOf(options),
      hourlyUsd: 0,
      surroundings: {
        ...here,
        ...(documentedBytesPerSecond === undefined ? {} : { documentedBytesPerSecond }),
        ...(serverMemoryBytes === undefined ? {} : { serverMemoryBytes }),
      },
    }),
  );
  const lacks = there?.lacks(programsOf(plan)) ?? [];
  if (lacks.length > 0) throw new UsageError(`not every machine has what the plan runs:\n${lacks.join('\n')}`);
  const notices = [...known.notices, ...recordedNotices(options), ...(there?.notices ?? [])];
  for (const sentence of notices) context.err(`${sentence}\n`);
  const why = otherTool(tools, chosen, options.set);
  if (why !== null) context.err(`${why}\n`);
  const manifest: Manifest = {
    schema: 'fsxbench.manifest/1',
    run: newRunId(plan.plan, new Date()),
    benchmark: MOUNT_BENCHMARK.name,
    lab: false,
    stack: null,
    region: known.region,
    account: null,
    arms: plan.arms.map(({ name, description }) => ({
      ...{ name, description, kind: storage.kind, fileSystemId: known.fileSystemId, describe: known.describe },
      hourlyUsd: price.hourlyUsd,
      ...(price.reason === undefined ? {} : { hourlyReason: price.reason }),
      actually,
    })),
    fleet: {
      ...{ ...LOCAL_FLEET, instanceType: clientType },
      ...(machines === null
        ? {}
        : {
            machines: { asked: `--${machines.option} ${machines.wanted}`, names: machines.names },
            hourlyReason: 'machines that were there already',
          }),
    },
    bucket: null,
    document: null,
    dashboard: null,
    metricsPeriodSeconds: 60,
    tools,
    notices,
  };
  return keepLocalRun(context, options.results, { plan, manifest, client });
}

/** The tools of the plans: as found here, without those that the machines' launcher cannot start. */
async function toolsOf({ environment, err }: CliContext, machines: Machines | null): Promise<Record<string, string>> {
  const tools = await toolVersions(environment);
  const why = machines === null ? null : await standingFleet(machines.option).noMpi?.(environment);
  if (!why) return tools;
  err(`${why}\n`);
  return Object.fromEntries(Object.entries(tools).filter(([tool]) => tool !== 'openmpi'));
}

/** Programs that a plan runs on its clients, by the names that they describe themselves with. */
function programsOf({ steps }: Plan): string[] {
  const tools = steps.flatMap(({ tasks }) => tasks.flatMap(({ action }) => ('tool' in action ? [action.tool] : [])));
  return [...new Set(tools.map((tool) => (workloadNamed(tool).launch.by === 'mpi' ? 'openmpi' : tool)))];
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

/** @throws UsageError for a type that is not known */
function clientTypeOf(asked: string | undefined): string | null {
  if (asked === undefined) return thisInstanceType();
  if (instanceType(asked) === null)
    throw new UsageError(`'--instance' must be an instance type that fsxbench has data of, got '${asked}'`);
  return asked;
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
