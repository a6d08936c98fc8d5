import { diskFiguresOf, figuresOf, modelScale, throttledBytesPerSecond } from '../../../lib/lab/model/figures';
import type { StorageConfiguration } from '../../../lib/schema/deployment';
import type { LustreStorage } from '../../../lib/storage/lustre/configuration';
import { STUDY } from '../../storage/lustre-zfs/bench';

const published: LustreStorage = {
  kind: 'lustre',
  deploymentType: 'PERSISTENT_1',
  storageType: 'SSD',
  storageCapacityGiB: 14_400,
  perUnitStorageThroughput: 200,
  dataCompressionType: 'LZ4',
};

test.each(['100', '1:0', '1:10001', '2:100', '21:100', '1:1.5', ''])('refuses the scale %s', (text) =>
  expect(() => modelScale(text)).toThrow(`'scale' must be from 1:1 to 1:10000, such as 1:100, got '${text}'`),
);

test('the scale is a hundred unless another is asked for', () => {
  expect(modelScale(undefined)).toBe(100);
  expect([modelScale('1:1'), modelScale(' 1:50 '), modelScale('1:10000')]).toEqual([1, 50, 10_000]);
});

describe('what is held', () => {
  test('is the documented baseline ÷ scale, each with its source', () => {
    const figures = figuresOf(published, 100);
    expect(figures.held.map(({ name, documentedMBps }) => [name, documentedMBps])).toEqual([
      ['disk_write', 2880],
      ['disk_read', 2880],
      ['network_write', 10_800],
      ['network_read', 10_800],
    ]);
    expect(throttledBytesPerSecond(figures, 'disk_write')).toBe(28_800_000);
    expect(throttledBytesPerSecond(figures, 'network_write')).toBe(108_000_000);
    for (const { source } of figures.held) expect(source).toContain('LustreGuide/ssd-storage.html');
  });

  test('differs by direction where AWS documents so', () => {
    const figures = figuresOf(
      { kind: 'lustre', deploymentType: 'SCRATCH_2', storageCapacityGiB: 4800 } as LustreStorage,
      10,
    );
    expect([throttledBytesPerSecond(figures, 'disk_read'), throttledBytesPerSecond(figures, 'disk_write')]).toEqual([
      96_000_000, 48_000_000,
    ]);
    expect(figures.dirtyBytes).toBe(13_920_000);
  });

  test('is a link for each client, at the baseline of the instances that they stand for', () => {
    const figures = figuresOf(published, 100, { clients: 'c5n.large' });
    // 3 Gbit/s (EC2 instance types).
    expect(throttledBytesPerSecond(figures, 'client_write')).toBe(3_750_000);
    expect(throttledBytesPerSecond(figures, 'client_read')).toBe(3_750_000);
    expect(figures.free.join()).toContain('each at the baseline of c5n.large');
    expect(() => figuresOf(published, 100, { clients: 'c9.huge' })).toThrow('nothing is documented');
  });

  test('has no bursts, and says so only where AWS promises one', () => {
    expect(figuresOf(published, 100).free[0]).toMatch(/^bursts: AWS publishes rates, but no credits/);
    const steady = figuresOf(
      { ...published, deploymentType: 'PERSISTENT_2', perUnitStorageThroughput: 1000 } as LustreStorage,
      100,
    );
    expect(steady.free.join()).not.toContain('bursts');
  });

  test('are creates of files where their rate is documented, and nothing of metadata elsewhere', () => {
    expect(figuresOf(published, 100).metadata).toBeNull();
    expect(figuresOf(published, 100).free.at(-1)).toMatch(/and metadata operations$/);
    const metadata = { mode: 'USER_PROVISIONED', iops: 6000 };
    const figures = figuresOf(
      { ...published, deploymentType: 'PERSISTENT_2', perUnitStorageThroughput: 250, metadata } as LustreStorage,
      100,
    );
    expect(figures.metadata).toEqual({
      iops: 6000,
      documentedCreatesPerSecond: 12_000,
      setCreatesPerSecond: 120,
      source: 'https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html',
    });
    expect(figures.free.at(-1)).toMatch(/^metadata operations other than creates/);
  });

  test('is nothing where AWS documents nothing', () => {
    expect(() => figuresOf({ ...published, perUnitStorageThroughput: 123 } as LustreStorage, 100)).toThrow(
      'nothing is documented',
    );
  });
});

describe('the disks of stand-ins that are the real thing', () => {
  const scratch = { kind: 'lustre', deploymentType: 'SCRATCH_2', storageCapacityGiB: 4800 } as LustreStorage;

  test('are held at the documented baselines ÷ scale, each way at its own', () => {
    const figures = diskFiguresOf(scratch, 10);
    expect(figures?.held.map(({ name, documentedMBps }) => [name, documentedMBps])).toEqual([
      ['disk_write', 480],
      ['disk_read', 960],
    ]);
  });

  test('have no bursts, and say so only where some are documented', () => {
    const gp3 = { kind: 'ebs', volumeType: 'gp3', volumeGiB: 100, throughputMiBps: 500, iops: 3000 };
    expect(diskFiguresOf(published, 10)?.free[0]).toBe('bursts: the disks stay at their baselines');
    expect(diskFiguresOf(gp3, 10)?.free.join()).not.toContain('bursts');
  });

  test('are free where nobody documents them', () => expect(diskFiguresOf({ kind: 'instance-store' }, 10)).toBeNull());

  test('may hold 0.29 s of writes in memory, and never less than 1 MiB', () => {
    expect(diskFiguresOf(scratch, 10)?.dirtyBytes).toBe(13_920_000);
    expect(diskFiguresOf(scratch, 1000)?.dirtyBytes).toBe(2 ** 20);
  });
});

test('a storage of which no disk is documented takes the benchmark’s, any other its own', () => {
  const disk = { MBps: 50, source: 'guide/disk' };
  const held = (storage: StorageConfiguration) =>
    figuresOf(storage, 10, { disk }).held.find(({ name }) => name === 'disk_read')?.documentedMBps;
  expect(held(STUDY)).toBe(50);
  expect(held(published)).toBe(2880);
});
