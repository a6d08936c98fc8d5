import { Duration } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { ec2Fleet } from '../../../fleet/ec2';
import { warnings } from '../../../storage/common/settings';
import { Builder } from '../../machine/bundle';
import { buildCachePrefix } from '../../machine/permissions';
import type { FleetDeployment } from '../construct';
import { Fleet } from './fleet';

/** From this size on a cluster placement group may lack capacity, since all instances must be close together (EC2 user guide, placement-strategies). */
const MANY_CLIENTS = 64;

/** Instances of EC2 in an Auto Scaling group, and the one that builds what they run. */
export const ec2Deployment: FleetDeployment = {
  kind: ec2Fleet.kind,
  deploy(scope, { configuration, mounts, ...props }) {
    const common = {
      ...configuration,
      ...props,
      instanceType: new ec2.InstanceType(configuration.instanceType),
      bootTimeout: Duration.minutes(configuration.bootTimeoutMinutes),
    };
    const clients = new Fleet(scope, 'Fleet', { ...common, mounts, programs: common });
    // The cache is filled before a client reads it; a failed build ends the deployment before the fleet costs anything.
    clients.bootAfter(new Builder(scope, 'Builder', { ...common, imageId: clients.imageId, bundle: clients.bundle }));
    return clients;
  },
  warnings: ({ placement, purchase, clients }, { benchmark, isolated }) =>
    warnings({
      'fsxbench:largeClusterPlacementGroup':
        placement === 'cluster' &&
        purchase.kind !== 'capacity-reservation' &&
        clients > MANY_CLIENTS &&
        `${clients} clients in one cluster placement group often end in InsufficientInstanceCapacity, after the file systems have been paid for; take 'placement' none, or reserve the capacity in a group and name both`,
      'fsxbench:endpointsNeedBuildCache':
        isolated &&
        `a builder without a way to the internet cannot fetch the Open MPI and IOR sources; deploy this benchmark once with egress=nat, which leaves the builds in the results bucket for its later deployments, or put the source archives of assets/client/tools.tsv at ${buildCachePrefix(benchmark)}/sources/ there`,
    }),
};
