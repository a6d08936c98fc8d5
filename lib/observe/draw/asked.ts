import type { DashboardBody } from './body';
import { graphOf } from './graph';
import { parseSearch, type Search } from './search';
import { emptySeries } from './series';
import type { AskedMetric, Source } from './source';

/** A search of a graph, and its statistic. */
export interface AskedSearch {
  readonly search: Search;
  readonly stat: string;
}

/** Every metric that the graphs of a dashboard show or use. */
export interface Asked {
  readonly metrics: readonly AskedMetric[];
  readonly searches: readonly AskedSearch[];
}

/**
 * The metrics needed to draw a dashboard, determined by the drawing code itself, so that the two cannot diverge.
 * Each once, in the order of the dashboard.
 */
export function askedBy({ widgets }: DashboardBody): Asked {
  const metrics = new Map<string, AskedMetric>();
  const searches = new Map<string, AskedSearch>();
  const listening: Source = {
    window: { from: 0, to: 0 },
    metric: (asked, periodSeconds) => {
      const { namespace, metric, dimensions, stat } = asked;
      metrics.set(JSON.stringify([namespace, metric, Object.entries(dimensions).sort(), stat]), asked);
      return { series: emptySeries(metric, periodSeconds), why: 'only asked' };
    },
    search: (text, stat) => {
      const search = parseSearch(text);
      searches.set(JSON.stringify([search, stat]), { search, stat });
      return { list: [], why: 'only asked' };
    },
  };
  for (const widget of widgets) if (widget.type === 'metric') graphOf(widget, listening);
  return { metrics: [...metrics.values()], searches: [...searches.values()] };
}
