import type { Filesystem } from '../filesystem';
import { capacityByDf, spaceByDu } from '../kit/space';

/** NFS 4, as the mount helper of EFS mounts it. `df` says 8 EiB of size, whatever is stored; what is free there means nothing. */
export const nfsFilesystem: Filesystem = { type: 'nfs4', remote: true, space: spaceByDu, capacity: capacityByDf };
