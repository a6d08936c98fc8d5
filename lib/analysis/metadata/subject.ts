import { metricInRole, storageOf } from '../../storage/lookup';
import type { MetricRole } from '../../storage/role';
import type { MetadataCapability } from '../../storage/slices/documented';
import type { MetadataArm } from './results';

/** Why nothing of an arm can be held against what AWS documents, or looked up in its metrics; `null` where that can be done. */
export function standIn(arms: readonly MetadataArm[], name: string, lab: boolean): string | null {
  const { configuration = null, held } = arms.find((each) => each.name === name) ?? {};
  if (lab && held === undefined) return 'a local file system stood in for Amazon FSx';
  if (configuration === null) return 'it is not a file system of FSx for Lustre';
  const { label, documented } = storageOf(configuration);
  return documented.metadata === undefined ? `nothing is documented of the metadata of ${label}` : null;
}

/** Returns the documented metadata performance of an arm, or its throttle in the scale model, which has one server; `null` if there is neither. */
export function documentedOf(
  arms: readonly MetadataArm[],
  name: string,
): {
  /** Operations a second that the metadata targets' disks do. */
  readonly iops: number | null;
  readonly targets: number | null;
  readonly rates: ReturnType<MetadataCapability['rates']>;
} | null {
  const { configuration = null, held } = arms.find((each) => each.name === name) ?? {};
  if (held !== undefined)
    return { iops: held.writesPerSecond, targets: 1, rates: { file_create: held.setCreatesPerSecond } };
  const metadata = configuration && storageOf(configuration).documented.metadata;
  if (!configuration || !metadata) return null;
  return {
    iops: metadata.iops(configuration),
    targets: metadata.targets(configuration),
    rates: metadata.rates(configuration),
  };
}

/** The metric of an arm's storage in a role, and how its series are told apart; without a name where no service counts it. */
export function metricOf(
  arms: readonly MetadataArm[],
  name: string,
  role: MetricRole | undefined,
): { readonly name?: string; readonly targetOf: (dimensions: Readonly<Record<string, string>>) => string | null } {
  // An arm that nobody described is of the time when there was one kind.
  const storage = storageOf(arms.find((each) => each.name === name)?.configuration ?? {});
  const found = role === undefined ? undefined : metricInRole(storage, role);
  return {
    ...(found !== undefined && { name: found.name }),
    targetOf: storage.account.metrics?.metadataTarget ?? (() => storage.label),
  };
}

/** Files, directories, and nothing else that has a rate. */
export function isMetadataOperation(operation: string): boolean {
  return /^(file|dir)_(create|stat|read|rename|remove)$/.test(operation);
}
