import { roundUp } from '../measure/geometry';
import { fill, type Meter, type Piece, type PieceFigures, type Read } from '../measure/measure';
import { type BtrfsGeometry, EXTENT_BYTES, INLINE_BYTES, PART_BYTES, RANGE_BYTES, SECTOR_BYTES } from './layout';

/**
 * The size of LZO1X-1's output, which is all that an estimate needs: nothing is written. The parse is that of Linux (lib/lzo), of which other
 * implementations differ in the last bytes. Btrfs compresses one sector at a time, so matches reach back 4 KiB at most.
 * Format: https://docs.kernel.org/staging/lzo.html
 */

const HASH_BITS = 13;
const HASH_FACTOR = 0x1824429d;
/** The last bytes are literals: a match never begins in them. */
const TAIL_BYTES = 20;
const LEAST_MATCH = 4;
/** A match up to this length and offset takes two bytes. */
const SHORT_MATCH = 8;
const SHORT_OFFSET = 0x800;
/** A longer one takes three, up to this length, and more above it. */
const LONG_MATCH = 33;
const END_BYTES = 3;
/** Literals up to this number are announced in the match before them, or in one byte. */
const FREE_LITERALS = 3;
const BYTE_LITERALS = 18;
/** The first literals of a block without any match have their own form. */
const LEADING_LITERALS = 238;

/** Reused: each call overwrites the entries that it reads. */
const table = new Uint16Array(2 ** HASH_BITS);

/** Bytes of LZO1X-1's output for `length` bytes from `from`, at most 4096. */
function lzoSize(data: Uint8Array, from: number, length: number): number {
  if (length <= TAIL_BYTES) return ending(length, 0);
  table.fill(0);
  const words = new DataView(data.buffer, data.byteOffset + from, length);
  const end = length - TAIL_BYTES;
  let size = 0;
  // The first literal that is not part of a match yet.
  let open = 0;
  let at = LEAST_MATCH;
  for (at += 1 + ((at - open) >> 5); at < end; ) {
    const word = words.getUint32(at, true);
    const slot = Math.imul(word, HASH_FACTOR) >>> (32 - HASH_BITS);
    const match = table[slot] as number;
    table[slot] = at;
    if (word !== words.getUint32(match, true)) {
      at += 1 + ((at - open) >> 5);
      continue;
    }
    size += literals(at - open);
    const matched = matchLength(data, from + match, from + at, from + end);
    size += matchSize(matched, at - match);
    at += matched;
    open = at;
  }
  return size + ending(length - open, size);
}

/** Number of equal bytes from two positions on; compared eight at a time, so a match near the end may reach beyond `end`. */
function matchLength(data: Uint8Array, match: number, at: number, end: number): number {
  let length = LEAST_MATCH;
  for (;;) {
    for (let byte = 0; byte < 8; byte += 1)
      if (data[match + length + byte] !== data[at + length + byte]) return length + byte;
    length += 8;
    if (at + length >= end) return length;
  }
}

function matchSize(length: number, offset: number): number {
  if (length <= SHORT_MATCH && offset <= SHORT_OFFSET) return 2;
  return length <= LONG_MATCH ? 3 : 3 + lengthBytes(length - LONG_MATCH);
}

/** Bytes of literals and of their length. */
function literals(count: number): number {
  if (count <= FREE_LITERALS) return count;
  return count <= BYTE_LITERALS ? count + 1 : count + 1 + lengthBytes(count - BYTE_LITERALS);
}

function ending(count: number, written: number): number {
  const leading = written === 0 && count > 0 && count <= LEADING_LITERALS;
  return (leading ? count + 1 : literals(count)) + END_BYTES;
}

/** A length continues for as long as a byte of 255 is not enough. */
const lengthBytes = (length: number): number => Math.ceil(length / 255);

/** Bytes that an extent compresses to; `null` where the kernel gives up while it writes. */
type Codec = (data: Uint8Array, from: number, length: number) => number | null;

/** Bytes of the header of the whole extent, and of that of each sector in it. */
const LZO_HEADER_BYTES = 4;
/** Sectors after which the kernel checks whether anything is saved. */
const LZO_TRIAL_SECTORS = 2;

/** The module has one memory: loaded twice, it would compress what the first one was given. */
let loaded: ReturnType<typeof loadZstd> | undefined;

async function loadZstd() {
  const { init, compress } = await import('@bokuweb/zstd-wasm');
  await init();
  return compress;
}

/** @param name as the mount option has it */
async function codecOf(name: string): Promise<Codec> {
  if (name === 'lzo') return lzo;
  loaded ??= loadZstd();
  const compress = await loaded;
  const level = Number(name.replace('zstd:', ''));
  return (data, from, length) => {
    const size = compress(data.subarray(from, from + length), level).length;
    return size < length ? size : null;
  };
}

/** Size of an extent: sectors are compressed one by one, each behind its length, which never crosses a sector of the output. */
function lzo(data: Uint8Array, from: number, length: number): number | null {
  let size = LZO_HEADER_BYTES;
  for (let at = 0; at < length; at += SECTOR_BYTES) {
    const bytes = Math.min(SECTOR_BYTES, length - at);
    size += LZO_HEADER_BYTES + lzoSize(data, from + at, bytes);
    if (at + bytes > LZO_TRIAL_SECTORS * SECTOR_BYTES && size > at + bytes) return null;
    const left = (SECTOR_BYTES - (size % SECTOR_BYTES)) % SECTOR_BYTES;
    if (left < LZO_HEADER_BYTES && at + bytes < length) size += left;
  }
  return size;
}

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

/** Space of a compressed extent; `null` if it saves no sector and the file is not inline. */
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
