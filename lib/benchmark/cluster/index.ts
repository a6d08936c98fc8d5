import { bytes } from '../../common/format/units';
import { ior } from '../../workload/ior';
import { iorDefaultPattern } from '../../workload/ior/pattern';
import type { Benchmark, Scale } from '../benchmark';
import { check, fewRepeats, inTheLab, oversubscribed } from '../common/checks';
import { meetsMaintenance } from '../common/maintenance';
import { publishedParameters } from '../common/scaling/parameters';
import { scaling } from '../common/scaling/plan';
import { checkNodes, unitOf } from '../common/scaling/units';
import { betweenCapacities, inRepeats } from '../common/steps';
import type { PlanDefinition } from '../plan';
import { importPlan } from './plan/import';
import { temperature } from './plan/temperature';

/** The study's 64 MiB of a process are 18 GiB on 8 nodes with 1.5 TiB of memory: what is read was never away. */
const studyFitsInMemory = check('study-fits-in-memory', 'note', ({ fleet, parameters, environment }) => {
  const { clientMemoryBytes } = environment;
  const { ranksPerClient } = parameters;
  if (clientMemoryBytes === undefined || typeof ranksPerClient !== 'number') return null;
  const moved = ranksPerClient * 64 * 2 ** 20;
  if (moved > clientMemoryBytes) return null;
  return {
    message:
      'The study’s command moves so little that it fits into the memory of the clients and of the servers: it measures caches, and ends within seconds.',
    expected: `more than ${bytes(clientMemoryBytes)} on each of ${fleet.clients} nodes`,
    actual: `${bytes(moved)} on each`,
    suggestion: 'the plan scaling, which moves what is valid',
  };
});

/** Duration of one phase of the study's command: gibibytes at some GB/s, and the MPI start. */
const SECONDS = 10;

/** The ParallelCluster blog's command: 64 MiB of each process, written, and read by the process of another node. */
const COMMAND = [ior.id, ...'-t 1m -b 16m -s 4 -F -C -e'.split(' '), '-o', '{dir}/testFile'];

/**
 * IOR as the study ran it, on 2 and 8 nodes. One command writes and reads; it is run twice, and counts as a write the first time and as a
 * read the second. Kept because the study's figures can only be judged against its own procedure.
 */
export const published: PlanDefinition<typeof publishedParameters> = {
  name: 'published',
  asStudied: true,
  parameters: publishedParameters,
  defaults: (scale, { clients, ranksPerClient }) => ({
    nodes: [...new Set([Math.min(scale === 'published' ? 2 : 1, clients), clients])],
    repeats: 1,
    iorVersion: '3.3.0',
    ranksPerClient,
  }),
  steps: (parameters, { arms, fleet }) => {
    const { nodes, repeats, iorVersion, ranksPerClient } = parameters;
    checkNodes(nodes, fleet);
    const pattern = iorDefaultPattern(iorVersion).id;
    const measured = (['write', 'read'] as const).map((operation) => ({
      operation,
      action: { kind: 'workload' as const, tool: ior.id, operation, command: COMMAND, ranksPerClient, pattern },
      expectedSeconds: SECONDS,
    }));
    const units = inRepeats(repeats, (repeat) =>
      nodes.flatMap((count) => unitOf({ arms, repeat, nodes: count, compressibility: null }, measured)),
    );
    return betweenCapacities(arms, units);
  },
  checks: [studyFitsInMemory, fewRepeats, oversubscribed, meetsMaintenance, inTheLab],
  tools: { preferred: ior, substitutes: [] },
};

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
