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

test.each<[string, Settings, string[]]>([
  ['on demand', {}, ['324 vCPUs of Running On-Demand Standard']],
  ['spot', { purchase: 'spot' }, ['288 vCPUs of All Standard']],
  [
    'HPC, of which a new account has none',
    { instanceType: 'hpc7g.4xlarge', clients: 2 },
    ['48 vCPUs of Running On-Demand HPC'],
  ],
])('warns of vCPUs: %s', (_, settings, said) => {
  const warnings = quotaWarnings(resolveBenchmark(compressionBench, settings));
  expect(warnings.map(({ id }) => id)).toEqual(said.map(() => 'fsxbench:vcpuQuota'));
  for (const [index, { message }] of warnings.entries()) expect(message).toContain(said[index]);
});

const FEW = { clients: 2, instanceType: 'c5n.large' };

test('does not warn of vCPUs that are reserved, or that a new account has', () => {
  const reserved = { purchase: 'capacity-reservation', capacityReservationId: 'cr-0a1b2c3d4e5f60718' } as const;
  expect(warned({ ...reserved, availabilityZone: 'us-east-1a' })).toEqual([]);
  // With the builder they are six for a minute, in which Auto Scaling tries again.
  expect(warned(FEW)).toEqual([]);
});

test('names the quota of the kind of instance, and claims none that is not known', () => {
  const code = (type: string, purchase: 'on-demand' | 'spot' = 'on-demand') => vcpuQuotaOf(type, purchase)?.code;
  expect(
    [
      ...['c5n.9xlarge', 'im4gn.large', 'i7ie.48xlarge', 'hpc6a.48xlarge', 'x2idn.16xlarge', 'p5.48xlarge'],
      ...['g4dn.xlarge', 'vt1.3xlarge', 'inf2.xlarge', 'trn1.2xlarge', 'u-6tb1.56xlarge', 'q9.large'],
    ].map((type) => code(type)),
  ).toEqual([
    ...['L-1216C47A', 'L-1216C47A', 'L-1216C47A', 'L-F7808C92', 'L-7295265B', 'L-417A185B'],
    ...['L-DB2E81BA', 'L-DB2E81BA', 'L-1945791B', 'L-2C3B7624', 'L-43DA4232', undefined],
  ]);
  expect(['m7i.large', 'p4d.24xlarge', 'p5.48xlarge', 'hpc6a.48xlarge'].map((type) => code(type, 'spot'))).toEqual([
    ...['L-34B43A08', 'L-7212CCBC', 'L-C4BD4855', undefined],
  ]);
});

test('warns of storage, and of the throughput and the read cache of Intelligent-Tiering, of all arms together', () => {
  expect(warned({ ...FEW, storageCapacityGiB: 50_400 })).toEqual([]);
  expect(warned({ ...FEW, storageCapacityGiB: 52_800 })).toEqual(['fsxbench:storageQuota']);
  expect(
    warned({
      deploymentType: 'PERSISTENT_2',
      storageType: 'INTELLIGENT_TIERING',
      throughputCapacity: 60_000,
      metadataIops: 6000,
      dataReadCache: 'proportional',
      ...FEW,
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
