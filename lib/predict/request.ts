import { isRegion } from '../common/aws/regions';
import { omitUndefined } from '../common/collections';
import { type Findings, unless, type Violation, violationMessage } from '../common/violation';
import { instanceType } from '../fleet/instanceTypes';
import { DEFAULT_REGION } from '../price/prices';
import type { StorageConfiguration } from '../schema/deployment';
import type { SharingClients } from '../storage/candidates';
import { codecOf, maxClientsOf, storageOf } from '../storage/lookup';
import type { Storage } from '../storage/storage';

export interface PredictRequest {
  readonly configuration: StorageConfiguration;
  /** Share of reads in the bytes moved: 0 for only writes, 1 for only reads. @default 0 */
  readonly readShare?: number;
  /** Uncompressed ÷ compressed bytes. Compresses, unless the configuration says whether it does. @default - no savings */
  readonly ratio?: number;
  /** The clients, all of one type. @default - no client limits */
  readonly clients?: SharingClients;
  /** GiB that is read repeatedly. @default - no cache hits */
  readonly workingSetGiB?: number;
  /** Requests in flight: without them, enough are assumed for every limit. @default - not a limit */
  readonly streams?: {
    /** Processes on each client. */
    readonly processes: number;
    /** Requests of each process in flight at a time: 1 for synchronous I/O. @default 1 */
    readonly inFlight?: number;
    /** Bytes of a request. @default 1 MiB */
    readonly transferBytes?: number;
  };
  /** Duration of the run: whether it sees the burst. @default - longer than any burst */
  readonly seconds?: number;
  /** Source of the data. @default - the disks, unless `workingSetGiB` means a cache */
  readonly servedFrom?: 'disk' | 'memory' | 's3';
  readonly files?: number;
  readonly fileBytes?: number;
  /** Some Regions have a smaller network burst. @default - a Region with full burst */
  readonly region?: string;
}

/** Default request size in bytes. */
export const MIB = 2 ** 20;
/** Higher values are typos: LZ4 cannot exceed 255:1, since a match needs one byte per 255. */
export const MOST_RATIO = 255;
/** A ratio below 1 comes from files smaller than a block, which LZ4 does not enlarge. */
export const RATIO_NEXT =
  'If your files are so small that their ratio is below 1, run npx fsxbench advise --data PATH, which counts their space, or use 1 here';
/** Higher values are typos: no cluster placement group starts that many clients. */
export const MOST_CLIENTS = 10_000;
/** Higher values are typos: FSx serves no file system with as many processes on one client. */
export const MOST_PROCESSES = 100_000;
/** Higher values are typos: no request of a file system is larger. */
export const MOST_TRANSFER_BYTES = 2 ** 40;
/** Higher values are typos: a Lustre file system has fewer files. */
export const MOST_FILES = 1e12;

/** A configuration that says whether it compresses: data with a ratio are compressed where it leaves that open. */
function withCompression({ configuration, ratio }: PredictRequest): StorageConfiguration {
  const implied = storageOf(configuration).documented.performance?.impliedCompression?.(ratio);
  return implied === undefined ? configuration : { ...implied, ...omitUndefined(configuration) };
}

export const checkRatio = (ratio = 1): Violation[] => {
  const must = `from 1 to ${MOST_RATIO}, as uncompressed ÷ compressed size`;
  return unless(ratio >= 1 && ratio <= MOST_RATIO, 'ratio', must, ratio, RATIO_NEXT);
};

/** Findings in a request, by property of it or of its configuration. */
interface RequestCheck extends Findings {
  /** The configuration, which says whether it compresses. */
  readonly configuration: StorageConfiguration;
}

export function checkRequest(request: PredictRequest): RequestCheck {
  const { readShare = 0, ratio, clients, workingSetGiB = 1, region } = request;
  const configuration = withCompression(request);
  const storage = storageOf(configuration);
  const { label, documented } = storage;
  const compresses = documented.performance?.uncompressed !== undefined;
  const off = compresses && ratio !== undefined && ratio !== 1 && codecOf(configuration) === null;
  const max = maxClientsOf(storage) ?? MOST_CLIENTS;
  const { count = 1 } = clients ?? {};
  const why = storage.configuration.compression === undefined ? 'it does not compress' : 'its gain is not documented';
  const alone = { conflict: `${label}: ${why}` };
  const switchedOff = { conflict: 'a file system whose compression is off' };
  const mounting = `at most ${max} with ${label}, which no more can mount at a time`;
  const isSize = workingSetGiB > 0 && Number.isFinite(workingSetGiB);
  const check = storage.configuration.check(configuration);
  const errors = [
    ...check.errors,
    ...unless(readShare >= 0 && readShare <= 1, 'readShare', 'from 0 to 1', readShare),
    ...checkRatio(ratio),
    ...unless(ratio === undefined || compresses, 'ratio', alone, ratio, 'Leave it out.'),
    ...unless(!off, 'ratio', switchedOff, ratio, 'Set the compression, or drop the ratio.'),
    ...unless(isSize, 'workingSetGiB', 'above 0', workingSetGiB),
    ...unless(count <= max || count > MOST_CLIENTS, 'clients.count', mounting, count, `Set it to ${max}.`),
    ...checkRegion(region),
    ...checkClients(clients, storage, configuration),
    ...checkRun(request, storage),
  ];
  return { configuration, errors, warnings: check.warnings };
}

/** The errors of what a request says of its run. */
function checkRun(request: PredictRequest, { label, documented }: Storage): Violation[] {
  const { streams, seconds, servedFrom, files, fileBytes, readShare = 0, workingSetGiB } = request;
  const measured = documented.performance?.field !== undefined;
  const isWhole = (value: number | undefined, max: number): boolean =>
    value === undefined || (Number.isInteger(value) && value >= 1 && value <= max);
  const amounts: readonly (readonly [property: string, value: number | undefined, most: number])[] = [
    ['streams.processes', streams?.processes, MOST_PROCESSES],
    ['streams.inFlight', streams?.inFlight, MOST_PROCESSES],
    ['streams.transferBytes', streams?.transferBytes, MOST_TRANSFER_BYTES],
    ['files', files, MOST_FILES],
    ['fileBytes', fileBytes, Number.MAX_SAFE_INTEGER],
  ];
  const given = [...amounts, ['seconds', seconds] as const, ['servedFrom', servedFrom] as const].find(
    ([, value]) => value !== undefined,
  );
  const cached = servedFrom !== undefined && workingSetGiB !== undefined;
  const unpublished = { conflict: `${label}: no measurements of it are published` };
  const both = { conflict: 'a working set: it says where all data come from' };
  return [
    ...(measured || given === undefined ? [] : unless(false, given[0], unpublished, given[1], 'Leave it out.')),
    ...amounts.flatMap(([property, value, max]) =>
      unless(isWhole(value, max), property, `a whole number from 1 to ${max}`, value),
    ),
    ...unless(seconds === undefined || (seconds > 0 && Number.isFinite(seconds)), 'seconds', 'above 0', seconds),
    ...unless(!cached, 'servedFrom', both, servedFrom, 'Leave it out.'),
    ...unless(
      servedFrom !== 'memory' || readShare > 0,
      'servedFrom',
      'disk for writes, which end on the disks',
      servedFrom,
      'Predict reads (--mode read), or leave it out.',
    ),
    ...unless(servedFrom !== 's3' || files !== undefined, 'files', 'given if the data come from S3', files),
    ...unless(servedFrom !== 's3' || fileBytes !== undefined, 'fileBytes', 'given if the data come from S3', fileBytes),
  ];
}

/** Checks a request. @throws Error with one line per problem */
export function checkedRequest(request: PredictRequest): Pick<RequestCheck, 'configuration' | 'warnings'> {
  const { errors, ...found } = checkRequest(request);
  if (errors.length > 0) throw new Error(errors.map((violation) => violationMessage(violation)).join('\n'));
  return found;
}

export const checkRegion = (region = DEFAULT_REGION): Violation[] => {
  const next = 'List them with: aws account list-regions';
  return unless(isRegion(region), 'region', 'the name of a Region such as us-east-1', region, next);
};

/** The errors of the clients of a file system; without a configuration, of clients of any file system of the storage. */
export function checkClients(
  clients: PredictRequest['clients'],
  { documented: { performance } }: Pick<Storage, 'documented'>,
  configuration?: StorageConfiguration,
): Violation[] {
  if (clients === undefined) return [];
  const { count, instanceType: type, efa = false } = clients;
  const known = instanceType(type);
  const over = performance?.efa;
  const unfit = !efa || known === null ? null : (over?.violation({ name: type, efa: known.efa }) ?? null);
  const reached = over !== undefined && (configuration === undefined || over.enabled(configuration));
  const isCount = Number.isInteger(count) && count >= 1 && count <= MOST_CLIENTS;
  const counts = `a whole number from 1 to ${MOST_CLIENTS}`;
  const types = 'an instance type with known network data';
  const without = 'false with a file system without EFA';
  return [
    ...unless(isCount, 'clients.count', counts, count),
    ...unless(known !== null, 'clients.instanceType', types, type, 'Use one such as c5n.9xlarge.'),
    ...(unfit === null ? [] : [{ ...unfit, property: 'clients.instanceType' }]),
    ...unless(!efa || reached, 'clients.efa', without, efa, 'Take a file system with EFA, or leave it out.'),
  ];
}
