import fc from 'fast-check';
import { type Advice, advise as adviseAny, type Requirement } from '../../lib/advise';
import { predict } from '../../lib/predict';
import type { LustreConfiguration } from '../../lib/storage/lustre/configuration';

/** Advice of a requirement that names no storages: all of it is of FSx for Lustre, without head-room. */
export const advise = (requirement: Requirement): Advice<LustreConfiguration> =>
  adviseAny({ headroom: 0, ...requirement }) as Advice<LustreConfiguration>;

/** Requirements of people, from nothing much to what no file system does. */
export const REQUIREMENTS: fc.Arbitrary<Requirement> = fc
  .record(
    {
      readMBps: fc.double({ min: 1, max: 40_000, noNaN: true }),
      writeMBps: fc.double({ min: 1, max: 40_000, noNaN: true }),
      capacityTB: fc.double({ min: 0.01, max: 120, noNaN: true }),
      createsPerSecond: fc.integer({ min: 1, max: 400_000 }),
      ratio: fc.double({ min: 1, max: 12, noNaN: true }),
      together: fc.boolean(),
      workingSetGiB: fc.double({ min: 1, max: 5000, noNaN: true }),
      maxMonthlyUsd: fc.integer({ min: 100, max: 200_000 }),
      clients: fc.record({
        count: fc.integer({ min: 1, max: 64 }),
        instanceType: fc.constantFrom('c6in.16xlarge', 'c6in.32xlarge'),
        efa: fc.constant(false),
      }),
      maxFill: fc.constantFrom(0.5, 0.9, 1),
      region: fc.constantFrom('us-east-1', 'us-east-2', 'eu-central-1'),
    },
    { requiredKeys: [] },
  )
  .filter(({ readMBps, writeMBps, capacityTB, createsPerSecond }) =>
    [readMBps, writeMBps, capacityTB, createsPerSecond].some((value) => value !== undefined),
  )
  .chain((requirement) =>
    fc
      .boolean()
      .map((efa) =>
        requirement.clients === undefined || requirement.clients.instanceType !== 'c6in.32xlarge'
          ? requirement
          : { ...requirement, clients: { ...requirement.clients, efa } },
      ),
  );

/** Judged here once more, from the prediction and the documented capacity alone. */
export function meets(configuration: LustreConfiguration, requirement: Requirement): boolean {
  const { readMBps = 0, writeMBps = 0, together, capacityTB = 0, createsPerSecond = 0, clients, region } = requirement;
  const lz4 = configuration.dataCompressionType === 'LZ4';
  const ratio = lz4 ? (requirement.ratio ?? 1) : 1;
  const elastic = configuration.storageCapacityGiB === undefined;
  const data = (capacityTB * 1e12) / 2 ** 30;
  const at = (readShare: number) =>
    predict({
      configuration,
      readShare,
      region,
      ratio: lz4 ? requirement.ratio : undefined,
      workingSetGiB: requirement.workingSetGiB ?? (elastic && data > 0 ? data : undefined),
      clients: clients && { ...clients, efa: clients.efa === true && configuration.efaEnabled === true },
    });
  const reaches = (readShare: number, MBps: number) => {
    if (MBps === 0) return true;
    const { throughputMBps, undocumented } = at(readShare);
    return undocumented.length === 0 && throughputMBps.baseline >= MBps * (1 - 1e-9);
  };
  const bytes = elastic ? (at(0).servers?.oss ?? 0) * 512 * 2 ** 40 : (configuration.storageCapacityGiB ?? 0) * 2 ** 30;
  // Cheapest first: most configurations of a grid are not even large enough.
  const fits = bytes * ratio * (requirement.maxFill ?? 0.8) >= capacityTB * 1e12 * (1 - 1e-9);
  const creates = () => createsPerSecond === 0 || (at(0).metadataPerSecond?.file_create ?? 0) >= createsPerSecond;
  const rates = () =>
    together && readMBps > 0 && writeMBps > 0
      ? reaches(readMBps / (readMBps + writeMBps), readMBps + writeMBps)
      : reaches(1, readMBps) && reaches(0, writeMBps);
  return fits && creates() && rates();
}
