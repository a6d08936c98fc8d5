import { DEFAULT_LUSTRE_VERSION } from '../configuration';
import { automaticMetadataIops } from '../documented';
import { serversOf } from '../servers';
import { typeOf } from '../types';
import { isLinked } from './repositories';
import type { Rules } from './rule';
import { isScratch } from './type';

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

  /** TCP between a client and a server is limited to 5 Gbit/s: https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html. */
  'one-server': (configuration) =>
    serversOf(configuration)?.oss === 1 &&
    !configuration.efaEnabled &&
    'one file server holds all data, so each client gets at most 5 Gbit/s (625 MB/s) whatever its network; take more capacity to measure the tier',

  'hdd-without-cache': ({ driveCacheType }) =>
    driveCacheType === 'NONE' &&
    "'driveCacheType' NONE sends every read that misses memory to the hard disks; use READ if the data that are read repeatedly fit into a fifth of the capacity",

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
};
