import { realpathSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { instanceType } from '../../fleet/instanceTypes';
import { thisInstanceType } from '../../fleet/kit/thisMachine';
import { explain } from '../../kit/aws/explain';
import { type Mount, mountAbove } from '../../kit/mounts';
import { defaultPlan, makePlan } from '../../plan/plan';
import { sumOf } from '../../price/cost';
import { DEFAULT_REGION } from '../../price/prices';
import { toolVersions } from '../../run/clients/tools';
import { newRunId } from '../../run/runner';
import type { Described, Manifest } from '../../schema/run';
import { storageOf } from '../../storage/lookup';
import { LOCAL_KIND, STORAGES } from '../../storage/registry';
import type { StorageConfiguration } from '../../storage/storage';
import { type CliContext, UsageError } from '../context';
import { configurationAs } from '../input/configurationOptions';
import { documentedSurroundings, localSurroundings } from '../input/surroundings';
import { otherTool, toolSettings } from '../input/tools';
import { chosenPlan, programOf, usage } from '../plan';
import { drivenHere, keepLocalRun, LOCAL_FLEET, type LocallyDriven, localClient, writableDirectory } from './localRun';
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

/** A run on one file system that is mounted here: no stack, and nothing to compare it with but what is documented for it. */
async function prepareOn(context: CliContext, options: RunOptions): Promise<LocallyDriven> {
  if (options.local !== undefined)
    throw new UsageError('--on measures one directory and --local compares several: choose one');
  const directory = writableDirectory('--on', options.on ?? '');
  const mount = mountAbove(realpathSync(directory));
  const clientType = clientTypeOf(options.instance);
  const known = await configurationOn(context, mount, options.as);
  const arm = armName(directory);
  const tools = await toolVersions(context.environment);
  const client = localClient(context, new Map([[arm, directory]]), tools);
  const actually = client.arms[arm]?.actually ?? directory;
  const { configuration } = known;
  const storage = storageOf(configuration);
  const chosen = chosenPlan(MOUNT_BENCHMARK, options);
  const here = localSurroundings([directory], false);
  const { documentedBytesPerSecond, serverMemoryBytes } = documentedSurroundings([configuration], '', new Date());
  const price = storage.local
    ? { hourlyUsd: null, reason: 'a directory of this machine has no list price' }
    : sumOf(storage.cost(configuration, { region: known.region ?? DEFAULT_REGION }));
  const plan = usage(() =>
    makePlan({
      benchmark: MOUNT_BENCHMARK,
      plan: chosen.name,
      scale: 'lab',
      arms: [{ name: arm, description: storage.local ? actually : storage.describe(configuration), configuration }],
      fleet: { clients: 1, instanceType: clientType, ranksPerClient: Math.min(MOST_PROCESSES, cpus().length) },
      set: [
        ...toolSettings(tools, chosen, defaultPlan(MOUNT_BENCHMARK).name),
        ...(chosen.takesProgram ? [] : [`maxMiBPerArm=${sizeOf(here.capacityBytes ?? 0)}`]),
        ...options.set,
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
  for (const sentence of known.notices) context.err(`${sentence}\n`);
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
    fleet: { ...LOCAL_FLEET, instanceType: clientType },
    bucket: null,
    document: null,
    dashboard: null,
    metricsPeriodSeconds: 60,
    tools,
    notices: [...known.notices],
  };
  return keepLocalRun(context, options.results, { plan, manifest, client });
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
    const [{ type }] = storageOf(configuration).filesystems;
    const other = mount !== undefined && mount.type !== type;
    const notices = [
      `This run compares with what is documented for ${storageOf(configuration).describe(configuration)}, as --as said; nobody verified that.`,
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
    if (storage.identify === undefined || storage.describeAll === undefined) continue;
    try {
      const id = await storage.identify(mount);
      if (id === null) continue;
      const describe = (await storage.describeAll([id])).get(id) ?? null;
      const configuration = storage.fromDescription(describe);
      if (configuration === null) return `${storage.label} did not describe ${id}`;
      const notices = [`${mount.mountPoint} is ${id}: ${storage.describe(configuration)}.`];
      return { configuration, fileSystemId: id, describe, region: regionOf(context), notices };
    } catch (error) {
      return `${storage.label} could not be asked what ${mount.device} is (${explain(error)})`;
    }
  }
  return null;
}
