import type { Volume } from '@aws-sdk/client-ec2';
import { askAll } from '../../common/aws/account';
import { BOUNDED } from '../../common/aws/bounded';
import { unknownQuantity } from '../../price/line';
import type { CostLine } from '../../schema/cost';
import type { Described } from '../../schema/run';
import { OF_STACKS, type ResourceSearch, type SearchOptions, stackOf } from '../search';
import { type EbsStorage, ebsSchema } from './configuration';
import { volumesOf } from './dashboard';
import { ebsLines } from './price';

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
    // The service says what it chose as well; a plan has it only where it was asked for.
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

/** Volumes and snapshots that a stack made. */
export const ebsSearch: ResourceSearch = {
  label: 'EBS',
  find: async (account, options) => {
    const volumes = await askAll(account, 'ec2:DescribeVolumes', { Filters: [OF_STACKS] }, 'Volumes');
    const snapshots = await askAll(
      account,
      'ec2:DescribeSnapshots',
      { Filters: [OF_STACKS], OwnerIds: ['self'] },
      'Snapshots',
    );
    return [
      ...volumes.map((volume) => ({
        id: volume.VolumeId ?? '',
        what: `${volume.VolumeType} ${volume.Size} GiB, ${volume.State}`,
        stack: stackOf(volume),
        lines: linesOf(volume, options),
        remove: `aws ec2 delete-volume --volume-id ${volume.VolumeId} --region ${options.region}`,
      })),
      ...snapshots.map((snapshot) => ({
        id: snapshot.SnapshotId ?? '',
        what: `snapshot of ${snapshot.VolumeId}`,
        stack: stackOf(snapshot),
        lines: [unknownQuantity('snapshot', null, { reason: 'EC2 does not say how much a snapshot stores' })],
        remove: `aws ec2 delete-snapshot --snapshot-id ${snapshot.SnapshotId} --region ${options.region}`,
      })),
    ];
  },
};

function linesOf({ VolumeType, Size, Iops, Throughput }: Volume, options: SearchOptions): readonly CostLine[] {
  const found = ebsSchema.safeParse({
    // Which file system is on it only its stack knew, and the price does not depend on it.
    kind: 'ebs',
    filesystem: 'xfs',
    volumeType: VolumeType,
    volumeGiB: Size,
    ...(VolumeType === 'gp2' ? {} : { iops: Iops }),
    ...(VolumeType === 'gp3' ? { throughputMiBps: Throughput } : {}),
  });
  if (found.success) return ebsLines(found.data, options);
  return [unknownQuantity('volume', null, { reason: `the price of ${VolumeType} volumes is unknown` })];
}
