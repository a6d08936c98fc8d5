import type { Cell } from '../analysis/figures/cells';
import type { RunSummary } from '../analysis/summary';
import { compressibilityLabel } from '../common/format/text';
import { counted, plain } from '../common/format/units';
import { gridFromZero, lowerAxis, valueAxis } from '../common/page/drawing';
import type { Chart, Text } from './blocks';

export interface PlottedPoint {
  readonly x: number;
  readonly y: number;
  readonly arm: string;
  readonly title: string;
}

/** Axis with one tick a compressibility, in the plan's order: what lies between two compressibilities has no meaning. */
function targetAxis(compressibilities: RunSummary['compressibilities']) {
  const some = compressibilities.some((compressibility) => compressibility !== null);
  return {
    ...lowerAxis(
      some ? 'compressibility of the data' : null,
      compressibilities.map((_, index) => index),
    ),
    domain: [-0.5, compressibilities.length - 0.5],
    tickFormat: (index: number) => (some ? compressibilityLabel(compressibilities[index] ?? null) : ''),
  };
}

/** ` at 2.6:1`; empty without a compressibility. */
const at = (compressibility: number | null, before = ' at '): string =>
  compressibility === null ? '' : `${before}${compressibilityLabel(compressibility)}`;

/** Returns the offset of the `index`-th of `count` points around 0, within ± `width` / 2. */
const spread = (index: number, count: number, width: number): number =>
  count < 2 ? 0 : (index / (count - 1) - 0.5) * width;

/** Number of samples from which a line from the lowest to the highest replaces their dots. */
const MANY = 600;

/** Rate against compressibility: a dot for each sample, a bar at the median; a cross at zero stands for a sample without a value. */
export function rateChart(run: RunSummary, cells: readonly Cell[], id: string, caption: Text): Chart {
  const { operation, metric, unit } = cells[0] as Cell;
  const { arms } = run;
  // Others would be empty stretches of the axis.
  const compressibilities = run.compressibilities.filter((one) =>
    cells.some(({ compressibility }) => compressibility === one),
  );
  const by = compressibilities.some((one) => one !== null) ? ' by compressibility of the data' : '';
  return {
    id,
    caption,
    title: `${operation} ${metric}${by}`,
    description: cells
      .map(({ arm, compressibility, median, count }) => {
        return `${arm}${at(compressibility)}: median ${plain(median)} ${unit} of ${counted(count, 'sample')}.`;
      })
      .join(' '),
    options: ({ plot, look }) => {
      const slot = 0.8 / Math.max(1, arms.length);
      const centre = ({ arm, compressibility }: Cell): number =>
        compressibilities.indexOf(compressibility) + (look.index(arm) - (arms.length - 1) / 2) * slot;
      const points = cells.flatMap((cell) =>
        cell.samples.map(({ repeat, value, reason }, index): PlottedPoint & { missing: boolean } => {
          const shown = value === null ? `not measured (${reason})` : `${plain(value)} ${unit}`;
          const title = `${cell.arm}${at(cell.compressibility, ', ')}, repeat ${repeat}: ${shown}`;
          const x = centre(cell) + spread(index, cell.samples.length, slot * 0.6);
          return { x, y: value ?? 0, arm: cell.arm, title, missing: value === null };
        }),
      );
      const medians = cells.flatMap((cell) => {
        const x = centre(cell);
        return cell.median === null ? [] : { x1: x - slot * 0.45, x2: x + slot * 0.45, y: cell.median, arm: cell.arm };
      });
      const colour = ({ arm }: { arm: string }): string => look.colour(arm);
      const measured = points.filter(({ missing }) => !missing);
      const ranges = cells.map((cell) => {
        const { arm, compressibility, count, min, max } = cell;
        const title = `${arm}${at(compressibility, ', ')}: ${counted(count, 'sample')}, ${plain(min)} to ${plain(max)} ${unit}`;
        return { x: centre(cell), arm, min, max, title };
      });
      return {
        x: targetAxis(compressibilities),
        y: { grid: true, nice: true, zero: true, ...valueAxis(unit, 5) },
        marks: [
          ...gridFromZero({ plot }),
          plot.ruleY(medians, { x1: 'x1', x2: 'x2', y: 'y', stroke: colour, strokeWidth: 6, strokeOpacity: 0.35 }),
          measured.length > MANY
            ? plot.ruleX(ranges, { x: 'x', y1: 'min', y2: 'max', title: 'title', stroke: colour, strokeWidth: 2.4 })
            : armDots({ plot, look }, measured, measured.length > 120 ? 1.8 : 3),
          armCrosses(
            { plot, look },
            points.filter(({ missing }) => missing),
          ),
        ],
      };
    },
  };
}

type Tools = Parameters<Chart['options']>[0];

/** Point of one arm, at `x` and `y`, with a `title`. */
interface ArmPoint {
  readonly arm: string;
}

export const armDots = ({ plot, look }: Tools, points: readonly ArmPoint[], r: number, fillOpacity?: number) =>
  plot.dot(points, {
    x: 'x',
    y: 'y',
    r,
    fillOpacity,
    title: 'title',
    fill: ({ arm }: ArmPoint) => look.colour(arm),
    symbol: ({ arm }: ArmPoint) => look.symbol(arm),
  });

export const armCrosses = ({ plot, look }: Tools, points: readonly ArmPoint[]) =>
  plot.dot(points, {
    x: 'x',
    y: 'y',
    r: 4,
    strokeWidth: 1.8,
    symbol: 'times',
    title: 'title',
    stroke: ({ arm }: ArmPoint) => look.colour(arm),
  });
