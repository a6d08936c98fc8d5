import type { Benchmark, Scale } from '../benchmark';
import { scaling } from '../common/scaling/plan';
import { importPlan } from './plan/import';
import { published } from './plan/published';
import { temperature } from './plan/temperature';

/** Capacity of the file system: the study's, and the smallest of its type. */
const CAPACITY_GIB: Readonly<Record<Scale, number>> = { published: 14_400, smoke: 1200 };

/**
 * One FSx for Lustre of 14,400 GiB (200 MB/s/TiB, 2,880 MB/s documented) under a cluster with Slurm, as the ParallelCluster and Dask blog
 * measured it with IOR on 2 and 8 nodes of 36 tasks. The study's file system is not named further: SCRATCH_2 has its throughput.
 */
export const clusterBench: Benchmark = {
  name: 'ClusterBench',
  question: 'How does throughput grow with the nodes of a cluster under Slurm?',
  study: 'FSx + ParallelCluster + Dask blog',
  about: ['bytes_written', 'bytes_read'],
  plans: [scaling, published, temperature, importPlan],
  arms: (scale) => [
    {
      name: 'scratch',
      storage: {
        kind: 'lustre',
        deploymentType: 'SCRATCH_2',
        storageType: 'SSD',
        storageCapacityGiB: CAPACITY_GIB[scale],
        dataCompressionType: 'NONE',
        version: '2.15',
      },
    },
  ],
  fleet: (scale) =>
    scale === 'published'
      ? {
          kind: 'parallelcluster',
          instanceType: 'c5n.18xlarge',
          clients: 8,
          ranksPerClient: 36,
          // For the user's own jobs; nodes cost nothing until a job requests them.
          moreQueues: ['c5.9xlarge:200'],
        }
      : { kind: 'parallelcluster', instanceType: 'c5n.large', clients: 2, ranksPerClient: 1 },
  lab: {
    // The emulator has EC2 instances, and no ParallelCluster: the lab's own Slurm starts everything.
    settings: { fleet: 'ec2' },
    // One c5n.18xlarge sends more than this file system takes: with smaller nodes it takes four, and the plot has a knee.
    slurmNodes: 6,
    // Its workers are jobs next to the run's own.
    followedBy: [{ plan: 'temperature', set: ['partition=more', 'nodes=1,2', 'repeats=1', 'years=8'] }],
  },
};
