import type { Raidz } from './measure/geometry';

/** Input of an estimate and its settings. */
export interface EstimateOptions {
  /** Files, folders and `s3://bucket/prefix`. */
  readonly paths: readonly string[];
  /** Record sizes in bytes. @default - 128 KiB and 1 MiB, as bounds */
  readonly recordBytes?: readonly number[];
  /** @default 4096 */
  readonly sectorBytes?: number;
  /** @default - one disk, or mirrors seen as one */
  readonly raidz?: Raidz;
  /** File system that holds the files: FSx for Lustre's objects take more than ZFS's own files, which counts for small files. @default lustre */
  readonly on?: StoredOn;
  /** Compression of Btrfs mounted with `compress-force`: `lzo`, `zstd:1` to `zstd:15`. @default - none: the others have LZ4 */
  readonly codec?: string;
  /** Objects of each file on Lustre: `lfs setstripe -c`. @default 1 */
  readonly stripeCount?: number;
  /** Read a part only. @default - everything is read */
  readonly sample?: SampleOptions;
  /**
   * Compress every byte in records of every size. Otherwise larger sizes than the first are measured on a part of large trees, about 8 to
   * 35 % of the bytes drawn over all of each type, with an interval; that takes about two thirds of the time. @default false
   */
  readonly exact?: boolean;
  /** Keep a line for each file. Takes memory in proportion to their number. @default false */
  readonly perFile?: boolean;
  /** Threads that compress; 0 compresses in the caller's. @default - one for each core, at most 32 */
  readonly workers?: number;
  /** The bundled worker (bin/estimateWorker.ts). @default - next to the bundled command line; without it everything happens in one thread */
  readonly workerFile?: string;
  /** Stops early; the result then covers what was measured. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: EstimateProgress) => void;
}

/** File systems with LZ4 that an estimate can be made for; the first by default. */
export const LZ4_ON = ['lustre', 'zfs'] as const;
export const STORED_ON = [...LZ4_ON, 'btrfs'] as const;
export type StoredOn = (typeof STORED_ON)[number];

export const ON_WORDS = `${STORED_ON.slice(0, -1).join(', ')} or ${STORED_ON.at(-1)}`;

export interface SampleOptions {
  /** Share of the bytes that may be read; trees below about 100 MB need more. @default 0.042 */
  readonly share?: number;
  /** Seed of the draws: with the same seed the same records of a tree are read. @default 1 */
  readonly seed?: number;
}

export interface EstimateProgress {
  readonly filesListed: number;
  /** Their bytes; when sampling and the list is complete, the bytes that will be read. */
  readonly bytesListed: number;
  /** The list is complete: `bytesListed` is all there is to read. */
  readonly listed: boolean;
  readonly filesDone: number;
  readonly bytesDone: number;
  readonly seconds: number;
}

/** Seed of the random choice of parts, unless one is given. */
export const DEFAULT_SEED = 1;
/** The blog's measure, and what a choice of record size bounds it with. Amazon does not publish FSx's own. */
export const DEFAULT_RECORDS: readonly number[] = [131_072, 1_048_576];
export const DEFAULT_SECTOR = 4096;
export const DEFAULT_STRIPE_COUNT = 1;
/** Below the 5 % that a sample should cost at most. */
export const DEFAULT_SHARE = 0.042;
/** More threads than this only take memory: about 9 MB each. */
export const MOST_WORKERS = 256;
export const MOST_SEED = 2 ** 32 - 1;

/** @throws Error naming the option, its range and what was given */
export function checkWhole(name: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new Error(`'${name}' must be a whole number from 0 to ${max}, got ${value}`);
}
