import type { Benchmark } from '../../../lib/benchmark/benchmark';
import { compressionBench } from '../../../lib/benchmark/compression';
import type { MooseFsStorage } from '../../../lib/storage/moosefs/configuration';
import { stacksWith } from '../../support/cdk';

export const TWO_SERVERS: MooseFsStorage = {
  kind: 'moosefs',
  chunkservers: 2,
  instanceType: 'c5.2xlarge',
  volumeGiB: 500,
  volumesPerServer: 2,
  volumeIops: 6000,
  volumeThroughputMiBps: 500,
};

/** A MooseFS with two copies next to a Lustre file system. */
export const moosefsBench: Benchmark = {
  ...compressionBench,
  name: 'MooseBench',
  question: 'How fast is MooseFS on EBS beside FSx for Lustre?',
  arms: () => [
    ...compressionBench.arms('smoke').slice(0, 1),
    { name: 'moose', storage: { ...TWO_SERVERS, copies: 2 } as MooseFsStorage },
  ],
};

/** Its stacks, as bin/app.ts makes them; `outdir` for a test that deploys them. */
export const moosefsStacks = (outdir?: string) =>
  stacksWith({ scale: 'smoke', clients: 4 }, undefined, undefined, moosefsBench, outdir);
