import { chunks } from '../../common/collections';
import { DEFAULT_RECORDS, DEFAULT_SECTOR, DEFAULT_STRIPE_COUNT } from '../options';
import { type Extent, runsOf } from '../source/walk';

/**
 * Layout of records on OpenZFS disks, measured on OpenZFS 2.1 and read in its source (zio_compress.c, zio.c, vdev_raidz.c): records, holes,
 * the one-eighth rule, embedded blocks, sectors, RAID-Z parity with its deflation, indirect blocks and the dnode.
 */

/** Disks of a RAID-Z group and how many of them hold parity. */
export interface Raidz {
  readonly disks: number;
  readonly parity: number;
}

/** The layout that an estimate assumes. */
export interface Geometry {
  /** Largest block of a file: a power of two from 512 B to 16 MiB. */
  readonly recordBytes: number;
  /** Smallest unit of allocation: a power of two from 512 B to 16 KiB (ashift 9 to 14). */
  readonly sectorBytes: number;
  /** @default - one disk, or mirrors seen as one */
  readonly raidz?: Raidz;
  /** Objects of each file where Lustre stores it on ZFS. @default - ZFS itself holds the file, as one object */
  readonly stripeCount?: number;
}

/** Space of an object besides its blocks: the dnode, counted at its smallest size. */
const DNODE_BYTES = 512;
/**
 * Lustre stores metadata with each object that has data, in a separate block that ZFS, as with all metadata, stores twice. With the dnode
 * an object takes 8,704 bytes besides its blocks on 4 KiB sectors and 1,536 on 512-byte sectors; one without data takes only the
 * dnode. Measured by `du` on two Lustre 2.15.8 over OpenZFS 2.1.11 (test/fixtures/lustre/small-files-du.out, du-B1-lz4.out).
 */
const OBJECT_BYTES = 512;
/** Lustre's default stripe size: bytes written to one object before the next (lfs-setstripe(1), -S). */
const STRIPE_BYTES = 2 ** 20;
/** The most objects of a file (lfs-setstripe(1), -c). */
export const MOST_STRIPES = 2000;
/** A compressed block up to this size is embedded in its block pointer (BPE_PAYLOAD_SIZE). */
const EMBEDDED_BYTES = 112;
/** A file's blocks are multiples of this (SPA_MINBLOCKSIZE). */
const UNIT_BYTES = 512;
/** The least block of a Lustre object, a page (lustre/osd-zfs/osd_object.c). */
const PAGE_BYTES = 4096;
/** Block pointers of an indirect block of 128 KiB. */
export const POINTERS_PER_INDIRECT = 1024;
/** LZ4's output is preceded by its length. */
const LZ4_HEADER_BYTES = 4;
/** The raw block that deflation is calibrated with (vdev_set_deflate_ratio). */
const DEFLATION_BYTES = 131_072;

/** @throws Error naming the property, its range and what was given */
function checkGeometry({ recordBytes, sectorBytes, raidz, stripeCount = 1 }: Geometry): void {
  checkPower('record', recordBytes, 2 ** 24, '16M');
  checkPower('sector', sectorBytes, 2 ** 14, '16K');
  if (!Number.isInteger(stripeCount) || stripeCount < 1 || stripeCount > MOST_STRIPES)
    throw new Error(`'stripe-count' must be a whole number from 1 to ${MOST_STRIPES}, got ${stripeCount}`);
  if (raidz !== undefined) {
    const { disks, parity } = raidz;
    if (!Number.isInteger(parity) || parity < 1 || parity > 3)
      throw new Error(`'raidz' parity must be 1, 2 or 3, got ${parity}`);
    if (!Number.isInteger(disks) || disks <= parity || disks > 255)
      throw new Error(`'raidz' disks must be more than the parity of ${parity} and at most 255, got ${disks}`);
  }
}

function checkPower(name: string, value: number, max: number, inWords: string): void {
  if (!Number.isInteger(Math.log2(value)) || value < 512 || value > max)
    throw new Error(`'${name}' must be a power of two from 512 to ${inWords}, got ${value}`);
}

/** The most that LZ4 may write for a block of `blockBytes`: it must save one eighth, including its header. */
export const compressionLimit = (blockBytes: number): number =>
  blockBytes - Math.floor(blockBytes / 8) - LZ4_HEADER_BYTES;

/**
 * Splits a file of this size into whole records, or into one block. In a plain ZFS file, that block is a multiple of 512 bytes. In a Lustre object,
 * it grows by powers of two (lustre/osd-zfs/osd_io.c, osd_grow_blocksize), and the zeros behind the data are stored unless compressed.
 */
export function blocksOf(
  fileBytes: number,
  { recordBytes, stripeCount }: Pick<Geometry, 'recordBytes' | 'stripeCount'>,
): { count: number; blockBytes: number } {
  if (fileBytes > recordBytes) return { count: Math.ceil(fileBytes / recordBytes), blockBytes: recordBytes };
  const grown = Math.min(recordBytes, Math.max(PAGE_BYTES, 2 ** Math.ceil(Math.log2(fileBytes))));
  return {
    count: fileBytes === 0 ? 0 : 1,
    blockBytes: stripeCount === undefined ? roundUp(fileBytes, UNIT_BYTES) : grown,
  };
}

/** Computes the space that blocks take, for one geometry. */
export class Allocator implements FileLayout {
  /** Bytes reported for each allocated unit of 512: less than 512 if parity is deflated. */
  readonly #deflation: number;
  /** Space of what Lustre keeps with an object that has data. */
  readonly #attributes: number;

  constructor(readonly geometry: Geometry) {
    checkGeometry(geometry);
    this.#deflation = Math.floor(DEFLATION_BYTES / (this.#onDisk(DEFLATION_BYTES) / UNIT_BYTES));
    this.#attributes =
      geometry.stripeCount === undefined ? 0 : 2 * this.ofRaw(roundUp(OBJECT_BYTES, geometry.sectorBytes));
  }

  /** Bytes that `du` reports for a block. @param blockBytes before compression @param lz4Bytes after it, 0 if stored uncompressed */
  ofBlock(blockBytes: number, lz4Bytes: number): number {
    if (lz4Bytes === 0) return this.ofRaw(blockBytes);
    const compressed = lz4Bytes + LZ4_HEADER_BYTES;
    if (compressed <= EMBEDDED_BYTES) return 0;
    return this.ofRaw(Math.min(blockBytes, roundUp(compressed, this.geometry.sectorBytes)));
  }

  ofRaw(bytes: number): number {
    return (this.#onDisk(bytes) / UNIT_BYTES) * this.#deflation;
  }

  /**
   * Bytes that `du` reports for a whole file: units of 512, rounded to the nearest (dmu_object_size_from_db).
   * @param fileBytes its size, holes included @param blockBytes allocation of its blocks @param pointersOf as for ofIndirect, of one object
   */
  ofFile(fileBytes: number, blockBytes: number, pointersOf: readonly number[]): number {
    const { count } = blocksOf(fileBytes, this.geometry);
    const objects = this.#objectsWithData(fileBytes);
    const pointers =
      objects > 1
        ? objects * this.ofIndirect(evenly(pointersOf, objects), Math.ceil(count / objects))
        : this.ofIndirect(pointersOf, count);
    return wholeUnits(blockBytes + pointers + this.ofObjects(fileBytes));
  }

  /** Bytes that `du` reports for a file with `compression=off`: whole blocks, with the zeros behind its end. @param data its extents with data */
  ofUncompressed(fileBytes: number, data?: readonly Extent[]): number {
    return this.#ofWhole(fileBytes, data, true);
  }

  /** Like ofUncompressed, without the zeros behind the end of a Lustre object. */
  ofUnpadded(fileBytes: number, data?: readonly Extent[]): number {
    return this.#ofWhole(fileBytes, data, this.geometry.stripeCount === undefined);
  }

  #ofWhole(fileBytes: number, data: readonly Extent[] | undefined, padded: boolean): number {
    if (data?.length === 0) return wholeUnits(this.ofObjects(fileBytes));
    if (data !== undefined && blocksOf(fileBytes, this.geometry).count > 1)
      return this.#ofSparse(fileBytes, data, padded);
    const { stripeCount = 1 } = this.geometry;
    // Most often; millions of files need no list.
    if (stripeCount === 1) return this.#ofObject(fileBytes, padded);
    const stripes = Math.floor(fileBytes / STRIPE_BYTES);
    const each = Math.floor(stripes / stripeCount) * STRIPE_BYTES;
    const longer = stripes % stripeCount;
    return (
      longer * this.#ofObject(each + STRIPE_BYTES, padded) +
      this.#ofObject(each + (fileBytes % STRIPE_BYTES), padded) +
      (stripeCount - longer - 1) * this.#ofObject(each, padded)
    );
  }

  /** Space of the blocks that hold data, and of the pointers to them. */
  #ofSparse(fileBytes: number, data: readonly Extent[], padded: boolean): number {
    const { count, blockBytes } = blocksOf(fileBytes, this.geometry);
    const pointersOf = new Map<number, number>();
    let [blocks, endsInData] = [0, false];
    for (const { first, count: run } of runsOf(data, blockBytes)) {
      blocks += run;
      endsInData = first + run === count;
      for (let at = first; at < first + run; ) {
        const indirect = Math.floor(at / POINTERS_PER_INDIRECT);
        const end = Math.min(first + run, (indirect + 1) * POINTERS_PER_INDIRECT);
        pointersOf.set(indirect, (pointersOf.get(indirect) ?? 0) + end - at);
        at = end;
      }
    }
    const lastBytes = fileBytes - (count - 1) * blockBytes;
    const unpadded = endsInData && !padded ? this.ofRaw(blockBytes) - this.ofRaw(lastBytes) : 0;
    return this.ofFile(fileBytes, blocks * this.ofRaw(blockBytes) - unpadded, [...pointersOf.values()]);
  }

  /** Space of an object without holes. @param padded with the zeros behind its end */
  #ofObject(bytes: number, padded: boolean): number {
    const { count, blockBytes } = blocksOf(bytes, this.geometry);
    if (count === 0) return DNODE_BYTES;
    const lastBytes = padded ? blockBytes : bytes - (count - 1) * blockBytes;
    const blocks = (count - 1) * this.ofRaw(blockBytes) + this.ofRaw(lastBytes);
    return wholeUnits(blocks + this.ofFullIndirect(count) + this.#attributes + DNODE_BYTES);
  }

  /** Space of a file's objects, independent of its blocks. @param fileBytes its size, holes included */
  ofObjects(fileBytes: number): number {
    return (this.geometry.stripeCount ?? 1) * DNODE_BYTES + this.#objectsWithData(fileBytes) * this.#attributes;
  }

  /** Space of the pointers to the blocks of a file without holes. */
  ofFullPointers(fileBytes: number): number {
    const { count } = blocksOf(fileBytes, this.geometry);
    const objects = Math.max(1, this.#objectsWithData(fileBytes));
    return objects * this.ofFullIndirect(Math.ceil(count / objects));
  }

  #objectsWithData(fileBytes: number): number {
    return Math.min(this.geometry.stripeCount ?? 1, Math.ceil(fileBytes / STRIPE_BYTES));
  }

  /** Bytes of a file's indirect blocks. @param pointersOf blocks of each non-empty first-level one @param blockCount of the file, holes included */
  ofIndirect(pointersOf: readonly number[], blockCount: number): number {
    if (blockCount <= 1 || pointersOf.length === 0) return 0;
    const bytes = pointersOf.reduce((sum, pointers) => sum + this.#ofIndirectBlock(pointers), 0);
    const above = chunks(pointersOf, POINTERS_PER_INDIRECT).map(({ length }) => length);
    return bytes + this.ofIndirect(above, Math.ceil(blockCount / POINTERS_PER_INDIRECT));
  }

  /** Like ofIndirect, for a file without holes. */
  ofFullIndirect(blockCount: number): number {
    if (blockCount <= 1) return 0;
    // All but the last are full.
    const full = Math.floor(blockCount / POINTERS_PER_INDIRECT) * this.#ofIndirectBlock(POINTERS_PER_INDIRECT);
    const rest = blockCount % POINTERS_PER_INDIRECT;
    const above = this.ofFullIndirect(Math.ceil(blockCount / POINTERS_PER_INDIRECT));
    return full + (rest > 0 ? this.#ofIndirectBlock(rest) : 0) + above;
  }

  /**
   * Metadata is compressed and stored twice. The size was measured with the same LZ4 on indirect blocks with synthetic offsets and
   * checksums: the zeros after the pointers need one byte in 255, and a pointer's 128 bytes shrink to about 46.
   */
  #ofIndirectBlock(pointers: number): number {
    return 2 * this.ofRaw(roundUp(550 + 46 * pointers, this.geometry.sectorBytes));
  }

  #onDisk(bytes: number): number {
    const { sectorBytes, raidz } = this.geometry;
    const sectors = Math.ceil(bytes / sectorBytes);
    if (raidz === undefined) return sectors * sectorBytes;
    const { disks, parity } = raidz;
    return roundUp(sectors + parity * Math.ceil(sectors / (disks - parity)), parity + 1) * sectorBytes;
  }
}

/** The pointers of one of several objects, assumed to be equal; in first-level indirect blocks. */
function evenly(pointersOf: readonly number[], objects: number): number[] {
  const pointers = Math.ceil(pointersOf.reduce((sum, each) => sum + each, 0) / objects);
  return Array.from({ length: Math.ceil(pointers / POINTERS_PER_INDIRECT) }, (_, at) =>
    Math.min(POINTERS_PER_INDIRECT, pointers - at * POINTERS_PER_INDIRECT),
  );
}

/** Rounded to the nearest unit, as `du` reports it. */
const wholeUnits = (bytes: number): number => Math.floor((bytes + UNIT_BYTES / 2) / UNIT_BYTES) * UNIT_BYTES;

export const roundUp = (value: number, unit: number): number => Math.ceil(value / unit) * unit;

/** The layout of files on a file system, as the scans and samples ask for it. */
export interface FileLayout {
  /** The largest run of a file's bytes that is stored by itself. */
  readonly geometry: Pick<Geometry, 'recordBytes' | 'stripeCount'>;
  ofRaw(bytes: number): number;
  /** @param blockBytes space of its blocks @param pointersOf number of blocks behind each first-level indirect block */
  ofFile(fileBytes: number, blockBytes: number, pointersOf: readonly number[]): number;
  /** @param data extents with data: holes use no space. @default - the whole file */
  ofUncompressed(fileBytes: number, data?: readonly Extent[]): number;
  /** The least space of an uncompressed file whose padding is unknown. */
  ofUnpadded(fileBytes: number, data?: readonly Extent[]): number;
  /** Space of a file, independent of its content. */
  ofObjects(fileBytes: number): number;
  /** Space of the pointers to the blocks of a file without holes. */
  ofFullPointers(fileBytes: number): number;
}

/** Bytes on the storage for each byte of the files, with compression and without. */
export interface Taken {
  readonly uncompressed: number;
  readonly compressed: number;
}

/** Space on Lustre of files that all have one size, as an estimate of such files would count it. @param ratio of their content */
export function takenBySize(fileBytes: number, ratio = 1): Taken {
  const recordBytes = Math.min(...DEFAULT_RECORDS);
  const allocator = new Allocator({ recordBytes, sectorBytes: DEFAULT_SECTOR, stripeCount: DEFAULT_STRIPE_COUNT });
  const { count, blockBytes } = blocksOf(fileBytes, allocator.geometry);
  const ofBlock = (content: number): number => {
    const compressed = Math.ceil(content / ratio);
    return allocator.ofBlock(blockBytes, compressed > compressionLimit(blockBytes) ? 0 : compressed);
  };
  const blocks = (count - 1) * ofBlock(blockBytes) + ofBlock(fileBytes - (count - 1) * blockBytes);
  const compressed = blocks + allocator.ofFullPointers(fileBytes) + allocator.ofObjects(fileBytes);
  return { uncompressed: allocator.ofUncompressed(fileBytes) / fileBytes, compressed: compressed / fileBytes };
}
