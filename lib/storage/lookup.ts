import type * as z from 'zod';
import { CLIENT_SERVICES } from '../common/aws/services';
import { memberBy } from '../common/collections';
import type { StorageConfiguration } from '../schema/deployment';
import type { DeployedArm } from '../schema/run';
import { unfinishedChanges } from './common/fsx';
import { STORAGES } from './registry';
import type { MetricRole, Storage, StorageMetric } from './storage';

/** Finds a kind of storage. @throws Error for an unknown kind: a file of another release, or a typo */
export function storageNamed(kind: string): Storage {
  const next = '. A file with it was made by another release of fsxbench: use that one.';
  return memberBy(STORAGES, 'kind', kind, "'kind' of a storage", next);
}

/** A kind of storage; `undefined` for one that is not known here, as in a run of another release. */
export const storageOrNone = (kind: string): Storage | undefined => STORAGES.find((one) => one.kind === kind);

/** The storage that a configuration is of. @throws Error as {@link storageNamed} */
export const storageOf = ({ kind }: StorageConfiguration): Storage => storageNamed(kind);

/** True for a storage of which nothing is deployed, since the file system already exists. */
export const isNeverDeployed = (storage: Storage | null | undefined): boolean =>
  storage != null && storage.monitoring === undefined;

/** Clients that can mount a storage at the same time: one, if its file system is on the client's own disks; else `undefined`. */
export const maxClientsOf = (storage: Storage): number | undefined =>
  isNeverDeployed(storage) || storage.client.filesystems[0].remote ? undefined : 1;

/** The compression of a configuration's data; `null` for none. */
export const codecOf = (configuration: StorageConfiguration): string | null =>
  storageOf(configuration).configuration.compression?.(configuration) ?? null;

/** Documented metadata operations per second, by operation (`file_create` …); `null` if nothing is published. */
export function metadataRatesOf(configuration: StorageConfiguration): Readonly<Record<string, number>> | null {
  const { metadata } = storageOf(configuration).documented;
  const iops = metadata?.iops(configuration) ?? null;
  return metadata === undefined || iops === null ? null : metadata.ratesAt(iops);
}

/** Metadata targets of a storage, each with its own server; `null` where that is not known. */
export const metadataTargetsOf = (configuration: StorageConfiguration): number | null =>
  storageOf(configuration).documented.performance?.servers?.(configuration)?.mds ?? null;

/** True if a service counts what is done on a configuration's storage. */
export const publishesMetrics = (configuration: StorageConfiguration): boolean =>
  storageOf(configuration).monitoring?.metrics !== undefined;

/** Finds a metric in CloudWatch; `undefined` for one that no storage publishes. */
export function metricNamed(namespace: string, name: string): StorageMetric | undefined {
  const tables = STORAGES.flatMap(({ monitoring }) =>
    monitoring?.metrics?.namespace === namespace ? monitoring.metrics.table : [],
  );
  return tables.find((metric) => metric.name === name);
}

/** Names of the dimensions that identify one file system in a namespace. */
export const identityIn = (namespace: string): readonly string[] =>
  STORAGES.flatMap(({ monitoring }) =>
    monitoring?.metrics?.namespace === namespace ? Object.keys(monitoring.metrics.identity('')) : [],
  );

/** The metric of a storage in a role; `undefined` where its service publishes none. */
export const metricInRole = (storage: Storage | null, role: MetricRole): StorageMetric | undefined =>
  storage?.monitoring?.metrics?.table.find((metric) => metric.role === role);

/** Changes that the service was still making when it described an arm; `null` where it made none, or does not say. */
export const changingOf = ({ kind, describe }: Pick<DeployedArm, 'kind' | 'describe'>): string | null =>
  describe && storageOrNone(kind)?.documented.maintenance ? unfinishedChanges(describe) : null;

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

/** One arm for each set of servers, prices and addresses: of arms that share them, the first. */
export function onePerServerSet<A extends { readonly storage: StorageConfiguration }>(
  arms: readonly A[],
): readonly A[] {
  const sets = Map.groupBy(arms, (arm) => {
    const { kind, price } = storageOf(arm.storage);
    return price.shared === undefined ? arm : `${kind} ${price.shared(arm.storage)}`;
  });
  return [...sets.values()].map(([first]) => first as A);
}

/** Checks arms by their storages' schemas, before prices and limits. An unknown kind passes here, and fails where it is used. */
export function checkConfigurations(
  { arms }: { readonly arms: readonly { readonly configuration?: StorageConfiguration | undefined }[] },
  context: z.RefinementCtx,
): void {
  for (const [index, { configuration }] of arms.entries()) {
    if (configuration === undefined) continue;
    const checked = storageOrNone(configuration.kind)?.configuration.schema.safeParse(configuration);
    for (const { path, message } of checked?.error?.issues ?? []) {
      const value = path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown>)?.[key], configuration);
      context.addIssue({
        code: 'custom',
        path: ['arms', index, 'configuration', ...path],
        message: `${message}, got ${JSON.stringify(value)}`,
      });
    }
  }
}
