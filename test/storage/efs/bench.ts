import type { Benchmark } from '../../../lib/benchmark/benchmark';
import { compressionBench } from '../../../lib/benchmark/compression';
import type { EfsStorage } from '../../../lib/storage/efs/configuration';
import type { OpenZfsStorage } from '../../../lib/storage/openzfs/configuration';
import { stacksWith } from '../../support/cdk';

/** EFS as the Cloud Pipeline comparison had it. */
export const BURSTING: EfsStorage = { kind: 'efs', throughputMode: 'bursting' };
export const ELASTIC: EfsStorage = { kind: 'efs', throughputMode: 'elastic', availability: 'one-zone' };
export const PROVISIONED: EfsStorage = { kind: 'efs', throughputMode: 'provisioned', provisionedThroughputMiBps: 256 };

/** The other service that clients mount by NFS. */
export const OPENZFS: OpenZfsStorage = {
  kind: 'openzfs',
  deploymentType: 'SINGLE_AZ_HA_2',
  storageCapacityGiB: 1200,
  throughputMBps: 640,
  compression: 'zstd',
  iops: 8000,
};

const [lustre] = compressionBench.arms('smoke');
if (lustre === undefined) throw new Error('CompressionBench has no arm');

/** Arms of two kinds of storage in one benchmark. */
export const efsBench: Benchmark = {
  ...compressionBench,
  name: 'EfsBench',
  question: 'How fast is EFS beside FSx for Lustre?',
  arms: () => [
    lustre,
    { name: 'bursting', storage: BURSTING },
    { name: 'elastic', storage: ELASTIC },
    { name: 'provisioned', storage: PROVISIONED },
    { name: 'zfs', storage: OPENZFS },
  ],
};

/** Its stacks, as bin/app.ts makes them; `outdir` for a test that deploys them. */
export const efsStacks = (outdir?: string) =>
  stacksWith({ scale: 'smoke', clients: 5 }, undefined, undefined, efsBench, outdir);
