import type { Filesystem } from '../filesystem';
import { capacityByDf, spaceByDu } from '../kit/space';

/**
 * MooseFS as `mfsmount` mounts it: with `subtype=mfs`, as the scripts here give it, or of itself. MooseFS shows blocks before copies, and
 * neither it nor its chunkservers compress; `df` counts all copies and takes minutes to forget what was removed, since chunkservers
 * delete chunks at their leisure.
 */
export const mooseFsFilesystem: Filesystem = {
  type: 'fuse.mfs',
  remote: true,
  space: spaceByDu,
  capacity: capacityByDf,
  settling: {
    everySeconds: 5,
    alike: { 'measure-capacity': 2, 'remove-data': 3 },
    mostSeconds: 900,
  },
};
