import { roundUp } from '../measure/geometry';
import { fill, type Meter, type Piece, type PieceFigures, type Read } from '../measure/measure';
import { type Codec, codecOf } from './codec';
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

/**
 * Predicts whether Btrfs tries to compress: mounted with `compress`, it first samples 16 bytes in every 256 and leaves alone what looks like
 * noise. Read in Linux 6.18, fs/btrfs/compression.c (btrfs_compress_heuristic), and measured (test/fixtures/btrfs).
 */

const READ_BYTES = 16;
const INTERVAL_BYTES = 256;
/** Fewer different bytes than this are text. */
const FEW_BYTES = 64;
/** Byte values that make up most of a sample: of text at most the first number, of noise at least the second. */
const CORE = { text: 64, noise: 200, share: 0.9 };
/** Per cent of the entropy of noise, from which on compression is not worth its time. */
const MOST_ENTROPY = 80;
/** Entropy of a random byte in the kernel's unit, quarters of a bit. */
const FULL_ENTROPY = 32;

/** True if data look compressible. @param length of the data, a multiple of 4096 */
function looksCompressible(data: Uint8Array, from: number, length: number): boolean {
  const sample = new Uint8Array((length / INTERVAL_BYTES) * READ_BYTES);
  for (let at = 0, to = 0; at < length; at += INTERVAL_BYTES, to += READ_BYTES)
    sample.set(data.subarray(from + at, from + at + READ_BYTES), to);
  const half = sample.length / 2;
  if (sample.subarray(0, half).every((byte, at) => byte === sample[half + at])) return true;
  const counts = new Uint32Array(256);
  for (const byte of sample) counts[byte] = (counts[byte] as number) + 1;
  const common = counts.filter((count) => count > 0).sort((a, b) => b - a);
  if (common.length < FEW_BYTES) return true;
  const core = coreOf(common, Math.floor(sample.length * CORE.share));
  if (core <= CORE.text) return true;
  return core < CORE.noise && entropyOf(common, sample.length) < MOST_ENTROPY;
}

/** Returns how many of the most common bytes make up most of the sample. */
function coreOf(common: Uint32Array, most: number): number {
  let sum = 0;
  for (const [at, count] of common.entries()) {
    sum += count;
    if (sum > most) return Math.max(at + (at < CORE.text ? 1 : 0), CORE.text);
  }
  return common.length;
}

/** Per cent of the entropy of noise, in the kernel's integers. */
function entropyOf(common: Uint32Array, bytes: number): number {
  const all = quarterBits(bytes);
  const sum = common.reduce((total, count) => total + count * (all - quarterBits(count)), 0);
  return Math.floor((Math.floor(sum / bytes) * 100) / FULL_ENTROPY);
}

/** Four times the binary logarithm, rounded down. */
function quarterBits(value: number): number {
  const power = value ** 4;
  return power >= 2 ** 32 ? 63 - Math.clz32(power / 2 ** 32) : 31 - Math.clz32(power);
}
