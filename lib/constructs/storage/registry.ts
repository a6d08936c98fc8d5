import type { Stack, StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { memberBy } from '../../common/collections';
import type { lustreWatch, WatchedFileSystem } from '../../storage/lustre/watch';
import type { StorageDeployment } from './construct';
import { ebsDeployment } from './ebs';
import { efsDeployment } from './efs';
import { instanceStoreDeployment } from './instance-store';
import { lustreDeployment } from './lustre';
import { LustreDashboardStack } from './lustre/dashboard';
import { lustreZfsDeployment } from './lustre-zfs';
import { moosefsDeployment } from './moosefs';
import { mountpointS3Deployment } from './mountpoint-s3';
import { openzfsDeployment } from './openzfs';

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
export const deploymentNamed = (kind: string): StorageDeployment => memberBy(DEPLOYMENTS, 'kind', kind, "'kind'");

type WatchStackClass = new (scope: Construct, id: string, props: StackProps & WatchedFileSystem) => Stack;

/** Stacks that watch a file system which somebody else made, by the names of lib/storage/registry.ts. */
export const WATCH_STACKS: Readonly<Record<(typeof lustreWatch)['stack'], WatchStackClass>> = {
  LustreDashboard: LustreDashboardStack,
};
