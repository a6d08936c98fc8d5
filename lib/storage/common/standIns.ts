import type { StandIn } from '../standIn';

/** Stand-in that every machine can have. The lab adds which file system it is on. */
export const PLAIN_DIRECTORY: StandIn = {
  name: 'directory',
  label: 'plain directories',
  filesystem: 'other',
  actually: 'plain directory',
  program: null,
};

/** Btrfs on a loop device, mounted with options such as `compress-force=lzo`. */
export const btrfsOnLoop = (options: string, inWords: string): StandIn => ({
  name: 'btrfs',
  label: 'Btrfs on loop devices',
  filesystem: 'btrfs',
  actually: `Btrfs ${inWords}`,
  program: { path: 'lab/loop', variables: { LOOP_TYPE: 'btrfs', LOOP_OPTIONS: `noatime,${options}` } },
});

export const XFS_ON_LOOP: StandIn = {
  name: 'xfs',
  label: 'XFS on loop devices',
  filesystem: 'other',
  actually: 'XFS on a loop device',
  program: { path: 'lab/loop', variables: { LOOP_TYPE: 'xfs', LOOP_OPTIONS: 'noatime' } },
};

/** For clients that mount NFS, or nothing: another file system would say nothing of theirs. */
export const NFS_OVER_LOOPBACK: StandIn = {
  name: 'nfs',
  label: 'NFS over loopback',
  filesystem: 'nfs4',
  actually: 'over loopback from NFS-Ganesha, without TLS',
  program: { path: 'lab/nfs', variables: {} },
};
