import { grouped } from '../../../common/format/units';
import type { Action, PlanArm, Step } from '../../../schema/plan';
import { dd, type LoopPhase, loopOf } from '../../../workload/dd';
import { fio } from '../../../workload/fio';
import { fioCommand, fioSmallFilesCommand, INCOMPRESSIBLE } from '../../../workload/fio/command';
import { DROP_CACHES, NEW_DIRECTORY, REMOVE_DATA, type StepOptions, stepsOf, takingTurns } from '../../common/steps';
import { largeBytes, type StudyParameters } from './parameters';

/** Bytes a second of all threads that plans suppose: what /dev/urandom gives one CPU, and about what the study's volumes sustain. */
const SUPPOSED_RATE = 150e6;
/** No phase is bounded by time: the amount is what the study fixed. */
const ANY_TIME = 172_800;

export interface StorageUnit {
  readonly arms: readonly PlanArm[];
  readonly repeat: number;
  readonly unit: string;
}

/** A step of a unit, without what all steps of the unit share. */
export type UnitWork = Pick<StepOptions, 'id' | 'phase' | 'action'> & Partial<StepOptions>;

/** Wraps work in a new directory and its removal. Arms take turns, rotated by repeat; removals run at once, since some take half a minute. */
export function unitOf(
  { arms, repeat, unit }: StorageUnit,
  compressibility: number | null,
  work: readonly UnitWork[],
): Step[] {
  const made = stepsOf({ repeat, compressibility, unit, arms });
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
