import type { FleetDefinition } from '../../fleet/fleet';
import { fleetOf } from '../../fleet/registry';
import type { FleetDeployment } from './construct';
import { ec2Deployment } from './ec2';
import { clusterDeployment } from './parallelcluster';

/** The CDK half of every fleet. */
const DEPLOYMENTS: readonly FleetDeployment[] = [ec2Deployment, clusterDeployment];

/** @throws Error naming the kinds that can be deployed */
export function fleetDeploymentOf(fleet: Pick<FleetDefinition, 'kind'>): FleetDeployment {
  const { kind } = fleetOf(fleet);
  const found = DEPLOYMENTS.find((deployment) => deployment.kind === kind);
  if (found !== undefined) return found;
  const kinds = DEPLOYMENTS.map((deployment) => deployment.kind).join(', ');
  throw new Error(`'kind' must be a fleet that can be deployed (${kinds}), got '${kind}'`);
}
