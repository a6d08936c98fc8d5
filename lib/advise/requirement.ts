import { type Breach, type Phrase, unless } from '../common/breach';
import type { LowHigh } from '../common/lowHigh';
import { omitUndefined } from '../common/omitUndefined';
import { type Taken, takenBySize } from '../estimate/ofSize';
import { checkClients, checkRatio, checkRegion } from '../predict/request';
import { HOURS_PER_MONTH } from '../price/prices';
import type { AnyConfiguration } from '../schema/storage';
import { type CandidatesCapability, dataGiB, type StorageNeed } from '../storage/candidates';
import { codecOf, storageOf } from '../storage/lookup';
import { STORAGES } from '../storage/registry';
import type { Storage } from '../storage/storage';

/** Requirements of a file system: at least one of rates, capacity and metadata. */
export interface Requirement extends StorageNeed {
  /** Kinds of storage to choose from (lib/storage/registry.ts). @default - the first that has candidates */
  readonly storages?: readonly string[];
  /** Sustained MB/s. @default - no write requirement */
  readonly writeMBps?: number;
  /** True if reads and writes happen at the same time. @default false */
  readonly together?: boolean;
  /** Budget in USD; alone, it asks for the most throughput that it buys. @default - no limit */
  readonly maxMonthlyUsd?: number;
  /** Share of the capacity that the data may fill: a full file system is slow, and ends runs. @default 0.8 */
  readonly maxFill?: number;
  /** Space of the files on Lustre, as an estimate found it. @default - that of `files` of equal size, else the size of the data */
  readonly taken?: Taken;
  /** Findings of an estimate beside ratio and space. @default - all data compress alike, and the number of files is known */
  readonly estimated?: EstimatedData;
  /** Sustained rates of the storage beyond those that are asked for: 0.2 is a fifth more. @default 0.2 */
  readonly headroom?: number;
  /** Hours a month that the file system exists, such as one that is made for a job and deleted after it. @default 730 */
  readonly hoursPerMonth?: number;
  /** Region of the prices and of the network burst. @default us-east-1 */
  readonly region?: string;
}

/** Findings of an estimate beside ratio and space. */
export interface EstimatedData {
  /** The files from whose sizes their number follows; `null` if they are the data, and were counted. */
  readonly like: string | null;
  /** Interval of the ratio. @default - the estimate has none */
  readonly interval?: LowHigh<number>;
  /** The type of file that compresses least, as its names end; `null` if all are of one. */
  readonly least: { readonly type: string; readonly ratio: number } | null;
}

/** One demand on the data path. */
export interface Demand {
  readonly mode: 'read' | 'write' | 'mixed';
  readonly readShare: number;
  readonly requiredMBps: number;
}

/** Demands on the data path; without any requested rate, writes with nothing required. */
export function demandsOf({ readMBps = 0, writeMBps = 0, together = false }: Requirement): readonly Demand[] {
  if (together && readMBps > 0 && writeMBps > 0) {
    const requiredMBps = readMBps + writeMBps;
    return [{ mode: 'mixed', readShare: readMBps / requiredMBps, requiredMBps }];
  }
  const read: Demand = { mode: 'read', readShare: 1, requiredMBps: readMBps };
  const write: Demand = { mode: 'write', readShare: 0, requiredMBps: writeMBps };
  if (readMBps > 0) return writeMBps > 0 ? [read, write] : [read];
  return [write];
}

/** True for a requirement that is a budget and nothing else. */
export const isBudget = ({ readMBps, writeMBps, capacityTB, createsPerSecond, maxMonthlyUsd }: Requirement): boolean =>
  maxMonthlyUsd !== undefined &&
  [readMBps, writeMBps, capacityTB, createsPerSecond].every((value) => value === undefined);

/** A convention of fsxbench: targets fill unevenly, and writes fail at the first that is full. */
const MAX_FILL = 0.8;
export const maxFillOf = ({ maxFill = MAX_FILL }: Requirement): number => maxFill;

/** A convention of fsxbench: workloads grow, and documented rates are not always reached. */
const HEADROOM = 0.2;
export const headroomOf = ({ headroom = HEADROOM }: Requirement): number => headroom;

/** Requirement by which the storages' candidates are sized: the data and the space that stays free. */
export const neededSpace = (requirement: Requirement, candidates: Candidates = {}): Requirement => {
  const { capacityTB, createsPerSecond, workingSetGiB = dataGiB(requirement) } = requirement;
  const { uncompressed, compressed } = takenOf(requirement);
  return {
    ...requirement,
    ...(createsPerSecond !== undefined && { createsPerSecond: createsPerSecond * (1 + headroomOf(requirement)) }),
    ...(capacityTB !== undefined && {
      capacityTB: (capacityTB * takenInFiles(requirement, candidates)) / maxFillOf(requirement),
      workingSetGiB,
    }),
    // LZ4 saves space where the blocks of small files end in zeros, even if their content does not shrink.
    ...(requirement.ratio !== undefined && { ratio: Math.max(requirement.ratio, uncompressed / compressed) }),
  };
};

/** Bytes on Lustre for each byte of data. */
export function takenOf(requirement: Requirement): Taken {
  const { taken, ratio = 1 } = requirement;
  if (taken !== undefined) return taken;
  const bytes = meanFileBytes(requirement);
  return bytes === null ? { uncompressed: 1, compressed: 1 / ratio } : takenBySize(bytes, ratio);
}

type Candidates = Pick<CandidatesCapability, 'fileBytes'>;

/** Bytes on other storage for each byte of data, uncompressed; files are all of equal size. */
function takenInFiles(requirement: Requirement, { fileBytes }: Candidates = {}): number {
  const bytes = meanFileBytes(requirement);
  return bytes === null || fileBytes === undefined ? 1 : fileBytes(bytes) / bytes;
}

/** Bytes that a byte of data takes on the storage. */
export function takenOn(configuration: AnyConfiguration, requirement: Requirement): number {
  const compressing = codecOf(configuration) !== null;
  const { candidates } = storageOf(configuration).price;
  if (candidates?.takesObjects) return takenOf(requirement)[compressing ? 'compressed' : 'uncompressed'];
  return takenInFiles(requirement, candidates) / (compressing ? (requirement.ratio ?? 1) : 1);
}

/** Mean size of the files; `null` where their number is not known. */
export const meanFileBytes = ({ files, capacityTB }: Requirement): number | null =>
  files === undefined || capacityTB === undefined ? null : Math.max(1, Math.round((capacityTB * 1e12) / files));

/** Higher values are typos: nothing larger is sold in one Region. */
export const MOST = {
  gigabytesPerSecond: 10_000,
  terabytes: 20_000,
  createsPerSecond: 1e9,
  usd: 1e9,
  files: 1e12,
  headroom: 10,
} as const;

/** The errors of a requirement, by property. */
export function checkRequirement(requirement: Requirement): readonly Breach[] {
  const { readMBps, writeMBps, capacityTB, createsPerSecond, maxMonthlyUsd, files } = requirement;
  const { ratio, maxFill = MAX_FILL, headroom = HEADROOM, hoursPerMonth = HOURS_PER_MONTH } = requirement;
  const bounds: readonly (readonly [property: string, got: number | undefined, most: number])[] = [
    ['readMBps', readMBps, MOST.gigabytesPerSecond * 1000],
    ['writeMBps', writeMBps, MOST.gigabytesPerSecond * 1000],
    ['capacityTB', capacityTB, MOST.terabytes],
    ['createsPerSecond', createsPerSecond, MOST.createsPerSecond],
    ['files', files, MOST.files],
    ['workingSetGiB', requirement.workingSetGiB, Number.MAX_VALUE],
    ['maxMonthlyUsd', maxMonthlyUsd, MOST.usd],
    ['maxFill', maxFill, 1],
    ['hoursPerMonth', hoursPerMonth, HOURS_PER_MONTH],
  ];
  const wanted = { readMBps, writeMBps, capacityTB, createsPerSecond, maxMonthlyUsd };
  const share = `a share from 0 to ${MOST.headroom}`;
  const beside: Phrase = ({ name }) => `given with '${name('files')}'`;
  const one: Phrase = ({ name }) =>
    `at least one of ${Object.keys(wanted)
      .map((key) => `'${name(key)}'`)
      .join(', ')}`;
  return [
    ...bounds.flatMap(([property, got, most]) =>
      unless(got === undefined || (got > 0 && got <= most), property, `above 0 and at most ${most}`, got),
    ),
    ...checkRatio(ratio),
    ...unless(headroom >= 0 && headroom <= MOST.headroom, 'headroom', share, headroom),
    ...unless(
      files === undefined || capacityTB !== undefined,
      'capacityTB',
      beside,
      capacityTB,
      'It is that of all files.',
    ),
    ...unless(Object.keys(omitUndefined(wanted)).length > 0, 'requirement', one, undefined, 'Set one of them.'),
    ...checkStorages(requirement),
    ...checkRegion(requirement.region),
    ...ofClients(requirement),
  ];
}

/** The storages that can be chosen from, the default first. */
const CHOICE = STORAGES.filter(({ price: { candidates } }) => candidates !== undefined);

/** The names that {@link Requirement.storages} can have. */
export const STORAGE_KINDS: readonly string[] = CHOICE.map(({ kind }) => kind);

/** The storages among which a requirement chooses. */
export const storagesOf = ({ storages = STORAGE_KINDS.slice(0, 1) }: Requirement): readonly Storage[] =>
  CHOICE.filter(({ kind }) => storages.includes(kind));

function checkStorages({ storages = STORAGE_KINDS }: Requirement): Breach[] {
  const unknown = storages.find((kind) => !STORAGE_KINDS.includes(kind));
  const must = `one or more of ${STORAGE_KINDS.join(', ')}`;
  return unless(unknown === undefined && storages.length > 0, 'storages', must, unknown, 'Leave it out for the first.');
}

/** The errors of the clients, independent of the file system: those without EFA are reached by TCP. */
function ofClients(requirement: Requirement): Breach[] {
  const storages = storagesOf(requirement);
  const one = storages.find(({ documented: { performance } }) => performance?.efa !== undefined) ?? storages[0];
  return one === undefined ? [] : checkClients(requirement.clients, one);
}
