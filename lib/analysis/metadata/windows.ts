import { keyOf } from '../../common/collections';
import type { Window } from '../../schema/metrics';
import type { Sample } from '../../schema/sample';
import type { OperationKey } from './results';
import { isMetadataOperation } from './subject';

/** The times of one operation on files of one size on one arm. */
interface OperationWindows extends OperationKey {
  readonly windows: readonly Window[];
  /** Another operation ran in the same command, and nobody knows when. */
  readonly shared: boolean;
}

/** The times of each operation, size and arm; each repeat has its own window. */
export function windowsOf(samples: readonly Sample[]): OperationWindows[] {
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
