import type { Benchmark } from '../../lib/benchmark/benchmark';
import { clusterBench } from '../../lib/benchmark/cluster';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { offloadBench } from '../../lib/benchmark/offload';
import { storageBench } from '../../lib/benchmark/storage';
import type { Settings } from '../../lib/config/fields';

export const CLIENTS_OVER_EFA: Settings = {
  deploymentType: 'PERSISTENT_2',
  storageCapacityGiB: 4800,
  perUnitStorageThroughput: 1000,
  metadataIops: 12_000,
  efa: true,
  efaClients: true,
  instanceType: 'c6in.32xlarge',
};

/** Every scale and every choice that makes the templates differ. */
export const OPTIONS: Readonly<Record<string, Settings>> = {
  published: {},
  smoke: { scale: 'smoke' },
  endpoints: { egress: 'endpoints' },
  'endpoints, smoke': { egress: 'endpoints', scale: 'smoke' },
  spot: { purchase: 'spot' },
  'capacity reservation': {
    purchase: 'capacity-reservation',
    capacityReservationId: 'cr-0a1b2c3d4e5f60718',
    availabilityZone: 'us-east-1b',
  },
  'capacity reservation in its placement group': {
    purchase: 'capacity-reservation',
    capacityReservationId: 'cr-0a1b2c3d4e5f60718',
    placementGroup: 'hpc',
    availabilityZone: 'us-east-1b',
  },
  'PERSISTENT_2 with metadata IOPS, EFA and a pinned image': {
    deploymentType: 'PERSISTENT_2',
    storageCapacityGiB: 4800,
    perUnitStorageThroughput: 1000,
    metadataIops: 12_000,
    efa: true,
    image: 'ami-0a1b2c3d4e5f60718',
    instanceType: 'c6in.32xlarge',
  },
  'clients over EFA': CLIENTS_OVER_EFA,
  'INTELLIGENT_TIERING on Arm clients, alarms by e-mail': {
    deploymentType: 'PERSISTENT_2',
    storageType: 'INTELLIGENT_TIERING',
    throughputCapacity: 4000,
    metadataIops: 6000,
    dataReadCache: 'proportional',
    instanceType: 'c7gn.16xlarge',
    kernel: '6.12',
    availabilityZone: 'us-east-1b',
    alarmEmail: 'ops@example.com',
  },
  'a maintenance window': { weeklyMaintenanceStartTime: '7:03:30' },
  'a link to S3 and its log': { import: 's3://my-data/reference', logLevel: 'WARN_ERROR' },
  'partitions, a thousand clients': { placement: 'partition', clients: 1000 },
  'what the rules of an account ask for': {
    permissionsBoundary: 'arn:aws:iam::123456789012:policy/Boundary',
    flowLogs: true,
    alarmEmail: 'arn:aws:sns:us-east-1:123456789012:ops',
    maxCostUsd: 100,
    kmsKeyArn: 'arn:aws:kms:us-east-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666',
  },
  SCRATCH_2: { deploymentType: 'SCRATCH_2', storageCapacityGiB: 2400 },
};

/** The same for the benchmark of metadata IOPS. */
export const METADATA_OPTIONS: Readonly<Record<string, Settings>> = {
  'metadata, published': {},
  'metadata, smoke': { scale: 'smoke' },
  'metadata, two arms over endpoints, alarms by e-mail': {
    arms: ['p250-12000', 'p1000-192000'],
    egress: 'endpoints',
    alarmEmail: 'ops@example.com',
  },
  'metadata, one arm': { arms: ['p1000-none'] },
  'metadata, a sweep': {
    storageCapacityGiB: 1200,
    metadataIopsSweep: [1500, 3000, 6000, 12_000, 24_000, 96_000, 192_000],
  },
  'metadata, as much as there may be': {
    storageCapacityGiB: 1200,
    metadataIopsSweep: [1500, 3000, 24_000, 36_000, 48_000, 60_000, 180_000],
    alarmEmail: 'ops@example.com',
  },
  'metadata, automatic, large': {
    metadataIopsSweep: ['automatic'],
    perUnitStorageThroughput: 500,
    storageCapacityGiB: 48_000,
  },
  'metadata, INTELLIGENT_TIERING': {
    storageType: 'INTELLIGENT_TIERING',
    throughputCapacity: 4000,
    dataReadCache: 'proportional',
  },
};

/** The same for the comparison of storages. */
export const STORAGE_OPTIONS: Readonly<Record<string, Settings>> = {
  'storage, published': {},
  'storage, on disks of the client and in a bucket': {
    arms: ['nvme', 's3', 'xfs', 'lustre'],
    instanceType: 'c5d.2xlarge',
  },
  'storage, with inputs of a pipeline': { inputs: ['s3://my-data/reads/', 's3://other'] },
  'storage, smoke over endpoints, alarms by e-mail': {
    scale: 'smoke',
    egress: 'endpoints',
    arms: ['lustre', 'efs', 'btrfs', 'xfs'],
    alarmEmail: 'ops@example.com',
  },
};

/** The same for compression on Lustre over ZFS. */
export const OFFLOAD_OPTIONS: Readonly<Record<string, Settings>> = {
  'offload, published': {},
  'offload, smoke with QAT and records of 128 KiB, alarms by e-mail': {
    scale: 'smoke',
    lustreZfsOffload: 'qat',
    alarmEmail: 'ops@example.com',
    arms: ['off', 'gzip-6', 'gzip-6-r128', 'gzip-6-qat', 'client-zstd-3'],
  },
};

/** The same for the benchmark on a cluster. */
export const CLUSTER_OPTIONS: Readonly<Record<string, Settings>> = {
  'cluster, published, data from S3': { import: 's3://nsf-ncar-era5/e5.oper.an.sfc', logLevel: 'WARN_ERROR' },
  'cluster, smoke': { scale: 'smoke', mpiEfa: false },
};

/** Every scale and option of every benchmark. */
export const EVERY_OPTION: readonly (readonly [name: string, settings: Settings, definition: Benchmark])[] = (
  [
    [compressionBench, OPTIONS],
    [metadataBench, METADATA_OPTIONS],
    [storageBench, STORAGE_OPTIONS],
    [clusterBench, CLUSTER_OPTIONS],
    [offloadBench, OFFLOAD_OPTIONS],
  ] as const
).flatMap(([definition, options]) =>
  Object.entries(options).map(([name, settings]) => [name, settings, definition] as const),
);
