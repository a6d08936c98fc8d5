import { beginningOf, type Counters, type DataPoint, dataOf, datums } from '../../../lib/lab/metrics/publisher';
import type { ScaleModel } from '../../../lib/schema/model';
import { storageOf } from '../../../lib/storage/lookup';

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
    expect(asRecord(before, now, MODEL)).toMatchSnapshot();
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
  const named = (kind: string, id: string, points: readonly DataPoint[]) => {
    const { metrics } = storageOf({ kind }).monitoring ?? {};
    if (metrics === undefined) throw new Error(`nothing is published of ${kind}`);
    return datums(points, metrics, id, at).map(({ MetricName, Value, Dimensions = [] }) =>
      [MetricName, Value, ...Dimensions.map((one) => one.Value)].join(' '),
    );
  };
  const before = counters({ disk: DISK, link: { received: 0, sent: 0 }, operations: { file_creates: 0 } });
  const now = counters({
    disk: { ...DISK, writeBytes: 3000, writeOperations: 29 },
    link: { received: 500, sent: 100 },
    operations: { file_creates: 7 },
  });
  const points = dataOf(before, now, null);

  test.each([
    ['ebs', 'nothing of what it has no metric for, and what it does not tell apart once', 'vol-1+vol-2'],
    ['moosefs', 'what its servers counted under its own names', 'i-1'],
    ['efs', 'what its servers counted under its own names', 'fs-1'],
    ['lustre', 'each server and target by its name where it does', 'fs-1'],
  ])('%s: %s', (kind, _, id) => expect(named(kind, id, points)).toMatchSnapshot());
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
