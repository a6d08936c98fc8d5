import { metadataRatesOf, metadataTargetsOf, metricInRole, storageOf } from '../../storage/lookup';
import type { MetricRole } from '../../storage/storage';
import type { RunArm } from '../arm';

/** Why an arm can neither be compared with AWS's documentation nor be found in its metrics; `null` if it can. */
export function substitute({ planned, deployed }: RunArm, lab: boolean): string | null {
  if (lab && deployed?.model?.metadata === undefined) return 'a local file system replaced Amazon FSx';
  if (planned === null) return 'it is not an FSx for Lustre file system';
  const { label, documented } = storageOf(planned);
  return documented.metadata === undefined ? `nothing is documented about the metadata of ${label}` : null;
}

/** Returns the documented metadata performance of an arm, or its throttle in the scale model, which has one server; `null` if there is neither. */
export function documentedOf({ planned, deployed }: RunArm): {
  /** Operations a second that the metadata targets' disks do. */
  readonly iops: number | null;
  readonly targets: number | null;
  readonly rates: ReturnType<typeof metadataRatesOf>;
} | null {
  const held = deployed?.model?.metadata;
  if (held !== undefined)
    return { iops: held.writesPerSecond, targets: 1, rates: { file_create: held.setCreatesPerSecond } };
  const metadata = planned && storageOf(planned).documented.metadata;
  if (!planned || !metadata) return null;
  return { iops: metadata.iops(planned), targets: metadataTargetsOf(planned), rates: metadataRatesOf(planned) };
}

/** The metric of an arm's storage in a role, and the dimension that distinguishes its series; without a name if no service counts it. */
export function metricOf(
  { planned }: RunArm,
  role: MetricRole | undefined,
): { readonly name?: string; readonly targetOf: (dimensions: Readonly<Record<string, string>>) => string | null } {
  const storage = planned && storageOf(planned);
  const found = role === undefined ? undefined : metricInRole(storage, role);
  return {
    name: found?.name,
    targetOf: storage?.monitoring?.metrics?.metadataTarget ?? (() => storage?.label ?? null),
  };
}

/** Files, directories, and nothing else that has a rate. */
export const isMetadataOperation = (operation: string): boolean =>
  /^(file|dir)_(create|stat|read|rename|remove)$/.test(operation);
