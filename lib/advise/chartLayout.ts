import { grouped } from '../common/format/units';
import { type Box, overlap, type PlacedLabel, placeLabels, textBox, textWidth } from '../common/page/labels';
import { codecOf, storageOf, withKind } from '../storage/lookup';
import type { Advice } from '.';
import { assess, type DemandResult } from './assess';
import { demandsOf } from './requirement';
import { dollars, gigabytes, optionWords } from './wording';

/** A configuration in the chart. */
export interface ChartPoint {
  /** Number of the option in the table, from 1; `null` for a rejected configuration. */
  readonly rank: number | null;
  /** `null` if a price is unknown. */
  readonly usd: number | null;
  /** GB/s sustained. */
  readonly rate: number;
  readonly series: string;
  readonly compressed: boolean;
  readonly pareto: boolean;
  readonly title: string;
  /** True for what a run measured; the others are documented. @default false */
  readonly measured?: boolean;
}

export interface Spot extends ChartPoint {
  readonly x: number;
  readonly y: number;
}

/** A logarithmic axis: `ticks` are the powers of ten, `minor` the whole multiples between them. */
export interface LogAxis {
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  readonly minor: readonly number[];
}

/** A text with its place. */
interface Note {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Positions of everything in the chart, in units of the view box; Plot only draws them. */
export interface ChartLayout {
  readonly frame: Box;
  readonly size: { readonly width: number; readonly height: number };
  readonly x: LogAxis;
  readonly y: LogAxis;
  readonly spots: readonly Spot[];
  readonly labels: readonly PlacedLabel[];
  /** The requested throughput. */
  readonly neededY: number | null;
  readonly budgetX: number | null;
  /** Position of the configurations without a price. */
  readonly unpricedX: number | null;
  /** Labels of the lines and the axes, by their centres. */
  readonly notes: readonly Note[];
  /** Horizontal position of a price. */
  across(usd: number): number;
  /** Vertical position of a rate in GB/s. */
  up(rate: number): number;
}

const SIZE = { width: 520, height: 340 } as const;
const FRAME = { left: 50, top: 40, bottom: SIZE.height - 48 } as const;
/** Radius of a mark. */
export const RADIUS = 4.5;
/** Factor by which the axes extend beyond the outermost values. */
const ROOM = 1.18;
/** From the frame to the centre of the column without prices, and from there to the column's end. */
const ASIDE = 56;
export const BEYOND = 34;
const COLUMN = ASIDE + BEYOND;

/**
 * The options, and the rejected configurations that are fast enough, such as those over budget. A kind that is too slow at every size is
 * left out: the advice names its smallest size, whose throughput would be mistaken for the kind's best.
 */
function pointsOf({ options, rejected, requirement }: Advice): ChartPoint[] {
  return [
    ...options.flatMap(({ throughputMBps: { baseline }, pareto, ...option }, index) =>
      pointOf(option, baseline, { rank: index + 1, pareto: pareto === true, note: '' }),
    ),
    ...rejected.flatMap(({ reason, ...one }) => {
      const { demands } = assess(one.configuration, requirement);
      if (isTooSlow(demands)) return [];
      const rate = Math.min(...demands.map(({ throughputMBps }) => throughputMBps.baseline));
      return pointOf(one, rate, { rank: null, pareto: false, note: `; rejected: ${reason}` });
    }),
  ];
}

const isTooSlow = (demands: readonly DemandResult[]): boolean =>
  demands.some(({ headroom }) => headroom !== null && headroom < 0);

/** Number of rejected configurations that the chart leaves out, since they are too slow at any size. */
export const tooSlowOf = ({ rejected, requirement }: Advice): number =>
  rejected.filter(({ configuration }) => isTooSlow(assess(configuration, requirement).demands)).length;

function pointOf(
  { configuration, monthlyUsd }: Pick<Advice['rejected'][number], 'configuration' | 'monthlyUsd'>,
  MBps: number,
  { note, ...rest }: { readonly rank: number | null; readonly pareto: boolean; readonly note: string },
): ChartPoint[] {
  const known = withKind(configuration);
  const series = storageOf(known).price.candidates?.seriesOf(known) ?? null;
  // A logarithmic axis shows no 0: neither a rate nor a price.
  if (series === null || !(MBps > 0) || monthlyUsd === 0) return [];
  const cost = monthlyUsd === null ? 'price unknown' : `${dollars(monthlyUsd)} USD per month`;
  const title = `${optionWords(configuration)}: ${cost}, ${gigabytes(MBps)} GB/s${note}`;
  const compressed = codecOf(known) !== null;
  return [{ ...rest, usd: monthlyUsd, rate: MBps / 1000, series, compressed, title }];
}

/** The lowest requested rate in GB/s, since each point shows its lowest rate; `null` if none is requested. */
function neededRate({ requirement }: Advice): number | null {
  const rates = demandsOf(requirement).map(({ requiredMBps }) => requiredMBps / 1000);
  const lowest = Math.min(...rates);
  return lowest > 0 ? lowest : null;
}

/** An axis from a little below the lowest value to a little above the highest, with at least two powers of ten on it. */
export function logAxis(values: readonly number[]): LogAxis {
  let low = Math.min(...values) / ROOM;
  let high = Math.max(...values) * ROOM;
  const powers = (): number[] => {
    const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => Number(`1e${from + index}`));
  };
  while (powers().length < 2) {
    const below = Number(`1e${Math.ceil(Math.log10(low) - 1e-9) - 1}`);
    const above = Number(`1e${Math.floor(Math.log10(high) + 1e-9) + 1}`);
    if (low / below < above / high) low = below;
    else high = above;
  }
  const ticks = powers();
  const minor = [(ticks[0] as number) / 10, ...ticks]
    .flatMap((power) => [2, 3, 4, 5, 6, 7, 8, 9].map((times) => Number((times * power).toPrecision(1))))
    .filter((value) => value >= low && value <= high);
  return { domain: [low, high], ticks, minor };
}

/** Frame and axes. */
type Geometry = Omit<ChartLayout, 'spots' | 'labels' | 'notes'>;

/**
 * Computes the layout; `null` if no configuration has a price.
 *
 * @param measured points of runs on the same axes
 */
export function layoutOf(advice: Advice, measured: readonly ChartPoint[] = []): ChartLayout | null {
  const points = [...pointsOf(advice), ...measured];
  const prices = points.flatMap(({ usd }) => usd ?? []);
  if (prices.length === 0) return null;
  const [needed, budget] = [neededRate(advice), advice.requirement.maxMonthlyUsd ?? null];
  const geometry = geometryOf(points, prices, needed, budget);
  const { across, up, unpricedX } = geometry;
  const spots = apart(
    points.map((point) => ({ ...point, x: across(point.usd ?? 1), y: up(point.rate) })),
    unpricedX,
  );
  const ranks = spots.flatMap(({ rank, pareto, x, y }) =>
    rank === null ? [] : [{ x, y, text: `${rank}`, required: pareto }],
  );
  const labels = placeLabels(ranks, obstaclesIn(geometry, spots), areaOf(geometry));
  return { ...geometry, spots, labels, notes: notesIn(geometry, needed, budget) };
}

const neededText = (needed: number): string => `≥ ${gigabytes(needed * 1000)} GB/s`;

function geometryOf(
  points: readonly ChartPoint[],
  prices: readonly number[],
  needed: number | null,
  budget: number | null,
): Geometry {
  const x = logAxis(budget === null ? prices : [...prices, budget]);
  const rates = points.map(({ rate }) => rate);
  const y = logAxis(needed === null ? rates : [...rates, needed]);
  const hasUnpriced = prices.length < points.length;
  const margin = needed === null ? 30 : textWidth(neededText(needed)) + 8;
  const right = SIZE.width - (hasUnpriced ? COLUMN : 0) - margin;
  const across = (usd: number): number => FRAME.left + share(usd, x) * (right - FRAME.left);
  const up = (rate: number): number => FRAME.bottom - share(rate, y) * (FRAME.bottom - FRAME.top);
  return {
    frame: { ...FRAME, right },
    size: SIZE,
    x,
    y,
    neededY: needed === null ? null : up(needed),
    budgetX: budget === null ? null : across(budget),
    unpricedX: hasUnpriced ? right + ASIDE : null,
    across,
    up,
  };
}

/** The frame with the column of configurations without a price. */
const areaOf = ({ frame, unpricedX }: Geometry): Box =>
  unpricedX === null ? frame : { ...frame, right: frame.right + COLUMN };

/** Marks and lines that no label may cover. */
function obstaclesIn(geometry: Geometry, spots: readonly Spot[]): Box[] {
  const { frame, neededY, budgetX, unpricedX } = geometry;
  return [
    ...spots.map((spot) => around(spot.x, spot.y, RADIUS + 1)),
    ...(neededY === null ? [] : [{ ...areaOf(geometry), top: neededY - 1, bottom: neededY + 1 }]),
    ...[budgetX, unpricedX === null ? null : frame.right].flatMap((at) =>
      at === null ? [] : { ...frame, left: at - 1, right: at + 1 },
    ),
  ];
}

function notesIn(geometry: Geometry, needed: number | null, budget: number | null): Note[] {
  const { frame, x, y, neededY, budgetX, unpricedX, across, up } = geometry;
  // The label of a billion would overlap its neighbour.
  const clear = unpricedX === null ? SIZE.width : unpricedX - textWidth('price') / 2;
  const below = FRAME.bottom + 14;
  const rightOf = (text: string, left: number, at: number): Note => ({ text, x: left + textWidth(text) / 2, y: at });
  return [
    rightOf('GB/s sustained', 8, 10),
    { text: 'USD per month', x: (frame.left + frame.right) / 2, y: SIZE.height - 8 },
    ...sparse(
      x.ticks
        .map((usd) => ({ text: power(usd), x: across(usd), y: below }))
        .filter((tick) => textBox(tick.x, tick.y, tick.text).right <= clear),
    ),
    ...sparse(
      y.ticks.map((rate) => ({ text: power(rate), x: FRAME.left - 6 - textWidth(power(rate)) / 2, y: up(rate) })),
    ),
    ...(neededY === null || needed === null ? [] : [rightOf(neededText(needed), areaOf(geometry).right + 4, neededY)]),
    ...(budgetX === null || budget === null
      ? []
      : [{ text: `≤ ${dollars(budget)} USD`, x: budgetX, y: FRAME.top - 13 }]),
    ...(unpricedX === null
      ? []
      : ['price', 'unknown'].map((text, row) => ({ text, x: unpricedX, y: below + 13 * row }))),
  ];
}

/** Position of a value on an axis: 0 at its start, 1 at its end. */
const share = (value: number, { domain: [low, high] }: LogAxis): number => Math.log(value / low) / Math.log(high / low);

const power = (value: number): string => (value < 1 ? String(value) : grouped(value));

/** Thins out the labels of a long axis to every second, third, … until none overlaps the next. */
function sparse(labels: readonly Note[], step = 1): readonly Note[] {
  const kept = labels.filter((_, index) => index % step === 0);
  const boxes = kept.map(({ x, y, text }) => textBox(x, y, text));
  const clash = boxes.some((box, index) => index > 0 && overlap(box, boxes[index - 1] as Box));
  return clash ? sparse(labels, step + 1) : kept;
}

const around = (x: number, y: number, room: number): Box => ({
  left: x - room,
  right: x + room,
  top: y - room,
  bottom: y + room,
});

/** Moves points without a price into a column of their own, side by side where their throughput is the same. */
function apart(spots: readonly Spot[], unpricedX: number | null): Spot[] {
  const done: Spot[] = [];
  for (const spot of spots) {
    if (spot.usd !== null || unpricedX === null) {
      done.push(spot);
      continue;
    }
    const isFree = (x: number): boolean =>
      !done.some((other) => Math.abs(other.x - x) < 10 && Math.abs(other.y - spot.y) < 10);
    const x = [0, 11, -11, 22, -22].map((aside) => unpricedX + aside).find(isFree) ?? unpricedX;
    done.push({ ...spot, x });
  }
  return done;
}
