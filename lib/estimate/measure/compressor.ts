import { compressionLimit } from './geometry';
import wasm from './lz4.wasm.json';

/** Offset of the record in memory, above the tables. */
const DATA = 65_536;
const PAGE = 65_536;

/** Shorter blocks use a larger table (LZ4_64KLIMIT) and share nothing with longer ones. */
export const LEAST_ALIKE_BYTES = 65_547;

interface Exports {
  readonly memory: WebAssembly.Memory;
  isZero(at: number, length: number): number;
  compressedSize(at: number, length: number, limit: number): number;
  startLarge(at: number, length: number, limit: number): void;
  smallSize(at: number, length: number, limit: number): number;
  largeSize(): number;
}

/** Computes the exact LZ4 output size in OpenZFS 2.x, without writing it. The caller fills `buffer`, which is not copied, and passes its ranges. */
export class Compressor {
  readonly #exports: Exports;
  readonly buffer: Uint8Array;

  /** @param capacity bytes that `buffer` holds: the largest record */
  constructor(readonly capacity: number) {
    const module = new WebAssembly.Module(Buffer.from(wasm, 'base64'));
    this.#exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
    // One extra word, since whole words are read.
    const pages = Math.ceil((DATA + capacity + 16) / PAGE);
    this.#exports.memory.grow(pages - this.#exports.memory.buffer.byteLength / PAGE);
    this.buffer = new Uint8Array(this.#exports.memory.buffer, DATA, capacity);
  }

  /** True if `length` bytes of the buffer from `at` are zeros: such a block becomes a hole. Both are multiples of 8. */
  isZero(at: number, length: number): boolean {
    return this.#exports.isZero(DATA + at, length) === 1;
  }

  /** Compressed bytes of a block, without the length header; 0 if it does not save one eighth. */
  blockSize(at: number, length: number): number {
    return this.compressedSize(at, length, compressionLimit(length));
  }

  /** Compressed bytes of `length` bytes from `at`; 0 if they would exceed `limit`. */
  compressedSize(at: number, length: number, limit: number): number {
    return this.#exports.compressedSize(DATA + at, length, limit);
  }

  /** Starts a large block that is measured with its parts in one parse: call `smallBlockSize` for each part in order, then `largeBlockSize`. */
  startLargeBlock(at: number, length: number): void {
    this.#exports.startLarge(DATA + at, length, compressionLimit(length));
  }

  /** Like blockSize, for a part of the large block: at least LEAST_ALIKE_BYTES, and not beyond its end. */
  smallBlockSize(at: number, length: number): number {
    return this.#exports.smallSize(DATA + at, length, compressionLimit(length));
  }

  largeBlockSize(): number {
    return this.#exports.largeSize();
  }
}
