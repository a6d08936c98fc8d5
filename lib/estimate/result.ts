import { entryOf, type Range } from '../common/collections';
import type { Raidz } from './measure/geometry';
import type { StoredOn } from './options';

/**
 * Figures of some files. `ratio` is logical bytes without holes ÷ allocated, `savings` the share of `uncompressedBytes` that compression saves: small files take more than
 * their content with and without it. `null` if there is nothing.
 */
export interface Figures {
  readonly files: number;
  readonly logicalBytes: number;
  /** `null` if a sample ended before anything was read. */
  readonly allocatedBytes: number | null;
  /** The space of the same files on the same file system with `compression=off`. */
  readonly uncompressedBytes: number;
  /** Bounds of the size without compression if it is not documented (`uncompressedAssumption`), and of `savings`. */
  readonly uncompressedInterval: Range<number>;
  readonly ratio: number | null;
  /** Why there is no ratio. @default - there is one */
  readonly ratioReason?: string | null;
  readonly savings: number | null;
  readonly savingsInterval: Range<number | null>;
}

export interface RatioInterval {
  readonly low: number | null;
  readonly high: number | null;
  /** 1 if everything was measured, and then `low` and `high` are the ratios of the record sizes; else 0.95. */
  readonly confidence: number;
}

export interface RecordBound extends Omit<Figures, 'files'> {
  readonly recordBytes: number;
  readonly interval: RatioInterval;
  /** The share of the bytes compressed in records of this size; the rest is inferred from file type and the first size. */
  readonly measuredShare: number;
}

/** Figures of a file type or a size class, with those for each record size in the order of `Estimate.bounds`. */
export interface Group extends Figures {
  /** Interval of `ratio`: of a sample, with the uncertainty of what was drawn. */
  readonly interval: RatioInterval;
  readonly bounds: readonly Omit<Figures, 'files' | 'logicalBytes'>[];
}

/** Something that was not measured, and why. */
export interface Unmeasured {
  readonly path: string;
  readonly reason: string;
}

/** `fsxbench.estimate/1`. Its figures are those of all files, at the first record size; `uncompressedInterval` is over all sizes, like `interval`. */
export interface Estimate extends Figures {
  readonly schema: 'fsxbench.estimate/1';
  readonly mode: 'full' | 'sample';
  /** False if it was stopped early: the figures cover only what was measured. */
  readonly complete: boolean;
  /** The assumption behind the figures, in a sentence. */
  readonly assumption: string;
  /** The record size of the figures here and in `byType`: the first of `bounds`. */
  readonly recordBytes: number;
  readonly sectorBytes: number;
  readonly raidz: Raidz | null;
  readonly on: StoredOn;
  /** `lz4`; of Btrfs `lzo`, `zstd:3` … */
  readonly codec: string;
  /** Objects of each file; `null` where it is not Lustre that stores it. */
  readonly stripeCount: number | null;
  /** Bytes of `logicalBytes` in holes of sparse files, as far as their file system counts blocks. Holes have no data to compress. */
  readonly holeBytes: number;
  /** Undocumented property of uncompressed files, in a sentence; `null` if both ends are equal. */
  readonly uncompressedAssumption: string | null;
  readonly ratioReason: string | null;
  readonly interval: RatioInterval;
  readonly bounds: readonly RecordBound[];
  readonly byType: readonly (Group & { readonly type: string })[];
  /** Types of which a sample drew too little for figures: they are not in `byType`. */
  readonly unsampledTypes: number;
  readonly bySize: readonly (Group & { readonly sizeClass: string })[];
  /** The first few; `unreadableFiles` counts all. */
  readonly unreadable: readonly Unmeasured[];
  readonly unreadableFiles: number;
  /** Devices, sockets, pipes, mount points; the first few. */
  readonly skipped: readonly Unmeasured[];
  readonly symbolicLinks: number;
  /** Additional hard links of files that were counted once. */
  readonly hardLinks: number;
  readonly bytesRead: number;
  readonly seconds: number;
  readonly perFile?: readonly FileFigures[];
}

/** One file, with `--files`. */
export interface FileFigures extends Omit<Figures, 'files' | 'savings' | 'savingsInterval'> {
  readonly path: string;
}

/** Sums over files, one figure of space for each record size. */
export interface Tally {
  files: number;
  logicalBytes: number;
  /** Of the logical bytes those in holes. */
  holeBytes: number;
  readonly allocatedBytes: number[];
  /** Without compression: the most and the least. */
  readonly uncompressedBytes: number[];
  readonly unpaddedBytes: number[];
  /** Half the width of the 95 % interval of `allocatedBytes`. @default - all was measured */
  readonly marginBytes?: readonly number[];
}

/** The space of some files, for each record size. */
export type Space = Pick<Readonly<Tally>, 'allocatedBytes' | 'uncompressedBytes' | 'unpaddedBytes'>;

export function emptyTally(records: number): Tally {
  const none = () => new Array<number>(records).fill(0);
  const [allocatedBytes, uncompressedBytes, unpaddedBytes] = [none(), none(), none()];
  return { files: 0, logicalBytes: 0, holeBytes: 0, allocatedBytes, uncompressedBytes, unpaddedBytes };
}

export function addToTally(tally: Tally, space: Readonly<Tally>): void {
  for (const sum of ['files', 'logicalBytes', 'holeBytes'] as const) tally[sum] += space[sum];
  for (const each of ['allocatedBytes', 'uncompressedBytes', 'unpaddedBytes'] as const)
    addEach(tally[each], space[each]);
}

export function addEach(sums: number[], figures: readonly number[]): void {
  figures.forEach((bytes, index) => {
    sums[index] = (sums[index] ?? 0) + bytes;
  });
}

/** The tally of a name, created on first use. */
export const tallyOf = (tallies: Map<string, Tally>, name: string, records: number): Tally =>
  entryOf(tallies, name, () => emptyTally(records));

/** Bytes without holes, which have no data to compress. */
export const dataOf = ({ logicalBytes, holeBytes }: Pick<Tally, 'logicalBytes' | 'holeBytes'>): number =>
  Math.max(0, logicalBytes - holeBytes);

/** LZ4 saves no more. */
const MOST_RATIO = 255;

/** The figures of a tally for one record size. Its allocation is NaN if unknown. */
export function figuresOf(tally: Tally, index: number): Omit<Figures, 'files' | 'logicalBytes'> {
  const { logicalBytes } = tally;
  const data = dataOf(tally);
  const allocated = tally.allocatedBytes[index] as number;
  const [low, high] = [tally.unpaddedBytes[index] as number, tally.uncompressedBytes[index] as number];
  // LZ4 may take a sector more than what is not even padded, and an extrapolation of what a sample left out more than either.
  const margin = tally.marginBytes?.[index] ?? 0;
  const savingsOf = (uncompressed: number, more = 0): number | null =>
    logicalBytes > 0 && allocated >= 0 && uncompressed > 0
      ? Math.min(1, Math.max(0, 1 - (allocated + more) / uncompressed))
      : null;
  const allocatedBytes = Number.isNaN(allocated) ? null : Math.round(allocated);
  return {
    allocatedBytes,
    uncompressedBytes: Math.round(high),
    uncompressedInterval: { low: Math.round(low), high: Math.round(high) },
    ...(data > 0 && allocated > 0
      ? { ratio: data / allocated }
      : { ratio: null, ratioReason: withoutRatio(tally, allocatedBytes) }),
    savings: savingsOf(high),
    savingsInterval: { low: savingsOf(low, margin), high: savingsOf(high, -margin) },
  };
}

/** The reason why some files have no ratio. @param stopped before all were measured */
export function withoutRatio(
  { files, logicalBytes }: Pick<Tally, 'files' | 'logicalBytes'>,
  allocatedBytes: number | null,
  stopped = false,
): string {
  if (files === 0) return stopped ? 'stopped before any file was measured' : 'no file was measured';
  const [are, take] = files === 1 ? ['the file is', 'the file takes'] : ['the files are', 'the files take'];
  if (logicalBytes === 0) return `${are} empty`;
  if (allocatedBytes !== null) return `${take} no space: only holes`;
  return stopped ? 'stopped before anything was read' : 'nothing could be read';
}

function intervalOf(tally: Tally, index: number): RatioInterval {
  const [data, allocated] = [dataOf(tally), tally.allocatedBytes[index] as number];
  const margin = tally.marginBytes?.[index];
  if (!(data > 0 && allocated > 0)) return { low: null, high: null, confidence: margin === undefined ? 1 : 0.95 };
  if (margin === undefined) return { low: data / allocated, high: data / allocated, confidence: 1 };
  const min = Math.max(allocated - margin, data / MOST_RATIO);
  return { low: data / (allocated + margin), high: data / min, confidence: 0.95 };
}

/** @param first the allocated figure to report; earlier ones were auxiliary */
export function groupOf(tally: Tally, first: number): Group {
  const bounds = tally.allocatedBytes.slice(first).map((_, index) => figuresOf(tally, first + index));
  return {
    files: tally.files,
    logicalBytes: tally.logicalBytes,
    ...(bounds[0] as Omit<Figures, 'files' | 'logicalBytes'>),
    interval: intervalOf(tally, first),
    bounds,
  };
}
