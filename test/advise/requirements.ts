import fc from 'fast-check';
import { type Advice, advise as adviseAny, type Requirement } from '../../lib/advise';
import { takenBySize } from '../../lib/estimate/measure/geometry';
import { instanceType } from '../../lib/fleet/instanceTypes';
import { hydrationSeconds } from '../../lib/predict';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';

/** Advice of a requirement that names no storages: all of it is of FSx for Lustre, without head-room. */
export const advise = (requirement: Requirement): Advice<LustreStorage> =>
  adviseAny({ headroom: 0, ...requirement }) as Advice<LustreStorage>;

/** As often between 1 and 10 as between 1,000 and 10,000. */
const double = (min: number, max: number) =>
  fc.noBias(fc.integer({ min: 0, max: 10_000 })).map((at) => min * (max / min) ** (at / 10_000));
const whole = (min: number, max: number) => double(min, max).map(Math.round);
const rarely = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 1 });

/** Requirements of people, from nothing much to what no file system does. */
export const REQUIREMENTS: fc.Arbitrary<Requirement> = fc
  .record(
    {
      readMBps: double(1, 40_000),
      writeMBps: double(1, 40_000),
      capacityTB: double(0.01, 120),
      createsPerSecond: whole(1, 400_000),
      files: rarely(whole(1, 500_000_000)),
      ratio: double(1, 12),
      together: fc.boolean(),
      workingSetGiB: double(1, 5000),
      scanMBps: rarely(double(1, 20_000)),
      burst: rarely(
        fc.record({ terabytes: double(0.01, 2), seconds: double(30, 600), everySeconds: double(600, 7200) }),
      ),
      maxMonthlyUsd: rarely(whole(1000, 500_000)),
      hoursPerMonth: rarely(fc.constantFrom(100, 365, 730)),
      clients: fc.record({
        count: whole(1, 64),
        instanceType: fc.constantFrom('c6in.16xlarge', 'c6in.32xlarge'),
        efa: fc.constant(false),
      }),
      maxFill: fc.constantFrom(0.5, 0.9, 1),
      headroom: fc.constantFrom(0, 0.2, 1),
      region: fc.constantFrom('us-east-1', 'us-east-2', 'eu-central-1'),
    },
    { requiredKeys: [] },
  )
  .filter(({ readMBps, writeMBps, capacityTB, createsPerSecond, burst }) =>
    [readMBps, writeMBps, capacityTB, createsPerSecond, burst].some((value) => value !== undefined),
  )
  .map(({ files, scanMBps, ...requirement }) => ({
    ...requirement,
    // Files and scans are of data.
    ...(requirement.capacityTB !== undefined && { files, scanMBps }),
  }))
  .chain((requirement) =>
    fc
      .boolean()
      .map((efa) =>
        requirement.clients === undefined || requirement.clients.instanceType !== 'c6in.32xlarge'
          ? requirement
          : { ...requirement, clients: { ...requirement.clients, efa } },
      ),
  );

/** MB/s and GiB of memory for each 1,000 GiB (FSx for Lustre guide, ssd-storage): network, its burst, disk reads, disk writes, their bursts, memory. */
const TABLE: Readonly<Record<string, readonly number[]>> = {
  SCRATCH_2: [200, 1300, 200, 100, 200, 100, 6.7],
  'PERSISTENT_1 SSD 50': [250, 1300, 50, 50, 240, 240, 2.2],
  'PERSISTENT_1 SSD 100': [500, 1300, 100, 100, 240, 240, 4.4],
  'PERSISTENT_1 SSD 200': [750, 1300, 200, 200, 240, 240, 8.8],
  'PERSISTENT_1 HDD 12': [40, 375, 12, 12, 80, 50, 0.4],
  'PERSISTENT_1 HDD 40': [150, 1300, 40, 40, 250, 150, 1.5],
  'PERSISTENT_2 SSD 125': [320, 1300, 125, 125, 500, 500, 3.4],
  'PERSISTENT_2 SSD 250': [640, 1300, 250, 250, 500, 500, 6.8],
  'PERSISTENT_2 SSD 500': [1300, 1300, 500, 500, 500, 500, 13.7],
  'PERSISTENT_2 SSD 1000': [2600, 2600, 1000, 1000, 1000, 1000, 27.3],
};
const EFA_GIB_PER_SERVER: Readonly<Record<number, number>> = { 125: 38_400, 250: 19_200, 500: 9600, 1000: 4800 };
const HDD_GIB_PER_SERVER: Readonly<Record<number, number>> = { 12: 6000, 40: 1800 };

/** Metadata IOPS that AUTOMATIC gives to a capacity (FSx for Lustre guide, performance). */
function automaticIops(gib: number): number {
  if (gib >= 48_000) return Math.floor(gib / 24_000) * 12_000;
  return gib >= 12_000 ? 12_000 : gib >= 4800 ? 6000 : gib >= 2400 ? 3000 : 1500;
}

/** Rates of a file system by the tables alone; the clients' own with those of the requirement. */
function ratesOf(configuration: LustreStorage, { clients, ratio = 1 }: Requirement) {
  const { deploymentType, storageType = 'SSD', perUnitStorageThroughput: tier = 0, efaEnabled = false } = configuration;
  const { storageCapacityGiB = 0, throughputCapacity = 0, dataReadCache, driveCacheType } = configuration;
  const lz4 = configuration.dataCompressionType === 'LZ4' ? ratio : 1;
  const efa = clients?.efa === true && efaEnabled;
  const elastic = storageType === 'INTELLIGENT_TIERING';
  const perServer = efaEnabled ? EFA_GIB_PER_SERVER[tier] : storageType === 'HDD' ? HDD_GIB_PER_SERVER[tier] : 2400;
  const servers = elastic ? Math.ceil(throughputCapacity / 4000) : Math.ceil(storageCapacityGiB / (perServer ?? 0));
  const ofClients =
    clients === undefined
      ? Number.POSITIVE_INFINITY
      : clients.count *
        Math.min(
          Math.min(instanceType(clients.instanceType)?.networkBaselineMbps ?? 0, efa ? 700_000 : 100_000) / 8,
          efa ? Number.POSITIVE_INFINITY : servers * 625,
        );
  const tib = storageCapacityGiB / 1000;
  const row = TABLE[deploymentType === 'SCRATCH_2' ? deploymentType : `${deploymentType} ${storageType} ${tier}`];
  const [network = 0, , read = 0, write = 0, , writeBurst = 0, memory = 0] = (row ?? []).map((each) => each * tib);
  if (elastic)
    return {
      ofClients,
      network: throughputCapacity * 3.125,
      read: throughputCapacity * lz4,
      write: throughputCapacity * lz4,
      writeBurst: throughputCapacity * lz4,
      memoryGiB: ((throughputCapacity / 4000) * 76.8e9) / 2 ** 30,
      cacheGiB: dataReadCache?.sizingMode === 'USER_PROVISIONED' ? dataReadCache.sizeGiB : 0,
      // A cache is never slower than what is behind it.
      cache: throughputCapacity * lz4,
      misses: false,
    };
  return {
    ofClients,
    network,
    read: read * lz4,
    write: write * lz4,
    writeBurst: writeBurst * lz4,
    memoryGiB: memory,
    cacheGiB: driveCacheType === 'READ' ? storageCapacityGiB / 5 : 0,
    cache: Math.max((storageCapacityGiB / 5000) * 200, read * lz4),
    misses: true,
  };
}

/** Demands that a configuration misses by the tables alone, or of which they say nothing. */
export function missedBy(configuration: LustreStorage, requirement: Requirement): string[] {
  const { readMBps = 0, writeMBps = 0, scanMBps = 0, together = false, burst, createsPerSecond = 0 } = requirement;
  const { headroom = 0.2, maxFill = 0.8, ratio = 1, hoursPerMonth = 730 } = requirement;
  const { storageCapacityGiB, metadata, storageType } = configuration;
  const capacityTB = requirement.capacityTB ?? burst?.terabytes ?? 0;
  const dataGiB = (capacityTB * 1e12) / 2 ** 30;
  const elastic = storageType === 'INTELLIGENT_TIERING';
  const lz4 = configuration.dataCompressionType === 'LZ4';
  const { ofClients, network, read, write, writeBurst, memoryGiB, cacheGiB, cache, misses } = ratesOf(
    configuration,
    requirement,
  );
  const enough = 1 - 1e-9;
  const set = requirement.workingSetGiB ?? (elastic && dataGiB > 0 ? dataGiB : undefined);
  /** The rate of the disks and the cache, at a share of reads of a set. */
  const storageRate = (share: number, setGiB: number | undefined): number => {
    const inMemory = setGiB !== undefined && setGiB <= memoryGiB;
    const inCache = !inMemory && setGiB !== undefined && setGiB <= cacheGiB;
    if (share > 0 && !misses && !inMemory && !inCache) return 0;
    const time = (1 - share) / write + (inMemory || inCache ? 0 : share / read);
    return Math.min(network, time > 0 ? 1 / time : network, inCache ? cache / share : network);
  };
  const reaches = (share: number, MBps: number, setGiB: number | undefined) => {
    const rate = storageRate(share, setGiB);
    return rate >= MBps * (1 + headroom) * enough && Math.min(rate, ofClients) >= MBps * enough;
  };
  const both = readMBps + writeMBps;
  const isMixed = together && readMBps > 0 && writeMBps > 0;
  const bytesPerFile =
    requirement.files === undefined || capacityTB === 0
      ? null
      : Math.max(1, Math.round((capacityTB * 1e12) / requirement.files));
  const files = (MBps: number) => (bytesPerFile === null ? 0 : (MBps * 1e6) / bytesPerFile);
  const creates = Math.max(createsPerSecond, files(writeMBps));
  const opens = files(Math.max(readMBps, scanMBps));
  const rate = isMixed ? creates + opens : Math.max(creates, opens);
  const iops =
    metadata === undefined
      ? null
      : metadata.mode === 'USER_PROVISIONED'
        ? metadata.iops
        : elastic
          ? 0
          : automaticIops(storageCapacityGiB ?? 0);
  // Without documented rates: what others measured on the smallest, and only for rates that follow from others.
  const filesReached =
    iops === null ? (createsPerSecond > 0 && createsPerSecond >= files(writeMBps) ? 0 : 6000) : 2 * iops;
  const taken = bytesPerFile === null ? { uncompressed: 1, compressed: 1 / ratio } : takenBySize(bytesPerFile, ratio);
  const gib = elastic
    ? Math.ceil((configuration.throughputCapacity ?? 0) / 4000) * 512 * 1024
    : (storageCapacityGiB ?? 0);
  const holdsTB = ((gib * 2 ** 30) / 1e12) * maxFill;
  const { files: count, clients: { count: clients = 4 } = {} } = requirement;
  const restored =
    count === undefined || bytesPerFile === null
      ? null
      : hydrationSeconds(configuration, { files: count, fileBytes: bytesPerFile, clients });
  const loadHours = Math.max(
    (capacityTB * 1e6) / Math.min(storageRate(0, undefined), ofClients) / 3600,
    (restored?.high ?? 0) / 3600,
  );
  const hoursPerDay = (hoursPerMonth / 730) * 24;
  const found: Readonly<Record<string, boolean>> = {
    capacity: holdsTB >= capacityTB * taken[lz4 ? 'compressed' : 'uncompressed'] * enough,
    'read and write': !isMixed || reaches(readMBps / both, both, set),
    read: readMBps === 0 || isMixed || reaches(1, readMBps, set),
    write: writeMBps === 0 || isMixed || reaches(0, writeMBps, set),
    scan: scanMBps === 0 || reaches(1, scanMBps, dataGiB),
    burst:
      burst === undefined ||
      Math.min(storageRate(0, undefined), ofClients) >= ((burst.terabytes * 1e6) / burst.seconds) * enough,
    files: rate === 0 || filesReached >= rate * (1 + headroom) * enough,
    load: hoursPerDay >= 24 || capacityTB === 0 || loadHours * enough <= hoursPerDay / 2,
  };
  // A burst of the documented kind is not known to last: it must at least be there.
  if (burst !== undefined && writeBurst <= 0) return ['burst'];
  return Object.entries(found).flatMap(([demand, met]) => (met ? [] : [demand]));
}

/** True if a configuration meets a requirement by the tables alone. */
export const meets = (configuration: LustreStorage, requirement: Requirement): boolean =>
  missedBy(configuration, { headroom: 0, ...requirement }).length === 0;
