import { instanceType, instanceTypeNames } from '../../lib/fleet/instanceTypes';

test.each([
  [
    'c5n.9xlarge',
    {
      vcpus: 36,
      memoryMiB: 98_304,
      networkBaselineMbps: 50_000,
      ebsBaselineMBps: 1187.5,
      efa: true,
      placementGroup: true,
    },
  ],
  [
    'c5n.large',
    {
      vcpus: 2,
      memoryMiB: 5376,
      networkBaselineMbps: 3000,
      networkBurstMbps: 25_000,
      ebsBaselineMBps: 81.25,
      ebsBurstMBps: 593.75,
      efa: false,
      placementGroup: true,
    },
  ],
  [
    't3.medium',
    {
      vcpus: 2,
      memoryMiB: 4096,
      networkBaselineMbps: 256,
      networkBurstMbps: 5000,
      ebsBaselineMBps: 43.375,
      ebsBurstMBps: 260.625,
      efa: false,
      placementGroup: false,
    },
  ],
])('%s is what AWS documents', (name, expected) => {
  expect(instanceType(name)).toEqual(expected);
});

test.each([
  'p4d.24xlarge',
  'p5.48xlarge',
  'p5en.48xlarge',
  'g5.xlarge',
  'g6.2xlarge',
  'trn1.32xlarge',
  'r6i.large',
  'c8g.xlarge',
])('%s is known', (name) => expect(instanceType(name)).not.toBeNull());

test('of several network cards one counts', () => {
  expect(instanceType('p4d.24xlarge')?.networkBaselineMbps).toBe(100_000);
});

test('an instance type that is not in the data is unknown, not guessed', () => {
  expect(instanceType('c5n.10xlarge')).toBeNull();
  expect(instanceType('constructor')).toBeNull();
});

test('every type has processors, memory, network and EBS, and bursts only above its baseline', () => {
  const wrong = instanceTypeNames().filter((name) => {
    const info = instanceType(name);
    if (info === null) return true;
    const { vcpus, memoryMiB, networkBaselineMbps, networkBurstMbps = Number.POSITIVE_INFINITY } = info;
    const { ebsBaselineMBps, ebsBurstMBps = Number.POSITIVE_INFINITY } = info;
    return !(
      vcpus > 0 &&
      memoryMiB > 0 &&
      networkBaselineMbps > 0 &&
      networkBurstMbps > networkBaselineMbps &&
      ebsBaselineMBps > 0 &&
      ebsBurstMBps > ebsBaselineMBps
    );
  });
  expect(wrong).toEqual([]);
});
