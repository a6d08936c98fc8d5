import { omitUndefined, type Range } from '../common/collections';
import { decimalBytes } from '../common/format/units';
import { type Phrase, unless, type Violation, violationMessage } from '../common/violation';
import { type Taken, takenBySize } from '../estimate/measure/geometry';
import { checkClients, checkRatio, checkRegion, MOST_PROCESSES } from '../predict/request';
import { DEFAULT_REGION, HOURS_PER_MONTH } from '../price/prices';
import type { StorageConfiguration } from '../schema/deployment';
import type { CandidatesCapability, SharingClients, StorageNeed } from '../storage/candidates';
import { codecOf, storageOf } from '../storage/lookup';
import { STORAGES } from '../storage/registry';
import type { Storage } from '../storage/storage';

/** Writes that come in bursts, such as checkpoints. */
export interface Burst {
  /** TB (10^12 bytes) written by each. */
  readonly terabytes: number;
  /** Seconds in which each must be written. */
  readonly seconds: number;
  /** Seconds from the start of one to the start of the next. */
  readonly everySeconds: number;
}

/** A requirement as its user states it: at least one of capacity, rates, files per second and budget. */
export interface Requirement {
  /** Kinds of storage to choose from (lib/storage/registry.ts). @default - the first that has candidates */
  readonly storages?: readonly string[] | undefined;
  /** Region of the prices and of the network burst. @default us-east-1 */
  readonly region?: string | undefined;
  /** TB (10^12 bytes) of data, as applications see them. @default - that of a burst, or any capacity */
  readonly capacityTB?: number | undefined;
  /** Number of files that the data are. @default - not known: the data take their size */
  readonly files?: number | undefined;
  /** Uncompressed ÷ compressed size. @default - LZ4 is not considered, since its savings are unknown */
  readonly ratio?: number | undefined;
  /** Space of the files on Lustre, as an estimate found it. @default - that of `files` of equal size, else the size of the data */
  readonly taken?: Taken | undefined;
  /** Results of an estimate other than ratio and space. @default - all data compress alike, and the number of files is known */
  readonly estimated?: EstimatedData | undefined;
  /** Sustained MB/s (10^6 bytes) of reads. @default - none */
  readonly readMBps?: number | undefined;
  /** Sustained MB/s of writes. @default - none */
  readonly writeMBps?: number | undefined;
  /** True if reads and writes happen at the same time. @default false */
  readonly together?: boolean | undefined;
  /** Sustained MB/s at which all data are read once, from the beginning to the end. @default - none */
  readonly scanMBps?: number | undefined;
  readonly burst?: Burst | undefined;
  /** File creates per second. @default - those that `writeMBps` makes of files of a known size */
  readonly createsPerSecond?: number | undefined;
  /** GiB of data that `readMBps` reads repeatedly. @default - no cache hits, or all data if nothing else is documented */
  readonly workingSetGiB?: number | undefined;
  /** Client instances that share the load. @default - as many as it takes */
  readonly clients?: SharingClients | undefined;
  /** Processes on each client that read or write at a time, each with one request of 1 MiB in flight. @default - as many as it takes */
  readonly processes?: number | undefined;
  /** Hours within which all data must be loaded from S3. @default - half of those of a day for which it exists, if these are less than 24 */
  readonly loadHours?: number | undefined;
  /** Hours per month for which it exists; it is created from S3 and deleted after its work. @default 730 */
  readonly hoursPerMonth?: number | undefined;
  /** Budget in USD; alone, it asks for the highest throughput that it buys. @default - no limit */
  readonly maxMonthlyUsd?: number | undefined;
  /** Rates of the storage above the requested ones: 0.2 is a fifth more. A burst has no head-room. @default 0.2 */
  readonly headroom?: number | undefined;
  /** Share of the capacity that the data may fill: targets fill unevenly, and writes fail at the first full one. @default 0.8 */
  readonly maxFill?: number | undefined;
}

/** Results of an estimate other than ratio and space. */
export interface EstimatedData {
  /** The files from whose sizes their number follows; `null` if they are the data, and were counted. */
  readonly like: string | null;
  /** Interval of the ratio. @default - the estimate has none */
  readonly interval?: Range<number>;
  /** The type of file that compresses least, as its names end; `null` if all have the same. */
  readonly min: { readonly type: string; readonly ratio: number } | null;
}

/** A sustained rate that is asked for. */
export interface Flow {
  readonly demand: 'read' | 'write' | 'read and write' | 'scan';
  /** Share of reads in the bytes moved. */
  readonly readShare: number;
  readonly MBps: number;
}

/** File creates or opens per second that are asked for, or follow from rates and file sizes. */
export interface FileRate {
  readonly demand: 'creates' | 'opens' | 'creates and opens';
  readonly perSecond: number;
  /** The rate in words, if it follows from another; `null` if the user stated it. */
  readonly follows: string | null;
}

/** A requirement with all defaults and all that follows from it: later code reads nothing else. */
export interface ResolvedRequirement {
  readonly asked: Requirement;
  readonly storages: readonly Storage[];
  readonly region: string;
  readonly headroom: number;
  readonly maxFill: number;
  readonly hoursPerMonth: number;
  /** `null` without a limit on the time. */
  readonly loadHours: number | null;
  readonly budgetOnly: boolean;
  /** `null` if nothing is to be stored. */
  readonly capacityTB: number | null;
  readonly dataGiB: number;
  /** Mean size of the files; `null` if their number is unknown. */
  readonly bytesPerFile: number | null;
  /** Bytes on Lustre for each byte of data. */
  readonly taken: Taken;
  readonly flows: readonly Flow[];
  readonly fileRates: readonly FileRate[];
}

/** Share of the hours of a day that loading may take: the rest is for the work. A convention of fsxbench. */
const LOADING = 0.5;

const DEFAULT_MAX_FILL = 0.8;
/** A convention of fsxbench: workloads grow, and documented rates are not always reached. */
const DEFAULT_HEADROOM = 0.2;

/** Higher values are typos: nothing larger is sold in one Region. */
export const MOST = {
  gigabytesPerSecond: 10_000,
  terabytes: 20_000,
  createsPerSecond: 1e9,
  usd: 1e9,
  files: 1e12,
  headroom: 10,
} as const;

const CHOICE = STORAGES.filter(({ price: { candidates } }) => candidates !== undefined);

/** The names that {@link Requirement.storages} can have. */
export const STORAGE_KINDS: readonly string[] = CHOICE.map(({ kind }) => kind);

/** Resolves a requirement. @throws Error with one line per problem */
export function resolve(asked: Requirement): ResolvedRequirement {
  const errors = checkRequirement(asked);
  if (errors.length > 0) throw new Error(errors.map((violation) => violationMessage(violation)).join('\n'));
  const { burst, files, ratio = 1, maxMonthlyUsd, storages = STORAGE_KINDS.slice(0, 1) } = asked;
  const { hoursPerMonth = HOURS_PER_MONTH, headroom = DEFAULT_HEADROOM, maxFill = DEFAULT_MAX_FILL } = asked;
  const capacityTB = asked.capacityTB ?? burst?.terabytes ?? null;
  const bytesPerFile =
    files === undefined || capacityTB === null ? null : Math.max(1, Math.round((capacityTB * 1e12) / files));
  const hoursPerDay = (hoursPerMonth / HOURS_PER_MONTH) * 24;
  const flows = flowsOf(asked);
  return {
    asked,
    storages: CHOICE.filter(({ kind }) => storages.includes(kind)),
    region: asked.region ?? DEFAULT_REGION,
    headroom,
    maxFill,
    hoursPerMonth,
    loadHours: asked.loadHours ?? (hoursPerDay < 24 && capacityTB !== null ? hoursPerDay * LOADING : null),
    budgetOnly: maxMonthlyUsd !== undefined && Object.keys(demandedIn(asked)).length === 1,
    capacityTB,
    dataGiB: ((capacityTB ?? 0) * 1e12) / 2 ** 30,
    bytesPerFile,
    taken:
      asked.taken ??
      (bytesPerFile === null ? { uncompressed: 1, compressed: 1 / ratio } : takenBySize(bytesPerFile, ratio)),
    flows,
    fileRates: fileRatesOf(asked, flows, bytesPerFile),
  };
}

function flowsOf({ readMBps = 0, writeMBps = 0, together = false, scanMBps = 0 }: Requirement): Flow[] {
  const both = readMBps + writeMBps;
  const flows: Flow[] =
    together && readMBps > 0 && writeMBps > 0
      ? [{ demand: 'read and write', readShare: readMBps / both, MBps: both }]
      : [
          { demand: 'read', readShare: 1, MBps: readMBps },
          { demand: 'write', readShare: 0, MBps: writeMBps },
        ];
  return [...flows, { demand: 'scan', readShare: 1, MBps: scanMBps } as const].filter(({ MBps }) => MBps > 0);
}

/** Creates and opens share the metadata servers if reads and writes share the time. Each file is opened once and read or written whole. */
function fileRatesOf(
  { createsPerSecond = 0, readMBps = 0, writeMBps = 0, together = false, scanMBps = 0 }: Requirement,
  flows: readonly Flow[],
  bytesPerFile: number | null,
): FileRate[] {
  const files = (MBps: number) => (bytesPerFile === null ? 0 : (MBps * 1e6) / bytesPerFile);
  const creates = Math.max(createsPerSecond, files(writeMBps));
  const opens = files(Math.max(readMBps, scanMBps));
  const words = (MBps: number) => `${MBps / 1000} GB/s of files of ${decimalBytes(bytesPerFile ?? 0)}`;
  const ofCreates = creates > createsPerSecond ? words(writeMBps) : null;
  const ofOpens = words(Math.max(readMBps, scanMBps));
  const rates: FileRate[] =
    together && flows.some(({ demand }) => demand === 'read and write') && opens > 0
      ? [
          {
            demand: 'creates and opens',
            perSecond: creates + opens,
            follows: createsPerSecond > 0 && ofCreates === null ? null : ofOpens,
          },
        ]
      : [
          { demand: 'creates', perSecond: creates, follows: ofCreates },
          { demand: 'opens', perSecond: opens, follows: ofOpens },
        ];
  return rates.filter(({ perSecond }) => perSecond > 0);
}

/** Inputs from which a storage chooses its candidates: the data with the space that stays free, and rates with their head-room. */
export function storageNeed(need: ResolvedRequirement, candidates: CandidatesCapability): StorageNeed {
  const { asked, capacityTB, headroom, maxFill, dataGiB, taken } = need;
  const { ratio, clients, workingSetGiB = dataGiB } = asked;
  const files = Math.max(0, ...need.fileRates.map(({ perSecond }) => perSecond));
  return omitUndefined({
    clients,
    reads: need.flows.some(({ readShare }) => readShare > 0),
    // A scan misses each cache that does not hold all data.
    workingSetGiB: capacityTB === null ? asked.workingSetGiB : asked.scanMBps === undefined ? workingSetGiB : dataGiB,
    filesPerSecond: files > 0 ? files * (1 + headroom) : undefined,
    capacityTB: capacityTB === null ? undefined : (capacityTB * takenInFiles(need, candidates)) / maxFill,
    // LZ4 saves space if the blocks of small files end in zeros, even if their content does not shrink.
    ratio: ratio === undefined ? undefined : Math.max(ratio, taken.uncompressed / taken.compressed),
  });
}

/** Bytes on storage other than Lustre for each byte of data, uncompressed; files are all of equal size. */
const takenInFiles = (
  { bytesPerFile }: ResolvedRequirement,
  { fileBytes }: Pick<CandidatesCapability, 'fileBytes'> | undefined = {},
): number => (bytesPerFile === null || fileBytes === undefined ? 1 : fileBytes(bytesPerFile) / bytesPerFile);

/** Bytes that a byte of data takes on the storage. */
export function takenOn(configuration: StorageConfiguration, need: ResolvedRequirement): number {
  const compressing = codecOf(configuration) !== null;
  const { candidates } = storageOf(configuration).price;
  if (candidates?.takesObjects) return need.taken[compressing ? 'compressed' : 'uncompressed'];
  return takenInFiles(need, candidates) / (compressing ? (need.asked.ratio ?? 1) : 1);
}

function demandedIn(requirement: Requirement) {
  const { readMBps, writeMBps, scanMBps, burst, capacityTB, createsPerSecond, maxMonthlyUsd } = requirement;
  return omitUndefined({ readMBps, writeMBps, scanMBps, burst, capacityTB, createsPerSecond, maxMonthlyUsd });
}

const DEMANDS = ['readMBps', 'writeMBps', 'capacityTB', 'createsPerSecond', 'maxMonthlyUsd', 'burst', 'scanMBps'];

export function checkRequirement(requirement: Requirement): readonly Violation[] {
  const { capacityTB, ratio, headroom = DEFAULT_HEADROOM, burst } = requirement;
  const MBps = MOST.gigabytesPerSecond * 1000;
  const bounds: readonly (readonly [property: keyof Requirement, most: number])[] = [
    ['readMBps', MBps],
    ['writeMBps', MBps],
    ['scanMBps', MBps],
    ['capacityTB', MOST.terabytes],
    ['createsPerSecond', MOST.createsPerSecond],
    ['files', MOST.files],
    ['workingSetGiB', Number.MAX_VALUE],
    ['maxMonthlyUsd', MOST.usd],
    ['maxFill', 1],
    ['hoursPerMonth', HOURS_PER_MONTH],
    ['loadHours', HOURS_PER_MONTH],
    ['processes', MOST_PROCESSES],
  ];
  const share = `a share from 0 to ${MOST.headroom}`;
  const withFiles: Phrase = ({ name }) => `given with '${name('files')}'`;
  const one: Phrase = ({ name }) => `at least one of ${DEMANDS.map((key) => `'${name(key)}'`).join(', ')}`;
  const needsData = ([['files'], ['scanMBps'], ['loadHours']] as const).filter(
    ([property]) => requirement[property] !== undefined && capacityTB === undefined && burst === undefined,
  );
  return [
    ...bounds.flatMap(([property, max]) => {
      const got = requirement[property] as number | undefined;
      return unless(got === undefined || (got > 0 && got <= max), property, `above 0 and at most ${max}`, got);
    }),
    ...checkRatio(ratio),
    ...unless(headroom >= 0 && headroom <= MOST.headroom, 'headroom', share, headroom),
    ...needsData.flatMap(([property]) => {
      const must: Phrase = property === 'files' ? withFiles : ({ name }) => `given with '${name(property)}'`;
      return unless(false, 'capacityTB', must, capacityTB, 'It is the size of all files.');
    }),
    ...(burst === undefined ? [] : checkBurst(burst)),
    ...unless(Object.keys(demandedIn(requirement)).length > 0, 'requirement', one, undefined, 'Set one of them.'),
    ...unless(
      requirement.processes === undefined || requirement.clients !== undefined,
      'clients.count',
      ({ name }) => `given with '${name('processes')}'`,
      undefined,
      'Each client has that many.',
    ),
    ...checkStorages(requirement),
    ...checkRegion(requirement.region),
    ...ofClients(requirement),
  ];
}

function checkBurst({ terabytes, seconds, everySeconds }: Burst): Violation[] {
  const sizes = `above 0 and at most ${MOST.terabytes}`;
  return [
    ...unless(terabytes > 0 && terabytes <= MOST.terabytes, 'burst.terabytes', sizes, terabytes),
    ...unless(seconds > 0 && Number.isFinite(seconds), 'burst.seconds', 'above 0', seconds),
    ...unless(
      everySeconds >= seconds && Number.isFinite(everySeconds),
      'burst.everySeconds',
      `at least the ${seconds} s that each burst takes`,
      everySeconds,
    ),
  ];
}

function checkStorages({ storages = STORAGE_KINDS }: Requirement): Violation[] {
  const unknown = storages.find((kind) => !STORAGE_KINDS.includes(kind));
  const must = `one or more of ${STORAGE_KINDS.join(', ')}`;
  return unless(unknown === undefined && storages.length > 0, 'storages', must, unknown, 'Leave it out for the first.');
}

/** The errors of the clients, independent of the file system: those without EFA are reached by TCP. */
function ofClients({ clients, storages = STORAGE_KINDS.slice(0, 1) }: Requirement): Violation[] {
  const chosen = CHOICE.filter(({ kind }) => storages.includes(kind));
  const one = chosen.find(({ documented: { performance } }) => performance?.efa !== undefined) ?? chosen[0];
  return one === undefined ? [] : checkClients(clients, one);
}
