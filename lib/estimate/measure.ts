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
}

/** What the blocks of a piece take, in one geometry. */
export interface Measured {
  readonly allocatedBytes: number;
  /** Blocks that are not holes. */
  readonly pointers: number;
}

/** Reads `length` bytes at `offset` of the file into `into` and returns how many it got. */
export type Read = (into: Uint8Array, offset: number, length: number) => number;

/** The file has fewer bytes than when it was listed. */
export class ShortRead extends Error {
  constructor() {
    super('became shorter while it was read');
  }
}

/**
 * Measures a piece, for each allocator.
 * @param compressor with room for the largest record
 * @throws ShortRead
 */
export function measurePiece(
  compressor: Compressor,
  allocators: readonly Allocator[],
  piece: Pick<Piece, 'fileBytes' | 'offset' | 'length'>,
  read: Read,
): Measured[] {
  const { fileBytes, offset, length } = piece;
  const totals = allocators.map(() => ({ allocatedBytes: 0, pointers: 0 }));
  const layouts = allocators.map((allocator) => blocksOf(fileBytes, allocator.geometry.recordBytes).blockBytes);
  const step = Math.max(...allocators.map((allocator) => allocator.geometry.recordBytes));
  // One block of the largest record takes the whole of a step; blocks inside it can be measured together with it.
  const wide = Math.max(...layouts);
  const large = layouts.indexOf(wide);
  const inside = layouts.findIndex((block) => block >= LEAST_ALIKE_BYTES && block < wide);
  for (let at = 0; at < length; at += step) {
    const bytes = Math.min(step, length - at);
    fill(compressor, offset + at, bytes, read);
    const padded = Math.max(...layouts.map((block) => roundUp(bytes, block)));
    compressor.buffer.fill(0, bytes, padded);
    if (compressor.isZero(0, padded)) continue;
    if (inside >= 0) compressor.startLargeBlock(0, wide);
    let before = -1;
    let size = 0;
    allocators.forEach((allocator, index) => {
      const block = layouts[index] as number;
      const total = totals[index] as { allocatedBytes: number; pointers: number };
      for (let start = 0; start < bytes; start += block) {
        if (compressor.isZero(start, block)) continue;
        if (inside >= 0 && index === large) size = compressor.largeBlockSize();
        else if (index === inside && start + block <= wide) size = compressor.smallBlockSize(start, block);
        // A file below the record size is the same single block in every geometry.
        else if (padded !== block || before !== block) size = compressor.blockSize(start, block);
        before = block;
        total.allocatedBytes += allocator.ofBlock(block, size);
        total.pointers += 1;
      }
    });
  }
  return totals;
}

function fill(compressor: Compressor, offset: number, bytes: number, read: Read): void {
  for (let got = 0; got < bytes; ) {
    const more = read(compressor.buffer.subarray(got, bytes), offset + got, bytes - got);
    if (more <= 0) throw new ShortRead();
    got += more;
  }
}
