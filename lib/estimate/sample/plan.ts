import { shuffled } from '../../common/statistics/random';
import { blocksOf, type FileLayout } from '../measure/geometry';
import type { Piece } from '../measure/measure';
import type { Found } from '../source/survey';
import { runsOf } from '../source/walk';
import { dataBlocks, type Point, type Stratum, weightOf } from './strata';

/** A record, or a run of records, that a sample reads. */
export interface RecordDraw {
  readonly piece: Piece;
  readonly stratum: Stratum;
  readonly part: number;
}

/** Records drawn from parts of the whole, each part on its own. */
export interface RecordDrawing {
  /** Strata of each part; the last part may combine all that are too small on their own. */
  readonly parts: readonly (readonly Stratum[])[];
  readonly draws: readonly RecordDraw[];
}

/** Parts to read: single records of the smallest size, and runs on which the larger record sizes are compared. */
export interface SamplePlan {
  readonly single: RecordDrawing;
  /** Empty if there is one record size. */
  readonly compared: RecordDrawing;
  readonly bytes: number;
}

/** Trees up to this size are read in full, which takes a moment. */
const SMALL_TREE_BYTES = 32 * 2 ** 20;
/** Strata with fewer draws than this are merged with others. */
const OWN_PART_DRAWS = 8;
/** Fewer draws are uninformative; more would hardly narrow the interval. */
const SINGLE_DRAWS = [48, 4096] as const;
const COMPARED_DRAWS = [6, 1024] as const;
/** Points of a stratum used to estimate its record lengths; every reservoir has that many. */
const MEAN_OF = 128;
/** Share of the byte budget for single records if runs are read as well. */
const SINGLE_SHARE = 0.6;

/**
 * Chooses the parts of the strata to read; `null` for a small tree, or if a sample would read nearly everything.
 * @param allocators by record size, the smallest first @param share of the bytes that may be read; small trees need more
 */
export function planSample(
  strata: readonly Stratum[],
  allocators: readonly FileLayout[],
  share: number,
  random: () => number,
): SamplePlan | null {
  const readableBytes = strata.reduce((sum, each) => sum + each.readableBytes, 0);
  const drawable = strata.filter(({ reservoir }) => reservoir.total > 0);
  if (drawable.length === 0 || readableBytes <= SMALL_TREE_BYTES) return null;
  const [smallest] = allocators as readonly [FileLayout];
  const differing = drawable.filter(({ differs }) => differs);
  const several = allocators.length > 1 && differing.length > 0;
  const run = Math.max(...allocators.map(({ geometry }) => geometry.recordBytes));
  const only = allocators.length > 1 ? 0 : undefined;

  const singleOf = (point: Point<Found>): Piece => pieceAt(point, smallest.geometry.recordBytes, smallest, only);
  const runOf = (point: Point<Found>): Piece => pieceAt(point, run, smallest, undefined);
  const budget = share * readableBytes;
  const singles = numberOf(several ? SINGLE_SHARE * budget : budget, meanBytes(drawable, singleOf), SINGLE_DRAWS);
  const runs = several ? numberOf((1 - SINGLE_SHARE) * budget, meanBytes(differing, runOf), COMPARED_DRAWS) : 0;
  const expected = singles * meanBytes(drawable, singleOf) + (several ? runs * meanBytes(differing, runOf) : 0);
  if (expected >= readableBytes / 2) return null;

  // The two must not share points, so each stratum's points are dealt once.
  const dealt = new Map<Stratum, number>();
  const compared = several ? draw(differing, runs, dealt, runOf, random) : { parts: [], draws: [] };
  const single = draw(drawable, singles, dealt, singleOf, random);
  const bytes = [...single.draws, ...compared.draws].reduce((sum, { piece }) => sum + piece.length, 0);
  return { single, compared, bytes };
}

const numberOf = (budget: number, each: number, [min, max]: readonly [number, number]): number =>
  Math.min(max, Math.max(min, Math.floor(budget / each)));

/** The bytes of the record or run that holds a point. */
function pieceAt(
  { item, fraction }: Point<Found>,
  unit: number,
  smallest: FileLayout,
  only: number | undefined,
): Piece {
  const { blockBytes } = blocksOf(item.bytes, smallest.geometry);
  const at = blockAt(item, Math.floor(fraction * dataBlocks(item, smallest)), blockBytes) * blockBytes;
  const offset = Math.floor(at / unit) * unit;
  const piece = { path: item.path, fileBytes: item.bytes, offset, length: Math.min(unit, item.bytes - offset) };
  return only === undefined ? piece : { ...piece, only };
}

/** The block of a file that is so many blocks with data after the first of them. */
function blockAt({ data }: Found, number: number, blockBytes: number): number {
  if (data === undefined) return number;
  let left = number;
  for (const { first, count } of runsOf(data, blockBytes)) {
    if (left < count) return first + left;
    left -= count;
  }
  return 0;
}

/** Average bytes read per draw, from the kept points. */
function meanBytes(strata: readonly Stratum[], pieceOf: (point: Point<Found>) => Piece): number {
  let bytes = 0;
  for (const { reservoir } of strata) {
    let sum = 0;
    for (let slot = 0; slot < MEAN_OF; slot += 1) sum += pieceOf(reservoir.point(slot) as Point<Found>).length;
    bytes += (reservoir.total * sum) / MEAN_OF;
  }
  return bytes / weightOf(strata);
}

/** Allots draws to strata in proportion to their weight; strata with few draws share a part, drawn by weight. */
function draw(
  strata: readonly Stratum[],
  number: number,
  dealt: Map<Stratum, number>,
  pieceOf: (point: Point<Found>) => Piece,
  random: () => number,
): RecordDrawing {
  const total = weightOf(strata);
  const due = (stratum: Stratum): number => (number * stratum.reservoir.total) / total;
  const draws: RecordDraw[] = [];
  const take = (stratum: Stratum, part: number): void => {
    const next = dealt.get(stratum) ?? 0;
    const point = stratum.reservoir.point(next);
    dealt.set(stratum, next + 1);
    if (point !== undefined) draws.push({ piece: pieceOf(point), stratum, part });
  };
  const own = strata.filter((stratum) => due(stratum) >= OWN_PART_DRAWS);
  const small = strata.filter((stratum) => due(stratum) < OWN_PART_DRAWS);
  own.forEach((stratum, part) => {
    for (let left = Math.round(due(stratum)); left > 0; left -= 1) take(stratum, part);
  });
  if (small.length > 0) {
    const weight = weightOf(small);
    for (let left = Math.max(4, Math.ceil((number * weight) / total)); left > 0; left -= 1) {
      let at = random() * weight;
      const stratum = small.find(({ reservoir }) => {
        at -= reservoir.total;
        return at < 0;
      });
      take(stratum ?? (small.at(-1) as Stratum), own.length);
    }
  }
  const parts = [...own.map((stratum) => [stratum]), ...(small.length > 0 ? [small] : [])];
  // A sample that is stopped early is still unbiased.
  return { parts, draws: shuffled(draws, (below) => Math.floor(random() * below)) };
}
