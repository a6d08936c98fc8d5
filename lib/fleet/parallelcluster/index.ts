import { type InstanceLaunch, type LaunchImage, ON_DEMAND } from '../../kit/aws/launch';
import { builderLine } from '../../price/instances';
import { builderLaunch } from '../builder';
import type { FleetConfiguration, FleetKind } from '../fleet';
import { bySlurm } from '../kit/slurm';
import { clusterLines } from './cost';
import { findCluster } from './find';
import { type ClusterFleet, PARALLELCLUSTER_VERSION } from './fleet';
import { checkOffline } from './offline';
import { clusterSearch } from './search';
import { CLUSTER_SETTINGS, configureCluster } from './settings';

/** The release's own image, as ParallelCluster looks it up (`get_official_image_id` of aws-parallelcluster 3.16.1). */
const IMAGE: LaunchImage = { owner: 'amazon', name: `aws-parallelcluster-${PARALLELCLUSTER_VERSION}-amzn2023-hvm-*` };

/** The head node, and as many nodes as a queue may have. */
function launches(configuration: FleetConfiguration): readonly InstanceLaunch[] {
  const fleet = configuration as ClusterFleet;
  const common = { image: IMAGE, volumesGiB: [fleet.rootVolumeGiB] } as const;
  // A reservation is for the clients alone.
  const unreserved = fleet.purchase.kind === 'capacity-reservation' ? ON_DEMAND : fleet.purchase;
  return [
    {
      ...common,
      ...{ name: 'head node', instanceType: fleet.headNodeInstanceType, count: 1, purchase: ON_DEMAND },
      settings: { instanceType: 'headNodeInstanceType' },
    },
    ...fleet.queues.map(
      (queue, index): InstanceLaunch => ({
        ...common,
        ...{ name: queue.name, instanceType: queue.instanceType, count: queue.nodes },
        ...(index === 0
          ? { settings: { instanceType: 'instanceType' }, purchase: fleet.purchase }
          : { settings: { instanceType: 'queues' }, purchase: unreserved, onRequest: true }),
      }),
    ),
    builderLaunch(fleet),
  ];
}

/** Nodes of AWS ParallelCluster, which Slurm starts for the job of a run. */
export const parallelCluster: FleetKind = {
  kind: 'parallelcluster',
  settings: CLUSTER_SETTINGS,
  configure: configureCluster,
  checkOffline,
  launcher: bySlurm,
  launches,
  find: findCluster,
  cost: clusterLines,
  search: clusterSearch,
  costOnce: ({ instanceType }, region, book) => [builderLine(instanceType, region, book)],
};
