import type { Filesystem } from '../filesystem';
import { capacityByDf, spaceByDu } from './space';

/** XFS on devices of the client. */
export const xfsFilesystem: Filesystem = { type: 'xfs', space: spaceByDu, capacity: capacityByDf };
