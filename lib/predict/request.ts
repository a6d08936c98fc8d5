import { instanceType } from '../fleet/instanceTypes';
import { isRegion } from '../kit/aws/regions';
import { asLustre, type LustreConfiguration } from '../storage/lustre/configuration';
import { checkLustre } from '../storage/lustre/rules';

/** A prediction request. */
export interface PredictRequest {
  readonly configuration: LustreConfiguration;
  /** Share of reads in the bytes moved: 0 for only writes, 1 for only reads. @default 0 */
  readonly readShare?: number;
  /** Uncompressed ÷ compressed bytes; applies only with LZ4. @default - no savings */
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
/** More than a hundred times the default quota of an account (guide/limits). */
export const MOST_CAPACITY_GIB = 20_000_000;

/** Families of the third Nitro generation (EC2 docs); FSx takes EFA clients from the fourth on, without trn2 (guide/efa-file-systems). */
const NO_EFA_TO_FSX = ['c5n', 'g4dn', 'i3en', 'inf1', 'm5dn', 'm5n', 'm5zn', 'p3dn', 'r5dn', 'r5n', 'trn2'];

/** The problems of a request, one line each; empty if it is valid. */
export function problemsOf(request: PredictRequest): readonly string[] {
  const { configuration, readShare = 0, ratio, clients, workingSetGiB, hitShare, region } = request;
  const problems = checkLustre(configuration).errors.map(({ message, id }) => `${message} [${id}]`);
  if ((configuration.storageCapacityGiB ?? 0) > MOST_CAPACITY_GIB)
    problems.push(
      `'storageCapacityGiB' must be at most ${MOST_CAPACITY_GIB}, got ${configuration.storageCapacityGiB}: it is in GiB`,
    );
  if (!(readShare >= 0 && readShare <= 1)) problems.push(`'readShare' must be from 0 to 1, got ${readShare}`);
  if (ratio !== undefined && !(ratio >= 1 && ratio <= MOST_RATIO))
    problems.push(`'ratio' must be from 1 to ${MOST_RATIO}, as uncompressed ÷ compressed size, got ${ratio}`);
  if (hitShare !== undefined && !(hitShare >= 0 && hitShare <= 1))
    problems.push(`'hitShare' must be from 0 to 1, got ${hitShare}`);
  if (workingSetGiB !== undefined && !(workingSetGiB > 0 && Number.isFinite(workingSetGiB)))
    problems.push(`'workingSetGiB' must be above 0, got ${workingSetGiB}`);
  if (hitShare !== undefined && workingSetGiB !== undefined)
    problems.push("'hitShare' cannot be combined with 'workingSetGiB', from which it follows: give one of them");
  return [...problems, ...regionProblems(region), ...clientProblems(clients, configuration.efaEnabled === true)];
}

/** Checks the AWS Region, if given. */
export function regionProblems(region: string | undefined): string[] {
  return region === undefined || isRegion(region)
    ? []
    : [`'region' must be the name of a Region such as us-east-1, got '${region}'`];
}

function clientProblems(clients: PredictRequest['clients'], efaEnabled: boolean): string[] {
  if (clients === undefined) return [];
  const { count, instanceType: type, efa = false } = clients;
  const problems: string[] = [];
  if (!(Number.isInteger(count) && count >= 1 && count <= MOST_CLIENTS))
    problems.push(`'clients' must be a whole number from 1 to ${MOST_CLIENTS}, got ${count}`);
  const known = instanceType(type);
  if (known === null) problems.push(`'instance' must be an instance type with known network data, got '${type}'`);
  else if (efa && !(known.efa && !NO_EFA_TO_FSX.includes(type.split('.')[0] ?? '')))
    problems.push(`'instance' must be a type that supports FSx over EFA, got '${type}': use one such as c6in.32xlarge`);
  if (efa && !efaEnabled) problems.push("'efa' of the clients must be false with a file system without EFA, got true");
  return problems;
}

/** A configuration of a kind of which rates are predicted; `null` for one of another. */
export const predictable: (configuration: Parameters<typeof asLustre>[0]) => LustreConfiguration | null = asLustre;
