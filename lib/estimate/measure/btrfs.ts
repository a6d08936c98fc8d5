/**
 * Layout of files on Btrfs, measured on Linux 6.18 (test/fixtures/btrfs) and read in its source (fs/btrfs/inode.c, compress_file_range, and
 * lzo.c, zstd.c): extents of at most 128 KiB are compressed one by one and take whole sectors. Space is counted as by `compsize`.
 */
import { type Extent, runsOf } from '../source/walk';
import { type FileLayout, roundUp } from './geometry';
import { fill, type Meter, type Piece } from './measure';

/** Compression of Btrfs, as in its mount option `compress-force`. */
export interface BtrfsGeometry {
  /** `lzo`, or `zstd:1` to `zstd:15`. */
  readonly codec: string;
}

/** BTRFS_MAX_UNCOMPRESSED. */
export const EXTENT_BYTES = 131_072;
/** Part of a file that one kernel thread compresses; once an extent saves nothing, the rest of the part stays uncompressed. */
export const PART_BYTES = 524_288;
export const SECTOR_BYTES = 4096;
/** Files up to this size, compressed or not, are stored in the metadata: btrfs(5), `max_inline`. */
const INLINE_BYTES = 2048;

export const CODECS = 'lzo or zstd:1 to zstd:15';
export const isCodec = (text: string): boolean => /^(?:lzo|zstd:(?:[1-9]|1[0-5]))$/.test(text);

/** Space of uncompressed bytes, which may be the whole file. */
const ofRaw = (bytes: number, whole = false): number =>
  whole && bytes <= INLINE_BYTES ? bytes : roundUp(bytes, SECTOR_BYTES);

function ofUncompressed(fileBytes: number, data?: readonly Extent[]): number {
  if (data !== undefined) return runsOf(data, SECTOR_BYTES).reduce((sum, { count }) => sum + count * SECTOR_BYTES, 0);
  return ofRaw(fileBytes, true);
}

export const BTRFS_LAYOUT: FileLayout = {
  geometry: { recordBytes: PART_BYTES },
  ofRaw,
  ofFile: (_, blockBytes) => blockBytes,
  ofUncompressed,
  ofUnpadded: ofUncompressed,
  // Inodes and pointers are not counted, as `compsize` does not.
  ofObjects: () => 0,
  ofFullPointers: () => 0,
};

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

/** Measures pieces as Btrfs stores files that are written from their beginning to their end. */
export async function btrfsMeter({ codec: name }: BtrfsGeometry): Promise<Meter> {
  const codec = await codecOf(name);
  const buffer = new Uint8Array(PART_BYTES);

  /** Space of a part of a file whose last bytes are padded with zeros to a sector, as in the page cache. */
  const partOf = (piece: Piece, length: number): number => {
    let bytes = 0;
    for (let at = 0; at < length; ) {
      const left = length - at;
      // The file is this one extent.
      const only = left === piece.fileBytes;
      const rest = bytes + ofRaw(left, only);
      // One sector saves nothing by itself, unless it goes inline.
      if (left <= SECTOR_BYTES && !only) return rest;
      const extent = Math.min(left, EXTENT_BYTES);
      const size = stored(codec, buffer, at, extent, only);
      if (size === null) return rest;
      bytes += size;
      at += extent;
    }
    return bytes;
  };

  return (piece, read) => {
    const { offset, length } = piece;
    let allocatedBytes = 0;
    for (let at = 0; at < length; at += PART_BYTES) {
      const bytes = Math.min(PART_BYTES, length - at);
      fill(buffer, offset + at, bytes, read);
      buffer.fill(0, bytes, roundUp(bytes, SECTOR_BYTES));
      allocatedBytes += partOf(piece, bytes);
    }
    return [{ allocatedBytes, pointers: 0 }];
  };
}

/** Space of a compressed extent; `null` if it saves no sector and the file is not inline. */
function stored(codec: Codec, data: Uint8Array, at: number, bytes: number, whole: boolean): number | null {
  const size = codec(data, at, bytes);
  if (size === null) return null;
  if (whole && bytes <= SECTOR_BYTES && size <= INLINE_BYTES) return size;
  const space = roundUp(size, SECTOR_BYTES);
  return space + SECTOR_BYTES > roundUp(bytes, SECTOR_BYTES) ? null : space;
}
