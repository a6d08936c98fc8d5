import type { ClusterParts } from '../../lib/fleet/parallelcluster/configuration';

/** Parts of a cluster as CloudFormation would fill them in. */
export const PARTS: ClusterParts = {
  subnetId: 'subnet-0a1b2c3d4e5f60718',
  securityGroupId: 'sg-0a1b2c3d4e5f60718',
  boot: { Script: 's3://assets/boot.sh', Args: ['FSXBENCH_ROLE=node'] },
  reads: [{ bucket: 'assets', key: 'boot.sh' }],
  policyArn: 'arn:aws:iam::123456789012:policy/parallelcluster/nodes',
  storages: [
    {
      Name: 'fsx-none',
      MountDir: '/fsx/none',
      StorageType: 'FsxLustre',
      FsxLustreSettings: { FileSystemId: 'fs-0123456789abcdef0' },
    },
  ],
  logRetentionDays: 14,
};
