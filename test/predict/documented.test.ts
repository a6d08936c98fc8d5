import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PredictRequest, predict } from '../../lib';
import type { LustreConfiguration } from '../../lib/storage/lustre/configuration';
import { REDUCED_BURST_REGIONS } from '../../lib/storage/lustre/types';
import { MIN } from '../storage/lustre/configurations';

/** Every documented FSx for Lustre ceiling, by its source. The figures are typed in again here, on purpose. */

type Pair = readonly [baseline: number, burst: number];

const ratesOf = (request: PredictRequest, name: string): Pair => {
  const found = predict(request).limits.find((limit) => limit.name === name);
  if (found === undefined) throw new Error(`no limit ${name}`);
  return [found.baselineMBps, found.burstMBps];
};
const times = ([baseline, burst]: Pair): Pair => [baseline * 36, burst * 36];

// guide/ssd-storage: for each 1,000 GiB the network, writes to and reads from disks, GiB of memory, and the burst of the network in some Regions.
test.each<[LustreConfiguration['deploymentType'], number | undefined, Pair, Pair, Pair, number, number?]>([
  ['SCRATCH_2', undefined, [200, 1300], [100, 100], [200, 200], 6.7],
  ['PERSISTENT_1', 50, [250, 1300], [50, 240], [50, 240], 2.2, 530],
  ['PERSISTENT_1', 100, [500, 1300], [100, 240], [100, 240], 4.4, 530],
  // The 530 of the guide are below the baseline.
  ['PERSISTENT_1', 200, [750, 1300], [200, 240], [200, 240], 8.8, 750],
  ['PERSISTENT_1', 12, [40, 375], [12, 50], [12, 80], 0.4],
  ['PERSISTENT_1', 40, [150, 1300], [40, 150], [40, 250], 1.5, 530],
  ['PERSISTENT_2', 125, [320, 1300], [125, 500], [125, 500], 3.4],
  ['PERSISTENT_2', 250, [640, 1300], [250, 500], [250, 500], 6.8],
  ['PERSISTENT_2', 500, [1300, 1300], [500, 500], [500, 500], 13.7],
  ['PERSISTENT_2', 1000, [2600, 2600], [1000, 1000], [1000, 1000], 27.3],
])('%s at %p has the network %j, the disks %j and %j and the memory of the guide', (...row) => {
  const [deploymentType, perUnitStorageThroughput, network, write, read, memory, reduced = network[1]] = row;
  const configuration: LustreConfiguration = {
    ...((perUnitStorageThroughput ?? 50) < 50 && { storageType: 'HDD', driveCacheType: 'NONE' }),
    ...{ deploymentType, perUnitStorageThroughput, storageCapacityGiB: 36_000 },
  };
  expect(ratesOf({ configuration }, 'server_network')).toEqual(times(network));
  expect(ratesOf({ configuration }, 'disk')).toEqual(times(write));
  expect(ratesOf({ configuration, readShare: 1 }, 'disk')).toEqual(times(read));
  expect(predict({ configuration }).cache.memoryGiB).toBeCloseTo(memory * 36, 9);
  for (const region of REDUCED_BURST_REGIONS)
    expect(ratesOf({ configuration, region }, 'server_network')).toEqual(times([network[0], reduced]));
});

test('the Regions with less burst are those of the guide, China both', () => {
  // Cape Town, Hong Kong, Osaka, Singapore, Canada Central, Frankfurt, London, Milan, Stockholm, Bahrain, São Paulo, China.
  expect([...REDUCED_BURST_REGIONS].sort()).toEqual([
    ...['af-south-1', 'ap-east-1', 'ap-northeast-3', 'ap-southeast-1', 'ca-central-1', 'cn-north-1', 'cn-northwest-1'],
    ...['eu-central-1', 'eu-north-1', 'eu-south-1', 'eu-west-2', 'me-south-1', 'sa-east-1'],
  ]);
});

test("the guide's and the API reference's examples come out", () => {
  const baseline = (configuration: LustreConfiguration, ratio?: number) =>
    predict({ configuration, ratio }).throughputMBps.baseline;
  const p50 = (storageCapacityGiB: number): LustreConfiguration => ({ ...MIN.persistent1, storageCapacityGiB });
  // FSx API reference, PerUnitStorageThroughput: 2,400 GiB × 50 = 120; guide/ssd-storage: 4,800 GiB × 50 = 240.
  expect([baseline(p50(2400)), baseline(p50(4800))]).toEqual([120, 240]);
  // guide/data-compression: P1-50 from 50 to 250 MB/s for each TiB.
  expect(baseline({ ...p50(12_000), dataCompressionType: 'LZ4' }, 5)).toBe(12 * 250);
  expect(baseline({ ...p50(12_000), dataCompressionType: 'LZ4' }, 9)).toBe(12 * 250);
});

test('Intelligent-Tiering has what is documented for each 4,000 MB/s', () => {
  // guide/intelligent-tiering-file-systems; guide/managing-ssd-read-cache
  const request: PredictRequest<LustreConfiguration> = {
    configuration: { ...MIN.tiering, throughputCapacity: 12_000 },
  };
  expect(ratesOf(request, 'server_network')).toEqual([37_500, 37_500]);
  expect(ratesOf(request, 'disk')).toEqual([12_000, 12_000]);
  const { cache, servers } = predict(request);
  expect(((cache.memoryGiB ?? 0) * 2 ** 30) / 1e9).toBeCloseTo(3 * 76.8, 9);
  expect([cache.readCacheGiB, servers?.oss]).toEqual([60_000, 3]);
});

test.each([
  // guide/performance: 5 Gbit/s between a client and a server, of which there is one for each 2,400 GiB.
  [1200, 625],
  [2400, 625],
  [4800, 1250],
  [14_400, 3750],
])('one client gets from %p GiB what its paths to the servers carry', (storageCapacityGiB, MBps) => {
  const configuration = {
    ...MIN.persistent2,
    perUnitStorageThroughput: 1000,
    storageCapacityGiB,
    metadata: { mode: 'AUTOMATIC' },
  } as const;
  const request = { configuration, clients: { count: 1, instanceType: 'c5n.18xlarge' } };
  expect(ratesOf(request, 'client_oss_path')).toEqual([MBps, MBps]);
  expect(predict(request).perClient?.ceilingMBps).toEqual({ baseline: MBps, burst: MBps });
});

test('one client gets 100 Gbit/s at most, and 700 over EFA', () => {
  // guide/performance, throughput-clients
  const clients = { count: 1, instanceType: 'c6in.32xlarge' };
  const nic = (efa: boolean) => ratesOf({ configuration: MIN.efa, clients: { ...clients, efa } }, 'client_nic')[0];
  expect(nic(false)).toBe(12_500);
  expect(nic(true)).toBeLessThanOrEqual(87_500);
  expect(nic(true)).toBeGreaterThanOrEqual(12_500);
});

test.each([
  // guide/performance: creates 2, deletes 1, directories 0.1 to make and to rename, 0.2 to remove, for each metadata IOPS.
  [1500, 3000, 1500, 150, 300],
  [12_000, 24_000, 12_000, 1200, 2400],
  [192_000, 384_000, 192_000, 19_200, 38_400],
])('%p metadata IOPS do what is documented', (iops, file_create, file_remove, dir, dir_remove) => {
  const configuration = { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops } } as const;
  expect(predict({ configuration }).metadataPerSecond).toEqual({
    file_create,
    file_remove,
    dir_create: dir,
    dir_rename: dir,
    dir_remove,
  });
});

test('no documented figure of the studies is left out: these claims are reproduced in this folder', () => {
  const folder = join(__dirname, '../../claims');
  const documented = readdirSync(folder, { encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const { claims } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
        claims: { id: string; quantity: string }[];
      };
      return claims.flatMap(({ id, quantity }) =>
        /documented|calculated|per provisioned|automatic metadata/.test(quantity) ? [id] : [],
      );
    });
  const tests = readdirSync(__dirname)
    .map((file) => readFileSync(join(__dirname, file), 'utf8'))
    .join('\n');
  expect(documented.length).toBeGreaterThan(6);
  expect(documented.filter((id) => !tests.includes(`'${id}'`))).toEqual([]);
});
