import type { Benchmark } from '../../../lib/benchmark/benchmark';
import { compressionBench } from '../../../lib/benchmark/compression';
import { resolveBenchmark } from '../../../lib/config/benchmark';
import { BenchmarkStack } from '../../../lib/deploy/benchmarkStack';
import { BenchResults } from '../../../lib/deploy/benchResults';
import type { MooseFsStorage } from '../../../lib/storage/moosefs/configuration';
import { appWithFlags } from '../../support/cdk';

export const TWO_SERVERS: MooseFsStorage = {
  ...{ kind: 'moosefs', chunkservers: 2, instanceType: 'c5.2xlarge' },
  ...{ volumeGiB: 500, volumesPerServer: 2, volumeIops: 6000, volumeThroughputMiBps: 500 },
};

/** A MooseFS of two copies beside a file system of Lustre. */
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
export function moosefsStacks(outdir?: string) {
  const env = { region: 'us-east-1' };
  const app = appWithFlags({}, outdir);
  const results = new BenchResults(app, undefined, { env });
  const configuration = resolveBenchmark(moosefsBench, { scale: 'smoke', clients: 4 }, env.region);
  const bench = new BenchmarkStack(app, moosefsBench.name, { env, configuration, results: results.bucket });
  return { app, results, bench };
}
