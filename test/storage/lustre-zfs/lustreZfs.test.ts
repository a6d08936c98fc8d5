import { violationMessage } from '../../../lib/common/violation';
import { deploymentLines } from '../../../lib/cost/deployment';
import { onePerServerSet, storageNamed } from '../../../lib/storage/lookup';
import { COMPRESSIONS, type LustreZfsStorage } from '../../../lib/storage/lustre-zfs/configuration';
import { STUDY } from './bench';

const storage = storageNamed('lustre-zfs');

describe('a configuration', () => {
  test.each<[Partial<LustreZfsStorage>, string]>([
    [{ instanceType: 'i8g.48xlarge' }, "'lustreZfsInstanceType' must be one of i7ie.48xlarge, "],
    [{ raidDisks: 17 }, "'lustreZfsRaidDisks' must be a whole number from 3 to the 16 disks of i7ie.48xlarge, got 17"],
    [{ raidDisks: 2 }, "'lustreZfsRaidDisks' must be a whole number from 3 to the 16 disks"],
    [{ instanceType: 'i4i.32xlarge', raidDisks: 9 }, 'from 3 to the 8 disks of i4i.32xlarge, got 9'],
    [
      { compression: 'gzip' },
      "'lustreZfsCompression' must be off, lz4, gzip-1 to gzip-9 or zstd-1 to zstd-19, got gzip",
    ],
    [{ compression: 'zstd-20' }, 'zstd-1 to zstd-19, got zstd-20'],
    [{ recordSizeKiB: 2048 }, "'lustreZfsRecordKiB' must be one of 4, 8, 16, 32, 64, 128, 256, 512, 1024, got 2048"],
    [
      { offload: 'qat', compression: 'lz4', recordSizeKiB: 128 },
      "'lustreZfsCompression' must be gzip-1 to gzip-9 with QAT, got lz4",
    ],
    [{ offload: 'qat', compression: 'gzip-6' }, "'lustreZfsRecordKiB' must be at most 128 with QAT, got 1024"],
    [{ offload: 'own-build', compression: 'gzip-6' }, "'lustreZfsBuild' must be given with own-build, got nothing."],
    [
      { build: { url: 's3://b/k.tar.gz', sha256: 'a'.repeat(64) } },
      "(s3://b/k.tar.gz) cannot be combined with 'lustreZfsOffload' none: only own-build uses it. Leave it out, or set 'lustreZfsOffload' to own-build.",
    ],
  ])('that could not be made is refused: %j', (wrong, message) => {
    const { errors } = storage.configuration.check({ ...STUDY, ...wrong } as LustreZfsStorage);
    expect(errors.map((error) => violationMessage(error, storage.configuration.words))).toEqual([
      expect.stringContaining(message),
    ]);
  });

  test('takes as few disks as RAID-Z1 needs and as many as there are, every compression and level that ZFS has', () => {
    for (const raidDisks of [3, 16])
      expect(storage.configuration.check({ ...STUDY, raidDisks } as LustreZfsStorage).errors).toEqual([]);
    expect(COMPRESSIONS).toHaveLength(2 + 9 + 19);
    for (const compression of COMPRESSIONS)
      expect(storage.configuration.check({ ...STUDY, compression } as LustreZfsStorage).errors).toEqual([]);
  });

  test('warns of what makes a comparison doubtful', () => {
    const ids = (changes: Partial<LustreZfsStorage>) =>
      storage.configuration
        .check({ ...STUDY, image: 'ami-0a1b2c3d4e5f60718', ...changes } as LustreZfsStorage)
        .warnings.map(({ id }) => id);
    expect(ids({})).toEqual([]);
    expect(storage.configuration.check(STUDY).warnings.map(({ id }) => id)).toEqual(['fsxbench:lustre-zfs-image']);
    expect(ids({ instanceType: 'i7ie.24xlarge' })).toEqual([
      'fsxbench:lustre-zfs-narrow-raid',
      'fsxbench:lustre-zfs-burst',
    ]);
    expect(ids({ offload: 'qat', compression: 'gzip-1', recordSizeKiB: 128 })).toEqual(['fsxbench:lustre-zfs-offload']);
  });

  test('says in words what it is', () => {
    expect(storage.configuration.describe(STUDY)).toBe(
      'Lustre on ZFS off, 1 MiB records, 1 × i7ie.48xlarge with RAID-Z1 8+1',
    );
    const offloaded = {
      ...STUDY,
      compression: 'gzip-6',
      recordSizeKiB: 128,
      offload: 'qat',
      instanceType: 'i4i.metal',
    };
    expect(storage.configuration.describe(offloaded)).toBe(
      'Lustre on ZFS gzip-6 through QAT, 128 KiB records, 1 × i4i.metal with RAID-Z1 7+1',
    );
  });

  test('holds what RAID-Z1 and ZFS leave of the disks', () => {
    // 8 × 7.5 TB less 128 GiB.
    expect(storage.documented.capacityBytes?.(STUDY)).toBe(60e12 - 128 * 2 ** 30);
  });
});

describe('arms on the same servers', () => {
  const arm = (name: string, changes: Partial<LustreZfsStorage> = {}) => ({ name, storage: { ...STUDY, ...changes } });
  const datasets = [arm('off'), arm('lz4', { compression: 'lz4' }), arm('small', { recordSizeKiB: 128 })];

  test('are counted once, those on others by themselves', () => {
    const others = [arm('two', { servers: 2 }), arm('qat', { offload: 'qat' })];
    expect(onePerServerSet([...datasets, ...others]).map(({ name }) => name)).toEqual(['off', 'two', 'qat']);
    const efs = { name: 'efs', storage: { kind: 'efs' } };
    expect(onePerServerSet([efs, { ...efs, name: 'again' }])).toHaveLength(2);
  });

  test('cost what their servers cost', () => {
    const lines = deploymentLines({
      arms: datasets,
      fleet: { instanceType: 'c5n.18xlarge', clients: 1 },
      about: ['bytes_written'],
    });
    const servers = lines.filter(({ item }) => item.includes('servers'));
    expect(servers.map(({ hourly }) => hourly)).toEqual([24.9504, expect.closeTo((50 * 0.08) / 730, 9)]);
  });
});

test('the stand-in of each compression is its nearest relative in Btrfs, and says so', () => {
  const of = (compression: string) =>
    storage.substitutes({ ...STUDY, compression } as LustreZfsStorage, ['bytes_written'])[0];
  expect(
    ['off', 'lz4', 'gzip-9', 'zstd-3', 'zstd-19'].map((name) => of(name)?.program?.variables.LOOP_OPTIONS),
  ).toEqual([
    'noatime,compress=no',
    'noatime,compress-force=lzo',
    'noatime,compress-force=zlib:9',
    'noatime,compress-force=zstd:3',
    'noatime,compress-force=zstd:15',
  ]);
  expect(of('zstd-19')?.actually).toBe('Btrfs compress-force=zstd:15 on a loop device, replacing ZFS zstd-19');
});
