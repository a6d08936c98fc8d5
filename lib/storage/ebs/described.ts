import { BOUNDED } from '../../kit/aws/bounded';
import type { Described } from '../../schema/run';
import { type EbsStorage, ebsSchema } from './configuration';
import { volumesOf } from './metricTable';

/** From what DescribeVolumes answered. The file system on the volumes only the plan knows. */
export function fromDescription(described: Described | null, planned: EbsStorage | null = null): EbsStorage | null {
  const volumes = described?.Volumes;
  if (!Array.isArray(volumes) || volumes.length === 0) return planned;
  const { VolumeType, Size, Iops, Throughput, Encrypted } = volumes[0] as Described;
  const settable = VolumeType !== 'gp2';
  const found = ebsSchema.safeParse({
    ...planned,
    kind: 'ebs',
    volumeType: VolumeType,
    volumeGiB: Size,
    ...(volumes.length > 1 || planned?.volumes !== undefined ? { volumes: volumes.length } : {}),
    // The service says what it chose, too; a plan has it only where it was asked for.
    ...(settable && (planned === null || planned.iops !== undefined) ? { iops: Iops } : {}),
    ...(VolumeType === 'gp3' && (planned === null || planned.throughputMiBps !== undefined)
      ? { throughputMiBps: Throughput }
      : {}),
    ...(planned?.encrypted === undefined && Encrypted !== false ? {} : { encrypted: Encrypted }),
  });
  return found.success ? found.data : null;
}

/** The answers of EC2 about the volumes of each arm, unmodified, below `Volumes`; an arm that lacks one is left out. */
export async function describeAll(ids: readonly string[]): Promise<ReadonlyMap<string, Described>> {
  const { EC2Client, paginateDescribeVolumes } = await import('@aws-sdk/client-ec2');
  const found = new Map<string, Described>();
  // A filter, since one unknown id among VolumeIds fails the whole call.
  const Filters = [{ Name: 'volume-id', Values: ids.flatMap(volumesOf) }];
  if (ids.length === 0) return found;
  const all = new Map<string, Described>();
  for await (const { Volumes = [] } of paginateDescribeVolumes({ client: new EC2Client(BOUNDED) }, { Filters }))
    for (const volume of Volumes) all.set(volume.VolumeId ?? '', volume as unknown as Described);
  for (const id of ids) {
    const volumes = volumesOf(id).flatMap((one) => all.get(one) ?? []);
    if (volumes.length === volumesOf(id).length) found.set(id, { Volumes: volumes });
  }
  return found;
}
