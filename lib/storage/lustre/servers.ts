import type { LustreConfiguration } from './configuration';
import { capacityStep, metadataIopsOf } from './documented';
import { METADATA_IOPS, tierOf, typeOf } from './types';

/** Metadata IOPS of one metadata server. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/dne-metadata-performance.html. */
export const METADATA_IOPS_PER_MDS = METADATA_IOPS.step;

/** Numbers of servers and targets of a file system. */
export type Servers = {
  /** Object storage servers. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html. */
  readonly oss: number;
  /** Object storage targets; `null` where AWS publishes no number and nobody has shown one (EFA, Intelligent-Tiering, HDD-40). */
  readonly ost: number | null;
  /** Metadata servers, each with one metadata target. */
  readonly mds: number;
};

/** The servers of a configuration; `null` if the configuration is too invalid to have any. */
export function serversOf(configuration: LustreConfiguration): Servers | null {
  const oss = ossOf(configuration);
  if (oss === null || !Number.isFinite(oss) || oss < 1) return null;
  return { oss, ost: ostOf(configuration), mds: mdsOf(metadataIopsOf(configuration) ?? 0) };
}

/** Names of servers and targets in CloudWatch: values of the dimensions `FileServer` and `StorageTargetId`. */
export interface ServerNames {
  readonly oss: readonly string[];
  readonly ost: readonly string[];
  readonly mds: readonly string[];
  readonly mdt: readonly string[];
}

/**
 * The names that the servers and targets will have, for alarms, which cannot search. A file server is named after the first of its targets, in
 * hexadecimal: OST0000 and OST0001 are on OSS0000, the next ones on OSS0002 (https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html).
 * Digits are lower case as in names that Lustre prints. `null` where the number of targets is not known.
 */
export function serverNamesOf(configuration: LustreConfiguration): ServerNames | null {
  const servers = serversOf(configuration);
  if (servers === null || servers.ost === null) return null;
  const { oss, ost, mds } = servers;
  return {
    oss: names('OSS', oss, Math.ceil(ost / oss)),
    ost: names('OST', ost),
    mds: names('MDS', mds),
    mdt: names('MDT', mds),
  };
}

/** The names of the metadata targets of so many provisioned metadata IOPS, whatever else the file system is. */
export const metadataTargetsOf = (iops: number): readonly string[] => names('MDT', mdsOf(iops));

const mdsOf = (iops: number): number => Math.max(1, Math.ceil(iops / METADATA_IOPS_PER_MDS));

/** One file server for each step of capacity, or of throughput. */
function ossOf(configuration: LustreConfiguration): number | null {
  const { storageCapacityGiB = 0, throughputCapacity = 0 } = configuration;
  const elastic = typeOf(configuration)?.elastic;
  if (elastic !== undefined) return Math.ceil(throughputCapacity / elastic.throughput.step);
  const valid = tierOf(configuration) && capacityStep(configuration);
  return valid && Math.ceil(storageCapacityGiB / valid.step);
}

function ostOf(configuration: LustreConfiguration): number | null {
  const { storageCapacityGiB = 0, efaEnabled } = configuration;
  const gib = efaEnabled ? null : (tierOf(configuration)?.gibPerTarget ?? null);
  return gib && Math.ceil(storageCapacityGiB / gib);
}

const names = (prefix: string, count: number, step = 1): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${(index * step).toString(16).padStart(4, '0')}`);
