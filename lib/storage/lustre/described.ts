import { lookup } from 'node:dns/promises';
import { BOUNDED } from '../../common/aws/bounded';
import type { Mount } from '../../common/mounts';
import { omitUndefined } from '../../common/omitUndefined';
import type { Described } from '../../schema/run';
import { lustreFilesystem } from '../common/lustre';
import { parseLustreSource } from '../common/lustreSource';
import type { LustreStorage } from './configuration';

const asFacts = (value: unknown): Described =>
  typeof value === 'object' && value !== null ? (value as Described) : {};
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** The configuration in an answer of DescribeFileSystems; fields that it leaves out are taken from the plan. */
export function fromDescription(
  described: Described | null,
  planned: LustreStorage | null = null,
): LustreStorage | null {
  const lustre = asFacts(described?.LustreConfiguration);
  const deploymentType = text(lustre.DeploymentType) ?? planned?.deploymentType;
  if (deploymentType === undefined) return null;
  const metadata = asFacts(lustre.MetadataConfiguration);
  const iops = number(metadata.Iops);
  const cache = asFacts(lustre.DataReadCacheConfiguration);
  const sizingMode = text(cache.SizingMode);
  const elastic = described?.StorageType === 'INTELLIGENT_TIERING';
  const deployed: Readonly<Record<string, unknown>> = {
    kind: 'lustre',
    deploymentType,
    storageType: text(described?.StorageType),
    storageCapacityGiB: elastic ? undefined : number(described?.StorageCapacity),
    perUnitStorageThroughput: number(lustre.PerUnitStorageThroughput) || undefined,
    throughputCapacity: number(lustre.ThroughputCapacity) || undefined,
    dataCompressionType: text(lustre.DataCompressionType),
    driveCacheType: text(lustre.DriveCacheType),
    dataReadCache:
      sizingMode === 'USER_PROVISIONED'
        ? { sizingMode, sizeGiB: number(cache.SizeGiB) ?? 0 }
        : sizingMode === undefined
          ? undefined
          : { sizingMode },
    efaEnabled: typeof lustre.EfaEnabled === 'boolean' ? lustre.EfaEnabled : undefined,
    version: text(described?.FileSystemTypeVersion),
    weeklyMaintenanceStartTime: text(lustre.WeeklyMaintenanceStartTime),
    metadata:
      metadata.Mode === 'AUTOMATIC'
        ? { mode: 'AUTOMATIC' }
        : metadata.Mode === 'USER_PROVISIONED' && iops !== undefined
          ? { mode: 'USER_PROVISIONED', iops }
          : undefined,
  };
  return { ...planned, ...omitUndefined(deployed) } as unknown as LustreStorage;
}

/** Fetches the descriptions of file systems from FSx, unchanged. */
export async function describeAll(ids: readonly string[]): Promise<ReadonlyMap<string, Described>> {
  const { FSxClient, DescribeFileSystemsCommand } = await import('@aws-sdk/client-fsx');
  const answer = await new FSxClient(BOUNDED).send(new DescribeFileSystemsCommand({ FileSystemIds: [...ids] }));
  return new Map((answer.FileSystems ?? []).map((one) => [one.FileSystemId ?? '', one as unknown as Described]));
}

/**
 * Id of the FSx file system that is mounted, or `null` if FSx has none with its mount name. FSx makes that name up for each file system except
 * SCRATCH_1, whose name is always `fsx`: the address of a server decides between several.
 */
export async function identify({ type, device }: Mount): Promise<string | null> {
  const source = type === lustreFilesystem.type ? parseLustreSource(device) : null;
  if (source === null) return null;
  const { FSxClient, paginateDescribeFileSystems } = await import('@aws-sdk/client-fsx');
  const named: { readonly id: string; readonly dns: string }[] = [];
  for await (const { FileSystems = [] } of paginateDescribeFileSystems({ client: new FSxClient(BOUNDED) }, {}))
    for (const { FileSystemId: id, DNSName: dns = '', LustreConfiguration } of FileSystems)
      if (id !== undefined && LustreConfiguration?.MountName === source.fileSystem) named.push({ id, dns });
  if (named.length < 2) return named[0]?.id ?? null;
  const addresses = await Promise.all(named.map(({ dns }) => lookup(dns).catch(() => null)));
  const isServer = (address: string) => source.nids.some((nid) => nid.startsWith(`${address}@`));
  return named[addresses.findIndex((found) => found !== null && isServer(found.address))]?.id ?? null;
}
