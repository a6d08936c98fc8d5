import { BOUNDED } from '../../common/aws/bounded';
import type { Described } from '../../schema/run';
import { COMPRESSIONS, type OpenZfsStorage, openZfsSchema } from './configuration';

/** From what DescribeFileSystems answered, and DescribeVolumes of its root volume where that is known; the rest is as planned. */
export function fromDescription(
  described: Described | null,
  planned: OpenZfsStorage | null = null,
): OpenZfsStorage | null {
  const { OpenZFSConfiguration: own, StorageCapacity, RootVolume } = described ?? {};
  if (typeof own !== 'object' || own === null) return described === null ? planned : null;
  const { DeploymentType, ThroughputCapacity, DiskIopsConfiguration, WeeklyMaintenanceStartTime } = own as Described;
  const { Mode, Iops } = (DiskIopsConfiguration ?? {}) as Described;
  const { DataCompressionType, RecordSizeKiB } = (RootVolume ?? {}) as Described;
  const compression = COMPRESSIONS.find((one) => one === String(DataCompressionType).toLowerCase());
  const found = openZfsSchema.safeParse({
    ...planned,
    kind: 'openzfs',
    deploymentType: DeploymentType,
    storageCapacityGiB: StorageCapacity,
    throughputMBps: ThroughputCapacity,
    ...(WeeklyMaintenanceStartTime !== undefined && { weeklyMaintenanceStartTime: WeeklyMaintenanceStartTime }),
    ...(Mode === 'USER_PROVISIONED' && { iops: Iops }),
    ...(compression !== undefined && (compression !== 'none' || planned?.compression !== undefined) && { compression }),
    // The service says its default as well; a plan has it only where it was asked for.
    ...((planned === null || planned.recordKiB !== undefined) &&
      RecordSizeKiB !== undefined && { recordKiB: RecordSizeKiB }),
  });
  return found.success ? found.data : null;
}

/** The answers of FSx, unmodified; below `RootVolume` what it says of the volume that clients mount, where it says it. */
export async function describeAll(ids: readonly string[]): Promise<ReadonlyMap<string, Described>> {
  const { FSxClient, DescribeFileSystemsCommand, DescribeVolumesCommand, FileSystemNotFound } = await import(
    '@aws-sdk/client-fsx'
  );
  const client = new FSxClient(BOUNDED);
  const answers = ids.map(async (id): Promise<[string, Described][]> => {
    try {
      const { FileSystems = [] } = await client.send(new DescribeFileSystemsCommand({ FileSystemIds: [id] }));
      return await Promise.all(
        FileSystems.map(async (one): Promise<[string, Described]> => {
          const root = one.OpenZFSConfiguration?.RootVolumeId;
          const { Volumes: [volume] = [] } =
            root === undefined ? {} : await client.send(new DescribeVolumesCommand({ VolumeIds: [root] }));
          const RootVolume = volume?.OpenZFSConfiguration;
          return [id, { ...one, ...(RootVolume !== undefined && { RootVolume }) } as unknown as Described];
        }),
      );
    } catch (error) {
      if (error instanceof FileSystemNotFound) return [];
      throw error;
    }
  });
  return new Map((await Promise.all(answers)).flat());
}
