import { seriesOf, tooShort, within } from '../../../observe/service';
import type { MetricSeries } from '../../../schema/metrics';
import type { Sample } from '../../../schema/sample';
import { type Balance, known, type MetadataArm, unknown } from '../../operations';
import { documentedOf, standIn } from './subject';
import { windowsOf } from './windows';

/**
 * What FSx counts on each metadata target for each operation. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html.
 */
const COUNTED_BY: Readonly<Record<string, string>> = {
  file_create: 'FileCreateOperations',
  file_stat: 'StatOperations',
  file_read: 'FileOpenOperations',
  file_remove: 'FileDeleteOperations',
  dir_create: 'DirectoryCreateOperations',
  dir_stat: 'StatOperations',
  dir_rename: 'RenameOperations',
  dir_remove: 'DirectoryDeleteOperations',
};

/** Balance of each operation, size and arm. */
export function balances(
  samples: readonly Sample[],
  metrics: readonly MetricSeries[],
  arms: readonly MetadataArm[],
  lab: boolean,
): Balance[] {
  return windowsOf(samples).map(({ arm, operation, fileBytes, windows }): Balance => {
    const key = { arm, operation, fileBytes };
    const none = (metric: string | null, reason: string): Balance => ({
      ...key,
      metric,
      targets: [],
      evenness: unknown(reason),
    });
    const metric = COUNTED_BY[operation];
    if (metric === undefined) return none(null, `no metric counts ${operation}`);
    const local = standIn(arms, arm, lab);
    if (local !== null) return none(metric, local);
    const { series, reason } = seriesOf(metrics, arm, metric);
    if (reason !== null) return none(metric, reason);
    const sums = series.flatMap((one) => {
      const values = within(one, windows);
      const target = one.dimensions.StorageTargetId;
      return values.length === 0 || target === undefined ? [] : [{ target, operations: sum(values) }];
    });
    const total = sum(sums.map(({ operations }) => operations));
    if (sums.length === 0) return none(metric, tooShort(metric));
    if (total === 0) return none(metric, `${metric}: the service counted none`);
    const targets = sums
      .map((one) => ({ ...one, share: one.operations / total }))
      .sort((a, b) => (a.target < b.target ? -1 : 1));
    const busiest = Math.max(...targets.map(({ operations }) => operations));
    const provisioned = documentedOf(arms, arm)?.targets ?? targets.length;
    const evenness =
      targets.length < provisioned
        ? // Idle, or not published? On the former the answer would be worse than it looks.
          unknown(`${metric}: ${targets.length} of ${provisioned} metadata targets published it within the phase`)
        : targets.length === 1
          ? unknown('there is one metadata target: nothing to balance')
          : known(total / targets.length / busiest);
    return { ...key, metric, targets, evenness };
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
