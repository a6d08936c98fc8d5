import type { Sample } from '../../schema/sample';
import type { Window } from '../../schema/series';
import type { OperationKey } from './results';
import { isMetadataOperation } from './subject';

/** The times of one operation on files of one size on one arm. */
interface OperationWindows extends OperationKey {
  readonly windows: readonly Window[];
  /** Another operation ran in the same command, and nobody knows when. */
  readonly shared: boolean;
}

/** The times of each operation, size and arm; repeats are windows of their own. */
export function windowsOf(samples: readonly Sample[]): OperationWindows[] {
  const found = new Map<string, OperationKey & { windows: Map<string, Window> }>();
  for (const { phase, metric, operation, arm, fileBytes = null, step, startedAt, endedAt } of samples) {
    if (phase !== 'measure' || metric !== 'rate' || !isMetadataOperation(operation)) continue;
    const key = JSON.stringify([arm, operation, fileBytes]);
    const entry = found.get(key) ?? { arm, operation, fileBytes, windows: new Map<string, Window>() };
    entry.windows.set(step, { from: Date.parse(startedAt), to: Date.parse(endedAt) });
    found.set(key, entry);
  }
  const entries = [...found.values()];
  const together = (entry: (typeof entries)[number]): boolean =>
    entries.some(
      (other) =>
        other.arm === entry.arm &&
        other.operation !== entry.operation &&
        [...other.windows.keys()].some((step) => entry.windows.has(step)),
    );
  return entries.map((entry) => ({ ...entry, windows: [...entry.windows.values()], shared: together(entry) }));
}
