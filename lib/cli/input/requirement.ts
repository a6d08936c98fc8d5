import type * as z from 'zod';
import {
  type Burst,
  checkRequirement,
  type EstimatedData,
  MOST,
  type Requirement,
  STORAGE_KINDS,
} from '../../advise/requirement';
import { omitUndefined } from '../../common/collections';
import { amount, type Field, oneOfWords, valueIn } from '../../common/field';
import { durationsIn, sizesIn } from '../../common/quantity';
import { labelsOf, violationMessage } from '../../common/violation';
import type { Estimate } from '../../estimate';
import { MOST_RATIO } from '../../predict/request';
import { HOURS_PER_MONTH } from '../../price/prices';
import { UsageError } from '../context';
import { CLIENT_FLAGS, clientsOf, DATA_SIZE, PROCESSES, quantity, RATIO } from './quantity';

/** The part of an estimate that a requirement takes. */
export type FoundData = Pick<
  Estimate,
  'files' | 'logicalBytes' | 'uncompressedBytes' | 'allocatedBytes' | 'ratio' | 'interval'
> & { readonly byType: readonly Pick<Estimate['byType'][number], 'type' | 'logicalBytes' | 'ratio'>[] };

export interface AdviseFlags {
  readonly storage?: readonly string[];
  readonly read?: string;
  readonly write?: string;
  readonly together?: boolean;
  readonly scan?: string;
  readonly burst?: string;
  readonly capacity?: string;
  readonly files?: string;
  readonly fileSize?: string;
  readonly metadata?: string;
  readonly ratio?: string;
  readonly data?: readonly string[];
  readonly workingSet?: string;
  readonly maxMonthly?: string;
  readonly headroom?: string;
  readonly all?: boolean;
  readonly hoursPerDay?: string;
  readonly loadWithin?: string;
  readonly processes?: string;
  readonly clients?: string;
  readonly instance?: string;
  readonly efa?: boolean;
  readonly region?: string;
  readonly json?: boolean;
}

const EVERY = 'all';
export const ADVISED_KINDS: readonly string[] = [...STORAGE_KINDS, EVERY];

/** MB/s. */
const RATE = amount(
  `a rate in GB/s such as 3, or with its unit such as 800MB/s (at most ${MOST.gigabytesPerSecond} GB/s)`,
  { min: 1e-3, max: MOST.gigabytesPerSecond * 1000, units: { '': 1000, 'GB/s': 1000, 'MB/s': 1 } },
);
/** TB. */
const CAPACITY = amount(`a size in TB such as 40, or with its unit such as 500GB (at most ${MOST.terabytes} TB)`, {
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
const FILE_SIZE = amount('a size with its unit, from 1B to 1000TB, such as 75B, 110kB or 4KiB', {
  min: 1,
  max: 1e15,
  units: sizesIn(1),
});
const CREATES = amount(
  `file creates per second in plain digits, without exponent or commas, such as 20000 (at most ${MOST.createsPerSecond / 1e9} billion)`,
  { min: 1e-3, max: MOST.createsPerSecond, units: { '': 1, '/s': 1 } },
);
const USD = amount(`USD per month in plain digits such as 5000 (at most ${MOST.usd / 1e9} billion)`, {
  min: 0.01,
  max: MOST.usd,
  units: { '': 1, USD: 1 },
});
const HEADROOM = amount('a percentage from 0% to 1000%, such as 20%', {
  min: 0,
  max: MOST.headroom,
  units: { '%': 0.01 },
});
const HOURS_PER_DAY = amount('hours from 0.1 to 24, such as 8', { min: 0.1, max: 24, units: durationsIn(3600, 3600) });
const LOAD_HOURS = amount('a time from 1min to 30d, such as 1h or 90min', {
  min: 1 / 60,
  max: HOURS_PER_MONTH,
  units: durationsIn(3600, 3600),
});
/** Seconds. */
const SECONDS = amount('', { min: 1e-3, max: 1e7, units: durationsIn(1, 1) });

/** Name of an option on a surface: the command line has the option itself, a page the label of its field. */
export type NameOf = (option: string) => string;

/** The options of a requirement's properties, except for those of its clients. */
const FLAGS = {
  readMBps: '--read',
  writeMBps: '--write',
  scanMBps: '--scan',
  burst: '--burst',
  capacityTB: '--capacity',
  createsPerSecond: '--metadata',
  files: '--files',
  ratio: '--ratio',
  workingSetGiB: '--working-set',
  maxMonthlyUsd: '--max-monthly',
  headroom: '--headroom',
  hoursPerMonth: '--hours-per-day',
  loadHours: '--load-within',
  processes: '--processes',
  storages: '--storage',
  region: '--region',
};

/** @throws UsageError for options that need or exclude others */
function checkTogether(flags: AdviseFlags, name: NameOf): void {
  const { data, read, write, scan, burst, capacity, metadata } = flags;
  const given = [read, write, scan, burst, capacity, metadata, flags.files, flags.maxMonthly, flags.workingSet, data];
  if (given.every((value) => value === undefined))
    throw new UsageError(
      `at least one requirement is needed: ${name('--read')} or ${name('--write')} in GB/s, ${name('--capacity')} in TB, --data PATH, ${name('--metadata')} in files per second, or ${name('--max-monthly')} in USD`,
    );
  if (flags.together && (read === undefined || write === undefined))
    throw new UsageError(
      `'${name('--together')}' needs both ${name('--read')} and ${name('--write')}, which then happen at the same time`,
    );
  if (data !== undefined && flags.ratio !== undefined)
    throw new UsageError(
      `'${name('--ratio')}' cannot be combined with --data, from which the ratio is estimated: give one of them`,
    );
  if (flags.efa && flags.instance === undefined)
    throw new UsageError(`'${name('--efa')}' needs ${name('--instance')}, since it is the clients that use EFA`);
}

/** Reads `2TB/60s/30min`: the size of a burst, the time in which it is written, and the time from one to the next. @throws UsageError */
function burstOf(text: string | undefined, name: NameOf): Burst | undefined {
  if (text === undefined) return undefined;
  const [size, seconds, every, ...rest] = text.split('/').map((part) => part.trim());
  const read = (part: string | undefined, field: typeof SECONDS) => {
    const found = valueIn(field, '--burst', part || undefined);
    return 'value' in found ? found.value : Number.NaN;
  };
  const burst = {
    terabytes: read(size, CAPACITY),
    seconds: read(seconds, SECONDS),
    everySeconds: read(every, SECONDS),
  };
  if (!Object.values(burst).some(Number.isNaN) && rest.length === 0) return burst;
  throw new UsageError(
    `'${name('--burst')}' must be a size, the time to write it and the time from one to the next, such as 2TB/60s/30min, got '${text}'`,
  );
}

/** The requirement that options state, except for the data. @throws UsageError in one line */
export function requirementOf(flags: AdviseFlags, region: string, name: NameOf = (option) => option): Requirement {
  checkTogether(flags, name);
  const { capacity } = flags;
  const of = <T>(option: string, text: unknown, field: Field<z.ZodType<T>>) => quantity(name(option), text, field);
  const workingSetGiB = of('--working-set', flags.workingSet, DATA_SIZE);
  const workingSetTB = workingSetGiB === undefined ? undefined : (workingSetGiB * 2 ** 30) / 1e12;
  const burst = burstOf(flags.burst, name);
  const hoursPerDay = of('--hours-per-day', flags.hoursPerDay, HOURS_PER_DAY);
  const { files, inFilesTB } = filesOf(flags, name);
  // The working set and a burst have to be stored.
  const capacityTB = of('--capacity', capacity, CAPACITY) ?? inFilesTB ?? workingSetTB ?? burst?.terabytes;
  if ((workingSetTB ?? 0) > (capacityTB ?? 0) * (1 + 1e-9))
    throw new UsageError(
      `'${name('--working-set')}' must be at most ${name('--capacity')}, ${capacity}, got '${flags.workingSet}'`,
    );
  const requirement: Requirement = omitUndefined({
    readMBps: of('--read', flags.read, RATE),
    writeMBps: of('--write', flags.write, RATE),
    scanMBps: of('--scan', flags.scan, RATE),
    burst,
    capacityTB,
    files: capacityTB === undefined ? undefined : files?.(capacityTB),
    createsPerSecond: of('--metadata', flags.metadata, CREATES),
    ratio: of('--ratio', flags.ratio, RATIO),
    workingSetGiB,
    maxMonthlyUsd: of('--max-monthly', flags.maxMonthly, USD),
    headroom: of('--headroom', flags.headroom, HEADROOM),
    hoursPerMonth: hoursPerDay === undefined ? undefined : (hoursPerDay / 24) * HOURS_PER_MONTH,
    loadHours: of('--load-within', flags.loadWithin, LOAD_HOURS),
    processes: of('--processes', flags.processes, PROCESSES),
    clients: clientsOf(flags.clients, flags.instance, flags.efa ?? false, name),
    region,
    storages: flags.storage?.flatMap((kind) => {
      const known = of('--storage', kind, oneOfWords(ADVISED_KINDS)) ?? kind;
      return known === EVERY ? STORAGE_KINDS : known;
    }),
    together: flags.together || undefined,
  });
  // The data are read later; they are their own requirement.
  const [violation] = checkRequirement(flags.data === undefined ? requirement : { capacityTB: 1, ...requirement });
  const names = Object.entries({ ...CLIENT_FLAGS, ...FLAGS }).map(([property, option]) => [property, name(option)]);
  if (violation !== undefined) throw new UsageError(violationMessage(violation, labelsOf(Object.fromEntries(names))));
  return requirement;
}

/** The number of files in a capacity, and the capacity of files whose number and size are given. @throws UsageError */
function filesOf(
  { capacity, data, workingSet, ...flags }: AdviseFlags,
  name: NameOf,
): { files?: (capacityTB: number) => number; inFilesTB?: number } {
  const count = quantity(name('--files'), flags.files, FILES);
  const bytes = quantity(name('--file-size'), flags.fileSize, FILE_SIZE);
  const option = name(count === undefined ? '--file-size' : '--files');
  if (count === undefined && bytes === undefined) return {};
  if (data !== undefined)
    throw new UsageError(`'${option}' cannot be combined with --data, whose files are counted: give one of them`);
  if (count !== undefined && bytes !== undefined) {
    if (capacity === undefined) return { files: () => count, inFilesTB: (count * bytes) / 1e12 };
    throw new UsageError("'--file-size' cannot be combined with --capacity and --files: give two of them");
  }
  if ((capacity ?? workingSet) === undefined)
    throw new UsageError(`'${option}' needs ${name('--capacity')}, or both --files and --file-size`);
  return { files: (capacityTB) => count ?? Math.ceil((capacityTB * 1e12) / (bytes as number)) };
}

/** The requirement with its stated amount of data, or else with the estimated one, in files like the estimated ones. @param paths of the estimate */
export function ofData(stated: Requirement, estimate: FoundData, paths: readonly string[] = []): Requirement {
  const { files, logicalBytes, uncompressedBytes, allocatedBytes } = estimate;
  const { capacityTB = logicalBytes / 1e12 } = stated;
  const like = paths.length === 0 ? 'the data of the estimate' : paths.join(' and ');
  const compressedBytes = allocatedBytes ?? uncompressedBytes;
  return {
    ...stated,
    capacityTB,
    files: Math.max(1, Math.round((files * capacityTB * 1e12) / logicalBytes)),
    ratio: ratioOf(estimate),
    taken: { uncompressed: uncompressedBytes / logicalBytes, compressed: compressedBytes / logicalBytes },
    estimated: { like: stated.capacityTB === undefined ? null : like, ...estimatedOf(estimate) },
  };
}

/** Share of the data from which a type of file may be what a program reads; a convention of fsxbench. */
const NOTABLE = 0.01;

function estimatedOf({ interval: { low, high }, byType, logicalBytes }: FoundData): Omit<EstimatedData, 'like'> {
  const types = byType.flatMap(({ type, logicalBytes: bytes, ratio }) =>
    ratio === null || bytes < logicalBytes * NOTABLE ? [] : [{ type, ratio: ratioOf({ ratio }) }],
  );
  const [min = null] = types.toSorted((a, b) => a.ratio - b.ratio);
  return { ...(low !== null && high !== null && { interval: { low, high } }), min: types.length > 1 ? min : null };
}

/** Small files take more than their size with and without LZ4, so the ratio is clamped: savings are never negative. */
const ratioOf = ({ ratio }: Pick<FoundData, 'ratio'>): number => Math.min(MOST_RATIO, Math.max(1, ratio ?? 1));
