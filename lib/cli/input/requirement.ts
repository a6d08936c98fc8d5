import { checkRequirement, type EstimatedData, MOST, type Requirement, STORAGE_KINDS } from '../../advise/requirement';
import { breachMessage, wordsOf } from '../../common/breach';
import { amount } from '../../common/field';
import { durationsIn, sizesIn } from '../../common/quantity';
import type { Estimate } from '../../estimate';
import { MOST_RATIO } from '../../predict/request';
import { HOURS_PER_MONTH } from '../../price/prices';
import { UsageError } from '../context';
import { CLIENT_FLAGS, clientsOf } from './clients';
import { DATA_SIZE, quantity, RATIO, word } from './quantity';

/** The part of an estimate that a requirement takes. */
export type FoundData = Pick<
  Estimate,
  'files' | 'logicalBytes' | 'uncompressedBytes' | 'allocatedBytes' | 'ratio' | 'interval'
> & { readonly byType: readonly Pick<Estimate['byType'][number], 'type' | 'logicalBytes' | 'ratio'>[] };

/** Flags of `fsxbench advise`, as text. */
export interface AdviseFlags {
  readonly storage?: readonly string[];
  readonly read?: string;
  readonly write?: string;
  readonly together?: boolean;
  readonly capacity?: string;
  readonly files?: string;
  readonly fileSize?: string;
  readonly metadata?: string;
  readonly ratio?: string;
  readonly data?: readonly string[];
  readonly workingSet?: string;
  readonly maxMonthly?: string;
  readonly maxFill?: string;
  readonly headroom?: string;
  readonly all?: boolean;
  readonly hoursPerDay?: string;
  readonly clients?: string;
  readonly instance?: string;
  readonly efa?: boolean;
  readonly region?: string;
  readonly prices?: string;
  readonly html?: string;
  readonly json?: boolean;
}

/** The kind that stands for all. */
const EVERY = 'all';
export const ADVISED_KINDS: readonly string[] = [...STORAGE_KINDS, EVERY];

/** MB/s. */
const RATE = amount(`a rate above 0 and up to ${MOST.gigabytesPerSecond} in GB/s, or with its unit such as 800MB/s`, {
  min: 1e-3,
  max: MOST.gigabytesPerSecond * 1000,
  units: { '': 1000, 'GB/s': 1000, 'MB/s': 1 },
});
/** TB. */
const CAPACITY = amount(`a size above 0 and up to ${MOST.terabytes} in TB, or with its unit such as 500GB`, {
  min: 1e-6,
  max: MOST.terabytes,
  units: sizesIn(1e12, 1e12),
});
const FILES = amount(`a number of files from 1 to ${MOST.files}, such as 300M or 120000000`, {
  min: 1,
  max: MOST.files,
  units: { '': 1, k: 1e3, M: 1e6, G: 1e9 },
});
/** Bytes. */
const FILE_SIZE = amount('a size from 1 byte to 1000TB, such as 75B, 110kB or 4KiB', {
  min: 1,
  max: 1e15,
  units: sizesIn(1, 1),
});
const CREATES = amount(
  `a number of file creations per second above 0 and up to ${MOST.createsPerSecond}, such as 20000`,
  { min: 1e-3, max: MOST.createsPerSecond, units: { '': 1, '/s': 1 } },
);
const USD = amount(`an amount in USD per month above 0 and up to ${MOST.usd}, such as 5000`, {
  min: 0.01,
  max: MOST.usd,
  units: { '': 1, USD: 1 },
});
const HEADROOM = amount('a percentage from 0% to 1000%, such as 20%', {
  min: 0,
  max: MOST.headroom,
  units: { '%': 0.01 },
});
const FILL = amount('a percentage from 1% to 100%, such as 80%', { min: 0.01, max: 1, units: { '%': 0.01 } });
const HOURS_A_DAY = amount('hours from 0.1 to 24, such as 8', { min: 0.1, max: 24, units: durationsIn(3600, 3600) });

/** The flags of a requirement's properties, besides those of its clients. */
const FLAGS = {
  readMBps: '--read',
  writeMBps: '--write',
  capacityTB: '--capacity',
  createsPerSecond: '--metadata',
  files: '--files',
  ratio: '--ratio',
  workingSetGiB: '--working-set',
  maxMonthlyUsd: '--max-monthly',
  maxFill: '--max-fill',
  headroom: '--headroom',
  hoursPerMonth: '--hours-per-day',
  storages: '--storage',
  region: '--region',
};

const monthly = (hoursPerDay: number | undefined): number | undefined =>
  hoursPerDay === undefined ? undefined : (hoursPerDay / 24) * HOURS_PER_MONTH;

/** @throws UsageError for flags that need or exclude others */
function checkTogether(flags: AdviseFlags): void {
  const { data, read, write, capacity, metadata } = flags;
  if (
    [read, write, capacity, metadata, flags.files, flags.maxMonthly, flags.workingSet, data].every(
      (value) => value === undefined,
    )
  )
    throw new UsageError(
      'at least one requirement is needed: --read or --write in GB/s, --capacity in TB, --data PATH, --metadata in files per second, or --max-monthly in USD',
    );
  if (flags.together && (read === undefined || write === undefined))
    throw new UsageError("'--together' needs both --read and --write, which then happen at the same time");
  if (data !== undefined && flags.ratio !== undefined)
    throw new UsageError(
      "'--ratio' cannot be combined with --data, from which the ratio is estimated: give one of them",
    );
  if (flags.efa && flags.instance === undefined)
    throw new UsageError("'--efa' needs --instance, since it is the clients that use EFA");
}

/** The requirement that flags state, but for the data. @throws UsageError in one line */
export function requirementOf(flags: AdviseFlags, region: string): Requirement {
  checkTogether(flags);
  const { capacity } = flags;
  const workingSetGiB = quantity('--working-set', flags.workingSet, DATA_SIZE);
  const workingSetTB = workingSetGiB === undefined ? undefined : (workingSetGiB * 2 ** 30) / 1e12;
  // The working set has to be stored.
  const { files, inFilesTB } = filesOf(flags);
  const capacityTB = quantity('--capacity', capacity, CAPACITY) ?? inFilesTB ?? workingSetTB;
  if ((workingSetTB ?? 0) > (capacityTB ?? 0) * (1 + 1e-9))
    throw new UsageError(`'--working-set' must be at most --capacity, ${capacity}, got '${flags.workingSet}'`);
  const values = {
    readMBps: quantity('--read', flags.read, RATE),
    writeMBps: quantity('--write', flags.write, RATE),
    capacityTB,
    files: capacityTB === undefined ? undefined : files?.(capacityTB),
    createsPerSecond: quantity('--metadata', flags.metadata, CREATES),
    ratio: quantity('--ratio', flags.ratio, RATIO),
    workingSetGiB,
    maxMonthlyUsd: quantity('--max-monthly', flags.maxMonthly, USD),
    headroom: quantity('--headroom', flags.headroom, HEADROOM),
    maxFill: quantity('--max-fill', flags.maxFill, FILL),
    hoursPerMonth: monthly(quantity('--hours-per-day', flags.hoursPerDay, HOURS_A_DAY)),
    clients: clientsOf(flags.clients, flags.instance, flags.efa ?? false),
    region,
    storages: flags.storage?.flatMap((kind) =>
      word('--storage', kind, ADVISED_KINDS) === EVERY ? STORAGE_KINDS : kind,
    ),
    together: flags.together || undefined,
  };
  const requirement: Requirement = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  );
  // The data are read later; they are a requirement of their own.
  const [breach] = checkRequirement(flags.data === undefined ? requirement : { capacityTB: 1, ...requirement });
  if (breach !== undefined) throw new UsageError(breachMessage(breach, wordsOf({ ...CLIENT_FLAGS, ...FLAGS })));
  return requirement;
}

/** The number of files in a capacity, and the capacity of files whose number and size are given. @throws UsageError */
function filesOf({ capacity, data, workingSet, ...flags }: AdviseFlags): {
  files?: (capacityTB: number) => number;
  inFilesTB?: number;
} {
  const count = quantity('--files', flags.files, FILES);
  const bytes = quantity('--file-size', flags.fileSize, FILE_SIZE);
  const name = count === undefined ? '--file-size' : '--files';
  if (count === undefined && bytes === undefined) return {};
  if (data !== undefined)
    throw new UsageError(`'${name}' cannot be combined with --data, whose files are counted: give one of them`);
  if (count !== undefined && bytes !== undefined) {
    if (capacity === undefined) return { files: () => count, inFilesTB: (count * bytes) / 1e12 };
    throw new UsageError("'--file-size' cannot be combined with --capacity and --files: give two of them");
  }
  if ((capacity ?? workingSet) === undefined)
    throw new UsageError(`'${name}' needs --capacity, or both --files and --file-size`);
  return { files: (capacityTB) => count ?? Math.ceil((capacityTB * 1e12) / (bytes as number)) };
}

/**
 * The requirement with as much data as is stated, or else as there is, in files like those at hand.
 *
 * @param paths those that were estimated, if they are known
 */
export function ofData(stated: Requirement, estimate: FoundData, paths: readonly string[] = []): Requirement {
  const { files, logicalBytes, uncompressedBytes, allocatedBytes } = estimate;
  const { capacityTB = logicalBytes / 1e12 } = stated;
  const like = paths.length === 0 ? 'the data of the estimate' : paths.join(' and ');
  return {
    ...stated,
    capacityTB,
    files: Math.max(1, Math.round((files * capacityTB * 1e12) / logicalBytes)),
    ratio: ratioOf(estimate),
    taken: {
      uncompressed: uncompressedBytes / logicalBytes,
      compressed: (allocatedBytes ?? uncompressedBytes) / logicalBytes,
    },
    estimated: { like: stated.capacityTB === undefined ? null : like, ...estimatedOf(estimate) },
  };
}

/** Share of the data from which a type of file may be what a program reads; a convention of fsxbench. */
const NOTABLE = 0.01;

function estimatedOf({ interval: { low, high }, byType, logicalBytes }: FoundData): Omit<EstimatedData, 'like'> {
  const types = byType.flatMap(({ type, logicalBytes: bytes, ratio }) =>
    ratio === null || bytes < logicalBytes * NOTABLE ? [] : [{ type, ratio: ratioOf({ ratio }) }],
  );
  const [least = null] = types.toSorted((a, b) => a.ratio - b.ratio);
  return { ...(low !== null && high !== null && { interval: { low, high } }), least: types.length > 1 ? least : null };
}

/** Small files take more than their size with and without LZ4, so the ratio is clamped: savings are never negative. */
const ratioOf = ({ ratio }: Pick<FoundData, 'ratio'>): number => Math.min(MOST_RATIO, Math.max(1, ratio ?? 1));
