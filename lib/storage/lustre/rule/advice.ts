import { DEFAULT_LUSTRE_VERSION } from '../configuration';
import {
  automaticMetadataIops,
  DEFAULT_HDD_QUOTA_GIB,
  DEFAULT_STORAGE_QUOTA_GIB,
  DEFAULT_TIERING_QUOTA,
  kindOf,
} from '../documented';
import { readCacheGiB } from '../limits';
import { serversOf } from '../servers';
import { isLinked } from './repositories';
import type { Rule } from './rule';
import { isScratch } from './type';

const scratch: Rule<string> = {
  id: 'fsxbench:lustre-scratch',
  check: ({ deploymentType }) =>
    isScratch(deploymentType)
      ? `'deploymentType' ${deploymentType} does not replicate data: if a file server fails, its files are lost and the run ends; prefer a persistent type for runs of several hours`
      : undefined,
};

const oldVersion: Rule<string> = {
  id: 'fsxbench:lustre-old-version',
  check: ({ version = DEFAULT_LUSTRE_VERSION }) =>
    version === DEFAULT_LUSTRE_VERSION
      ? undefined
      : `'version' ${version} is not the current version${version === '2.10' ? ', and Amazon Linux 2023 cannot mount it' : ''}; leave it out for ${DEFAULT_LUSTRE_VERSION}`,
};

const noMetadata: Rule<string> = {
  id: 'fsxbench:lustre-no-metadata-configuration',
  check: (configuration) =>
    kindOf(configuration) === 'PERSISTENT_2_SSD' && configuration.metadata === undefined
      ? "'metadata' is absent: it cannot be added after creation, and AWS publishes no metadata rate for such a file system; set USER_PROVISIONED with the required IOPS"
      : undefined,
};

const automaticMetadata: Rule<string> = {
  id: 'fsxbench:lustre-automatic-metadata',
  check: ({ metadata, storageCapacityGiB }) =>
    metadata?.mode === 'AUTOMATIC' && storageCapacityGiB !== undefined
      ? `'metadata' AUTOMATIC gives ${automaticMetadataIops(storageCapacityGiB)} IOPS at ${storageCapacityGiB} GiB and changes them with the capacity; use USER_PROVISIONED if results are to be compared`
      : undefined,
};

const fewMetadataIops: Rule<string> = {
  id: 'fsxbench:lustre-few-metadata-iops',
  check: (configuration) => {
    const { metadata, storageCapacityGiB } = configuration;
    if (kindOf(configuration) !== 'PERSISTENT_2_SSD' || metadata?.mode !== 'USER_PROVISIONED') return undefined;
    const included = automaticMetadataIops(storageCapacityGiB ?? 0);
    return metadata.iops < included
      ? `'metadata.iops' ${metadata.iops} is below the ${included} that the price of ${storageCapacityGiB} GiB includes; ${included} costs the same`
      : undefined;
  },
};

/** TCP between a client and a server is limited to 5 Gbit/s: https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html. */
const oneServer: Rule<string> = {
  id: 'fsxbench:lustre-one-server',
  check: (configuration) =>
    serversOf(configuration)?.oss === 1 && !configuration.efaEnabled
      ? 'one file server holds all data, so that no client gets more than 5 Gbit/s (625 MB/s) whatever its network; take more capacity to measure the tier'
      : undefined,
};

export const hddWithoutCache: Rule<string> = {
  id: 'fsxbench:lustre-hdd-without-cache',
  check: ({ driveCacheType }) =>
    driveCacheType === 'NONE'
      ? "'driveCacheType' NONE sends every read that misses memory to the hard disks; use READ unless the disks themselves are measured"
      : undefined,
};

const noReadCache: Rule<string> = {
  id: 'fsxbench:lustre-no-read-cache',
  check: ({ dataReadCache }) =>
    dataReadCache?.sizingMode === 'NO_CACHE'
      ? "'dataReadCache' NO_CACHE makes each read that misses memory take tens of milliseconds; use PROPORTIONAL_TO_THROUGHPUT_CAPACITY unless such reads are measured"
      : undefined,
};

/** Source: DeleteFileSystem in the FSx API reference, "Any existing automatic backups and snapshots are also deleted". */
const backups: Rule<string> = {
  id: 'fsxbench:lustre-backups',
  check: ({ backups }) =>
    backups && backups.retentionDays > 0
      ? "'backups' may run during a measurement, and are deleted with the file system, so they preserve nothing; omit them in a benchmark"
      : undefined,
};

const linked: Rule<string> = {
  id: 'fsxbench:lustre-linked',
  check: (configuration) =>
    isLinked(configuration)
      ? 'the link to S3 moves data over the network of the file servers, which counts as theirs in the metrics; keep measured directories outside it'
      : undefined,
};

const quota: Rule<string> = {
  id: 'fsxbench:lustre-quota',
  check: ({ storageCapacityGiB = 0, storageType }) => {
    const hdd = storageType === 'HDD';
    const most = hdd ? DEFAULT_HDD_QUOTA_GIB : DEFAULT_STORAGE_QUOTA_GIB;
    return storageCapacityGiB > most
      ? aboveQuota(
          'storageCapacityGiB',
          storageCapacityGiB,
          `${most} GiB ${hdd ? 'for a file system on HDD' : 'in a Region'}`,
        )
      : undefined;
  },
};

const tieringThroughputQuota: Rule<string> = {
  id: 'fsxbench:lustre-tiering-throughput-quota',
  check: ({ throughputCapacity = 0 }) =>
    throughputCapacity > DEFAULT_TIERING_QUOTA.throughputMBps
      ? aboveQuota('throughputCapacity', throughputCapacity, `${DEFAULT_TIERING_QUOTA.throughputMBps} MB/s in a Region`)
      : undefined,
};

const tieringCacheQuota: Rule<string> = {
  id: 'fsxbench:lustre-tiering-cache-quota',
  check: (configuration) =>
    configuration.dataReadCache !== undefined && readCacheGiB(configuration) > DEFAULT_TIERING_QUOTA.readCacheGiB
      ? aboveQuota(
          'dataReadCache',
          `of ${readCacheGiB(configuration)} GiB`,
          `${DEFAULT_TIERING_QUOTA.readCacheGiB} GiB in a Region`,
        )
      : undefined,
};

function aboveQuota(property: string, value: number | string, quota: string): string {
  return `'${property}' ${value} is above the default quota of ${quota}; have it raised in Service Quotas before deploying`;
}

export const ADVICE: readonly Rule<string>[] = [
  scratch,
  oldVersion,
  noMetadata,
  automaticMetadata,
  fewMetadataIops,
  oneServer,
  hddWithoutCache,
  noReadCache,
  backups,
  linked,
  quota,
  tieringThroughputQuota,
  tieringCacheQuota,
];
