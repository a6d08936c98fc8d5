import { UsageError } from '../../../cli/context';
import { quantity, word } from '../../../cli/input/quantity';
import type { ConfigurationOptions } from '../../../cli/storageCommands';
import { given } from '../../../kit/given';
import type { LustreConfiguration } from '../configuration';
import { METADATA_IOPS_ALLOWED } from '../documented';
import { lustreWords } from '../settings';
import { GIB } from '../shorthand';

/** A configuration as text. */
interface LustreFlags {
  readonly deployment?: string;
  readonly storageType?: string;
  readonly perUnit?: string;
  readonly capacity?: string;
  readonly throughputCapacity?: string;
  readonly driveCache?: string;
  readonly readCache?: string;
  readonly metadataIops?: string;
  readonly compression?: string;
  readonly efa?: boolean;
}

/** GiB, as AWS sells it: its TiB of a file system are 1,000 GiB. */
const CAPACITY = {
  units: { '': 1, ...GIB },
  min: 1,
  max: 20_000_000,
  whole: true,
  what: 'a whole number of GiB up to 20000000, as AWS sells it, such as 14400',
};

const MBPS = {
  units: { '': 1, 'MB/s': 1 },
  min: 1,
  max: 1e9,
  whole: true,
  what: 'a whole number of MB/s, such as 4000',
};
const IOPS = { units: { '': 1 }, min: 1, max: 1e9, whole: true, what: `'automatic', ${METADATA_IOPS_ALLOWED}` };

/** Options of `fsxbench predict` that describe a file system of FSx for Lustre. */
export const lustreOptions: ConfigurationOptions = {
  configurationOf,
  words: lustreWords({
    deploymentType: '--deployment',
    storageType: '--storage-type',
    perUnitStorageThroughput: '--per-unit',
    storageCapacityGiB: '--capacity',
    throughputCapacity: '--throughput-capacity',
    driveCacheType: '--drive-cache',
    dataReadCache: '--read-cache',
    metadata: '--metadata-iops',
    efaEnabled: '--efa',
  }),
};

function configurationOf(flags: LustreFlags): LustreConfiguration {
  const { deployment, metadataIops } = flags;
  if (deployment === undefined)
    throw new UsageError(
      "required option '--deployment <type>' not specified (fsxbench predict --help names the options)",
    );
  const storageType =
    flags.storageType === undefined
      ? 'SSD'
      : word('--storage-type', flags.storageType, ['SSD', 'HDD', 'INTELLIGENT_TIERING']);
  const optional = {
    dataCompressionType:
      flags.compression === undefined ? undefined : word('--compression', flags.compression, ['NONE', 'LZ4']),
    storageCapacityGiB: quantity('--capacity', flags.capacity, CAPACITY),
    perUnitStorageThroughput: quantity('--per-unit', flags.perUnit, {
      ...MBPS,
      what: 'a whole number of MB/s per TiB, such as 200',
    }),
    throughputCapacity: quantity('--throughput-capacity', flags.throughputCapacity, MBPS),
    driveCacheType:
      flags.driveCache === undefined ? undefined : word('--drive-cache', flags.driveCache, ['NONE', 'READ']),
    dataReadCache: readCacheOf(flags.readCache),
    efaEnabled: flags.efa === true ? true : undefined,
    metadata: metadataIops === undefined ? undefined : metadataOf(metadataIops),
  };
  return {
    deploymentType: word('--deployment', deployment, ['SCRATCH_2', 'PERSISTENT_1', 'PERSISTENT_2']),
    storageType,
    ...given(optional),
  };
}

function metadataOf(text: string): LustreConfiguration['metadata'] {
  if (text.toLowerCase() === 'automatic') return { mode: 'AUTOMATIC' };
  return { mode: 'USER_PROVISIONED', iops: quantity('--metadata-iops', text, IOPS) as number };
}

function readCacheOf(text: string | undefined): LustreConfiguration['dataReadCache'] {
  if (text === undefined) return undefined;
  if (text === 'none') return { sizingMode: 'NO_CACHE' };
  if (text === 'proportional') return { sizingMode: 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' };
  const what = "'none', 'proportional' or a whole number of GiB";
  return {
    sizingMode: 'USER_PROVISIONED',
    sizeGiB: quantity('--read-cache', text, { ...CAPACITY, max: 1e9, what }) as number,
  };
}
