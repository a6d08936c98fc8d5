import type { Mount } from '../../common/mounts';
import type { Filesystem } from '../filesystem';
import { capacityByDf, spaceByDu } from './space';

/**
 * NFS 4. Of EFS `df` says 8 EiB of size, whatever is stored, and what is free there means nothing; of OpenZFS both `du` and `df` count what is stored
 * after compression.
 */
export const nfsFilesystem: Filesystem = { type: 'nfs4', remote: true, space: spaceByDu, capacity: capacityByDf };

/**
 * The id in the DNS name under which AWS's file systems are mounted: `fs-0123456789abcdef0.efs.us-east-1.amazonaws.com:/`. The end of the
 * name differs between partitions.
 */
export const idByDnsName =
  (service: string) =>
  async ({ type, device }: Mount): Promise<string | null> => {
    const [, id, of] = /^(fs-[0-9a-f]{8,40})\.(\w+)\.[a-z]+(?:-[a-z]+)+-\d\.[a-z][a-z0-9.-]+:/.exec(device) ?? [];
    return type.startsWith('nfs') && of === service ? (id ?? null) : null;
  };
