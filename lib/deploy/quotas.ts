import type { ArmDefinition } from '../benchmark/definition';
import type { BenchmarkConfiguration } from '../config/benchmark';
import { instanceType } from '../fleet/instanceTypes';
import { vcpuQuotaOf } from '../fleet/vcpuQuota';
import { DEFAULT_STORAGE_QUOTA_GIB, DEFAULT_TIERING_QUOTA } from '../storage/lustre/documented';
import { readCacheGiB } from '../storage/lustre/limits';

/** Something that an account may have too little of unless it asked. */
export interface QuotaWarning {
  /** Stays: people acknowledge warnings by it. */
  readonly id: `fsxbench:${string}`;
  readonly message: string;
}

/** The vCPUs of a fleet; `null` for an instance type that is not in the data. */
export function vcpusOf({
  instanceType: type,
  clients,
}: Pick<BenchmarkConfiguration['fleet'], 'instanceType' | 'clients'>) {
  const info = instanceType(type);
  return info === null ? null : info.vcpus * clients;
}

function vcpuWarnings({ fleet }: BenchmarkConfiguration): QuotaWarning[] {
  const { clients, purchase } = fleet;
  // Reserved capacity was counted when it was reserved.
  if (purchase.kind === 'capacity-reservation') return [];
  const quota = vcpuQuotaOf(fleet.instanceType, purchase.kind);
  const vcpus = vcpusOf(fleet);
  if (quota === null || vcpus === null || vcpus <= quota.vcpus) return [];
  return [
    {
      id: 'fsxbench:vcpuQuota',
      message:
        `${clients} × ${fleet.instanceType} are ${vcpus} vCPUs of "${quota.name}" (${quota.code}), of which a new account has ${quota.vcpus} in a Region; ` +
        `before deploying look at yours, and have it raised: aws service-quotas get-service-quota --service-code ec2 --quota-code ${quota.code}`,
    },
  ];
}

/**
 * What the arms need together of storage of each deployment type. A single file system above the quota is the storage rules' affair.
 */
function storageWarnings(arms: readonly ArmDefinition[]): QuotaWarning[] {
  const totals = new Map<string, number>();
  for (const { lustre } of arms) {
    // HDD has a quota of its own, for each file system.
    if (lustre.storageType === 'HDD') continue;
    const { deploymentType, storageCapacityGiB = 0 } = lustre;
    totals.set(deploymentType, (totals.get(deploymentType) ?? 0) + storageCapacityGiB);
  }
  return [...totals].flatMap(([type, total]) =>
    above('fsxbench:storageQuota', total, DEFAULT_STORAGE_QUOTA_GIB, 'GiB', type),
  );
}

/** The same for Intelligent-Tiering, which has no capacity but throughput and a read cache. */
function tieringWarnings(arms: readonly ArmDefinition[]): QuotaWarning[] {
  const tiering = arms.map(({ lustre }) => lustre).filter(({ storageType }) => storageType === 'INTELLIGENT_TIERING');
  const throughput = tiering.reduce((sum, { throughputCapacity = 0 }) => sum + throughputCapacity, 0);
  const cache = tiering.reduce((sum, lustre) => sum + readCacheGiB(lustre), 0);
  const { throughputMBps, readCacheGiB: cacheQuota } = DEFAULT_TIERING_QUOTA;
  return [
    ...above('fsxbench:tieringThroughputQuota', throughput, throughputMBps, 'MB/s', 'INTELLIGENT_TIERING'),
    ...above('fsxbench:tieringCacheQuota', cache, cacheQuota, 'GiB', 'read cache of INTELLIGENT_TIERING'),
  ];
}

function above(id: QuotaWarning['id'], total: number, quota: number, unit: string, what: string): QuotaWarning[] {
  if (total <= quota) return [];
  const message =
    `the arms need ${total} ${unit} of ${what} together, above the default quota of ${quota} ${unit} in a Region; ` +
    "have it raised in Service Quotas before deploying, or choose fewer with 'arms'";
  return [{ id, message }];
}

/** What an account has not got unless it asked. */
export function quotaWarnings(configuration: BenchmarkConfiguration): readonly QuotaWarning[] {
  const { arms } = configuration;
  return [...vcpuWarnings(configuration), ...storageWarnings(arms), ...tieringWarnings(arms)];
}
