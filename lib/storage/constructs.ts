import type { StorageDeployment } from './construct';
import { ebsDeployment } from './ebs/construct';
import { efsDeployment } from './efs/construct';
import { instanceStoreDeployment } from './instance-store/construct';
import { lustreDeployment } from './lustre/construct';
import { lustreZfsDeployment } from './lustre-zfs/construct';
import { moosefsDeployment } from './moosefs/construct';
import { openzfsDeployment } from './openzfs/construct';

/** The CDK half of every storage that can be deployed. */
const DEPLOYMENTS: readonly StorageDeployment[] = [
  lustreDeployment,
  efsDeployment,
  openzfsDeployment,
  ebsDeployment,
  moosefsDeployment,
  instanceStoreDeployment,
  lustreZfsDeployment,
];

/** @throws Error naming the kinds that can be deployed */
export function deploymentNamed(kind: string): StorageDeployment {
  const found = DEPLOYMENTS.find((deployment) => deployment.kind === kind);
  if (found !== undefined) return found;
  const kinds = DEPLOYMENTS.map((deployment) => deployment.kind).join(', ');
  throw new Error(`'kind' must be a storage that can be deployed (${kinds}), got "${kind}"`);
}
