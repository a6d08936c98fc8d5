import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import { quotaWarnings } from '../../lib/deploy/quotas';
import { vcpuQuotaOf } from '../../lib/fleet/vcpuQuota';
import { stacksWith } from '../support/cdk';

const warned = (settings: Settings, definition = compressionBench) =>
  quotaWarnings(resolveBenchmark(definition, settings)).map(({ id }) => id);

test.each<[string, Settings]>([
  ['on demand', {}],
  ['spot', { purchase: 'spot' }],
  ['HPC, of which a new account has none', { instanceType: 'hpc7g.4xlarge', clients: 2 }],
])('warns of vCPUs: %s', (_, settings) => {
  expect(warned(settings)).toEqual(['fsxbench:vcpuQuota']);
});

test('does not warn of vCPUs that are reserved, or that a new account has', () => {
  const reserved = { purchase: 'capacity-reservation', capacityReservationId: 'cr-0a1b2c3d4e5f60718' } as const;
  expect(warned({ ...reserved, availabilityZone: 'us-east-1a' })).toEqual([]);
  expect(warned({ clients: 2, instanceType: 'c5n.large' })).toEqual([]);
});

test('names the quota of the kind of instance, and claims none that is not known', () => {
  const code = (type: string, purchase: 'on-demand' | 'spot' = 'on-demand') => vcpuQuotaOf(type, purchase)?.code;
  expect(
    ['c5n.9xlarge', 'hpc6a.48xlarge', 'i4i.large', 'x2idn.16xlarge', 'p5.48xlarge'].map((type) => code(type)),
  ).toEqual(['L-1216C47A', 'L-F7808C92', 'L-1216C47A', undefined, undefined]);
  expect(code('m7i.large', 'spot')).toBe('L-34B43A08');
});

test('warns of storage, and of the throughput and the read cache of Intelligent-Tiering, of all arms together', () => {
  expect(warned({ storageCapacityGiB: 52_800, clients: 2, instanceType: 'c5n.large' })).toEqual([
    'fsxbench:storageQuota',
  ]);
  expect(
    warned({
      deploymentType: 'PERSISTENT_2',
      storageType: 'INTELLIGENT_TIERING',
      throughputCapacity: 60_000,
      metadataIops: 6000,
      dataReadCache: 'proportional',
      clients: 2,
      instanceType: 'c5n.large',
    }),
  ).toEqual(['fsxbench:tieringThroughputQuota', 'fsxbench:tieringCacheQuota']);
});

test.each([
  [65, true],
  [64, false],
])('of %i clients in one cluster placement group, warns: %s', (clients, expected) => {
  const { bench } = stacksWith({ placement: 'cluster', clients }, undefined, undefined, metadataBench);
  const found = Annotations.fromStack(bench).findWarning(
    '*',
    Match.stringLikeRegexp('fsxbench:largeClusterPlacementGroup'),
  );
  expect(found.length > 0).toBe(expected);
});
