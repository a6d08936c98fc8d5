/**
 * Layout of files on Btrfs, measured on Linux 6.18 (test/fixtures/btrfs) and read in its source (fs/btrfs/inode.c, compress_file_range, and
 * lzo.c, zstd.c): extents of at most 128 KiB are compressed one by one and take whole sectors. Space is counted as by `compsize`.
 */
import { type FileLayout, roundUp } from '../measure/geometry';
import { type Extent, runsOf } from '../source/walk';

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
export const INLINE_BYTES = 2048;

export const CODECS = 'lzo or zstd:1 to zstd:15';
export const isCodec = (text: string): boolean => /^(?:lzo|zstd:(?:[1-9]|1[0-5]))$/.test(text);

const ofRaw = (bytes: number): number => roundUp(bytes, SECTOR_BYTES);

function ofUncompressed(fileBytes: number, data?: readonly Extent[]): number {
  if (data !== undefined) return runsOf(data, SECTOR_BYTES).reduce((sum, { count }) => sum + count * SECTOR_BYTES, 0);
  return fileBytes <= INLINE_BYTES ? fileBytes : ofRaw(fileBytes);
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
