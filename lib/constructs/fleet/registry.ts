import { memberBy } from '../../common/collections';
import type { FleetDefinition } from '../../fleet/configuration';
import { fleetOf } from '../../fleet/registry';
import type { FleetDeployment } from './construct';
import { ec2Deployment } from './ec2';
import { clusterDeployment } from './parallelcluster';

const DEPLOYMENTS: readonly FleetDeployment[] = [ec2Deployment, clusterDeployment];

/** @throws Error naming the kinds that can be deployed */
export const fleetDeploymentOf = (fleet: Pick<FleetDefinition, 'kind'>): FleetDeployment =>
  memberBy(DEPLOYMENTS, 'kind', fleetOf(fleet).kind, "'kind' of a fleet that is deployed");
