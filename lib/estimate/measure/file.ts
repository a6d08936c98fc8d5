import type { Space } from '../result';
import { stretchBytes } from '../sample/draws';
import type { Found } from '../source/survey';
import { Further } from './further';
import { type FileLayout, POINTERS_PER_INDIRECT } from './geometry';
import type { Piece, PieceFigures } from './measure';

/** Bytes that a thread measures at a time; a multiple of every record size. */
const PIECE_BYTES = 16 * 2 ** 20;

/** The length of pieces: never across two first-level indirect blocks, to count each block's pointers. */
function pieceBytes(recordSizes: readonly number[]): number {
  const span = Math.min(...recordSizes) * POINTERS_PER_INDIRECT;
  return Math.max(Math.min(PIECE_BYTES, span), ...recordSizes);
}

/** Space of a file's blocks so far in one layout, and the pointers in each of its indirect blocks. */
interface LayoutSums {
  readonly allocator: FileLayout;
  blocks: number;
  readonly pointers: Map<number, number>;
}

/** A file being measured piece by piece. */
export class FileInWork {
  readonly #sums: readonly LayoutSums[];
  readonly #stretch: number;
  /** Measured and skipped stretches for all geometries but the first; without it everything is measured. */
  readonly further: Further | undefined;
  readonly #length: number;
  #next = 0;
  #open = 0;
  failure: string | undefined;

  constructor(
    readonly found: Found,
    allocators: readonly FileLayout[],
    /** The number of stretches that the next one represents. @default - all are measured in every geometry */
    readonly weightOf?: (bytes: number) => number,
  ) {
    const records = allocators.map(({ geometry }) => geometry.recordBytes);
    this.#length = pieceBytes(records);
    this.#stretch = stretchBytes(records);
    this.#skipHoles();
    this.further = weightOf && new Further(allocators.length);
    this.#sums = allocators.map((allocator) => ({ allocator, blocks: 0, pointers: new Map() }));
  }

  /** The next piece, or `undefined` if all have been handed out. */
  nextPiece(): Piece | undefined {
    if (this.allGiven) return undefined;
    const offset = this.#next;
    const { path, bytes } = this.found;
    const length = Math.min(this.#length, bytes - offset);
    this.#next += length;
    this.#skipHoles();
    this.#open += 1;
    const piece = { path, fileBytes: bytes, offset, length };
    return this.weightOf === undefined ? piece : { ...piece, weights: this.#weights(length, this.weightOf) };
  }

  #weights(length: number, weightOf: (bytes: number) => number): number[] {
    const count = Math.ceil(length / this.#stretch);
    return Array.from({ length: count }, (_, at) => weightOf(Math.min(this.#stretch, length - at * this.#stretch)));
  }

  #skipHoles(): void {
    const { bytes, data } = this.found;
    if (data === undefined) return;
    const next = data.find(([, until]) => until > this.#next);
    this.#next = next === undefined ? bytes : Math.max(this.#next, Math.floor(next[0] / this.#length) * this.#length);
  }

  get allGiven(): boolean {
    return this.failure !== undefined || this.#next >= this.found.bytes;
  }

  get done(): boolean {
    return this.allGiven && this.#open === 0;
  }

  add({ offset, length, weights }: Piece, outcome: readonly PieceFigures[] | string): void {
    this.#open -= 1;
    if (typeof outcome === 'string') {
      this.failure ??= outcome;
      return;
    }
    outcome.forEach(({ allocatedBytes, pointers }, index) => {
      const sum = this.#sums[index] as LayoutSums;
      sum.blocks += allocatedBytes;
      if (pointers === 0) return;
      const indirect = Math.floor(offset / sum.allocator.geometry.recordBytes / POINTERS_PER_INDIRECT);
      sum.pointers.set(indirect, (sum.pointers.get(indirect) ?? 0) + pointers);
    });
    if (weights === undefined || this.further === undefined) return;
    const { further } = this;
    const drawn = outcome.map((measured) => measured.drawn ?? []);
    further.add(weights, drawn);
    further.openBytes += (outcome[0]?.allocatedBytes ?? 0) - (drawn[0] ?? []).reduce((sum, bytes) => sum + bytes, 0);
    weights.forEach((weight, at) => {
      if (weight === 0) further.openLogicalBytes += Math.min(this.#stretch, length - at * this.#stretch);
    });
  }

  /** Space that `du` would report in each geometry; compressed, without the skipped stretches. */
  space(): Space {
    const { bytes, data } = this.found;
    return {
      allocatedBytes: this.#sums.map(({ allocator, blocks, pointers }) =>
        allocator.ofFile(bytes, blocks, [...pointers.values()]),
      ),
      uncompressedBytes: this.#sums.map(({ allocator }) => allocator.ofUncompressed(bytes, data)),
      unpaddedBytes: this.#sums.map(({ allocator }) => allocator.ofUnpadded(bytes, data)),
    };
  }
}
