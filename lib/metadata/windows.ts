import type { MetricSeries } from '../model/run';
import type { Sample } from '../model/sample';
import { isMetadataOperation, type OperationKey } from './subject';

/** When an arm was worked on with one operation, in milliseconds since 1970. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

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

/** Values of the periods that lie wholly within one of the windows: what else happened in a minute would count, too. */
export function within({ points, periodSeconds }: MetricSeries, windows: readonly Window[]): number[] {
  return points.flatMap(([at, value]) => {
    const start = Date.parse(at);
    const end = start + periodSeconds * 1000;
    return windows.some(({ from, to }) => start >= from && end <= to) ? [value] : [];
  });
}

/** The series of one metric of an arm that have points, or why there are none. */
export function seriesOf(
  metrics: readonly MetricSeries[],
  arm: string,
  metric: string,
): { readonly series: readonly MetricSeries[]; readonly reason: string | null } {
  const own = metrics.filter((series) => series.arm === arm && series.metric === metric);
  const series = own.filter(({ points }) => points.length > 0);
  if (series.length > 0) return { series, reason: null };
  const why = own.find(({ reason }) => reason !== undefined)?.reason;
  return { series, reason: `${metric}: ${why ?? 'not collected; run fsxbench collect'}` };
}

/** Why a phase has no whole period of a metric. */
export function tooShort(metric: string): string {
  return `${metric}: no whole period of it lies within the phase`;
}
