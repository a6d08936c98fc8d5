import { keyOf } from '../../common/collections';
import type { Sample } from '../../schema/sample';
import { metadataRatesOf, metadataTargetsOf, metricInRole, storageOf } from '../../storage/lookup';
import type { MetricRole } from '../../storage/storage';
import type { RunArm } from '../arm';

export interface OperationKey {
  readonly arm: string;
  /** `file_create`, `file_stat`, … as in samples. */
  readonly operation: string;
  /** Size of the files; `null` if the run does not record it. */
  readonly fileBytes: number | null;
}

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

export const ofKey = <T extends OperationKey>(all: readonly T[], { arm, operation, fileBytes }: OperationKey) =>
  all.find((one) => one.arm === arm && one.operation === operation && one.fileBytes === fileBytes);

/** The times of each operation, size and arm, a window for each repeat. `shared`: another one ran in the same command, and nobody knows when. */
export function windowsOf(samples: readonly Sample[]) {
  const measured = samples.filter(
    ({ phase, metric, operation }) => phase === 'measure' && metric === 'rate' && isMetadataOperation(operation),
  );
  const byKey = Map.groupBy(measured, ({ arm, operation, fileBytes = null }) => keyOf(arm, operation, fileBytes));
  const entries = [...byKey.values()].map((own) => {
    const { arm, operation, fileBytes = null } = own[0] as Sample;
    const windowOf = ({ startedAt, endedAt }: Sample) => ({ from: Date.parse(startedAt), to: Date.parse(endedAt) });
    return { arm, operation, fileBytes, windows: new Map(own.map((sample) => [sample.step, windowOf(sample)])) };
  });
  const together = (entry: (typeof entries)[number]): boolean =>
    entries.some(
      (other) =>
        other.arm === entry.arm &&
        other.operation !== entry.operation &&
        [...other.windows.keys()].some((step) => entry.windows.has(step)),
    );
  return entries.map((entry) => ({ ...entry, windows: [...entry.windows.values()], shared: together(entry) }));
}
