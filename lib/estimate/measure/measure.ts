import { stretchBytes } from '../sample/draws';
import { type Compressor, LEAST_ALIKE_BYTES } from './compressor';
import { type Allocator, blocksOf, roundUp } from './geometry';

/** A run of a file's bytes that one worker measures at a time; it begins at a multiple of every record size. */
export interface Piece {
  readonly path: string;
  /** Size of the whole file when it was listed. */
  readonly fileBytes: number;
  readonly offset: number;
  readonly length: number;
  /** Measure it in this geometry only. @default - in all */
  readonly only?: number;
  /** Number of stretches that each one (`stretchBytes`) represents; 0: measure it in the first geometry only. @default - all in all geometries */
  readonly weights?: readonly number[];
}

/** Space taken by the blocks of a piece, in one geometry. */
export interface PieceFigures {
  readonly allocatedBytes: number;
  /** Blocks that are not holes; those of stretches that were left out among them. */
  readonly pointers: number;
  /** Space taken by the blocks of each drawn stretch, if some may be left out. */
  readonly drawn?: readonly number[];
}

/** Reads `length` bytes at `offset` of the file into `into` and returns how many it got. */
export type Read = (into: Uint8Array, offset: number, length: number) => number;

/** Measures a piece in every layout of an estimate. @throws Error that the file is {@link SHORTER} */
export type Meter = (piece: Piece, read: Read) => PieceFigures[];

/** The file has fewer bytes than when it was listed. */
export const SHORTER = 'became shorter while it was read';

/** Measures a piece, for each allocator. @param compressor with room for the largest record */
export function measurePiece(
  compressor: Compressor,
  allocators: readonly Allocator[],
  piece: Pick<Piece, 'fileBytes' | 'offset' | 'length' | 'weights'>,
  read: Read,
): PieceFigures[] {
  const { fileBytes, offset, length, weights } = piece;
  const totals = allocators.map(() => ({ allocatedBytes: 0, pointers: 0, ...(weights && { drawn: [] as number[] }) }));
  const layouts = allocators.map((allocator) => blocksOf(fileBytes, allocator.geometry).blockBytes);
  const records = allocators.map((allocator) => allocator.geometry.recordBytes);
  const step = Math.max(...records);
  const stretch = stretchBytes(records);
  // One block of the largest record takes the whole of a step; blocks inside it can be measured together with it.
  const wide = Math.max(...layouts);
  const large = layouts.indexOf(wide);
  const inside = layouts.findIndex((block) => block >= LEAST_ALIKE_BYTES && block < wide);
  for (let at = 0; at < length; at += step) {
    const bytes = Math.min(step, length - at);
    fill(compressor.buffer, offset + at, bytes, read);
    const padded = Math.max(...layouts.map((block) => roundUp(bytes, block)));
    compressor.buffer.fill(0, bytes, padded);
    const left = weights?.[Math.floor(at / stretch)] === 0;
    if (!left && at % stretch === 0) for (const { drawn } of totals) drawn?.push(0);
    if (compressor.isZero(0, padded)) continue;
    if (inside >= 0 && !left) compressor.startLargeBlock(0, wide);
    let before = -1;
    let size = 0;
    allocators.forEach((allocator, index) => {
      const block = layouts[index] as number;
      const total = totals[index] as (typeof totals)[number];
      for (let start = 0; start < bytes; start += block) {
        if (compressor.isZero(start, block)) continue;
        total.pointers += 1;
        if (left && index > 0) continue;
        if (left) size = compressor.blockSize(start, block);
        else if (inside >= 0 && index === large) size = compressor.largeBlockSize();
        else if (index === inside && start + block <= wide) size = compressor.smallBlockSize(start, block);
        // A file below the record size is the same single block in every geometry.
        else if (padded !== block || before !== block) size = compressor.blockSize(start, block);
        before = block;
        const bytes = allocator.ofBlock(block, size);
        total.allocatedBytes += bytes;
        if (!left && total.drawn) total.drawn[total.drawn.length - 1] = (total.drawn.at(-1) ?? 0) + bytes;
      }
    });
  }
  return totals;
}

/** Reads `bytes` at `offset` of the file to the beginning of a buffer. */
export function fill(buffer: Uint8Array, offset: number, bytes: number, read: Read): void {
  for (let got = 0; got < bytes; ) {
    const more = read(buffer.subarray(got, bytes), offset + got, bytes - got);
    if (more <= 0) throw new Error(SHORTER);
    got += more;
  }
}
