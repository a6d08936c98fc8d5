import { builderLine } from '../../cost/instances';
import type { FleetKind } from '../fleet';
import { bySlurm } from '../kit/slurm';
import { clusterLines } from './cost';
import { findCluster } from './find';
import { checkOffline } from './offline';
import { CLUSTER_SETTINGS, configureCluster } from './settings';

/** Nodes of AWS ParallelCluster, which Slurm starts for the job of a run. */
export const parallelCluster: FleetKind = {
  kind: 'parallelcluster',
  settings: CLUSTER_SETTINGS,
  configure: configureCluster,
  checkOffline,
  launcher: bySlurm,
  find: findCluster,
  cost: clusterLines,
  costOnce: ({ instanceType }, region, book) => [builderLine(instanceType, region, book)],
};
