import type * as z from 'zod';
import { CLIENT_SERVICES } from '../common/aws/quota';
import { memberBy } from '../common/collections';
import type { AnyConfiguration, StorageConfiguration } from '../schema/deployment';
import type { DeployedArm } from '../schema/run';
import { directory } from './directory';
import { ebs } from './ebs';
import { efs } from './efs';
import type { Filesystem } from './filesystem';
import { instanceStore } from './instance-store';
import { lustre } from './lustre';
import { lustreWatch } from './lustre/watch';
import { lustreZfs } from './lustre-zfs';
import { moosefs } from './moosefs';
import { mountpointS3 } from './mountpoint-s3';
import { openzfs } from './openzfs';
import type { MetricRole, Storage, StorageMetric, WatchStack } from './storage';

/** Every kind of storage. A new one is a folder and a line here; nothing else imports those folders (test/storage/seam.test.ts). */
export const STORAGES: readonly Storage[] = [
  ...[lustre, efs, openzfs, ebs, moosefs, instanceStore, mountpointS3, lustreZfs],
  directory,
];

/** Storage that `run --local` works on. */
export const LOCAL_KIND = directory.kind;

/** Kind of a configuration that names none: such files are older than the kinds. */
export const KIND_BEFORE_KINDS = lustre.kind;

/** Operations on a file system of a type that no storage names. */
export const FILESYSTEM_OF_ANY_TYPE = directory.client.filesystems[0];

/** Configuration of each kind, for programs that use fsxbench as a library. */
export type { EfsStorage } from './efs/configuration';
export type { LustreConfiguration } from './lustre/configuration';
export type { LustreZfsStorage } from './lustre-zfs/configuration';
export type { MooseFsStorage } from './moosefs/configuration';

/** Stacks of storages for file systems that somebody else made; lib/constructs/storage/registry.ts makes them. */
export const WATCHES: readonly WatchStack[] = [lustreWatch];

export const FILESYSTEMS = STORAGES.flatMap(({ client: { filesystems } }) => filesystems);

/** Parameters of plans that choose the layout of data directories. A file system that does not know one ignores it. */
export const LAYOUT_PARAMETERS: Readonly<Record<string, z.ZodType>> = Object.assign(
  {},
  ...FILESYSTEMS.map(({ layout }) => layout?.parameters),
);

/** Finds a type of file system; any type that no storage names is treated alike. */
export const filesystemNamed = (type: string): Filesystem =>
  FILESYSTEMS.find((each) => each.type === type) ?? FILESYSTEM_OF_ANY_TYPE;

/**
 * Finds a kind of storage, including by the name that manifests of older releases have.
 *
 * @throws Error for an unknown kind: a file of another release, or a spelling mistake
 */
export function storageNamed(kind: string): Storage {
  const next = '. A file with it was made by another release of fsxbench: use that one.';
  return memberBy(STORAGES, 'kind', kind, "'kind' of a storage", next);
}

/** A kind of storage; `undefined` for one that is not known here, as in a run of another release. */
export const storageOrNone = (kind: string): Storage | undefined => STORAGES.find((one) => one.kind === kind);

/** The storage that a configuration is of; of one in an old file, which names no kind as well. @throws Error as {@link storageNamed} */
export const storageOf = ({ kind = KIND_BEFORE_KINDS }: Partial<StorageConfiguration>): Storage => storageNamed(kind);

/** A configuration as plug-ins take it. */
export const withKind = <C extends AnyConfiguration>(configuration: C): C & StorageConfiguration =>
  isOfKind(configuration) ? configuration : { ...configuration, kind: KIND_BEFORE_KINDS };

const isOfKind = <C extends AnyConfiguration>(configuration: C): configuration is C & StorageConfiguration =>
  configuration.kind !== undefined;

/** The compression of a configuration's data; `null` for none. */
export const codecOf = (configuration: AnyConfiguration): string | null =>
  storageOf(configuration).configuration.compression?.(withKind(configuration)) ?? null;

/** True if a service counts what is done on a configuration's storage. */
export const publishesMetrics = (configuration: AnyConfiguration): boolean =>
  storageOf(configuration).account.metrics !== undefined;

/** Finds a metric in CloudWatch; `undefined` for one that no storage publishes. */
export function metricNamed(namespace: string, name: string): StorageMetric | undefined {
  const tables = STORAGES.flatMap(({ account: { metrics } }) =>
    metrics?.namespace === namespace ? [metrics.table] : [],
  );
  return tables.flat().find((metric) => metric.name === name);
}

/** Names of the dimensions that identify one file system in a namespace. */
export const identityIn = (namespace: string): readonly string[] =>
  STORAGES.flatMap(({ account: { metrics } }) =>
    metrics?.namespace === namespace ? Object.keys(metrics.identity('')) : [],
  );

/** The metric of a storage in a role; `undefined` where its service publishes none. */
export const metricInRole = (storage: Storage | null, role: MetricRole): StorageMetric | undefined =>
  storage?.account.metrics?.table.find((metric) => metric.role === role);

/** Changes that the service was still making when it described an arm; `null` where it made none, or does not say. */
export const changingOf = ({ kind, describe }: Pick<DeployedArm, 'kind' | 'describe'>): string | null =>
  (describe && storageOrNone(kind)?.account.changing?.(describe)) ?? null;

/** The AWS services that the machines of a deployment with these storages call, by the construct id of their interface endpoint. */
export const servicesFor = (storages: readonly StorageConfiguration[]): Readonly<Record<string, string>> =>
  Object.assign({ ...CLIENT_SERVICES }, ...storages.map((one) => storageOf(one).account.outbound?.services));

/** One sentence part for each arm that needs internet access: `with arm moosefs, whose servers …`. */
export const internetNeeds = (
  arms: readonly { readonly name: string; readonly storage: StorageConfiguration }[],
): readonly string[] =>
  arms.flatMap(({ name, storage }) => {
    const why = storageOf(storage).account.outbound?.internet;
    return why === undefined ? [] : [`with arm ${name}, ${why}`];
  });
