import type { DashboardBody } from './body';
import { type Graph, graphOf, type Line } from './graph';
import type { Source } from './source';

/** A graph as numbers. */
export interface DescribedGraph {
  readonly title: string;
  readonly lines: readonly {
    readonly label: string;
    readonly unit: string | null;
    readonly points: number;
    readonly least: number;
    readonly most: number;
    readonly last: number;
  }[];
  /** Lines without any value, with the reason. */
  readonly missing: Graph['missing'];
  readonly partial: Graph['partial'];
  readonly refused: Graph['refused'];
}

/** Every graph of a dashboard as numbers, in reading order. */
export function describeDashboard({ widgets }: DashboardBody, source: Source): DescribedGraph[] {
  return [...widgets]
    .filter(({ type }) => type === 'metric')
    .sort((a, b) => a.y - b.y || a.x - b.x)
    .map((widget) => {
      const { lines, ...rest } = graphOf(widget, source);
      const { title = '', yAxis } = widget.properties;
      const unit = ({ right }: Line): string | null => yAxis?.[right ? 'right' : 'left']?.label ?? null;
      return {
        title,
        lines: lines.map((line) => ({ label: line.label, unit: unit(line), ...figuresOf(line) })),
        ...rest,
      };
    });
}

function figuresOf({ series: { points } }: Line) {
  const values = [...points.values()];
  return {
    points: values.length,
    least: values.reduce((a, b) => Math.min(a, b)),
    most: values.reduce((a, b) => Math.max(a, b)),
    last: values.at(-1) as number,
  };
}
