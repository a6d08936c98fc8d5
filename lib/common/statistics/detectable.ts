import { binarySearch, entryOf, keyOf } from '../collections';
import { FEWEST_FOR_AUTOCORRELATION } from './dependence';
import { noncentralTail, studentQuantile } from './distributions';
import { requireFinite } from './summary';

interface PowerOptions {
  /** Confidence required of a reported difference. @default 0.95 */
  readonly confidence?: number;
  /** Probability of detecting a difference of that size. @default 0.8 */
  readonly power?: number;
  /** Comparisons in the family. Holm's step-down has at least this power. @default 1 */
  readonly comparisons?: number;
  /** Largest systematic error of a ratio, as a share: repeats do not average it away. @default 0 */
  readonly systematic?: number | undefined;
}

/**
 * The smallest relative difference between two arms that a number of paired repeats detects with the given power: 0.03 is 3 %. It needs only the
 * variance of earlier runs. Assumes Student's interval; the hull used for many repeats is up to 5 % wider. From {@link FEWEST_FOR_AUTOCORRELATION}
 * repeats on, it includes autocorrelation that the repeats do not rule out. `null` for fewer than two repeats.
 * @param repeats pairs @param spread standard deviation of the logarithm of the ratio from pair to pair, as of {@link spreadFromVariation}
 */
export function minimumDetectable(repeats: number, spread: number, options: PowerOptions = {}): number | null {
  const { confidence = 0.95, power = 0.8, comparisons = 1, systematic = 0 } = options;
  if (!(Number.isInteger(repeats) && repeats >= 0)) throw new Error(`'repeats' must be a whole number, got ${repeats}`);
  if (!(spread >= 0 && Number.isFinite(spread))) throw new Error(`'spread' must be from 0, got ${spread}`);
  if (!(power > 0.05 && power < 1)) throw new Error(`'power' must be between 0.05 and 1, got ${power}`);
  if (repeats < 2) return null;
  const effect = effectFor(repeats - 1, 1 - (1 - confidence) / comparisons, power) * allowance(repeats, comparisons);
  return Math.expm1((effect * spread) / Math.sqrt(repeats) - Math.log1p(-systematic));
}

/**
 * Factor by which allowing for autocorrelation raises the difference that so many independent repeats detect, by simulation, for 1, 4 and 8 comparisons:
 * 1.8, 1.8 and 1.6 with 8 repeats, 1.7, 1.7 and 1.4 with 10, 1.3, 1.3 and 1.2 with 20, 1.1 with 40. The formula is never below by more than 3 %.
 */
const allowance = (repeats: number, comparisons: number): number =>
  repeats < FEWEST_FOR_AUTOCORRELATION ? 1 : 1 + 8 / repeats / (1 + comparisons / 16);

/** The number of repeats that detect a difference of that size; `null` if more than a thousand are needed. */
export function repeatsFor(difference: number, spread: number, options: PowerOptions = {}): number | null {
  if (!(difference > 0)) throw new Error(`'difference' must be above 0, got ${difference}`);
  const enough = (repeats: number): boolean => (minimumDetectable(repeats, spread, options) as number) <= difference;
  // Fewer need not be worse: those too few to show autocorrelation are taken as independent.
  for (let repeats = 2; repeats < FEWEST_FOR_AUTOCORRELATION; repeats += 1) if (enough(repeats)) return repeats;
  if (!enough(1000)) return null;
  return binarySearch(enough, FEWEST_FOR_AUTOCORRELATION - 1, 1000);
}

/** Spread of the ratio of two arms whose values vary independently with the same coefficient of variation. */
export const spreadFromVariation = (coefficientOfVariation: number): number =>
  Math.sqrt(2 * Math.log1p(coefficientOfVariation ** 2));

/** Cache, since a report needs the same few values repeatedly. */
const known = new Map<string, number>();

/** Effect size in standard errors that Student's test with so many degrees of freedom detects with that power. */
export const effectFor = (degrees: number, confidence: number, power: number): number =>
  entryOf(known, keyOf(degrees, confidence, power), () => computedEffect(degrees, confidence, power));

function computedEffect(degrees: number, confidence: number, power: number): number {
  const critical = studentQuantile(confidence, degrees);
  // From here on the noncentral distribution approximates a shifted Student's.
  if (degrees > 60) return critical + Math.sign(power - 0.5) * studentQuantile(Math.abs(2 * power - 1), degrees);
  let [low, high] = [0, critical];
  const reaches = (away: number): boolean => noncentralTail(critical, degrees, away) >= power;
  while (!reaches(high) && high < 1e4) [low, high] = [high, high * 2];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return high;
}

interface EndsOptions {
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
 * @param series values above 0 in their order, of all kinds; each kind has its own level @returns `null` if too few values show their spread
 */
export function firstAgainstLast(
  series: readonly { readonly value: number; readonly kind: string }[],
  options: EndsOptions = {},
) {
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
    /** last ÷ first − 1, of the means of the logarithms, each kind against itself. */
    relative: Math.expm1(slope),
    /** True if that is significant. */
    changed: error === 0 ? slope !== 0 : Math.abs(slope) / error > studentQuantile(sure, independent),
    /** The smallest fall that would almost certainly have been significant: 0.1 is to 90 %. */
    detectable: fall(effectFor(independent, sure, POWER) * error),
    /** Standard deviation of the logarithm of a value, autocorrelation included. */
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
