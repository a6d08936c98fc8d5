import type { StandIn } from '../standIn';

/** What clients of EFS mount is NFS 4.1, so that is what the lab has, or nothing: another file system would say nothing of EFS. */
export const NFS_OVER_LOOPBACK: StandIn = {
  name: 'nfs',
  label: 'NFS over loopback',
  filesystem: 'nfs4',
  actually: 'NFS 4.1 over loopback from NFS-Ganesha, without TLS',
  program: { path: 'storage/efs/lab/nfs', variables: {} },
};
