import { makeRandom, scanAll } from '../../lib/estimate';
import { Allocator, blocksOf, type FileLayout } from '../../lib/estimate/measure/geometry';
import type { Piece, PieceFigures } from '../../lib/estimate/measure/measure';
import type { Pool } from '../../lib/estimate/measure/pool';
import type { PieceOutcome } from '../../lib/estimate/measure/work';
import { DEFAULT_SHARE } from '../../lib/estimate/options';
import type { RatioInterval } from '../../lib/estimate/result';
import { Draws, stretchBytes } from '../../lib/estimate/sample/draws';
import { scanSample } from '../../lib/estimate/sample/sample';
import { type Found, Survey } from '../../lib/estimate/source/survey';

/** Files to draw samples of, again and again, and what measures them. */
export interface Tree {
  readonly files: readonly Found[];
  readonly allocators: readonly FileLayout[];
  readonly pool: Pool;
}

export const allocatorsOf = (records: readonly number[]): Allocator[] =>
  records.map((recordBytes) => new Allocator({ recordBytes, sectorBytes: 4096 }));

/** Measures each piece once: many samples of the same files cost little more than one scan. */
export function memoised(pool: Pool): Pool {
  const known = new Map<string, PieceOutcome>();
  const nameOf = ({ path, offset, length, only }: Parameters<Pool['measure']>[0][number]): string =>
    `${offset} ${length} ${only} ${path}`;
  return {
    ...pool,
    async measure(pieces) {
      const fresh = pieces.filter((piece) => !known.has(nameOf(piece)));
      const outcomes = fresh.length === 0 ? [] : await pool.measure(fresh);
      fresh.forEach((piece, index) => void known.set(nameOf(piece), outcomes[index] as PieceOutcome));
      return pieces.map((piece) => known.get(nameOf(piece)) as PieceOutcome);
    },
  };
}

/** Answers for pieces with weights out of what their stretches take, each of which is asked for once. */
export function assembling(pool: Pool, allocators: readonly FileLayout[]): Pool {
  const stretch = stretchBytes(allocators.map(({ geometry }) => geometry.recordBytes));
  const inner = memoised(pool);
  const ofPiece = async (piece: Piece): Promise<PieceOutcome> => {
    const { weights, ...plain } = piece;
    if (weights === undefined) return (await inner.measure([plain]))[0] as PieceOutcome;
    const parts = (await inner.measure(
      weights.map((_, at) => ({
        ...plain,
        offset: piece.offset + at * stretch,
        length: Math.min(stretch, piece.length - at * stretch),
      })),
    )) as readonly (readonly PieceFigures[])[];
    return allocators.map((_, index) => {
      const blocks = parts.map((part) => part[index]?.allocatedBytes ?? Number.NaN);
      const drawn = blocks.filter((_, at) => weights[at] !== 0);
      return {
        allocatedBytes: (index === 0 ? blocks : drawn).reduce((sum, bytes) => sum + bytes, 0),
        pointers: parts.reduce((sum, part) => sum + (part[index]?.pointers ?? Number.NaN), 0),
        drawn,
      };
    });
  };
  return { ...inner, measure: (pieces) => Promise.all(pieces.map(ofPiece)) };
}

/** A tree without data: `sizeOf` says what LZ4 makes of a block, 0 when it is kept raw, below 0 when it is a hole. */
export function inventedTree(
  files: readonly Found[],
  records: readonly number[],
  sizeOf: (path: string, at: number, bytes: number) => number,
): Tree {
  const allocators = allocatorsOf(records);
  const pool: Pool = {
    slots: 1,
    async measure(pieces) {
      return pieces.map(({ path, fileBytes, offset, length, only }) =>
        (only === undefined ? allocators : allocators.slice(only, only + 1)).map((allocator) => {
          const { blockBytes } = blocksOf(fileBytes, allocator.geometry);
          const sum = { allocatedBytes: 0, pointers: 0 };
          for (let at = offset; at < offset + length; at += blockBytes) {
            const size = sizeOf(path, at, blockBytes);
            if (size < 0) continue;
            sum.allocatedBytes += allocator.ofBlock(blockBytes, size);
            sum.pointers += 1;
          }
          return sum;
        }),
      );
    },
    async close() {},
  };
  return { files, allocators, pool };
}

async function* listed<T>(items: T): AsyncGenerator<T> {
  yield items;
}

/** The ratios that a full scan finds, for each record size. */
export async function fullRatios({ files, allocators, pool }: Tree): Promise<number[]> {
  const { total } = await scanAll(listed(files), {
    pool,
    allocators,
    survey: new Survey(undefined),
    signal: undefined,
  });
  return total.allocatedBytes.map((bytes) => total.logicalBytes / bytes);
}

/** Results of full scans that draw, each with its own seed, what they measure on further record sizes. */
export async function tryOutDraws({ files, allocators, pool }: Tree, trials: number) {
  const assembled = assembling(pool, allocators);
  const ratios = await fullRatios({ files, allocators, pool: assembled });
  const last = ratios.length - 1;
  const ratio = ratios[last] as number;
  const found = { held: 0, width: 0, share: 0, off: 0 };
  for (let seed = 1; seed <= trials; seed += 1) {
    const draws = new Draws(makeRandom(seed));
    const survey = new Survey(undefined);
    const context = { pool: assembled, allocators, survey, signal: undefined };
    const scan = await scanAll(listed(files), context, draws);
    const { low, high } = scan.intervals[last] as RatioInterval;
    if ((low as number) <= ratio && ratio <= (high as number)) found.held += 1 / trials;
    found.width += ((high as number) - (low as number)) / ratio / trials;
    found.share += (scan.shares[last] as number) / trials;
    found.off = Math.max(
      found.off,
      Math.abs(scan.total.logicalBytes / (scan.total.allocatedBytes[last] as number) / ratio - 1),
    );
    if (scan.total.logicalBytes / (scan.total.allocatedBytes[0] as number) !== ratios[0])
      throw new Error('the first size is exact');
  }
  return found;
}

/** Results of some samples, each with its own seed: how many intervals hold the full scan's ratio, how wide they are, how much was read. */
export async function tryOut(tree: Tree, trials: number, share = DEFAULT_SHARE) {
  const { files, allocators, pool } = tree;
  const ratios = await fullRatios(tree);
  const logicalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const held = ratios.map(() => 0);
  const widths = ratios.map(() => 0);
  let mostRead = 0;
  for (let seed = 1; seed <= trials; seed += 1) {
    const survey = new Survey(undefined);
    const context = { pool, allocators, survey, signal: undefined };
    const sampled = await scanSample(listed(files), context, { share, random: makeRandom(seed) });
    const intervals: readonly RatioInterval[] = sampled?.intervals ?? [];
    ratios.forEach((ratio, index) => {
      const { low, high } = intervals[index] ?? { low: ratio, high: ratio };
      if ((low as number) <= ratio && ratio <= (high as number)) held[index] = (held[index] as number) + 1 / trials;
      widths[index] = (widths[index] as number) + ((high as number) - (low as number)) / ratio / trials;
    });
    mostRead = Math.max(mostRead, (sampled === null ? logicalBytes : survey.bytesDone) / logicalBytes);
  }
  return { ratios, held, widths, mostRead };
}
