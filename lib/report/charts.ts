import type { RenderFunction } from '@observablehq/plot';
import type { Comparison } from '../analysis/compare/comparisons';
import type { Cell } from '../analysis/figures/cells';
import type { RunSummary } from '../analysis/summary';
import { compressibilityLabel } from '../common/format/text';
import { counted, plain, ratio } from '../common/format/units';
import { gridFromZero, gridLines, lowerAxis, valueAxis } from '../common/page/drawing';
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

/** The compressibilities of some cells, in the run's order: others would be empty stretches of the axis. */
const compressibilitiesOf = (
  { compressibilities }: RunSummary,
  cells: readonly { readonly compressibility: number | null }[],
) => compressibilities.filter((one) => cells.some(({ compressibility }) => compressibility === one));

/** ` at 2.6:1`; empty without a compressibility. */
const at = (compressibility: number | null, before = ' at '): string =>
  compressibility === null ? '' : `${before}${compressibilityLabel(compressibility)}`;

/** Returns the offset of the `index`-th of `count` points around 0, within ± `width` / 2. */
const spread = (index: number, count: number, width: number): number =>
  count < 2 ? 0 : (index / (count - 1) - 0.5) * width;

/** Rate against compressibility: a dot for each sample, a bar at the median; a cross at zero stands for a sample without a value. */
export function rateChart(run: RunSummary, cells: readonly Cell[], id: string, caption: Text): Chart {
  const { operation, metric, unit } = cells[0] as Cell;
  const { arms } = run;
  const compressibilities = compressibilitiesOf(run, cells);
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
      const most = measured.reduce((max, { y }) => Math.max(max, y), 0);
      const isMany = measured.length > MANY;
      return {
        x: targetAxis(compressibilities),
        y: { grid: true, nice: true, ...(isMany ? { domain: [0, most] } : { zero: true }), ...valueAxis(unit, 5) },
        marks: [
          ...gridFromZero({ plot }),
          plot.ruleY(medians, { x1: 'x1', x2: 'x2', y: 'y', stroke: colour, strokeWidth: 6, strokeOpacity: 0.35 }),
          ...(isMany
            ? cells.map((cell) =>
                densePoints(
                  measured.filter((point) => point.arm === cell.arm && Math.abs(point.x - centre(cell)) <= slot / 2),
                  look.colour(cell.arm),
                  `${cell.arm}, ${compressibilityLabel(cell.compressibility)}: ${counted(cell.count, 'sample')}, ${plain(cell.min)} to ${plain(cell.max)} ${unit}${cell.count > CROWDED ? '; those on the same pixel are one dot' : ''}`,
                ),
              )
            : [armDots({ plot, look }, measured, measured.length > 120 ? 1.8 : 3)]),
          armCrosses(
            { plot, look },
            points.filter(({ missing }) => missing),
          ),
        ],
      };
    },
  };
}

/** Number of dots from which they are points of one path: every sample is still drawn, in a tenth of the bytes. */
const MANY = 600;

/** Number of dots of one kind from which those on the same pixel are merged. */
const CROWDED = 4000;

/** Dots of one kind as one path of strokes without length and with round ends. */
function densePoints(points: readonly PlottedPoint[], colour: string, title: string): RenderFunction {
  return (_index, { x, y }, _values, _dimensions, { document }) => {
    const create = (name: string) => document.createElementNS('http://www.w3.org/2000/svg', name);
    const group = create('g');
    const path = create('path');
    const label = create('title');
    label.textContent = title;
    const digit = points.length > CROWDED ? 1 : 10;
    const at = (value: unknown): string => String(Math.round(Number(value) * digit) / digit);
    const dots = points.map((point) => `M${at(x?.(point.x))} ${at(y?.(point.y))}h0`);
    path.setAttribute('d', (points.length > CROWDED ? [...new Set(dots)] : dots).join(''));
    path.setAttribute('stroke', colour);
    path.setAttribute('stroke-width', '2.4');
    path.setAttribute('stroke-linecap', 'round');
    path.append(label);
    group.append(path);
    return group as SVGElement;
  };
}

/** Quotient of each pair by repeat, next to the line of equality. */
export function pairChart(run: RunSummary, comparisons: readonly Comparison[], id: string, caption: Text): Chart {
  const { operation, baseline } = comparisons[0] as Comparison;
  const { arms } = run;
  const compressibilities = compressibilitiesOf(run, comparisons);
  return {
    id,
    caption,
    title: `${operation}: each arm as a multiple of ${baseline}, repeat by repeat`,
    description: comparisons
      .map(({ arm, compressibility, median, min, max, count }) => {
        const range = `${ratio(min)} to ${ratio(max)} in ${counted(count, 'pair')}`;
        return `${arm}${at(compressibility)}: median ${ratio(median)}, ${range}.`;
      })
      .join(' '),
    options: ({ plot, look }) => {
      const others = arms.length - 1;
      const slot = 0.84 / Math.max(1, others);
      const centre = ({ arm, compressibility }: Comparison): number =>
        compressibilities.indexOf(compressibility) + (look.index(arm) - 1 - (others - 1) / 2) * slot;
      const points = comparisons.flatMap((comparison) => {
        const { arm, compressibility, pairs } = comparison;
        const group = `${look.index(arm)} ${compressibility}`;
        return pairs.flatMap(({ repeat, ratio: y }, index): (PlottedPoint & { group: string }) | [] => {
          if (y === null) return [];
          const title = `${arm} ÷ ${baseline}${at(compressibility, ', ')}, repeat ${repeat}: ${ratio(y)}`;
          return { x: centre(comparison) + spread(index, pairs.length, slot * 0.7), y, arm, title, group };
        });
      });
      const colour = ({ arm }: { arm: string }): string => look.colour(arm);
      const low = Math.min(1, ...points.map(({ y }) => y));
      const high = Math.max(1, ...points.map(({ y }) => y));
      const room = Math.max(0.05, (high - low) * 0.12);
      return {
        x: targetAxis(compressibilities),
        y: {
          domain: [Math.max(0, low - room), high + room],
          ...valueAxis(`× ${baseline}`, 5),
          tickFormat: (value: number) => String(Number(value.toFixed(3))),
        },
        marks: [
          gridLines({ plot }),
          plot.ruleY([1], { stroke: 'var(--axis)', strokeDasharray: '4 3' }),
          plot.line(points, { x: 'x', y: 'y', z: 'group', stroke: colour, strokeOpacity: 0.45, strokeWidth: 1 }),
          armDots({ plot, look }, points, 3),
        ],
      };
    },
  };
}

/** Measured ratio against the requested one; on the dashed line both are the same. */
export function spaceChart({ space }: RunSummary, id: string, caption: Text): Chart {
  return {
    id,
    caption,
    title: 'Measured compression ratio against the requested one',
    description: space
      .map(({ arm, compressibility, median }) => {
        return `${arm}, made for ${compressibilityLabel(compressibility)}: ${ratio(median)}:1.`;
      })
      .join(' '),
    options: ({ plot, look }) => {
      const points = space.flatMap(({ arm, compressibility, readings }) =>
        readings.flatMap(({ repeat, ratio: value, source }): PlottedPoint[] => {
          if (value === null || compressibility === null) return [];
          const title = `${arm}, made for ${compressibility}:1, repeat ${repeat}: ${ratio(value)}:1 by ${source}`;
          return [{ x: compressibility, y: value, arm, title }];
        }),
      );
      const max = Math.max(1.5, ...points.map(({ x, y }) => Math.max(x, y)));
      const end = Math.ceil(max * 2 + 0.2) / 2;
      const axis = { domain: [0.5, end], ticks: Math.min(6, Math.ceil(end)), tickSize: 0, labelArrow: 'none' } as const;
      return {
        x: { ...axis, label: 'requested (x:1)', labelAnchor: 'center' },
        y: { ...axis, label: 'measured (x:1)' },
        marks: [
          gridLines({ plot }),
          plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1 }),
          plot.link([{}], { x1: 0.5, y1: 0.5, x2: end, y2: end, stroke: 'var(--axis)', strokeDasharray: '4 3' }),
          armDots({ plot, look }, points, 3.5, 0.65),
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
