import type { Volume } from '@aws-sdk/client-ec2';
import { askAll } from '../../kit/aws/account';
import { unknownQuantity } from '../../price/line';
import type { CostLine } from '../../schema/cost';
import { OF_STACKS, type ResourceSearch, type SearchOptions, stackOf } from '../search';
import { ebsSchema } from './configuration';
import { ebsLines } from './cost';

/** Volumes and snapshots that a stack made. */
export const ebsSearch: ResourceSearch = {
  label: 'EBS',
  find: async (account, options) => {
    const volumes = await askAll(account, 'ec2:DescribeVolumes', { Filters: [OF_STACKS] }, (page) => page.Volumes);
    const snapshots = await askAll(
      account,
      'ec2:DescribeSnapshots',
      { Filters: [OF_STACKS], OwnerIds: ['self'] },
      (page) => page.Snapshots,
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
    ...{ kind: 'ebs', filesystem: 'xfs', volumeType: VolumeType, volumeGiB: Size },
    ...(VolumeType === 'gp2' ? {} : { iops: Iops }),
    ...(VolumeType === 'gp3' ? { throughputMiBps: Throughput } : {}),
  });
  if (found.success) return ebsLines(found.data, options);
  return [unknownQuantity('volume', null, { reason: `the price of ${VolumeType} volumes is unknown` })];
}
