import type { Mount } from '../../common/mounts';
import type { Filesystem } from '../filesystem';
import { capacityByDf, spaceByDu } from './space';

/** NFS 4. `df` of EFS shows a fixed size of 8 EiB and a meaningless free space. `du` and `df` of OpenZFS count data after compression. */
export const nfsFilesystem: Filesystem = { type: 'nfs4', remote: true, space: spaceByDu, capacity: capacityByDf };

/** The id in the DNS name of an AWS mount: `fs-0123456789abcdef0.efs.us-east-1.amazonaws.com:/`. The end differs between partitions. */
export const idByDnsName =
  (service: string) =>
  async ({ type, device }: Mount): Promise<string | null> => {
    const [, id, of] = /^(fs-[0-9a-f]{8,40})\.(\w+)\.[a-z]+(?:-[a-z]+)+-\d\.[a-z][a-z0-9.-]+:/.exec(device) ?? [];
    return type.startsWith('nfs') && of === service ? (id ?? null) : null;
  };
