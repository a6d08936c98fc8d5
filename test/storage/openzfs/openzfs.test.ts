import * as ec2 from 'aws-cdk-lib/aws-ec2';
import fc from 'fast-check';
import { predict } from '../../../lib';
import { OpenZfsFileSystem } from '../../../lib/constructs/storage/openzfs';
import type { PriceBook } from '../../../lib/price/prices';
import type { StorageConfiguration } from '../../../lib/schema/deployment';
import { storageNamed } from '../../../lib/storage/lookup';
import { OPENZFS_QUOTAS } from '../../../lib/storage/openzfs';
import type { OpenZfsStorage } from '../../../lib/storage/openzfs/configuration';
import { emptyStack, ofType, resourcesOf, theOnly } from '../../support/cdk';
import { bodyOf, dashboardBody } from '../../support/dashboardBody';
import { efsStacks, OPENZFS } from '../efs/bench';

const openzfs = storageNamed('openzfs');
const SMALL: OpenZfsStorage = {
  kind: 'openzfs',
  deploymentType: 'SINGLE_AZ_2',
  storageCapacityGiB: 1200,
  throughputMBps: 160,
};

function made(configuration: OpenZfsStorage) {
  const stack = emptyStack({ env: { region: 'us-east-1' } });
  const vpc = new ec2.Vpc(stack, 'Vpc', { maxAzs: 1 });
  const subnet = vpc.privateSubnets[0] as ec2.ISubnet;
  const storage = new OpenZfsFileSystem(stack, 'Storage', { vpc, subnet, configuration });
  storage.grantMount(new ec2.SecurityGroup(stack, 'Clients', { vpc, allowAllOutbound: false }));
  return { stack, storage };
}

describe('what FSx would refuse is never deployed', () => {
  test.each<[Partial<OpenZfsStorage>, string]>([
    [{ storageCapacityGiB: 63 }, "'storageCapacityGiB' must be a whole number of GiB from 64 to 524288, got 63"],
    [{ throughputMBps: 500 }, "'throughputMBps' must be one of 160, 320, 640, 1280, 2560, 3840, 5120, 7680, 10240"],
    [{ iops: 3599 }, "'iops' must be a whole number from 3600, which the price of 1200 GiB includes, to 400000"],
    [{ iops: 400_001 }, 'to 400000, got 400001. Leave it out for 3600.'],
  ])('%j', (change, message) => {
    expect(() => made({ ...SMALL, ...change })).toThrow(message);
  });
});

test('the backup that FSx takes when it is deleted is found by the tag of its stack, which a service copies', () => {
  const { Properties } = theOnly(resourcesOf(made(SMALL).stack), 'AWS::FSx::FileSystem');
  expect(Properties.OpenZFSConfiguration).toMatchObject({ CopyTagsToBackups: true, AutomaticBackupRetentionDays: 0 });
  expect(Properties.Tags).toContainEqual({ Key: 'fsxbench:stack', Value: 'Test' });
});

test('whatever the capacity, some IOPS can be set, and none beyond the most are counted against the quota', () => {
  const disks = OPENZFS_QUOTAS.find(({ unit }) => unit === 'IOPS');
  fc.assert(
    fc.property(fc.integer({ min: 64, max: 524_288 }), (storageCapacityGiB) => {
      const configuration: OpenZfsStorage = { ...SMALL, storageCapacityGiB };
      const errorsWith = (iops: number) =>
        openzfs.configuration.check({ ...configuration, iops } as StorageConfiguration).errors;
      const included = disks?.of(configuration) ?? Number.NaN;
      expect(included).toBeLessThanOrEqual(400_000);
      for (const iops of [included, 400_000]) expect(errorsWith(iops)).toEqual([]);
      expect(errorsWith(included - 1)).toHaveLength(1);
    }),
    { examples: [[133_333], [133_334], [524_288]] },
  );
});

test('sizes at both ends are taken, and who bursts is warned of it', () => {
  const ends: OpenZfsStorage[] = [
    { ...SMALL, storageCapacityGiB: 64 },
    { ...SMALL, storageCapacityGiB: 524_288 },
    { ...SMALL, iops: 3600 },
    { ...SMALL, iops: 400_000 },
  ];
  for (const one of ends) expect(openzfs.configuration.check(one).errors).toEqual([]);
  expect(
    [160, 1280, 2560].map(
      (throughputMBps) => openzfs.configuration.check({ ...SMALL, throughputMBps } as StorageConfiguration).warnings,
    ),
  ).toEqual([
    [{ id: 'fsxbench:openzfs-burst', message: expect.stringContaining('with 160 MB/s the server bursts to ') }],
    [{ id: 'fsxbench:openzfs-burst', message: expect.stringContaining('with 1280 MB/s the server bursts to ') }],
    [],
  ]);
});

describe('limits', () => {
  const rates = (configuration: OpenZfsStorage, readShare = 0, workingSetGiB?: number) =>
    predict({ configuration, readShare, workingSetGiB, ...(configuration.compression && { ratio: 2 }) });

  test('are those of the disks for writes, and of the network for what caches hold', () => {
    expect(rates(SMALL).throughputMBps).toEqual({ baseline: 160, burst: 3125 });
    expect(rates(SMALL, 1).throughputMBps.baseline).toBe(160);
    // 7.4 GiB of memory, and 37 GiB of NVMe cache behind it.
    expect(rates(SMALL, 1, 7).throughputMBps.baseline).toBe(375);
    expect(rates(SMALL, 1, 30).throughputMBps.baseline).toBe(375);
    expect(rates(SMALL, 1, 60).throughputMBps.baseline).toBe(160);
  });

  test('of compressed data end at the network', () => {
    const { throughputMBps, binding } = rates({ ...SMALL, throughputMBps: 10_240, compression: 'lz4' });
    expect([throughputMBps.baseline, binding.baseline]).toEqual([20_480, 'disk_compressed']);
    expect(predict({ configuration: { ...SMALL, compression: 'lz4' }, ratio: 4 }).binding.baseline).toBe(
      'server_network',
    );
  });
});

test('costs name what has no known price, and where it stands', () => {
  const lines = openzfs.price.cost({ ...SMALL, iops: 8000 } as OpenZfsStorage, { region: 'us-east-1' });
  expect(lines.map(({ quantity, reason }) => [quantity, reason?.split(':')[0]])).toEqual([
    [1200, 'no price of fsx/openzfs/SINGLE_AZ_2/storage in us-east-1 is known'],
    [160, 'no price of fsx/openzfs/SINGLE_AZ_2/throughput in us-east-1 is known'],
    [4400, 'no price of fsx/openzfs/SINGLE_AZ_2/iops in us-east-1 is known'],
  ]);
  const price = { price: 0.5, unit: 'GB-month', source: 'here', asOf: null, confidence: 'third-party' } as const;
  const book = { priceOf: () => price } as unknown as PriceBook;
  expect(openzfs.price.cost(SMALL, { region: 'us-east-1', book })[0]?.hourly).toBeCloseTo((1200 * 0.5) / 730, 6);
});

test('a deployment that takes more than a new account has is warned of', () => {
  const taken = openzfs.account.quotas?.map(({ code, of, usual }) => [code, of(SMALL), usual?.value]);
  expect(taken).toEqual([
    ['L-59D0763F', 1, undefined],
    ['L-88479C21', 1200, 262_144],
    ['L-4EDE4065', 160, 10_240],
    ['L-E24B4DE4', 3600, 400_000],
  ]);
});

test('reads back what the service says of a file system and its root volume', () => {
  const described = {
    FileSystemType: 'OPENZFS',
    StorageCapacity: 1200,
    OpenZFSConfiguration: {
      DeploymentType: 'SINGLE_AZ_HA_2',
      ThroughputCapacity: 640,
      DiskIopsConfiguration: { Mode: 'USER_PROVISIONED', Iops: 8000 },
    },
    RootVolume: { DataCompressionType: 'ZSTD', RecordSizeKiB: 1024 },
  };
  expect(openzfs.account.fromDescription(described, OPENZFS)).toEqual(OPENZFS);
  expect(openzfs.account.fromDescription({ ...described, RootVolume: undefined })).not.toHaveProperty('compression');
  expect(openzfs.account.fromDescription({ FileSystemType: 'LUSTRE', LustreConfiguration: {} })).toBeNull();
});

test('its weekly maintenance is that which FSx chose', () => {
  const { maintenance } = openzfs.documented;
  const described = { OpenZFSConfiguration: { WeeklyMaintenanceStartTime: '7:06:00' } };
  expect(maintenance?.words(SMALL)).toBeNull();
  expect(maintenance?.words(maintenance.chosen(SMALL, described))).toBe('Sunday 06:00 UTC');
  expect(maintenance?.chosen(SMALL, { LustreConfiguration: { WeeklyMaintenanceStartTime: '7:06:00' } })).toEqual(SMALL);
});

test('an arm with compression has nothing in its place here: NFS does not compress', () => {
  expect(openzfs.substitutes(SMALL, [])).toHaveLength(1);
  expect(openzfs.substitutes(OPENZFS, [])).toEqual([]);
});

describe('deployed', () => {
  test('it has what was asked for, keeps no backup, and opens NFS to its clients alone', () => {
    const resources = resourcesOf(made(OPENZFS).stack);
    expect(theOnly(resources, 'AWS::FSx::FileSystem')).toMatchSnapshot();
    expect(ofType(resources, 'AWS::EC2::SecurityGroupIngress')).toMatchSnapshot();
  });

  test('has a heading of its own on the dashboard, and its server is watched', () => {
    const resources = resourcesOf(efsStacks().bench);
    const body = JSON.stringify(dashboardBody.parse(bodyOf(theOnly(resources, 'AWS::CloudWatch::Dashboard'))));
    expect(body).toContain('## FSx for OpenZFS: zfs');
    const alarms = ofType(resources, 'AWS::CloudWatch::Alarm').map(([id]) => id);
    for (const id of ['Networkzfs', 'Diskzfs', 'Operationszfs', 'Cpuzfs', 'StalledWrittenzfs'])
      expect(alarms).toContainEqual(expect.stringContaining(id));
  });
});
