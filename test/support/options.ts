import type { Settings } from '../../lib/config/fields';

/** Every scale and every choice that makes the templates differ. */
export const OPTIONS: Readonly<Record<string, Settings>> = {
  published: {},
  smoke: { scale: 'smoke' },
  endpoints: { egress: 'endpoints' },
  'endpoints, smoke': { egress: 'endpoints', scale: 'smoke' },
  spot: { purchase: 'spot' },
  'capacity reservation': { purchase: 'capacity-reservation', capacityReservationId: 'cr-0a1b2c3d4e5f60718' },
  'capacity reservation in its placement group': {
    purchase: 'capacity-reservation',
    capacityReservationId: 'cr-0a1b2c3d4e5f60718',
    placementGroup: 'hpc',
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
  SCRATCH_2: { deploymentType: 'SCRATCH_2', storageCapacityGiB: 2400 },
};
