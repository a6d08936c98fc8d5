import type { StandIn } from '../standIn';

/** What the lab has for any of them: as many chunkservers as two copies take. */
const CHUNKSERVERS = 2;

/** The real thing, small. Nothing else stands in for it: a directory has no master, and its figures would be another file system's. */
export const moosefsHere = (copies: number): StandIn => ({
  name: 'moosefs',
  label: 'MooseFS with its servers on this machine',
  filesystem: 'fuse.mfs',
  actually: 'master and two chunkservers on loop devices, through FUSE',
  program: {
    path: 'storage/moosefs/lab/stand-in',
    variables: { MOOSEFS_COPIES: String(Math.min(copies, CHUNKSERVERS)) },
  },
});
