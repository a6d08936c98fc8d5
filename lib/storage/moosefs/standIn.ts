import type { StandIn } from '../standIn';

/** What the lab has for any of them: as many chunkservers as two copies take. */
const CHUNKSERVERS = 2;

/** As assets/storage/moosefs/lab/stand-in has it. */
const MASTER = '198.18.0.1';

/** The real thing, small. Nothing else stands in for it: a directory has no master, and its figures would be another file system's. */
export const moosefsHere = (wanted: number): StandIn => {
  const copies = Math.min(wanted, CHUNKSERVERS);
  return {
    name: 'moosefs',
    label: 'MooseFS with its servers on this machine',
    filesystem: 'fuse.mfs',
    actually: 'master and two chunkservers on loop devices, through FUSE',
    copies,
    master: MASTER,
    program: {
      path: 'storage/moosefs/lab/stand-in',
      variables: { MOOSEFS_COPIES: String(copies) },
    },
  };
};
