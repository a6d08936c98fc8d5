import type { Requirement } from '../../lib/advise';
import { predict } from '../../lib/predict';
import { PUBLISHED } from '../../lib/price/prices';
import { advise } from './requirements';

/** The requirements of docs/advise.md, from a budget to hundreds of millions of files. */
const ASKED: readonly (readonly [string, Requirement])[] = [
  ['small files', { capacityTB: 5, files: 5e9, ratio: 1.2 }],
  ['genomics', { capacityTB: 50, readMBps: 4000, ratio: 2.2, clients: { count: 16, instanceType: 'c5n.9xlarge' } }],
  ['many files', { capacityTB: 200, readMBps: 40_000, files: 3e8 }],
  ['a budget', { maxMonthlyUsd: 5000 }],
  ['creations', { createsPerSecond: 20_000 }],
  ['clients over EFA', { readMBps: 60_000, clients: { count: 4, instanceType: 'c6in.32xlarge', efa: true } }],
  ['few slow clients', { writeMBps: 500, clients: { count: 2, instanceType: 'c5n.large' }, capacityTB: 1 }],
];

test.each(ASKED)('%s: in every proposed proof the file system is the limit, not its clients', (_, requirement) => {
  const { options } = advise(requirement);
  for (const { configuration, cdkJson } of options) {
    const { CompressionBench, MetadataBench } = cdkJson.context;
    if (requirement.createsPerSecond !== undefined) {
      const { metadataPerSecond } = predict({ configuration });
      expect(metadataPerSecond?.file_create).toBeGreaterThanOrEqual(requirement.createsPerSecond);
      // No throughput is asked for.
      expect([CompressionBench, MetadataBench]).toEqual([undefined, expect.anything()]);
      continue;
    }
    const { clients, instanceType, ...more } = CompressionBench as { clients: number; instanceType: string };
    // Over EFA if it was requested and the file system has it.
    const efa = requirement.clients?.efa === true && 'efaEnabled' in configuration;
    expect('efaClients' in more).toBe(efa);
    const readShare = requirement.readMBps === undefined ? 0 : 1;
    const ratio = configuration.dataCompressionType === 'LZ4' ? requirement.ratio : undefined;
    const { binding, throughputMBps } = predict({
      configuration,
      readShare,
      ratio,
      clients: { count: clients / 2, instanceType, efa },
      workingSetGiB:
        configuration.storageType === 'INTELLIGENT_TIERING' && requirement.capacityTB !== undefined
          ? (requirement.capacityTB * 1e12) / 2 ** 30
          : undefined,
    });
    expect([JSON.stringify(configuration), clients, binding.baseline]).toEqual([
      expect.anything(),
      expect.any(Number),
      expect.not.stringMatching(/^client_/),
    ]);
    expect(throughputMBps.baseline).toBeGreaterThanOrEqual(requirement.readMBps ?? requirement.writeMBps ?? 0);
    expect(PUBLISHED.instancePriceOf(instanceType, 'us-east-1')).not.toBeNull();
  }
});

test('a proof of creations is measured by clients of the user’s type, and no fewer than the user has', () => {
  const fleetOf = (clients?: Requirement['clients']) =>
    advise({ createsPerSecond: 20_000, clients }).options[0]?.cdkJson.context.MetadataBench;
  const { clients: ofStudy } = fleetOf() as { clients: number };
  expect(fleetOf()).not.toHaveProperty('instanceType');
  expect(fleetOf({ count: ofStudy + 7, instanceType: 'c6in.8xlarge' })).toMatchObject({
    clients: 2 * Math.ceil((ofStudy + 7) / 2),
    instanceType: 'c6in.8xlarge',
  });
  expect(fleetOf({ count: 2, instanceType: 'c6in.8xlarge' })).toMatchObject({ clients: ofStudy });
});
