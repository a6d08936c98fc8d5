import { memberBy } from '../common/memberBy';
import type { DeployedArm } from '../schema/run';
import type { AnyConfiguration, StorageConfiguration } from '../schema/storage';
import type { StorageMetric } from './metrics';
import { KIND_BEFORE_KINDS, STORAGES } from './registry';
import type { MetricRole } from './role';
import type { Storage } from './storage';

/**
 * Finds a kind of storage, also by the name that manifests of older releases have.
 *
 * @throws Error for one that is not known here: a file of another release, or a spelling mistake
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

/** Names of the dimensions that tell one file system from another in a namespace. */
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
