import type { ArmDefinition } from '../benchmark/definition';
import { DEFAULT_STORAGE_QUOTA_GIB } from '../storage/documented';

/**
 * What the arms need together that an account has not got unless it asked: storage of each deployment type. A single file system
 * above the quota is the storage rules' affair.
 */
export function quotaWarnings(arms: readonly ArmDefinition[]): readonly string[] {
  const totals = new Map<string, number>();
  for (const { lustre } of arms) {
    // HDD has a quota of its own, for each file system.
    if (lustre.storageType === 'HDD') continue;
    const { deploymentType, storageCapacityGiB = 0 } = lustre;
    totals.set(deploymentType, (totals.get(deploymentType) ?? 0) + storageCapacityGiB);
  }
  return [...totals]
    .filter(([, total]) => total > DEFAULT_STORAGE_QUOTA_GIB)
    .map(
      ([type, total]) =>
        `the arms need ${total} GiB of ${type} together, above the default quota of ${DEFAULT_STORAGE_QUOTA_GIB} GiB in a Region; ` +
        "have it raised in Service Quotas before deploying, or choose fewer with 'arms'",
    );
}
