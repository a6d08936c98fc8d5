import type { Series } from '../../../lib/observe/draw/series';
import { type AskedMetric, Collected } from '../../../lib/observe/draw/source';
import type { CollectedSeries } from '../../../lib/schema/metrics';
import { finds, parseSearch } from './search';

/** Value of a metric math expression: a number, a time series, or several of them. Source: CloudWatch user guide, metric math. */
export type Value =
  | { readonly kind: 'scalar'; readonly value: number }
  | { readonly kind: 'series'; readonly series: Series }
  | { readonly kind: 'list'; readonly list: readonly Series[] };

export const scalar = (value: number): Value => ({ kind: 'scalar', value });

/** Source of the metrics of expressions. */
export interface Source {
  /** Time window, in milliseconds since the epoch; missing values are filled within it. */
  readonly window: { readonly from: number; readonly to: number };
  metric(asked: AskedMetric, periodSeconds: number): Series;
  /** The results of a SEARCH, sorted by label. */
  search(text: string, stat: string, periodSeconds: number): readonly Series[];
}

/** Collected metrics, as CloudWatch would find them. */
export function sourceIn(series: readonly CollectedSeries[], window: Source['window']): Source {
  const collected = new Collected(series);
  return {
    window,
    metric: (asked, periodSeconds) => collected.metric(asked, periodSeconds),
    search: (text, stat, periodSeconds) => {
      const search = parseSearch(text);
      const found = new Map<string, Series>();
      // Only metrics with data points, since CloudWatch finds no others.
      for (const one of series.filter((one) => one.points.length > 0 && finds(search, one))) {
        const { namespace, metric, dimensions } = one;
        const asked = { namespace, metric, dimensions, stat };
        found.set(JSON.stringify(asked), collected.metric(asked, periodSeconds));
      }
      return [...found.values()].sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
    },
  };
}

export { computed, emptySeries, NotEvaluated, type Series } from '../../../lib/observe/draw/series';
