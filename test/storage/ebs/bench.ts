import type { Benchmark } from '../../../lib/benchmark/benchmark';
import { compressionBench } from '../../../lib/benchmark/compression';
import type { EbsStorage } from '../../../lib/storage/ebs/configuration';
import type { MountpointStorage } from '../../../lib/storage/mountpoint-s3/configuration';
import { stacksWith } from '../../support/cdk';

/** One as the Cloud Pipeline comparison had it, one of several fast volumes, one of provisioned IOPS, and the control. */
export const GP2: EbsStorage = { kind: 'ebs', filesystem: 'btrfs', volumeType: 'gp2', volumeGiB: 500 };
export const GP3: EbsStorage = {
  kind: 'ebs',
  filesystem: 'btrfs',
  compression: 'zstd:3',
  volumeType: 'gp3',
  volumeGiB: 200,
  volumes: 2,
  iops: 6000,
  throughputMiBps: 500,
};
export const IO2: EbsStorage = { kind: 'ebs', filesystem: 'btrfs', volumeType: 'io2', volumeGiB: 100, iops: 10_000 };
export const XFS: EbsStorage = { kind: 'ebs', filesystem: 'xfs', volumeType: 'gp3', volumeGiB: 200 };

/** Storage that needs neither a server nor a volume. */
const S3: MountpointStorage = { kind: 'mountpoint-s3' };

/** They hang on one client. */
export const ebsBench: Benchmark = {
  ...compressionBench,
  name: 'EbsBench',
  question: 'What does compression by the client do on EBS?',
  fleet: () => ({ instanceType: 'c5.2xlarge', clients: 1, ranksPerClient: 4 }),
  arms: () => [
    { name: 'gp2', storage: GP2 },
    { name: 'gp3', storage: GP3 },
    { name: 'io2', storage: IO2 },
    { name: 'xfs', storage: XFS },
    { name: 's3', storage: S3 },
  ],
};

/** Its stacks, as bin/app.ts makes them; `outdir` for a test that deploys them. */
export const ebsStacks = (outdir?: string) => stacksWith({ scale: 'smoke' }, undefined, undefined, ebsBench, outdir);
