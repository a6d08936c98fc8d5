import { type Violation, violationMessage } from '../../../lib/common/violation';
import { readSettings } from '../../../lib/config/app';
import { resolveBenchmark } from '../../../lib/config/benchmark';
import { instanceType } from '../../../lib/fleet/instanceTypes';
import { predict } from '../../../lib/predict';
import type { LimitOptions } from '../../../lib/storage/common/limits';
import type { EbsStorage } from '../../../lib/storage/ebs/configuration';
import { EBS_METRICS } from '../../../lib/storage/ebs/dashboard';
import { storageNamed, storageOf } from '../../../lib/storage/lookup';
import { ebsBench, GP2, GP3, IO2, XFS } from './bench';

const ebs = storageNamed('ebs');
const limit = (name: string, configuration: EbsStorage, options?: LimitOptions) =>
  ebs.documented.limits(configuration, options).find((one) => one.name === name);

describe('what could not be made is refused with what is allowed', () => {
  test.each<[Partial<EbsStorage>, EbsStorage, string]>([
    [{ compression: 'lz4' }, GP3, "'compression' must be none, lzo or zstd:1 to zstd:15, got lz4."],
    [{ compression: 'zstd:16' }, GP3, "'compression' must be none, lzo or zstd:1 to zstd:15, got zstd:16."],
    [{ compression: 'lzo' }, XFS, "'compression' (lzo) cannot be combined with XFS: it does not compress."],
    [{ volumeGiB: 0 }, XFS, "'ebsVolumeGiB' must be a whole number from 1 to 65536 with gp3, got 0"],
    [{ volumeGiB: 16_385 }, GP2, "'ebsVolumeGiB' must be a whole number from 1 to 16384 with gp2, got 16385"],
    [{ volumeGiB: 100.5 }, XFS, "'ebsVolumeGiB' must be a whole number"],
    [{ volumes: 12 }, XFS, "'ebsVolumes' must be a whole number from 1 to 11, got 12"],
    [{ iops: 3000 }, GP2, "'ebsIops' (3000) cannot be combined with gp2: its size decides."],
    [{ iops: 2999 }, GP3, "'ebsIops' must be a whole number from 3000 to 80000 with gp3 of 200 GiB, got 2999"],
    [{ iops: 5001, volumeGiB: 10, throughputMiBps: 500 }, GP3, "'ebsIops' must be a whole number from 3000 to 5000"],
    [{ iops: 256_001, volumeGiB: 1000 }, IO2, "'ebsIops' must be a whole number from 100 to 256000 with io2"],
    [{ iops: undefined }, IO2, "'ebsIops' must be given with io2, got nothing. Set it from 100 to 100000."],
    [{ iops: undefined, volumeGiB: 1000 }, IO2, 'Set it from 100 to 256000.'],
    [{ throughputMiBps: 250 }, GP2, "'ebsThroughput' (250) cannot be combined with gp2: only gp3 has it. Use"],
    [{ throughputMiBps: 124 }, GP3, "'ebsThroughput' must be a whole number of MiB/s from 125 to 1500 with 6000 IOPS"],
    [{ throughputMiBps: 751 }, XFS, "from 125 to 750 with 3000 IOPS, got 751. Higher values require more 'ebsIops'"],
  ])('%j', (change, base, message) => {
    const asSet = (breach: Violation) => violationMessage(breach, ebs.configuration.words);
    expect(ebs.configuration.check({ ...base, ...change }).errors.map(asSet)).toEqual([
      expect.stringContaining(message),
    ]);
  });

  test('what can be made is not', () => {
    const ends: EbsStorage[] = [
      { ...GP2, volumeGiB: 1 },
      { ...GP2, volumeGiB: 16_384, volumes: 11 },
      { ...XFS, volumeGiB: 65_536, iops: 80_000, throughputMiBps: 1500 },
      { ...XFS, volumeGiB: 10, iops: 5000, throughputMiBps: 125 },
      { ...XFS, throughputMiBps: 750 },
    ];
    for (const one of [GP2, GP3, IO2, XFS, ...ends]) expect(ebs.configuration.check(one).errors).toEqual([]);
  });

  test('more clients than one, with the arm and the way out', () => {
    const resolve = (clients: number) =>
      resolveBenchmark(ebsBench, readSettings({ clients }, 'EbsBench', ['EbsBench']), 'us-east-1');
    expect(() => resolve(2)).toThrow(
      "'clients' must be at most 1 with arm gp2, since no more can mount EBS at the same time, got 2. Set it to 1, or leave the arm out with 'arms'.",
    );
    expect(resolve(1).fleet.clients).toBe(1);
  });
});

test.each(['m4.2xlarge', 'i3.2xlarge', 't2.large'])(
  'refuses %s, on which a volume is no NVMe device by which it is found',
  (instanceType) => {
    expect(() => resolveBenchmark(ebsBench, { arms: ['gp2'], placement: 'none', instanceType })).toThrow(
      `'instanceType' must be a type of the Nitro System, whose volumes are NVMe devices, such as c5.2xlarge with arm gp2, got ${instanceType}.`,
    );
  },
);

test('says in words what it is, and warns of credits and of RAID-0', () => {
  expect([GP2, GP3, IO2, XFS].map((one) => storageOf(one).configuration.describe(one))).toEqual([
    'Btrfs uncompressed on EBS gp2 500 GiB',
    'Btrfs zstd:3 on 2 × EBS gp3 200 GiB, 6000 IOPS, 500 MiB/s',
    'Btrfs uncompressed on EBS io2 100 GiB, 10000 IOPS',
    'XFS on EBS gp3 200 GiB',
  ]);
  expect([GP2, GP3, XFS].map((one) => ebs.configuration.check(one).warnings.map(({ id }) => id))).toEqual([
    ['fsxbench:ebs-burst-credits'],
    ['fsxbench:ebs-raid0'],
    [],
  ]);
  const warned = (change: Partial<EbsStorage>) => ebs.configuration.check({ ...GP2, ...change }).warnings;
  expect(warned({})[0]?.message).toContain('then falls to 1500 IOPS');
  expect(warned({ volumeGiB: 20 })[0]?.message).toContain('then falls to 100 IOPS');
  // 3 IOPS per GiB, also in a burst.
  expect(warned({ volumeGiB: 1000 })).toEqual([]);
});

test('a setting of another type drops what was set for the first', () => {
  expect(ebs.configuration.withSettings(GP3, { ebsVolumeType: 'gp2' })).toEqual({
    kind: 'ebs',
    filesystem: 'btrfs',
    compression: 'zstd:3',
    volumeType: 'gp2',
    volumeGiB: 200,
    volumes: 2,
  });
  expect(ebs.configuration.withSettings(XFS, { ebsIops: 4000 })).toEqual({ ...XFS, iops: 4000 });
});

describe('limits', () => {
  test.each([
    [20, 25, 128],
    [170, 127.5, 128],
    [200, 150, 250],
    [334, 250, 250],
    [1000, 250, 250],
  ])('of gp2 with %d GiB are %d MiB/s, and %d in a burst', (volumeGiB, baseline, burst) => {
    const { baselineMBps = 0, burstMBps = 0 } = limit('disk', { ...GP2, volumeGiB }) ?? {};
    expect([baselineMBps / 1.048576, burstMBps / 1.048576].map((rate) => Number(rate.toFixed(3)))).toEqual([
      baseline,
      burst,
    ]);
  });

  test('of io2 grow with its IOPS up to 4,000 MiB/s', () => {
    expect(limit('disk', IO2)?.baselineMBps).toBeCloseTo(2560 * 1.048576, 3);
    expect(limit('disk', { ...IO2, iops: 64_000 })?.baselineMBps).toBeCloseTo(4000 * 1.048576, 3);
  });

  test('of the instance are 287.5 MB/s of a c5.2xlarge and 593.75 in a burst: 4,750 are Mbit/s', () => {
    const { networkBaselineMbps = 0, ebsBaselineMBps, ebsBurstMBps } = instanceType('c5.2xlarge') ?? {};
    const clients = { count: 1, networkBaselineMbps, ebsBaselineMBps, ebsBurstMBps };
    expect(limit('client_ebs_path', XFS, { clients })).toMatchObject({ baselineMBps: 287.5, burstMBps: 593.75 });
    // The client compresses, so its path carries less than it writes.
    expect(limit('client_ebs_path', GP3, { clients, ratio: 2 })).toMatchObject({ baselineMBps: 575 });
    expect(limit('client_ebs_path', XFS, { clients, ratio: 2 })).toMatchObject({ baselineMBps: 287.5 });
  });

  test('of the instance hold in a prediction, sustained and in a burst', () => {
    const request = { configuration: { ...XFS, iops: 8000, throughputMiBps: 1000 } };
    const clients = { count: 1, instanceType: 'c5.2xlarge' };
    expect(predict({ ...request, clients })).toMatchObject({
      throughputMBps: { baseline: 287.5, burst: 593.75 },
      binding: { baseline: 'client_ebs_path', burst: 'client_ebs_path' },
    });
  });

  test('grow with the ratio where the file system compresses, and only there', () => {
    expect(limit('disk_compressed', GP3, { ratio: 3 })?.baselineMBps).toBeCloseTo(3 * 2 * 500 * 1.048576, 3);
    expect(limit('disk_compressed', XFS, { ratio: 3 })).toBeUndefined();
  });
});

describe('costs', () => {
  const monthly = (configuration: EbsStorage) =>
    ebs.price
      .cost(configuration, { region: 'us-east-1' })
      .map(({ hourly }) => hourly && Number((hourly * 730).toFixed(4)));

  test('of IOPS of io2 fall from tier to tier; where no price is known, each says so', () => {
    const fast: EbsStorage = { ...IO2, iops: 70_000 };
    // 100 GB × 0.125; 32,000 × 0.065, 32,000 × 0.0455, 6,000 × 0.03185.
    expect(monthly(fast)).toEqual([12.5, 2080, 1456, 191.1]);
    const [, ...tiers] = ebs.price.cost(fast, { region: 'eu-north-1' });
    expect(tiers.map(({ quantity, hourly, missingPrice }) => [quantity, hourly, missingPrice])).toEqual([
      [32_000, null, 'ebs/io2-iops'],
      [32_000, null, 'ebs/io2-iops-tier2'],
      [6000, null, 'ebs/io2-iops-tier3'],
    ]);
  });

  test('are read from the price list by usage type and unit', () => {
    const offer = ebs.price.offers?.AmazonEC2;
    expect(offer?.({ unit: 'GB-Mo' }, 'EBS:VolumeUsage.gp2')).toEqual({ item: 'ebs/gp2', unit: 'GB-month' });
    expect(offer?.({ unit: 'GB-month' }, 'EBS:VolumeUsage.gp2')).toBeNull();
    expect(offer?.({ unit: 'GB-Mo' }, 'EBS:SnapshotUsage')).toBeNull();
  });
});

describe('what the service says', () => {
  const volume = { VolumeType: 'gp3', Size: 200, Iops: 6000, Throughput: 500, Encrypted: true };

  test('is read as what was asked for, with the file system that the plan knows', () => {
    expect(ebs.account.fromDescription({ Volumes: [volume, volume] }, GP3)).toEqual(GP3);
    expect(ebs.account.fromDescription({ Volumes: [{ ...volume, Iops: 3000, Throughput: 125 }] }, XFS)).toEqual(XFS);
    expect(ebs.account.fromDescription({ Volumes: [volume] })).toBeNull();
  });

  test('of volumes of other sizes is told', () => {
    expect(ebs.account.fromDescription({ Volumes: [{ ...volume, Size: 300 }] }, XFS)).toMatchObject({ volumeGiB: 300 });
  });
});

test('metrics of several volumes are asked for each, for a time that CloudWatch lists and for one that it does not', () => {
  expect(ebs.monitoring?.metrics?.parts?.('vol-1+vol-2').map((id) => ebs.monitoring?.metrics?.identity(id))).toEqual([
    { VolumeId: 'vol-1' },
    { VolumeId: 'vol-2' },
  ]);
  expect(ebs.monitoring?.metrics?.assumed('vol-1+vol-2', null)).toHaveLength(2 * EBS_METRICS.table.length);
});

test('the lab has the same file system with the same compression, and nothing else', () => {
  expect([GP2, GP3, XFS].map((one) => ebs.substitutes(one, []).map(({ actually }) => actually))).toEqual([
    ['Btrfs without compression on a loop device'],
    ['Btrfs compress-force=zstd:3 on a loop device'],
    ['XFS on a loop device'],
  ]);
});
