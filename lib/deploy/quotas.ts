import type { ArmDefinition } from '../benchmark/benchmark';
import type { BenchmarkConfiguration } from '../config/benchmark';
import { instanceType } from '../fleet/instanceTypes';
import { vcpuQuotaOf } from '../fleet/vcpuQuota';
import { storageOf } from '../storage/lookup';
import { withoutSharers } from '../storage/shared';

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

/** What the arms need together, where that is more than a new account has. */
function storageWarnings(all: readonly ArmDefinition[]): QuotaWarning[] {
  const arms = withoutSharers(all);
  const kinds = [...new Set(arms.map(({ storage }) => storageOf(storage)))];
  return kinds.flatMap((kind) => {
    const own = arms.map(({ storage }) => storage).filter((storage) => storageOf(storage) === kind);
    return kind.quotas.flatMap(({ usual, unit, of }) => {
      const total = own.reduce((sum, storage) => sum + of(storage), 0);
      if (usual === undefined || total <= usual.value) return [];
      const message =
        `the arms need ${total} ${unit} of ${usual.of} together, above the default quota of ${usual.value} ${unit} in a Region; ` +
        "have it raised in Service Quotas before deploying, or choose fewer with 'arms'";
      return [{ id: usual.warning, message }];
    });
  });
}

/** What an account has not got unless it asked. */
export function quotaWarnings(configuration: BenchmarkConfiguration): readonly QuotaWarning[] {
  return [...vcpuWarnings(configuration), ...storageWarnings(configuration.arms)];
}
