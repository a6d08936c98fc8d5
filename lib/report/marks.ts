import type { Chart } from './blocks';

type Tools = Parameters<Chart['options']>[0];

/** Point of one arm, at `x` and `y`, with a `title`. */
interface ArmPoint {
  readonly arm: string;
}

/** Points in the colours and shapes of their arms. */
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

/** Crosses in the place of points that have no value. */
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
