import * as z from 'zod';
import { grouped } from '../../../common/format/units';
import { IN_BYTES, IN_MIB } from '../../../common/quantity';
import type { Action, Step } from '../../../schema/plan';
import { dd, type LoopPhase, loopOf } from '../../../workload/dd';
import { fio } from '../../../workload/fio';
import { fioCommand, fioSmallFilesCommand, INCOMPRESSIBLE } from '../../../workload/fio/command';
import { flag, numbers, whole } from '../../common/parameters';
import {
  DROP_CACHES,
  NEW_DIRECTORY,
  REMOVE_DATA,
  type StepOptions,
  stepsOf,
  takingTurns,
  type Unit,
} from '../../common/steps';
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

export const publishedDefaults = (scale: PlanScale) => ({ repeats: 1, smallBytes: 500_000, ...STUDY[scale] });

export const pairedDefaults = (scale: PlanScale) => ({ ...publishedDefaults(scale), ...PAIRED[scale] });

/** Bytes a second of all threads that plans suppose: what /dev/urandom gives one CPU, and about what the study's volumes sustain. */
const SUPPOSED_RATE = 150e6;
/** No phase is bounded by time: the amount is what the study fixed. */
const ANY_TIME = 172_800;

/** A step of a unit, without what all steps of the unit share. */
export type UnitWork = Pick<StepOptions, 'id' | 'phase' | 'action'> & Partial<StepOptions>;

/** Wraps work in a new directory and its removal. Arms take turns, rotated by repeat; removals run at once, since some take half a minute. */
export function unitOf(unit: Unit, work: readonly UnitWork[]): Step[] {
  const { arms, repeat } = unit;
  const made = stepsOf(unit);
  const steps = work.map(({ id, phase, action, ...own }) => made(id, phase, action, own));
  return [
    ...takingTurns([made('directory', 'prepare', NEW_DIRECTORY), ...steps], arms, repeat),
    made('remove', 'clean up', REMOVE_DATA),
  ];
}

export const EMPTY_CACHES: UnitWork = { id: 'drop-caches', phase: 'prepare', action: DROP_CACHES };

const seconds = (bytes: number): number => Math.max(1, Math.round(bytes / SUPPOSED_RATE));

/** `500kB`, as the study wrote it; plain bytes where that is not exact. */
const sizeWord = (bytes: number): string => (bytes % 1000 === 0 ? `${bytes / 1000}kB` : String(bytes));

/** The data, as the study's claims name them where they are the study's. */
function dataSet(parameters: StudyParameters): { large: string; small: string } {
  const { blockMiB, smallFiles, smallBytes } = parameters;
  const mebibytes = largeBytes(parameters) / 2 ** 20;
  const large = mebibytes % 1024 === 0 ? `${mebibytes / 1024} GiB` : `${mebibytes} MiB`;
  const size = smallBytes % 1000 === 0 ? `${smallBytes / 1000} kB` : `${smallBytes} B`;
  return { large: `${large} in blocks of ${blockMiB} MiB`, small: `${grouped(smallFiles)} files of ${size}` };
}

export const KINDS = ['large', 'small'] as const;
type Kind = (typeof KINDS)[number];

/** The study's loops as it ran them: what is read was just written, and no cache is dropped. */
export function loopWork(parameters: StudyParameters, threads: number, kind: Kind): UnitWork[] {
  const { largeBlocks, blockMiB, smallFiles, smallBytes } = parameters;
  const data = dataSet(parameters);
  const large = { count: largeBlocks, size: `${blockMiB}M`, fileBytes: largeBytes(parameters), pattern: data.large };
  const small = { count: smallFiles, size: sizeWord(smallBytes), fileBytes: smallBytes, pattern: data.small };
  const loop = (name: LoopPhase['loop'], operation: 'write' | 'create' | 'read'): UnitWork => {
    const { count, size, fileBytes, pattern } = name.includes('large') ? large : small;
    const action: Action = {
      kind: 'workload',
      tool: dd.id,
      operation,
      ranksPerClient: threads,
      pattern,
      items: name.includes('small') ? 'files' : undefined,
      ...loopOf({ loop: name, threads, count, size }),
    };
    const files = name.includes('large') ? 1 : count;
    const expectedSeconds = seconds(threads * files * fileBytes);
    return { id: name.replaceAll('_', '-'), phase: 'measure', action, fileBytes, threads, expectedSeconds };
  };
  return kind === 'large'
    ? [loop('create_large_file', 'write'), loop('read_large_file', 'read')]
    : [loop('create_small_files', 'create'), loop('read_small_files', 'read')];
}

/** The same amounts by fio, corrected: cheap, incompressible bytes, synced before the clock stops, read in large pieces with a cold cache. */
export function correctedWork(parameters: StudyParameters, threads: number, kind: Kind): UnitWork[] {
  const { smallFiles, smallBytes } = parameters;
  const [fileBytes, count] = kind === 'large' ? [largeBytes(parameters), 1] : [smallBytes, smallFiles];
  const move = (operation: 'write' | 'read'): UnitWork => {
    const phase = { operation, percent: INCOMPRESSIBLE.percent, processesPerClient: threads, direct: false };
    const command =
      kind === 'large'
        ? fioCommand({ ...phase, seconds: ANY_TIME, maxBytesPerProcess: fileBytes })
        : fioSmallFilesCommand({ ...phase, files: smallFiles, fileBytes });
    const own = { tool: fio.id, operation, command, ranksPerClient: threads, pattern: INCOMPRESSIBLE.id };
    const action: Action = { kind: 'workload', ...own };
    const expectedSeconds = seconds(threads * count * fileBytes);
    return { id: `${kind}-${operation}`, phase: 'measure', action, fileBytes, threads, expectedSeconds };
  };
  return [move('write'), { ...EMPTY_CACHES, id: `${kind}-drop-caches` }, move('read')];
}
