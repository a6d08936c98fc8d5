import type { Filesystem } from '../filesystem';
import { capacityByDf, spaceByDu } from '../kit/space';

/**
 * MooseFS as `mfsmount` mounts it: with `subtype=mfs`, as the scripts here give it, or of itself. MooseFS shows blocks before copies, and
 * neither it nor its chunkservers compress; `df` counts all copies.
 *
 * It never settles: a loop of the master, minutes long, finds the chunks of removed files, and chunkservers delete a few a second
 * (mfsmaster.cfg(5), CHUNKS_LOOP_MIN_TIME, CHUNKS_HARD_DEL_LIMIT). Until the loop comes by, `df` stands still as if all were done, so a
 * wait for equal readings would end before anything was freed.
 */
export const mooseFsFilesystem: Filesystem = {
  type: 'fuse.mfs',
  remote: true,
  space: spaceByDu,
  capacity: capacityByDf,
};
