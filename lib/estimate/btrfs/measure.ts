import { roundUp } from '../measure/geometry';
import { fill, type Meter, type Piece, type PieceFigures, type Read } from '../measure/measure';
import { type Codec, codecOf } from './codec';
import { looksCompressible } from './heuristic';
import { type BtrfsGeometry, EXTENT_BYTES, INLINE_BYTES, PART_BYTES, RANGE_BYTES, SECTOR_BYTES } from './layout';

/** Space taken by a part of a file; `compress` leaves the rest of a file alone after an extent that did not compress well. */
interface Part {
  readonly bytes: number;
  readonly gaveUp: boolean;
}

/** Measures pieces as Btrfs stores files that are written from their beginning to their end. */
export async function btrfsMeter({ codec: name, force }: BtrfsGeometry): Promise<Meter> {
  const codec = await codecOf(name);
  const buffer = new Uint8Array(PART_BYTES);

  /** A part of a file whose last bytes are padded with zeros to a sector, as in the page cache. */
  const partOf = (piece: Piece, length: number): Part => {
    let bytes = 0;
    for (let at = 0; at < length; ) {
      const left = length - at;
      // The file is this one extent.
      const only = left === piece.fileBytes;
      const rest = { bytes: bytes + ofRaw(left, only), gaveUp: false };
      // One sector saves nothing by itself, unless it goes inline.
      if (left <= SECTOR_BYTES && !only) return rest;
      const extent = Math.min(left, EXTENT_BYTES);
      if (!force && !looksCompressible(buffer, at, sectors(left))) return rest;
      const size = stored(codec, buffer, at, extent, only);
      if (size === null) return { ...rest, gaveUp: !force };
      bytes += size;
      at += extent;
    }
    return { bytes, gaveUp: false };
  };

  return {
    measure(piece: Piece, read: Read): PieceFigures[] {
      const { fileBytes, offset, length } = piece;
      let allocatedBytes = 0;
      let rawUntil = 0;
      for (let at = 0; at < length; at += PART_BYTES) {
        const bytes = Math.min(PART_BYTES, length - at);
        if (rawUntil === 0) {
          fill(buffer, offset + at, bytes, read);
          buffer.fill(0, bytes, roundUp(bytes, SECTOR_BYTES));
          if (!force && (offset + at) % RANGE_BYTES === 0 && !looksCompressible(buffer, 0, sectors(bytes)))
            rawUntil = offset + RANGE_BYTES;
        }
        const raw = { bytes: ofRaw(bytes, fileBytes === bytes), gaveUp: false };
        const part = rawUntil > 0 ? raw : partOf(piece, bytes);
        allocatedBytes += part.bytes;
        if (part.gaveUp) rawUntil = Number.POSITIVE_INFINITY;
      }
      return [{ allocatedBytes, pointers: 0, ...(!force && { rawUntil }) }];
    },
  };
}

/** The beginning of data that the kernel looks at, up to the end of an extent, in whole sectors. */
const sectors = (bytes: number): number => roundUp(Math.min(bytes, EXTENT_BYTES), SECTOR_BYTES);

const ofRaw = (bytes: number, whole: boolean): number =>
  whole && bytes <= INLINE_BYTES ? bytes : roundUp(bytes, SECTOR_BYTES);

/** Space of a compressed extent; `null` if it does not save a sector and is no file that goes inline. */
function stored(codec: Codec, data: Uint8Array, at: number, bytes: number, whole: boolean): number | null {
  const size = codec(data, at, bytes);
  if (size === null) return null;
  if (whole && bytes <= SECTOR_BYTES && size <= INLINE_BYTES) return size;
  const space = roundUp(size, SECTOR_BYTES);
  return space + SECTOR_BYTES > roundUp(bytes, SECTOR_BYTES) ? null : space;
}
