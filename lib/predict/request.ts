import { instanceType } from '../fleet/instanceTypes';
import { isRegion } from '../kit/aws/regions';
import { given } from '../kit/given';
import { type AnyConfiguration, codecOf, storageOf, withKind } from '../storage/lookup';
import type { StorageCheck } from '../storage/slices/configuration';
import type { Storage } from '../storage/storage';

/** A prediction request. */
export interface PredictRequest<C extends AnyConfiguration = AnyConfiguration> {
  readonly configuration: C;
  /** Share of reads in the bytes moved: 0 for only writes, 1 for only reads. @default 0 */
  readonly readShare?: number;
  /** Uncompressed ÷ compressed bytes. Compresses, unless the configuration says whether it does. @default - no savings */
  readonly ratio?: number;
  /** The clients, all of one type. @default - no client limits */
  readonly clients?: {
    readonly count: number;
    readonly instanceType: string;
    /** True if they access the file system over EFA. @default false */
    readonly efa?: boolean;
  };
  /** GiB that is read repeatedly. @default - no cache hits */
  readonly workingSetGiB?: number;
  /** Share of the bytes read from caches, 0 to 1, if known; instead of `workingSetGiB`. */
  readonly hitShare?: number;
  /** Some Regions have a smaller network burst. @default - a Region with full burst */
  readonly region?: string;
}

/** Higher values are typos: LZ4 cannot exceed 255:1, since a match needs one byte per 255. */
export const MOST_RATIO = 255;
/** Higher values are typos: no cluster placement group starts that many clients. */
export const MOST_CLIENTS = 10_000;
/** A configuration that says whether it compresses: data with a ratio are compressed where it leaves that open. */
export function withCompression<C extends AnyConfiguration>({ configuration, ratio }: PredictRequest<C>): C {
  const implied = storageOf(configuration).documented.performance?.impliedCompression?.(ratio);
  return implied === undefined ? configuration : { ...implied, ...(given(configuration) as C) };
}

/** The problems of a request, one line each; empty if it is valid. */
export function problemsOf(request: PredictRequest): readonly string[] {
  const { readShare = 0, ratio, clients, workingSetGiB, hitShare, region } = request;
  const configuration = withCompression(request);
  const problems = checkOf(configuration).errors.map(({ message, id }) => `${message} [${id}]`);
  if (!(readShare >= 0 && readShare <= 1)) problems.push(`'readShare' must be from 0 to 1, got ${readShare}`);
  if (ratio !== undefined && !(ratio >= 1 && ratio <= MOST_RATIO))
    problems.push(`'ratio' must be from 1 to ${MOST_RATIO}, as uncompressed ÷ compressed size, got ${ratio}`);
  const { label, documented, client } = storageOf(configuration);
  if (ratio !== undefined && documented.performance?.uncompressed === undefined)
    problems.push(`'ratio' must be absent with ${label}, which does not compress, got ${ratio}`);
  else if (ratio !== undefined && ratio !== 1 && codecOf(configuration) === null)
    problems.push(
      `'ratio' must be absent with a file system whose compression is off, got ${ratio}: set the compression, or drop the ratio`,
    );
  if (hitShare !== undefined && !(hitShare >= 0 && hitShare <= 1))
    problems.push(`'hitShare' must be from 0 to 1, got ${hitShare}`);
  if (workingSetGiB !== undefined && !(workingSetGiB > 0 && Number.isFinite(workingSetGiB)))
    problems.push(`'workingSetGiB' must be above 0, got ${workingSetGiB}`);
  if (hitShare !== undefined && workingSetGiB !== undefined)
    problems.push("'hitShare' cannot be combined with 'workingSetGiB', from which it follows: give one of them");
  const most = client.mostClients?.(withKind(configuration)) ?? MOST_CLIENTS;
  if (clients !== undefined && clients.count > most && clients.count <= MOST_CLIENTS)
    problems.push(
      `'clients' must be at most ${most} with ${label}, which no more can mount at a time, got ${clients.count}`,
    );
  return [...problems, ...regionProblems(region), ...clientProblems(clients, storageOf(configuration), configuration)];
}

/** Checks a configuration; findings name its properties. */
export function checkOf(configuration: AnyConfiguration): StorageCheck {
  const storage = storageOf(configuration);
  return (storage.documented.performance?.check ?? storage.configuration.check)(withKind(configuration));
}

/** Checks the AWS Region, if given. */
export function regionProblems(region: string | undefined): string[] {
  return region === undefined || isRegion(region)
    ? []
    : [`'region' must be the name of a Region such as us-east-1, got '${region}'`];
}

/** The problems of the clients of a file system; without its configuration, of those of any of this storage. */
export function clientProblems(
  clients: PredictRequest['clients'],
  { documented: { performance } }: Pick<Storage, 'documented'>,
  configuration?: AnyConfiguration,
): string[] {
  if (clients === undefined) return [];
  const { count, instanceType: type, efa = false } = clients;
  const problems: string[] = [];
  if (!(Number.isInteger(count) && count >= 1 && count <= MOST_CLIENTS))
    problems.push(`'clients' must be a whole number from 1 to ${MOST_CLIENTS}, got ${count}`);
  const known = instanceType(type);
  if (known === null) problems.push(`'instance' must be an instance type with known network data, got '${type}'`);
  if (!efa) return problems;
  const over = performance?.efa;
  const unfit = known === null ? null : (over?.problem({ name: type, efa: known.efa }) ?? null);
  if (unfit !== null) problems.push(unfit);
  if (over === undefined || (configuration !== undefined && !over.enabled(withKind(configuration))))
    problems.push("'efa' of the clients must be false with a file system without EFA, got true");
  return problems;
}
