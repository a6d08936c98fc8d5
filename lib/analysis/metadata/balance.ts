import { known, unknown } from '../../common/known';
import { ownValue } from '../../common/ownValue';
import { armNamed } from '../../schema/plan';
import { seriesOf, tooShort, within } from '../../schema/series';
import type { MetricRole } from '../../storage/role';
import type { Run } from '../run';
import type { Balance } from './results';
import { documentedOf, metricOf, standIn } from './subject';
import { windowsOf } from './windows';

/** The role of what counts each operation. */
const COUNTED_BY: Readonly<Record<string, MetricRole>> = {
  file_create: 'file_creates',
  file_stat: 'stats',
  file_read: 'file_opens',
  file_remove: 'file_deletes',
  dir_create: 'dir_creates',
  dir_stat: 'stats',
  dir_rename: 'renames',
  dir_remove: 'dir_deletes',
};

/** Balance of each operation, size and arm. */
export function balances({ counted, arms, lab }: Run): Balance[] {
  return windowsOf(counted).map(({ arm, operation, fileBytes, windows }): Balance => {
    const own = armNamed(arms, arm);
    const key = { arm, operation, fileBytes };
    const none = (metric: string | null, reason: string): Balance => ({
      ...key,
      metric,
      targets: [],
      evenness: unknown(reason),
    });
    const { name: metric = null, targetOf } = metricOf(own, ownValue(COUNTED_BY, operation));
    if (metric === null) return none(null, `no metric counts ${operation}`);
    const local = standIn(own, lab);
    if (local !== null) return none(metric, local);
    const { series, reason } = seriesOf(own.series, metric);
    if (reason !== null) return none(metric, reason);
    const sums = series.flatMap((one) => {
      const values = within(one, windows);
      const target = targetOf(one.dimensions);
      return values.length === 0 || target === null ? [] : [{ target, operations: sum(values) }];
    });
    const total = sum(sums.map(({ operations }) => operations));
    if (sums.length === 0) return none(metric, tooShort(metric));
    if (total === 0) return none(metric, `${metric}: the service counted none`);
    const targets = sums
      .map((one) => ({ ...one, share: one.operations / total }))
      .sort((a, b) => (a.target < b.target ? -1 : 1));
    const busiest = Math.max(...targets.map(({ operations }) => operations));
    const provisioned = documentedOf(own)?.targets ?? targets.length;
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

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
