import type { LustreConfiguration } from './configuration';
import { automaticMetadataIops, EFA_CAPACITY_STEP, HDD_CAPACITY_STEP, kindOf, TIERING_THROUGHPUT } from './documented';

/** GiB behind one file server on SSD without EFA. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html. */
const SSD_GIB_PER_OSS = 2400;
/** GiB of one storage target on SSD without EFA: derived from sample outputs of the guide, and seen by third parties. */
const SSD_GIB_PER_OST = 1200;
/** A file system of 6,000 GiB HDD at 12 MB/s/TiB was seen with 4 targets. */
const HDD_12_OST_PER_OSS = 4;
/** Metadata IOPS of one metadata server. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/dne-metadata-performance.html. */
const METADATA_IOPS_PER_MDS = 12_000;

/** Numbers of servers and targets of a file system. */
export interface Servers {
  /** Object storage servers. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html. */
  readonly oss: number;
  /** Object storage targets; `null` where AWS publishes no number and nobody has shown one (EFA, Intelligent-Tiering, HDD-40). */
  readonly ost: number | null;
  /** Metadata servers, each with one metadata target. */
  readonly mds: number;
}

/** The servers of a configuration; `null` when it is not valid enough to tell. */
export function serversOf(configuration: LustreConfiguration): Servers | null {
  const oss = ossOf(configuration);
  if (oss === null || !Number.isFinite(oss) || oss < 1) return null;
  return {
    oss,
    ost: ostOf(configuration, oss),
    mds: Math.max(1, Math.ceil(metadataIopsOf(configuration) / METADATA_IOPS_PER_MDS)),
  };
}

/** Names of servers and targets in CloudWatch: values of the dimensions `FileServer` and `StorageTargetId`. */
export interface ServerNames {
  readonly oss: readonly string[];
  readonly ost: readonly string[];
  readonly mds: readonly string[];
  readonly mdt: readonly string[];
}

/**
 * The names that the servers and targets will have, for alarms, which cannot search. A file server is named after the first of its
 * targets, in hexadecimal: OST0000 and OST0001 are on OSS0000, the next ones on OSS0002
 * (https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html).
 * Digits are lower case as in names that Lustre prints. `null` where the number of targets is not known.
 */
export function serverNamesOf(configuration: LustreConfiguration): ServerNames | null {
  const servers = serversOf(configuration);
  if (servers === null || servers.ost === null) return null;
  const { oss, ost, mds } = servers;
  const targetsPerServer = Math.ceil(ost / oss);
  return {
    oss: names('OSS', oss, targetsPerServer),
    ost: names('OST', ost, 1),
    mds: names('MDS', mds, 1),
    mdt: names('MDT', mds, 1),
  };
}

/** The names of the metadata targets of so many provisioned metadata IOPS, whatever else the file system is. */
export const metadataTargetsOf = (iops: number): readonly string[] =>
  names('MDT', Math.max(1, Math.ceil(iops / METADATA_IOPS_PER_MDS)), 1);

function metadataIopsOf({ metadata, storageCapacityGiB = 0 }: LustreConfiguration): number {
  // Without a metadata configuration there is one server, whatever the capacity.
  if (metadata === undefined) return 0;
  return metadata.mode === 'USER_PROVISIONED' ? metadata.iops : automaticMetadataIops(storageCapacityGiB);
}

function ossOf(configuration: LustreConfiguration): number | null {
  const { storageCapacityGiB = 0, perUnitStorageThroughput = 0, throughputCapacity = 0, efaEnabled } = configuration;
  switch (kindOf(configuration)) {
    case null:
      return null;
    case 'PERSISTENT_2_INTELLIGENT_TIERING':
      return Math.ceil(throughputCapacity / TIERING_THROUGHPUT.step);
    case 'PERSISTENT_1_HDD':
      return Math.ceil(storageCapacityGiB / (HDD_CAPACITY_STEP[perUnitStorageThroughput] ?? Number.NaN));
    case 'PERSISTENT_2_SSD':
      return efaEnabled
        ? Math.ceil(storageCapacityGiB / (EFA_CAPACITY_STEP[perUnitStorageThroughput] ?? Number.NaN))
        : Math.ceil(storageCapacityGiB / SSD_GIB_PER_OSS);
    default:
      return Math.ceil(storageCapacityGiB / SSD_GIB_PER_OSS);
  }
}

function ostOf(configuration: LustreConfiguration, oss: number): number | null {
  const { storageCapacityGiB = 0, perUnitStorageThroughput, storageType = 'SSD', efaEnabled } = configuration;
  if (storageType === 'HDD') return perUnitStorageThroughput === 12 ? oss * HDD_12_OST_PER_OSS : null;
  if (storageType === 'INTELLIGENT_TIERING' || efaEnabled) return null;
  return Math.ceil(storageCapacityGiB / SSD_GIB_PER_OST);
}

const names = (prefix: string, count: number, step: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const number = (index * step).toString(16).padStart(4, '0');
    return `${prefix}${number}`;
  });
