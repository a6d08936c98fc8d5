import type { Filesystem } from '../filesystem';
import { capacityByDf, spaceByDu } from './space';

/**
 * NFS 4. Of EFS `df` says 8 EiB of size, whatever is stored, and what is free there means nothing; of OpenZFS both `du` and `df` count what is stored
 * after compression.
 */
export const nfsFilesystem: Filesystem = { type: 'nfs4', remote: true, space: spaceByDu, capacity: capacityByDf };
