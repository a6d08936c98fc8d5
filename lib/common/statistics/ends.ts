import { binarySearch } from '../collections';
import { effectFor } from './detectable';
import { studentQuantile } from './distributions';
import { requireFinite } from './summary';

/** The last third of a series against its first. */
export interface Ends {
  /** last ÷ first − 1, of the means of the logarithms, each kind against itself. */
  readonly relative: number;
  /** True if that is significant. */
  readonly changed: boolean;
  /** The smallest fall that would almost certainly have been significant: 0.1 is to 90 %. */
  readonly detectable: number;
  /** Standard deviation of the logarithm of a value, autocorrelation included. */
  readonly spread: number;
}

export interface EndsOptions {
  /** Probability that no change is reported in a series without one. @default 0.99 */
  readonly confidence?: number;
  /** Number of series by which the error is divided. @default 1 */
  readonly comparisons?: number;
}

/** A fall that is said to be detectable is missed once in twenty times. */
const POWER = 0.95;
/** Values in a third from which their autocorrelation can be estimated; fewer are repeats with gaps between them. */
const CORRELATED_FROM = 10;

/**
 * Compares the last third of a series with its first, by a regression of the logarithms on the third with a level for each kind. It needs few
 * values, unlike a search for the moment of a change. A change within a third widens the spread, and so the smallest detectable difference.
 *
 * @param series values above 0 in their order, of all kinds; each kind has its own level
 * @returns `null` if too few values show their spread
 */
export function firstAgainstLast(
  series: readonly { readonly value: number; readonly kind: string }[],
  options: EndsOptions = {},
): Ends | null {
  const { confidence = 0.99, comparisons = 1 } = options;
  requireFinite(series.map(({ value }) => value));
  const size = Math.floor(series.length / 3);
  const last = series.length - size;
  const points = series.flatMap(({ value, kind }, at) =>
    at < size || at >= last ? [{ x: at < size ? 0 : 1, y: Math.log(value), kind }] : [],
  );
  const kinds = [...new Set(points.map(({ kind }) => kind))];
  const centred = kinds.flatMap((kind) => {
    const own = points.filter((point) => point.kind === kind);
    const mean = (of: (point: (typeof own)[number]) => number): number =>
      own.reduce((sum, point) => sum + of(point), 0) / own.length;
    const [x0, y0] = [mean(({ x }) => x), mean(({ y }) => y)];
    return own.map(({ x, y }) => ({ x: x - x0, y: y - y0 }));
  });
  const along = centred.reduce((sum, { x }) => sum + x * x, 0);
  const degrees = points.length - kinds.length - 1;
  if (degrees < 1 || along === 0) return null;
  const slope = centred.reduce((sum, { x, y }) => sum + x * y, 0) / along;
  const noise = centred.map(({ x, y }) => y - slope * x);
  const inflation =
    size < CORRELATED_FROM || kinds.length > 1 ? 1 : varianceInflation([noise.slice(0, size), noise.slice(size)]);
  const spread = Math.sqrt((noise.reduce((sum, each) => sum + each * each, 0) / degrees) * inflation);
  const error = spread / Math.sqrt(along);
  const independent = Math.max(1, Math.floor(degrees / inflation));
  const sure = 1 - (1 - confidence) / comparisons;
  return {
    relative: Math.expm1(slope),
    changed: error === 0 ? slope !== 0 : Math.abs(slope) / error > studentQuantile(sure, independent),
    detectable: fall(effectFor(independent, sure, POWER) * error),
    spread,
  };
}

const fall = (logarithm: number): number => -Math.expm1(-logarithm);

/** Values of autocorrelated noise that are worth one independent value, by the lag-1 autocorrelation with the bias of a mean taken out. */
function varianceInflation(parts: readonly (readonly number[])[]): number {
  const power = parts.flat().reduce((sum, each) => sum + each * each, 0);
  if (power === 0) return 1;
  const next = parts
    .flatMap((part) => part.slice(1).map((each, at) => each * (part[at] as number)))
    .reduce((sum, each) => sum + each, 0);
  const length = parts[0]?.length ?? 1;
  const memory = Math.min(Math.max((next / power + 1 / length) / (1 - 3 / length), 0), 0.95);
  return (1 + memory) / (1 - memory);
}

/** Most repeats considered. */
const MOST_VALUES = 1000;

/** The number of values, from so many kinds, that find a fall; `null` if more than a thousand are needed. */
export function valuesToFind(size: number, spread: number, kinds: number, options: EndsOptions = {}): number | null {
  const { confidence = 0.99, comparisons = 1 } = options;
  const sure = 1 - (1 - confidence) / comparisons;
  const enough = (ofEach: number): boolean => {
    const degrees = 2 * ofEach * kinds - kinds - 1;
    return degrees > 0 && fall(effectFor(degrees, sure, POWER) * spread * Math.sqrt(2 / (ofEach * kinds))) <= size;
  };
  const max = Math.floor(MOST_VALUES / 3 / kinds);
  return enough(max) ? 3 * binarySearch(enough, 0, max) * kinds : null;
}
