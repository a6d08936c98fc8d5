import type { LustreConfiguration } from '../../../../lib/storage/lustre/configuration';
import { ADVICE } from '../../../../lib/storage/lustre/rule/advice';
import { checkLustre } from '../../../../lib/storage/lustre/rules';
import { MIN } from '../configurations';
import { type Case, PUBLISHED, repository } from './cases';

const ADVISED: Case[] = [
  [
    'scratch',
    { ...MIN.scratch2, storageCapacityGiB: 4800 },
    "'deploymentType' SCRATCH_2 does not replicate data: if a file server fails, its files are lost and the run ends; prefer a persistent type for runs of several hours",
  ],
  [
    'old-version',
    { ...PUBLISHED, version: '2.10' },
    "'version' 2.10 is not the current version, and Amazon Linux 2023 cannot mount it; leave it out for 2.15",
  ],
  [
    'old-version',
    { ...PUBLISHED, version: '2.12' },
    "'version' 2.12 is not the current version; leave it out for 2.15",
  ],
  [
    'no-metadata-configuration',
    { ...MIN.persistent2, storageCapacityGiB: 4800, metadata: undefined },
    "'metadata' is absent: it cannot be added after creation, and AWS publishes no metadata rate for such a file system; set USER_PROVISIONED with the required IOPS",
  ],
  [
    'automatic-metadata',
    { ...MIN.persistent2, storageCapacityGiB: 9600, metadata: { mode: 'AUTOMATIC' } },
    "'metadata' AUTOMATIC gives 6000 IOPS at 9600 GiB and changes them with the capacity; use USER_PROVISIONED if results are to be compared",
  ],
  [
    'new-tiering',
    { ...MIN.tiering, throughputCapacity: 8000, metadata: { mode: 'AUTOMATIC' } },
    "'metadata' AUTOMATIC with INTELLIGENT_TIERING is new in November 2026, and CloudFormation may refuse it in some Regions; 4000 MB/s with 6000 or 12000 metadata IOPS is older",
  ],
  [
    'one-server',
    { ...MIN.persistent1, storageCapacityGiB: 2400 },
    'one file server holds all data, so each client gets at most 5 Gbit/s (625 MB/s) whatever its network; take more capacity to measure the tier',
  ],
  [
    'hdd-without-cache',
    { ...MIN.hdd12, storageCapacityGiB: 12_000, driveCacheType: 'NONE' },
    "'driveCacheType' NONE sends every read that misses memory to the hard disks; use READ if the data that are read repeatedly fit into a fifth of the capacity",
  ],
  [
    'no-read-cache',
    { ...MIN.tiering, throughputCapacity: 8000, dataReadCache: { sizingMode: 'NO_CACHE' } },
    "'dataReadCache' NO_CACHE makes each read that misses memory take tens of milliseconds; use PROPORTIONAL_TO_THROUGHPUT_CAPACITY unless such reads are measured",
  ],
  [
    'backups',
    { ...PUBLISHED, backups: { retentionDays: 1 } },
    "'backups' may run during a measurement, are billed by what they store, and are deleted with the file system, so they preserve nothing; omit them in a benchmark",
  ],
  [
    'linked',
    { ...PUBLISHED, dataRepositories: [repository] },
    'the link to S3 moves data over the network of the file servers, which counts as theirs in the metrics; keep measured directories outside it',
  ],
  [
    'quota',
    { ...PUBLISHED, storageCapacityGiB: 103_200 },
    "'storageCapacityGiB' 103200 is above the default quota of 100800 GiB in a Region; have it raised in Service Quotas before deploying",
  ],
  [
    'quota',
    { ...MIN.hdd12, storageCapacityGiB: 108_000 },
    "'storageCapacityGiB' 108000 is above the default quota of 102000 GiB for a file system on HDD; have it raised in Service Quotas before deploying",
  ],
  [
    'tiering-throughput-quota',
    { ...MIN.tiering, throughputCapacity: 104_000, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 832 } },
    "'throughputCapacity' 104000 is above the default quota of 100000 MB/s in a Region; have it raised in Service Quotas before deploying",
  ],
  [
    'tiering-cache-quota',
    { ...MIN.tiering, throughputCapacity: 24_000 },
    "'dataReadCache' of 120000 GiB is above the default quota of 100800 GiB in a Region; have it raised in Service Quotas before deploying",
  ],
];

test.each(ADVISED)('%s: %j is accepted with a warning', (id, configuration, message) => {
  expect(checkLustre(configuration)).toEqual({ errors: [], warnings: [{ id: `fsxbench:lustre-${id}`, message }] });
});

// One step further each draws a remark.
test.each<LustreConfiguration>([
  { ...MIN.persistent2, storageCapacityGiB: 12_000, metadata: { mode: 'USER_PROVISIONED', iops: 12_000 } },
  { ...PUBLISHED, backups: { retentionDays: 0 } },
  { ...PUBLISHED, storageCapacityGiB: 100_800 },
  { ...MIN.hdd12, storageCapacityGiB: 102_000 },
  { ...MIN.tiering, throughputCapacity: 100_000, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 100_800 } },
])('%j draws no remark', (configuration) => {
  expect(checkLustre(configuration).warnings).toEqual([]);
});

test('every advice has a configuration that calls for it', () => {
  const shown = new Set(ADVISED.map(([id]) => id));
  expect(Object.keys(ADVICE).filter((id) => !shown.has(id))).toEqual([]);
});

test('the file system of the published study draws no remark', () => {
  expect(checkLustre(PUBLISHED)).toEqual({ errors: [], warnings: [] });
});
