import type { AccountQuota } from '../common/aws/account';
import type { InstanceLaunch } from '../common/aws/launch';
import { entryOf, keyOf } from '../common/collections';
import { instanceType } from '../fleet/instanceTypes';
import { fleetOf } from '../fleet/registry';
import { vcpuQuotaOf } from '../fleet/vcpuQuota';
import { ebsQuota } from '../storage/common/ebs';
import { onePerServerSet, storageOf } from '../storage/lookup';
import type { BenchmarkConfiguration } from './benchmark';

type Deployed = Pick<BenchmarkConfiguration, 'arms' | 'fleet'>;

/** Every instance that a deployment starts, or its runs. */
export const launchesOf = ({ arms, fleet }: Deployed): readonly InstanceLaunch[] => [
  ...fleetOf(fleet).launches(fleet),
  ...onePerServerSet(arms).flatMap(({ storage }) => storageOf(storage).account.launches?.(storage) ?? []),
];

export interface QuotaDemand {
  readonly quota: AccountQuota;
  readonly total: number;
  /** Instances that stay: what is there for a minute only does not count, since Auto Scaling tries again until it is gone. */
  readonly lasting: number;
  /** Amounts by what takes them. */
  readonly parts: ReadonlyMap<string, number>;
}

/** Quota on the vCPUs of a launch; `null` where reserved capacity was counted when it was reserved, or on request only. */
export const vcpuQuotaOfLaunch = ({
  instanceType: type,
  purchase,
  onRequest = false,
}: InstanceLaunch): AccountQuota | null =>
  onRequest || purchase.kind === 'capacity-reservation' ? null : vcpuQuotaOf(type, purchase.kind);

const noDemand = (quota: AccountQuota) => ({ quota, total: 0, lasting: 0, parts: new Map<string, number>() });

/** Demand of a deployment on each quota, summed over all its instances and resources. @param vcpusOf an instance type's vCPUs; `null` counts as 0 */
export function demandsOf(
  deployed: Deployed,
  vcpusOf: (type: string) => number | null = (type) => instanceType(type)?.vcpus ?? null,
): readonly QuotaDemand[] {
  const demands = new Map<string, ReturnType<typeof noDemand>>();
  const take = (quota: AccountQuota, what: string, amount: number, passing = false): void => {
    if (amount === 0) return;
    const demand = entryOf(demands, keyOf(quota.service, quota.code), () => noDemand(quota));
    demand.total += amount;
    if (!passing) demand.lasting += amount;
    demand.parts.set(what, (demand.parts.get(what) ?? 0) + amount);
  };
  for (const launch of launchesOf(deployed)) {
    const { name, count, instanceType: type, volumesGiB, onRequest = false, passing } = launch;
    const quota = vcpuQuotaOfLaunch(launch);
    if (quota !== null) take(quota, name, count * (vcpusOf(type) ?? 0), passing);
    const gib = volumesGiB.reduce((sum, size) => sum + size, 0);
    if (!onRequest) take(ebsQuota('gp3'), name, (count * gib) / 1024, passing);
  }
  for (const { storage } of onePerServerSet(deployed.arms)) {
    const { label, account } = storageOf(storage);
    for (const quota of account.quotas ?? []) take(quota, label, quota.of(storage));
  }
  return [...demands.values()];
}
