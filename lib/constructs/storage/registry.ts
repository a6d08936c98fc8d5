import type { Stack, StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { lustreWatch, type WatchedFileSystem } from '../../storage/lustre/watch';
import type { StorageDeployment } from './construct';
import { ebsDeployment } from './ebs';
import { efsDeployment } from './efs';
import { instanceStoreDeployment } from './instance-store';
import { lustreDeployment } from './lustre';
import { LustreDashboardStack } from './lustre/dashboardStack';
import { lustreZfsDeployment } from './lustre-zfs';
import { moosefsDeployment } from './moosefs';
import { mountpointS3Deployment } from './mountpoint-s3';
import { openzfsDeployment } from './openzfs';

/** The CDK half of every storage that can be deployed. */
const DEPLOYMENTS: readonly StorageDeployment[] = [
  lustreDeployment,
  efsDeployment,
  openzfsDeployment,
  ebsDeployment,
  moosefsDeployment,
  instanceStoreDeployment,
  mountpointS3Deployment,
  lustreZfsDeployment,
];

/** Their kinds: the configuration of an application has no others (lib/config/app.ts). */
export const DEPLOYABLE_KINDS: readonly string[] = DEPLOYMENTS.map(({ kind }) => kind);

/** @throws Error for a kind that is not deployable */
export function deploymentNamed(kind: string): StorageDeployment {
  const found = DEPLOYMENTS.find((deployment) => deployment.kind === kind);
  if (found !== undefined) return found;
  throw new Error(`'kind' must be one of ${DEPLOYABLE_KINDS.join(', ')}, got "${kind}"`);
}

type WatchStackClass = new (scope: Construct, id: string, props: StackProps & WatchedFileSystem) => Stack;

/** By the names of lib/storage/registry.ts. */
const WATCH_STACKS: Readonly<Record<string, WatchStackClass>> = { [lustreWatch.stack]: LustreDashboardStack };

/** The stack that watches a file system which somebody else made. @throws Error for one that is registered and has no construct */
export function watchStackNamed(stack: string): WatchStackClass {
  const found = WATCH_STACKS[stack];
  if (found !== undefined) return found;
  throw new Error(`'stack' must be one of ${Object.keys(WATCH_STACKS).join(', ')}, got "${stack}"`);
}
