import { DEFAULT_LUSTRE_VERSION } from '../configuration';
import { automaticMetadataIops } from '../documented';
import { readCacheGiB } from '../limits';
import { serversOf } from '../servers';
import { DEFAULT_HDD_QUOTA_GIB, DEFAULT_STORAGE_QUOTA_GIB, DEFAULT_TIERING_QUOTA, TIERING, typeOf } from '../types';
import { isLinked } from './repositories';
import type { Rules } from './rule';
import { isScratch } from './type';

/** Advice that also speaks against buying such a file system. */
export const HDD_ADVICE: Rules<string> = {
  'hdd-without-cache': ({ driveCacheType }) =>
    driveCacheType === 'NONE' &&
    "'driveCacheType' NONE sends every read that misses memory to the hard disks; use READ if the data that are read repeatedly fit into a fifth of the capacity",
};

/** Rules on configurations that AWS accepts and a benchmark should avoid. */
export const ADVICE: Rules<string> = {
  scratch: ({ deploymentType }) =>
    isScratch(deploymentType) &&
    `'deploymentType' ${deploymentType} does not replicate data: if a file server fails, its files are lost and the run ends; prefer a persistent type for runs of several hours`,

  'old-version': ({ version = DEFAULT_LUSTRE_VERSION }) =>
    version !== DEFAULT_LUSTRE_VERSION &&
    `'version' ${version} is not the current version${version === '2.10' ? ', and Amazon Linux 2023 cannot mount it' : ''}; leave it out for ${DEFAULT_LUSTRE_VERSION}`,

  'no-metadata-configuration': (configuration) =>
    typeOf(configuration)?.metadata === 'optional' &&
    configuration.metadata === undefined &&
    "no metadata IOPS are set: AWS publishes no metadata rate for such a file system, and they cannot be added after creation; set 'metadata' to USER_PROVISIONED with the required IOPS",

  'automatic-metadata': ({ metadata, storageCapacityGiB }) =>
    metadata?.mode === 'AUTOMATIC' &&
    storageCapacityGiB !== undefined &&
    `'metadata' AUTOMATIC gives ${automaticMetadataIops(storageCapacityGiB)} IOPS at ${storageCapacityGiB} GiB and changes them with the capacity; use USER_PROVISIONED if results are to be compared`,

  /**
   * Sizes that FSx documents since November 2026 (botocore 1.44.8): the shapes of its API, and older CloudFormation and clients, still have
   * the old minimum.
   */
  'new-tiering': ({ storageType, throughputCapacity = 0, metadata }) => {
    if (storageType !== 'INTELLIGENT_TIERING') return undefined;
    const old = TIERING.throughput.step;
    const what = [
      ...(throughputCapacity < old ? [`'throughputCapacity' ${throughputCapacity}`] : []),
      ...(metadata?.mode === 'AUTOMATIC' ? ["'metadata' AUTOMATIC"] : []),
      ...(metadata?.mode === 'USER_PROVISIONED' && ![6000, 12_000].includes(metadata.iops)
        ? [`'metadata.iops' ${metadata.iops}`]
        : []),
    ];
    return (
      what.length > 0 &&
      `${what.join(' and ')} with INTELLIGENT_TIERING is new in November 2026, and CloudFormation may refuse it in some Regions; ${old} MB/s with 6000 or 12000 metadata IOPS is older`
    );
  },

  /** TCP between a client and a server is limited to 5 Gbit/s: https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html. */
  'one-server': (configuration) =>
    serversOf(configuration)?.oss === 1 &&
    !configuration.efaEnabled &&
    'one file server holds all data, so each client gets at most 5 Gbit/s (625 MB/s) whatever its network; take more capacity to measure the tier',

  ...HDD_ADVICE,

  'no-read-cache': ({ dataReadCache }) =>
    dataReadCache?.sizingMode === 'NO_CACHE' &&
    "'dataReadCache' NO_CACHE makes each read that misses memory take tens of milliseconds; use PROPORTIONAL_TO_THROUGHPUT_CAPACITY unless such reads are measured",

  /** Source: DeleteFileSystem in the FSx API reference, "Any existing automatic backups and snapshots are also deleted". */
  backups: ({ backups: { retentionDays } = { retentionDays: 0 } }) =>
    retentionDays > 0 &&
    "'backups' may run during a measurement, are billed by what they store, and are deleted with the file system, so they preserve nothing; omit them in a benchmark",

  linked: (configuration) =>
    isLinked(configuration) &&
    'the link to S3 moves data over the network of the file servers, which counts as theirs in the metrics; keep measured directories outside it',

  quota: ({ storageCapacityGiB = 0, storageType }) => {
    const hdd = storageType === 'HDD';
    const max = hdd ? DEFAULT_HDD_QUOTA_GIB : DEFAULT_STORAGE_QUOTA_GIB;
    const quota = `${max} GiB ${hdd ? 'for a file system on HDD' : 'in a Region'}`;
    return storageCapacityGiB > max && aboveQuota('storageCapacityGiB', storageCapacityGiB, quota);
  },

  'tiering-throughput-quota': ({ throughputCapacity: MBps = 0 }) => {
    const max = DEFAULT_TIERING_QUOTA.throughputMBps;
    return MBps > max && aboveQuota('throughputCapacity', MBps, `${max} MB/s in a Region`);
  },

  'tiering-cache-quota': (configuration) => {
    const gib = configuration.dataReadCache === undefined ? 0 : readCacheGiB(configuration);
    const max = DEFAULT_TIERING_QUOTA.readCacheGiB;
    return gib > max && aboveQuota('dataReadCache', `of ${gib} GiB`, `${max} GiB in a Region`);
  },
};

const aboveQuota = (property: string, value: number | string, quota: string): string =>
  `'${property}' ${value} is above the default quota of ${quota}; have it raised in Service Quotas before deploying`;
