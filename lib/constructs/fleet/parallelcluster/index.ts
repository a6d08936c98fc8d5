import { Duration } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { parallelCluster } from '../../../fleet/parallelcluster';
import type { ClusterFleet } from '../../../fleet/parallelcluster/fleet';
import { Builder } from '../../machine/builder';
import { newestImage } from '../../machine/instance';
import type { FleetDeployment } from '../construct';
import { Cluster } from './cluster';

/** A cluster of AWS ParallelCluster, and the machine that builds what its nodes run. */
export const clusterDeployment: FleetDeployment = {
  kind: parallelCluster.kind,
  deploy(scope, props) {
    const configuration = props.configuration as ClusterFleet;
    const clients = new Cluster(scope, 'Fleet', { ...props, configuration });
    const instanceType = new ec2.InstanceType(configuration.instanceType);
    clients.bootAfter(
      new Builder(scope, 'Builder', {
        ...configuration,
        ...props,
        instanceType,
        bootTimeout: Duration.minutes(configuration.bootTimeoutMinutes),
        // ParallelCluster's image is a later state of the same operating system, which is what a build is known by.
        imageId: newestImage(instanceType, configuration.kernel).getImage(scope).imageId,
        bundle: clients.bundle,
      }),
    );
    return clients;
  },
  warnings: () => [],
};
