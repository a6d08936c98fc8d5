import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Counters } from '../../lib/lab/metrics/counters';
import { beginningOf, type DataPoint, dataOf } from '../../lib/lab/metrics/data';
import { datums } from '../../lib/lab/metrics/publisher';
import { holdMetadata } from '../../lib/lab/model/metadata';
import { counted, type HourlyCounts, isReset, operationsReader, parseOperations } from '../../lib/lab/model/operations';
import type { ScaleModel } from '../../lib/schema/model';
import { storageOf } from '../../lib/storage/lookup';
import type { MetricsCapability } from '../../lib/storage/metrics';
import { temporaryFolder } from '../run/bench';

/** Counters as MooseFS 3.0.117 prints them: statfs, getattr, setattr, lookup, mkdir, rmdir, symlink, readlink, mknod, unlink, rename … */
const PRINTED =
  'active mounts, operations:|198.18.0.2|/lab/mnt/a|39|10|1|9958|7|6|0|0|6908|6900|2|0|8|7908|3|4|31753\n';

/** The same of MooseFS 4.57.5, which knows more kinds. */
const PRINTED_BY_4 =
  'active mounts, operations:|198.18.1.2|/lab/mnt/a|7|25|0|169|9|6|0|0|0|23|0|0|18|0|0|6|0|155|6|0|0|0|0|0|0|6|0|0|430\n';

const hourly = (change: Partial<HourlyCounts> = {}): HourlyCounts => {
  const zeros = parseOperations(PRINTED.replace(/\|\d+(?=[|\n])/g, '|0'));
  if (zeros === null) throw new Error('the fixture is not what mfscli prints');
  return { ...zeros.counts, ...change };
};

describe('what a metadata server says', () => {
  test('is nothing where it does not answer, or answers something else', () => {
    expect(parseOperations('')).toBeNull();
    expect(parseOperations('Connection refused\n')).toBeNull();
    expect(parseOperations('active mounts, operations:|198.18.0.2|/a|1|2|x\n')).toBeNull();
  });

  test('is read by kind, over all mounts', () => {
    const one = parseOperations(PRINTED);
    expect(one).toMatchObject({
      mounts: 1,
      counts: {
        statfs: 39,
        lookup: 9958,
        mkdir: 7,
        mknod: 6908,
        unlink: 6900,
        rename: 2,
        open: 7908,
        wchunk: 4,
        create: 0,
      },
    });
    expect(parseOperations(PRINTED + PRINTED)).toMatchObject({ mounts: 2, counts: { mknod: 13_816 } });
  });

  test('is read of MooseFS 4, too, which makes files by another operation', () =>
    expect(parseOperations(PRINTED_BY_4)).toMatchObject({
      mounts: 1,
      counts: {
        statfs: 7,
        lookup: 169,
        mknod: 0,
        unlink: 23,
        readdir: 18,
        wchunk: 6,
        write: 155,
        fsync: 6,
        create: 6,
        meta: 0,
      },
    }));

  test('goes on counting through the full hour, at which it begins anew', () => {
    const [before, now] = [hourly({ mknod: 100, open: 90 }), hourly({ mknod: 7, open: 95 })];
    expect(isReset(before, now)).toBe(true);
    expect(counted(before, now, hourly({ mknod: 130, open: 90 }))).toMatchObject({ mknod: 37, open: 95 });
    expect(isReset(now, now)).toBe(false);
    expect(counted(before, hourly({ mknod: 105, open: 90 }), null)).toMatchObject({ mknod: 5, open: 0 });
  });

  test('of a server that was started anew is what it has counted since, and never less than nothing', () =>
    expect(counted(hourly({ mknod: 100 }), hourly({ mknod: 3 }), hourly())).toMatchObject({ mknod: 3, open: 0 }));

  describe('adds up from one reading to the next', () => {
    const PATH = process.env.PATH;
    let folder: string;
    beforeEach(() => {
      folder = temporaryFolder();
      // In the place of a namespace with a server: a file for each hour that it knows.
      const script = `#!/bin/sh\nfor hour; do :; done\ncat "${folder}/$hour"\n`;
      writeFileSync(join(folder, 'nsenter'), script, { mode: 0o755 });
      process.env.PATH = `${folder}:${PATH}`;
    });
    afterEach(() => {
      process.env.PATH = PATH;
    });
    const [LAST_HOUR, THIS_HOUR] = ['0', '1'];
    /** Counters in the form that MooseFS 4 prints. */
    const says = (hour: string | undefined, change: Partial<HourlyCounts>, mounts = 1): void => {
      const counts = Object.values(hourly(change));
      const line = `active mounts, operations:|198.18.0.2|/lab/mnt/a|${[...counts, 0].join('|')}\n`;
      writeFileSync(join(folder, hour ?? ''), line.repeat(mounts));
    };
    const reader = () => operationsReader({ disk: '', metadata: '', address: '198.18.0.1', namespace: 'n' });

    test('by the metric that counts each kind; what is about data is in none', async () => {
      const read = reader();
      says(THIS_HOUR, {}, 2);
      expect(await read()).toMatchObject({ operations: { file_creates: 0 }, connections: 2 });
      const names = {
        mknod: 1,
        create: 2,
        open: 4,
        unlink: 8,
        getattr: 16,
        lookup: 32,
        rename: 64,
        mkdir: 128,
        rmdir: 256,
      };
      says(THIS_HOUR, { ...names, fsync: 1000, write: 1000, wchunk: 1000 });
      expect(await read()).toEqual({
        operations: {
          file_creates: 3,
          file_opens: 4,
          file_deletes: 8,
          stats: 48,
          renames: 64,
          dir_creates: 128,
          dir_deletes: 256,
          metadata_operations: 511,
        },
        connections: 1,
      });
    });

    test('through the full hour, with what came after the last reading before it', async () => {
      const read = reader();
      const created = async (): Promise<number | undefined> => (await read())?.operations.file_creates;
      says(THIS_HOUR, { mknod: 100 });
      expect(await created()).toBe(100);
      says(LAST_HOUR, { mknod: 130 });
      says(THIS_HOUR, { mknod: 7 });
      expect(await created()).toBe(137);
      says(THIS_HOUR, { mknod: 9 });
      expect(await created()).toBe(139);
    });
  });

  test('is null of a server that is gone, without an error', async () => {
    const gone = { disk: '/nowhere', metadata: '/nowhere', address: '198.18.0.1', namespace: 'fsxbench-nowhere' };
    expect(await operationsReader(gone)()).toBeNull();
  });
});

const DISK = { readOperations: 10, readBytes: 1000, writeOperations: 20, writeBytes: 2000 };
const counters = (change: Partial<Counters> = {}): Counters => ({
  atMs: 0,
  capacity: { free: 25, total: 100 },
  space: null,
  disk: null,
  metadataDisk: null,
  link: null,
  operations: null,
  connections: null,
  metadataCpuSeconds: null,
  ...change,
});
const MODEL: ScaleModel = {
  scale: 100,
  stands: 'PERSISTENT_2',
  held: (['disk_write', 'disk_read', 'network_write', 'network_read'] as const).map((name) => ({
    name,
    documentedMBps: 100,
    setMBps: 1,
    measuredMBps: 1,
    source: 'guide/performance',
  })),
  metadata: {
    iops: 12_000,
    documentedCreatesPerSecond: 24_000,
    setCreatesPerSecond: 240,
    measuredCreatesPerSecond: 240,
    writesPerCreate: 4,
    writesPerSecond: 960,
    source: 'guide/performance',
  },
  dirtyBytes: 1,
  free: [],
};

/** By name and part. */
const asRecord = (before: Counters | null, now: Counters, model: ScaleModel | null = null) =>
  Object.fromEntries(
    dataOf(before, now, model).map(({ role, value, of }) => [`${role}${of === null ? '' : ` ${of.value}`}`, value]),
  );
const LEVELS = {
  capacity_free: 25,
  'capacity_free OST0000': 25,
  'capacity_utilisation OST0000': 75,
  'capacity_with_grants OST0000': 75,
};

describe('the metrics of a period', () => {
  test('are levels alone before there is anything to compare with', () =>
    expect(asRecord(null, counters({ disk: DISK, operations: { file_creates: 5 } }))).toEqual(LEVELS));

  test('leave out what is not counted at both ends', () => {
    expect(asRecord(counters(), counters({ disk: DISK, operations: { file_creates: 5 } }))).toEqual(LEVELS);
    const gone = counters({ disk: DISK, operations: { file_creates: 5 }, metadataCpuSeconds: 3 });
    expect(asRecord(gone, counters(), MODEL)).toEqual(LEVELS);
  });

  test('leave out a counter that went back: it is another device, or another server', () => {
    const before = counters({
      disk: DISK,
      link: { received: 10, sent: 10 },
      operations: { file_creates: 5 },
      metadataCpuSeconds: 3,
    });
    const now = counters({
      atMs: 1000,
      disk: { ...DISK, writeBytes: 1999 },
      link: { received: 9, sent: 20 },
      operations: { file_creates: 4 },
      metadataCpuSeconds: 2,
    });
    expect(asRecord(before, now, MODEL)).toEqual(LEVELS);
  });

  test.each([
    ['a link of which only one way went back', { link: { received: 20, sent: 9 } }],
    ['operations of which only one went back', { operations: { file_creates: 6, file_deletes: 4 } }],
  ])('leave out all of %s: what the other counts began anew as well', (_, change) => {
    const before = counters({ link: { received: 10, sent: 10 }, operations: { file_creates: 5, file_deletes: 5 } });
    expect(asRecord(before, counters({ atMs: 1000, ...change }))).toEqual(LEVELS);
  });

  test('are zeros, not gaps, where nothing was done', () => {
    const idle = counters({
      disk: DISK,
      metadataDisk: DISK,
      link: { received: 10, sent: 10 },
      operations: { file_creates: 5 },
      metadataCpuSeconds: 3,
    });
    expect(asRecord(idle, { ...idle, atMs: 1000 }, MODEL)).toMatchObject({
      bytes_read: 0,
      'disk_bytes_read OST0000': 0,
      'disk_utilisation OSS0000': 0,
      'file_creates MDT0000': 0,
      'metadata_cpu MDS0000': 0,
    });
  });

  test('are the space before and after compression where both are known', () =>
    expect(asRecord(null, counters({ space: { logicalBytes: 30, physicalBytes: 10 } }))).toEqual({
      ...LEVELS,
      logical_bytes: 30,
      physical_bytes: 10,
    }));

  test('are what a model’s servers counted, and how busy they were with it', () => {
    const before = counters({
      disk: DISK,
      metadataDisk: DISK,
      link: { received: 0, sent: 0 },
      operations: { file_creates: 5, metadata_operations: 50 },
      metadataCpuSeconds: 3,
    });
    const now = counters({
      atMs: 2000,
      disk: { ...DISK, readBytes: 501_000, writeBytes: 1_002_000, writeOperations: 24 },
      metadataDisk: { ...DISK, writeOperations: 980 },
      link: { received: 500_000, sent: 1_500_000 },
      operations: { file_creates: 245, metadata_operations: 1010 },
      connections: 2,
      metadataCpuSeconds: 3.5,
    });
    expect(asRecord(before, now, MODEL)).toEqual({
      ...LEVELS,
      client_connections: 1,
      'disk_bytes_read OST0000': 500_000,
      'disk_bytes_written OST0000': 1_000_000,
      'disk_read_operations OST0000': 0,
      'disk_write_operations OST0000': 4,
      'disk_read_operations MDT0000': 0,
      'disk_write_operations MDT0000': 960,
      bytes_written: 500_000,
      bytes_read: 1_500_000,
      'network_bytes_received OSS0000': 500_000,
      'network_bytes_sent OSS0000': 1_500_000,
      'network_utilisation OSS0000': 75,
      'disk_utilisation OSS0000': 75,
      'disk_iops_utilisation MDT0000': 50,
      'metadata_cpu MDS0000': 25,
      'file_creates MDT0000': 240,
      metadata_operations: 960,
    });
    expect(dataOf(before, now, MODEL).filter(({ role }) => role === 'client_connections')).toHaveLength(2);
  });

  test('of a file system that counts for itself share its one disk between data and metadata', () => {
    const before = counters({ disk: DISK, operations: { file_creates: 0 } });
    const now = counters({ disk: { ...DISK, writeOperations: 29 }, operations: { file_creates: 3 } });
    expect(asRecord(before, now)).toMatchObject({
      'disk_write_operations OST0000': 9,
      'disk_write_operations MDT0000': 9,
      'file_creates MDT0000': 3,
    });
  });

  test('of a file system that counts no operations are those of its data target alone', () => {
    const data = asRecord(counters({ disk: DISK }), counters({ disk: DISK }));
    expect(Object.keys(data).join()).not.toContain('MDT0000');
  });
});

describe('a service publishes', () => {
  const at = new Date(0);
  const named = (service: MetricsCapability, id: string, points: readonly DataPoint[]) =>
    datums(points, service, id, at).map(({ MetricName, Value, Dimensions = [] }) => [
      MetricName,
      Value,
      Dimensions.map((one) => one.Value).join(' '),
    ]);
  const metricsOf = (kind: string): MetricsCapability => {
    const { metrics } = storageOf({ kind }).account;
    if (metrics === undefined) throw new Error(`nothing is published of ${kind}`);
    return metrics;
  };
  const before = counters({ disk: DISK, link: { received: 0, sent: 0 }, operations: { file_creates: 0 } });
  const now = counters({
    disk: { ...DISK, writeBytes: 3000, writeOperations: 29 },
    link: { received: 500, sent: 100 },
    operations: { file_creates: 7 },
  });
  const points = dataOf(before, now, null);

  test('nothing of what it has no metric for, and what it does not tell apart once', () =>
    expect(named(metricsOf('ebs'), 'vol-1+vol-2', points)).toEqual([
      ['VolumeReadBytes', 0, 'vol-1'],
      ['VolumeWriteBytes', 1000, 'vol-1'],
      ['VolumeReadOps', 0, 'vol-1'],
      ['VolumeWriteOps', 9, 'vol-1'],
    ]));

  test('what its servers counted under its own names', () => {
    const own = named(metricsOf('moosefs'), 'i-1', points);
    expect(own).toEqual(
      expect.arrayContaining([
        ['BytesWritten', 500, 'i-1'],
        ['BytesRead', 100, 'i-1'],
        ['FileCreates', 7, 'i-1'],
        ['FreeBytes', 25, 'i-1'],
      ]),
    );
    expect(own).toHaveLength(4);
    expect(named(metricsOf('efs'), 'fs-1', points)).toEqual([
      ['DataWriteIOBytes', 500, 'fs-1'],
      ['DataReadIOBytes', 100, 'fs-1'],
    ]);
  });

  test('each server and target by its name where it does', () => {
    const own = named(metricsOf('lustre'), 'fs-1', points);
    expect(own).toEqual(
      expect.arrayContaining([
        ['FreeDataStorageCapacity', 25, 'fs-1'],
        ['FreeDataStorageCapacity', 25, 'fs-1 OST0000'],
        ['DiskWriteOperations', 9, 'fs-1 OST0000'],
        ['DiskWriteOperations', 9, 'fs-1 MDT0000'],
        ['DataWriteBytes', 500, 'fs-1'],
        ['FileCreateOperations', 7, 'fs-1 MDT0000'],
      ]),
    );
  });
});

describe('creations', () => {
  const FIGURES = {
    iops: 12_000,
    documentedCreatesPerSecond: 24_000,
    setCreatesPerSecond: 240,
    source: 'guide/performance',
  };
  const answering = (...rates: number[]) => {
    const script = jest.fn(async (_: string, __: Readonly<Record<string, string>>) => ({
      code: 0,
      stdout: JSON.stringify({ writesPerCreate: 4, writesPerSecond: 960, createsPerSecond: rates.shift() ?? 0 }),
      stderr: '',
    }));
    return script;
  };

  test('that cannot be held within 5 % are not used, and what they came to is said', async () =>
    expect(await holdMetadata('a', FIGURES, answering(100, 200, 150, 10, 227))).toBe(
      'creations on a are held at 240.0 a second and came to 227.0 in 5 calibrations, more than 5 % off: this machine is too busy or too slow for this scale',
    ));

  test('of a script that fails are not used, and the reason is the script’s', async () => {
    const failing = async () => ({ code: 1, stdout: '', stderr: 'model: error: the kernel takes no limits\n' });
    expect(await holdMetadata('a', FIGURES, failing)).toBe('the kernel takes no limits');
  });

  test('are held at what is documented ÷ scale; the best of several calibrations counts', async () => {
    const script = answering(100, 238);
    expect(await holdMetadata('a', FIGURES, script)).toEqual({
      ...FIGURES,
      measuredCreatesPerSecond: 238,
      writesPerCreate: 4,
      writesPerSecond: 960,
    });
    expect(script.mock.calls).toEqual(Array(2).fill(['hold-metadata', { MODEL_CREATES_PER_SECOND: '240' }]));
  });

  test('without a documented rate are not held', async () => {
    const script = answering();
    expect(await holdMetadata('a', null, script)).toBeNull();
    expect(script).not.toHaveBeenCalled();
  });
});

test('what a server counted while it did not answer falls into the period of its next answer', () => {
  const answers = [{ file_creates: 100 }, null, { file_creates: 500 }].map((operations) => counters({ operations }));
  let before: Counters | null = null;
  const created = answers.flatMap((now) => {
    const data = dataOf(before, now, null).filter(({ role }) => role === 'file_creates');
    before = beginningOf(before, now);
    return data.map(({ value }) => value);
  });
  expect(created).toEqual([400]);
});
