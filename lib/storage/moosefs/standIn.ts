import type { StandIn } from '../standIn';

/** Chunkservers of every stand-in in the lab: as many as two copies need. */
const CHUNKSERVERS = 2;

/** Address of the master in assets/storage/moosefs/lab/stand-in. */
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
