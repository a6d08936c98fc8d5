/**
 * How OpenZFS lays records out on disks, measured on OpenZFS 2.1 and read in its source (zio_compress.c, zio.c, vdev_raidz.c): records,
 * holes, the one-eighth rule, embedded blocks, sectors, RAID-Z parity with its deflation, indirect blocks and the dnode.
 */

/** Disks of a RAID-Z group and how many of them hold parity. */
export interface Raidz {
  readonly disks: number;
  readonly parity: number;
}

/** The layout that an estimate assumes. Amazon does not publish FSx's. */
export interface Geometry {
  /** Largest block of a file: a power of two from 512 B to 16 MiB. */
  readonly recordBytes: number;
  /** Smallest unit of allocation: a power of two from 512 B to 16 KiB (ashift 9 to 14). */
  readonly sectorBytes: number;
  /** @default - one disk, or mirrors seen as one */
  readonly raidz?: Raidz;
}

/** What a file takes besides its blocks: the dnode, counted at its smallest size. */
export const DNODE_BYTES = 512;
/** A compressed block up to this size lives inside its block pointer (BPE_PAYLOAD_SIZE). */
const EMBEDDED_BYTES = 112;
/** A file's blocks are multiples of this (SPA_MINBLOCKSIZE). */
const UNIT_BYTES = 512;
/** Block pointers of an indirect block of 128 KiB. */
export const POINTERS_PER_INDIRECT = 1024;
/** LZ4's output is preceded by its length. */
const LZ4_HEADER_BYTES = 4;
/** The raw block that deflation is calibrated with (vdev_set_deflate_ratio). */
const DEFLATION_BYTES = 131_072;

/** @throws Error naming the property, its range and what was given */
export function checkGeometry(geometry: Geometry): Geometry {
  const { recordBytes, sectorBytes, raidz } = geometry;
  checkPower('record', recordBytes, 512, 2 ** 24, 'a power of two from 512 to 16M');
  checkPower('sector', sectorBytes, 512, 2 ** 14, 'a power of two from 512 to 16K');
  if (raidz !== undefined) {
    const { disks, parity } = raidz;
    if (!Number.isInteger(parity) || parity < 1 || parity > 3)
      throw new Error(`'raidz' parity must be 1, 2 or 3, got ${parity}`);
    if (!Number.isInteger(disks) || disks <= parity || disks > 255)
      throw new Error(`'raidz' disks must be more than the parity of ${parity} and at most 255, got ${disks}`);
  }
  return geometry;
}

function checkPower(name: string, value: number, low: number, high: number, range: string): void {
  if (!Number.isInteger(Math.log2(value)) || value < low || value > high)
    throw new Error(`'${name}' must be ${range}, got ${value}`);
}

/** The most that LZ4 may write for a block of `blockBytes`: a block must save one eighth, its header included. */
export function compressionLimit(blockBytes: number): number {
  return blockBytes - Math.floor(blockBytes / 8) - LZ4_HEADER_BYTES;
}

/** How a file of this size is cut: into one block of a multiple of 512 bytes, or into whole records. */
export function blocksOf(fileBytes: number, recordBytes: number): { count: number; blockBytes: number } {
  if (fileBytes > recordBytes) return { count: Math.ceil(fileBytes / recordBytes), blockBytes: recordBytes };
  return { count: fileBytes === 0 ? 0 : 1, blockBytes: roundUp(fileBytes, UNIT_BYTES) };
}

/** What blocks take, for one geometry. */
export class Allocator {
  readonly #sector: number;
  readonly #raidz: Raidz | undefined;
  /** Bytes reported for each allocated unit of 512: less than 512 where parity is taken out again. */
  readonly #deflation: number;

  constructor(readonly geometry: Geometry) {
    const { sectorBytes, raidz } = checkGeometry(geometry);
    this.#sector = sectorBytes;
    this.#raidz = raidz;
    this.#deflation = Math.floor(DEFLATION_BYTES / (this.#onDisk(DEFLATION_BYTES) / UNIT_BYTES));
  }

  /**
   * Bytes that `du` reports for a block.
   * @param blockBytes its size before compression
   * @param lz4Bytes what LZ4 made of it, 0 when that was too much
   */
  ofBlock(blockBytes: number, lz4Bytes: number): number {
    if (lz4Bytes === 0) return this.ofRaw(blockBytes);
    const compressed = lz4Bytes + LZ4_HEADER_BYTES;
    if (compressed <= EMBEDDED_BYTES) return 0;
    return this.ofRaw(Math.min(blockBytes, roundUp(compressed, this.#sector)));
  }

  /** Bytes that `du` reports for a block that is kept as it is. */
  ofRaw(bytes: number): number {
    return (this.#onDisk(bytes) / UNIT_BYTES) * this.#deflation;
  }

  /**
   * Bytes that `du` reports for a whole file: whole units of 512, rounded to the nearest, and its dnode (dmu_object_size_from_db).
   * @param blockBytes what its blocks take; pointersOf and blockCount as for ofIndirect
   */
  ofFile(blockBytes: number, pointersOf: readonly number[], blockCount: number): number {
    const used = blockBytes + this.ofIndirect(pointersOf, blockCount);
    return Math.floor((used + UNIT_BYTES / 2) / UNIT_BYTES) * UNIT_BYTES + DNODE_BYTES;
  }

  /**
   * Bytes of a file's indirect blocks.
   * @param pointersOf of each first-level indirect block that points to anything: to how many blocks
   * @param blockCount blocks of the file, holes included
   */
  ofIndirect(pointersOf: readonly number[], blockCount: number): number {
    if (blockCount <= 1 || pointersOf.length === 0) return 0;
    let bytes = 0;
    let level = pointersOf;
    for (
      let count = Math.ceil(blockCount / POINTERS_PER_INDIRECT);
      ;
      count = Math.ceil(count / POINTERS_PER_INDIRECT)
    ) {
      for (const pointers of level) bytes += this.#ofIndirectBlock(pointers);
      if (count <= 1) return bytes;
      const above: number[] = [];
      for (let at = 0; at < level.length; at += POINTERS_PER_INDIRECT)
        above.push(Math.min(POINTERS_PER_INDIRECT, level.length - at));
      level = above;
    }
  }

  /** As ofIndirect, of a file without holes. */
  ofFullIndirect(blockCount: number): number {
    const full = Math.floor(blockCount / POINTERS_PER_INDIRECT);
    const rest = blockCount % POINTERS_PER_INDIRECT;
    if (full > 64) {
      // A very long file: all but the last are alike.
      const above = this.ofFullIndirect(Math.ceil(blockCount / POINTERS_PER_INDIRECT));
      return full * this.#ofIndirectBlock(POINTERS_PER_INDIRECT) + (rest > 0 ? this.#ofIndirectBlock(rest) : 0) + above;
    }
    const pointersOf = new Array<number>(full).fill(POINTERS_PER_INDIRECT);
    return this.ofIndirect(rest > 0 ? [...pointersOf, rest] : pointersOf, blockCount);
  }

  /**
   * Metadata is compressed and stored twice. The size is that of an indirect block with made-up offsets and checksums under the same
   * LZ4: the zeros after the pointers need one byte in 255, and of a pointer's 128 bytes about 46 are left.
   */
  #ofIndirectBlock(pointers: number): number {
    return 2 * this.ofRaw(roundUp(550 + 46 * pointers, this.#sector));
  }

  #onDisk(bytes: number): number {
    const sectors = Math.ceil(bytes / this.#sector);
    if (this.#raidz === undefined) return sectors * this.#sector;
    const { disks, parity } = this.#raidz;
    const all = sectors + parity * Math.ceil(sectors / (disks - parity));
    return roundUp(all, parity + 1) * this.#sector;
  }
}

export function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}
