import { compressionLimit } from './geometry';
import { LZ4_WASM } from './lz4Wasm';

/** Where a record begins in the memory: above the tables. */
const DATA = 65_536;
const PAGE = 65_536;

/** Shorter blocks have a larger table (LZ4_64KLIMIT), and nothing in common with longer ones. */
export const LEAST_ALIKE_BYTES = 65_547;

interface Exports {
  readonly memory: WebAssembly.Memory;
  isZero(at: number, length: number): number;
  compressedSize(at: number, length: number, limit: number): number;
  startLarge(at: number, length: number, limit: number): void;
  smallSize(at: number, length: number, limit: number): number;
  largeSize(): number;
}

/**
 * The size of what OpenZFS's LZ4 writes, without an output: exactly that of OpenZFS 2.x for any input.
 * The caller fills `buffer` (no copy is made) and asks about parts of it.
 */
export class Compressor {
  readonly #exports: Exports;
  /** Where the data go. */
  readonly buffer: Uint8Array;

  /** @param capacity bytes that `buffer` holds: the largest record */
  constructor(readonly capacity: number) {
    const module = new WebAssembly.Module(Buffer.from(LZ4_WASM, 'base64'));
    this.#exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
    // A word more, since whole words are read.
    const pages = Math.ceil((DATA + capacity + 16) / PAGE);
    this.#exports.memory.grow(pages - this.#exports.memory.buffer.byteLength / PAGE);
    this.buffer = new Uint8Array(this.#exports.memory.buffer, DATA, capacity);
  }

  /** Whether `length` bytes of the buffer from `at` are zeros: such a block becomes a hole. Both are multiples of 8. */
  isZero(at: number, length: number): boolean {
    return this.#exports.isZero(DATA + at, length) === 1;
  }

  /** Bytes that LZ4 makes of a block, without the length before them; 0 when it does not save one eighth. */
  blockSize(at: number, length: number): number {
    return this.compressedSize(at, length, compressionLimit(length));
  }

  /** Bytes that LZ4 makes of `length` bytes from `at`; 0 when it gives up because they exceed `limit`. */
  compressedSize(at: number, length: number, limit: number): number {
    return this.#exports.compressedSize(DATA + at, length, limit);
  }

  /**
   * Begins a large block whose parts are to be measured too, which takes less time together: the two go through much of the data alike.
   * Then `smallBlockSize` of its parts, in their order, and last `largeBlockSize`.
   */
  startLargeBlock(at: number, length: number): void {
    this.#exports.startLarge(DATA + at, length, compressionLimit(length));
  }

  /** As blockSize, of a part of the large block: of LEAST_ALIKE_BYTES or more, and not beyond its end. */
  smallBlockSize(at: number, length: number): number {
    return this.#exports.smallSize(DATA + at, length, compressionLimit(length));
  }

  /** As blockSize, of the large block. */
  largeBlockSize(): number {
    return this.#exports.largeSize();
  }
}
