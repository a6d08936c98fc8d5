import { createHash } from 'node:crypto';
import type { ClusterParts } from '../../lib/fleet/parallelcluster/configuration';

/** Parts of a cluster as CloudFormation would fill them in. */
export const PARTS: ClusterParts = {
  tags: {},
  stackName: 'ClusterBench',
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

/** Value that CloudFormation would fill in for a property of a cluster. */
const FILLED: Readonly<Record<string, string>> = {
  SubnetId: PARTS.subnetId,
  SubnetIds: PARTS.subnetId,
  AdditionalSecurityGroups: PARTS.securityGroupId,
  Script: PARTS.boot.Script,
  BucketName: 'assets',
  Policy: PARTS.policyArn,
};

/** The cluster of a template as its provider would get it: every value that CloudFormation fills in is a well-formed one. */
export function filledIn(value: unknown, property = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => filledIn(item, property));
  if (typeof value !== 'object' || value === null) return value;
  const [[key, inner] = ['', null]] = Object.entries(value);
  if (key === 'Ref' || key.startsWith('Fn::')) {
    // Two file systems have two ids.
    if (property === 'FileSystemId')
      return `fs-${createHash('sha256').update(JSON.stringify(inner)).digest('hex').slice(0, 17)}`;
    return FILLED[property] ?? 'value';
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filledIn(item, name)]));
}
