import { instanceType } from '../fleet/instanceTypes';
import type { LustreConfiguration } from '../storage/lustre/configuration';
import { isLab, type RunRecord } from '../store/record';

/** What the analysis knows of one arm. */
export interface AnalysedArm {
  readonly name: string;
  /** As it was deployed; where the service did not say, as it was planned. `null` with a reason. */
  readonly configuration: LustreConfiguration | null;
  readonly reason: string | null;
}

/** What the analysis knows of the clients. `null` where nothing says so. */
export interface AnalysedClients {
  readonly instanceType: string | null;
  readonly memoryBytes: number | null;
  readonly networkBaselineMbps: number | null;
  readonly networkBurstMbps: number | null;
}

type Facts = Readonly<Record<string, unknown>>;

/** The arms that plan, manifest and samples name, in this order. */
export function armsOf({ plan, manifest, samples }: RunRecord): AnalysedArm[] {
  const names = new Set([
    ...(plan?.arms ?? []).map(({ name }) => name),
    ...(manifest?.arms ?? []).map(({ name }) => name),
    ...samples.map(({ arm }) => arm),
  ]);
  return [...names].map((name) => {
    const planned = plan?.arms.find((arm) => arm.name === name)?.configuration ?? null;
    const deployed = manifest?.arms.find((arm) => arm.name === name) ?? null;
    if (deployed?.kind === 'local')
      return { name, configuration: null, reason: 'it is a directory, not a file system of Amazon FSx' };
    const configuration = deployedConfiguration(deployed?.describe ?? null, planned);
    return { name, configuration, reason: configuration === null ? 'neither plan nor service describes it' : null };
  });
}

/** From what DescribeFileSystems answered; fields that it leaves out are those of the plan. */
function deployedConfiguration(
  describe: Facts | null,
  planned: LustreConfiguration | null,
): LustreConfiguration | null {
  const lustre = asFacts(describe?.LustreConfiguration);
  const deploymentType = text(lustre.DeploymentType) ?? planned?.deploymentType;
  if (deploymentType === undefined) return null;
  const metadata = asFacts(lustre.MetadataConfiguration);
  const iops = number(metadata.Iops);
  const deployed: Readonly<Record<string, unknown>> = {
    deploymentType,
    storageType: text(describe?.StorageType),
    storageCapacityGiB: number(describe?.StorageCapacity),
    perUnitStorageThroughput: number(lustre.PerUnitStorageThroughput),
    throughputCapacity: number(lustre.ThroughputCapacity),
    dataCompressionType: text(lustre.DataCompressionType),
    driveCacheType: text(lustre.DriveCacheType),
    efaEnabled: typeof lustre.EfaEnabled === 'boolean' ? lustre.EfaEnabled : undefined,
    version: text(describe?.FileSystemTypeVersion),
    weeklyMaintenanceStartTime: text(lustre.WeeklyMaintenanceStartTime),
    metadata:
      metadata.Mode === 'AUTOMATIC'
        ? { mode: 'AUTOMATIC' }
        : metadata.Mode === 'USER_PROVISIONED' && iops !== undefined
          ? { mode: 'USER_PROVISIONED', iops }
          : undefined,
  };
  const said = Object.fromEntries(Object.entries(deployed).filter(([, value]) => value !== undefined));
  return { ...planned, ...said } as unknown as LustreConfiguration;
}

/** By the instance type where the fleet has one, else by what the clients said of themselves. */
export function clientsOf({ plan, manifest, environment }: RunRecord): AnalysedClients {
  const name = isLab({ manifest, plan }) ? null : (manifest?.fleet.instanceType ?? plan?.fleet.instanceType ?? null);
  const type = name === null ? null : instanceType(name);
  const said = environment.flatMap(({ facts }) => number(facts.memoryBytes) ?? []);
  return {
    instanceType: name,
    memoryBytes: type === null ? (said.length === 0 ? null : Math.max(...said)) : type.memoryMiB * 2 ** 20,
    networkBaselineMbps: type?.networkBaselineMbps ?? null,
    networkBurstMbps: type?.networkBurstMbps ?? type?.networkBaselineMbps ?? null,
  };
}

function asFacts(value: unknown): Facts {
  return typeof value === 'object' && value !== null ? (value as Facts) : {};
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
