import type { Dashboard } from '../../dashboard/graph';
import { type DrawnLine, drawnGraph, graphsOf } from './graph';
import type { Collected } from './source';

/** The drawing of dashboards. Load it lazily, since the chart library takes a third of a second. */
export { renderDashboard } from './page';
export { Collected } from './source';

export type DescribedGraph = ReturnType<typeof describeDashboard>[number];

/** Every graph of a dashboard as numbers, in reading order. */
export const describeDashboard = (dashboard: Dashboard, source: Collected) =>
  graphsOf(dashboard).map((graph) => {
    const { lines, ...rest } = drawnGraph(graph, source);
    const { title, unit, rightUnit = null } = graph;
    return {
      title,
      lines: lines.map((line) => ({ label: line.label, unit: line.right ? rightUnit : unit, ...figuresOf(line) })),
      ...rest,
    };
  });

function figuresOf({ series: { points } }: DrawnLine) {
  const values = [...points.values()];
  return {
    points: values.length,
    min: values.reduce((a, b) => Math.min(a, b)),
    max: values.reduce((a, b) => Math.max(a, b)),
    last: values.at(-1) as number,
  };
}
