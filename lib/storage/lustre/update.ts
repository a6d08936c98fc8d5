import { capacityOnlyGrows } from '../common/fsx';
import type { LustreStorage } from './configuration';

/**
 * Why FSx refuses to make another of a file system: CloudFormation updates these properties in place, and has the update rolled back. One of another
 * deployment type is a new file system. Sources: https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html,
 * efa-file-systems.html and managing-throughput-capacity.html there.
 */
export function refusesUpdate(deployed: LustreStorage, planned: LustreStorage): string | null {
  const capacity = capacityOnlyGrows(deployed, planned);
  if (capacity !== null || deployed.deploymentType !== planned.deploymentType) return capacity;
  const { efaEnabled: efa = false } = planned;
  if ((deployed.efaEnabled ?? false) !== efa)
    return `EFA is chosen when a file system is made, and cannot be switched ${efa ? 'on' : 'off'} later`;
  if (deployed.metadata === undefined && planned.metadata !== undefined)
    return 'a metadata configuration cannot be added to a file system that was made without one';
  return (
    onlyRises('metadata IOPS', iopsOf(deployed), iopsOf(planned)) ??
    onlyRises('MB/s of throughput capacity', deployed.throughputCapacity, planned.throughputCapacity)
  );
}

const iopsOf = ({ metadata }: LustreStorage): number | undefined =>
  metadata?.mode === 'USER_PROVISIONED' ? metadata.iops : undefined;

const onlyRises = (what: string, from = 0, to = Number.POSITIVE_INFINITY): string | null =>
  to < from ? `${what} can only rise, from ${from}, not to ${to}` : null;
