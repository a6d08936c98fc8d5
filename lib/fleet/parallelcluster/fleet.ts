import type { PricedFleet } from '../../price/instances';
import type { FleetConfiguration } from '../fleet';

export interface Queue {
  readonly name: string;
  readonly instanceType: string;
  /** The most nodes that it may have. */
  readonly nodes: number;
  /** True if its nodes are close together. */
  readonly placementGroup: boolean;
  /** True if its nodes have an Elastic Fabric Adapter, for MPI and, in a fleet with `efa`, for the file systems. */
  readonly efa: boolean;
}

/** A cluster with all defaults filled in; the nodes of its first queue are the clients of the benchmark. */
export interface ClusterFleet extends FleetConfiguration {
  readonly headNodeInstanceType: string;
  readonly queues: readonly [Queue, ...Queue[]];
}

/** The version that stacks deploy; what this folder ParallelCluster says was read in it. */
export const PARALLELCLUSTER_VERSION = '3.16.1';

/** Slurm's name of the queue whose nodes are the clients. */
export const CLIENT_QUEUE = 'clients';

/** Manages any number of nodes: ParallelCluster wants at most 16 GiB of memory. */
export const HEAD_NODE = 'm5.xlarge';

export const isCluster = (fleet: PricedFleet): fleet is PricedFleet & Pick<ClusterFleet, 'headNodeInstanceType'> =>
  'headNodeInstanceType' in fleet;
