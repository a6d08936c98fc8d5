import * as z from 'zod';
import { IN_BYTES, IN_MIB } from '../../../common/quantity';
import { flag, numbers, whole } from '../../common/parameters';
import type { PlanScale } from '../../plan';

/** Sizes used by the study's loops and by the corrected workloads. */
const sizes = {
  repeats: whole(1, 1000),
  /** Processes, each on its own files: the study's copies of a loop. */
  threads: numbers(z.int().min(1).max(512), 'whole numbers of threads from 1 to 512'),
  /** Blocks of the large file of each thread, and their size. */
  largeBlocks: whole(1, 1_000_000),
  blockMiB: whole(1, 1024, IN_MIB),
  /** Small files of each thread, and their size in bytes. */
  smallFiles: whole(1, 10_000_000),
  smallBytes: whole(1, 2 ** 30, IN_BYTES),
};

export const publishedParameters = z.strictObject(sizes);
export type StudyParameters = z.infer<typeof publishedParameters>;

export const pairedParameters = z.strictObject({
  ...sizes,
  /** The study's loops next to the corrected workloads. */
  loops: flag(),
  /** The open pipeline over generated reads; 0 reads leave it out. */
  pipelineReads: whole(0, 100_000_000),
});
export type StorageParameters = z.infer<typeof pairedParameters>;

/** Bytes written by one thread. */
export const largeBytes = ({ largeBlocks, blockMiB }: StudyParameters): number => largeBlocks * blockMiB * 2 ** 20;

/** The study: 100 GiB in blocks of 100 MiB, 100,000 files of 500 kB, 1, 4 and 8 threads, once. The lab's are a thousandth of it. */
const STUDY = {
  published: { threads: [1, 4, 8], largeBlocks: 1024, blockMiB: 100, smallFiles: 100_000 },
  smoke: { threads: [1, 4], largeBlocks: 10, blockMiB: 100, smallFiles: 1000 },
  lab: { threads: [1, 4], largeBlocks: 4, blockMiB: 8, smallFiles: 50 },
} satisfies Record<PlanScale, Partial<StudyParameters>>;

/** A tenth of the study's data. The corrected workloads repeat it until arms can be compared; the loops are left to `published`. */
const PAIRED = {
  published: { repeats: 3, largeBlocks: 200, smallFiles: 10_000, loops: false, pipelineReads: 10_000_000 },
  smoke: { repeats: 2, loops: true, pipelineReads: 100_000 },
  lab: { repeats: 3, loops: true, pipelineReads: 50_000 },
} satisfies Record<PlanScale, Partial<StorageParameters>>;

export const publishedDefaults = (scale: PlanScale): StudyParameters => ({
  repeats: 1,
  smallBytes: 500_000,
  ...STUDY[scale],
});

export const pairedDefaults = (scale: PlanScale): StorageParameters => ({
  ...publishedDefaults(scale),
  ...PAIRED[scale],
});
