import { Annotations, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { BenchmarkConfiguration } from '../config/benchmark';
import type { Mount } from '../fleet/ec2/fleet';
import { describeLustre, metadataIopsAbove } from '../storage/lustre/documented';
import { metadataIopsOf } from '../storage/lustre/limits';
import { LustreFileSystem } from '../storage/lustre/lustreFileSystem';
import { metadataTargetsOf } from '../storage/lustre/servers';
import type { ArmView, MetadataView } from './dashboard/arm';
import { ceilingsOf } from './dashboard/ceilings';
import type { INetwork } from './network/network';
import type { StackPrice } from './price';

/** One arm as it is deployed. */
export interface DeployedStorage extends ArmView {
  readonly storage: LustreFileSystem;
  readonly mountPoint: string;
}

/** What the study mounted with. `flock` lets MPI-IO lock; atime would cost a metadata operation for each read. */
const MOUNT_OPTIONS = 'noatime,flock';

/** Advice that a benchmark about metadata IOPS ignores on purpose. */
const COMPARED = [
  'fsxbench:lustre-no-metadata-configuration',
  'fsxbench:lustre-few-metadata-iops',
  'fsxbench:lustre-automatic-metadata',
] as const;

/** What is provisioned for metadata; `null` where AWS names no number. */
export function metadataView(iops: number | null): MetadataView | null {
  return iops === null ? null : { provisionedIops: iops, targets: metadataTargetsOf(iops) };
}

/** A file system for each arm, in the order of the definition. */
export function deployArms(
  scope: Construct,
  { definition, arms, scale }: BenchmarkConfiguration,
  { vpc, subnet }: INetwork,
  price: StackPrice,
): DeployedStorage[] {
  const { region } = Stack.of(scope);
  return arms.map(({ name, lustre }) => {
    const storage = new LustreFileSystem(scope, `Storage-${name}`, { vpc, subnet, configuration: lustre });
    if (scale === 'smoke') {
      const reason = 'scale smoke tries the machinery, not the speed';
      Annotations.of(storage).acknowledgeWarning('fsxbench:lustre-one-server', reason);
    }
    if (definition.choosesMetadata) {
      const reason = 'what metadata IOPS do is what is compared, from none to the most';
      for (const warning of COMPARED) Annotations.of(storage).acknowledgeWarning(warning, reason);
    }
    const iops = metadataIopsOf(lustre);
    return {
      name,
      description: describeLustre(lustre),
      storage,
      mountPoint: `/fsx/${name}`,
      ceilings: ceilingsOf(lustre, region),
      metadata: metadataView(iops),
      metadataIopsAbove: iops === null ? [] : metadataIopsAbove(iops, lustre.storageType),
      hourlyUsd: price.arms[name] ?? null,
    };
  });
}

/** How a client mounts an arm. */
export function mountOf({ name, storage, mountPoint }: DeployedStorage, stripeCount: number): Mount {
  const { dnsName, mountName } = storage;
  return { name, dnsName, mountName, mountPoint, mountOptions: MOUNT_OPTIONS, stripeCount };
}
