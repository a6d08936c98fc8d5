import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type FieldRow, fieldRow, type Row, rowsOf, scoreOf, tableOf } from '../../bench/shared/field';
import { type PredictRequest, predict } from '../../lib';
import { hydrationSeconds } from '../../lib/predict';
import type { LustreConfiguration } from '../../lib/storage/lustre/configuration';
import { FITTED } from '../../lib/storage/lustre/prediction';

const ROOT = join(__dirname, '../..');
const MEASUREMENTS = rowsOf(readFileSync(join(ROOT, 'claims/field-measurements.csv'), 'utf8'));
const rowOf = (id: string): Row => {
  const found = MEASUREMENTS.find((row) => row.id === id);
  if (found === undefined) throw new Error(`no row ${id}`);
  return found;
};
const changed = (id: string, change: Row): FieldRow => fieldRow({ ...rowOf(id), ...change });

test('of what others measured, 80 % is within its interval, with a median error of at most 25 % and no interval wider than 3', () => {
  const score = scoreOf(MEASUREMENTS);
  expect(MEASUREMENTS).toHaveLength(95);
  expect(score.inside / score.graded).toBeGreaterThanOrEqual(0.8);
  expect(score.medianError).toBeLessThanOrEqual(0.25);
  expect(score.widest).toBeLessThanOrEqual(3);
});

test('claims/field-predictions.md is what the bench prints; the page has its score and as many parameters as were fitted', () => {
  const page = readFileSync(join(ROOT, 'docs/verification.md'), 'utf8');
  const printed = tableOf(MEASUREMENTS);
  expect(readFileSync(join(ROOT, 'claims/field-predictions.md'), 'utf8')).toContain(printed);
  expect(page).toContain(printed.split('\n\n')[1]);
  expect(page).toContain(`${Object.keys(FITTED).length} parameters`);
});

test('no prediction reads what was measured', () => {
  const derived = Object.keys(MEASUREMENTS[0] ?? {}).filter((name) =>
    /^(?:doc_|ratio_to|ceiling|value_MBps)/.test(name),
  );
  for (const row of MEASUREMENTS) {
    const blind = { ...row, value: '1', ...Object.fromEntries(derived.map((name) => [name, ''])) };
    expect(fieldRow(row.value === '' ? { ...blind, value: '' } : blind).predicted).toEqual(fieldRow(row).predicted);
  }
});

test('a row with any of its fields empty gets a prediction with an interval of at most 3, or a reason', () => {
  for (const row of MEASUREMENTS)
    for (const name of Object.keys(row)) {
      const { predicted, skipped } = fieldRow({ ...row, [name]: '' });
      if (predicted === null) expect(skipped).toMatch(/\w/);
      else {
        expect([skipped, predicted.high / predicted.low <= 3]).toEqual([null, true]);
        expect(predicted.low).toBeGreaterThan(0);
      }
    }
});

test.each([
  ['stg310-1', { value: '565.2', unit: 'MB/s' }],
  ['stg310-1', { value: '0.5652', unit: 'GB/s' }],
  ['stg310-1', { value: '4.52', unit: 'Gbit/s' }],
  ['stg310-1', { value: '539', unit: 'IOPS' }],
  ['stg310-1', { value: '59.4', unit: 's' }],
  ['trn2-1', { value: '49.8', unit: 's' }],
  ['pc6799-1', { value: '112', unit: 'files/s' }],
  ['pc6799-1', { value: '330', unit: 's' }],
  ['dram-2', { value: '894', unit: 's' }],
  ['it-1', { value: '0.48', unit: 'ms' }],
  ['p1p2-a-create', { value: '3.2', unit: 's' }],
])('%s in other units, %p, is judged as before', (id, change) => {
  expect([changed(id, {}).within, changed(id, change)]).toMatchObject([true, { within: true, skipped: null }]);
});

test.each([
  [{ deployment_type: 'SCRATCH_9' }, "FSx for Lustre has no deployment type 'SCRATCH_9'"],
  [{ storage_type: 'NVMe' }, "FSx for Lustre has no storage type 'NVMe'"],
])('%p is not predicted as another one', (change, skipped) => {
  expect(changed('stg310-1', change)).toMatchObject({ predicted: null, skipped });
});

test.each([
  ['an operation with a remark', 'drax-w1', { operation: 'write (auto export running)' }, 'client_oss_path'],
  ['TCP clients of a file system with EFA', 'b300-2', { instance_type: 'c5n.18xlarge' }, 'client_oss_path'],
  ['a type of instance that nobody knows', 'trn2-1', { instance_type: 'z99.large' }, 'client_oss_path'],
  ['memory-mapped reads', 'trn2-1', { pattern: 'memory-mapped', processes: '1' }, 'streams'],
  ['the depth of an engine that is synchronous', 'b300-9', {}, 'streams'],
  ['a type in other letters', 'drax-w1', { deployment_type: 'Scratch 2', mbps_per_tib: '' }, 'disk'],
  ['a scratch file system', 'drax-w1', { deployment_type: 'SCRATCH_2', mbps_per_tib: '' }, 'disk'],
  [
    'Intelligent-Tiering',
    'drax-w1',
    { storage_type: 'INTELLIGENT_TIERING', storage_gib: '', throughput_capacity_mbps: '4000' },
    'client_oss_path',
  ],
  ['a size that is no whole number of bytes', 'hpcws22-3', { file_size: '28.6 GiB' }, 'streams'],
  ['small files that are counted', 'trn2-1', { unit: 'files/s', file_size: '100 KB' }, 'streams'],
  ['spent credits', 'drax-w1', { notes: 'credits spent' }, 'disk'],
])('%s: the bottleneck is the one of such a run', (_, id, change, bottleneck) => {
  expect(changed(id, change)).toMatchObject({ bottleneck, skipped: null });
});

const REQUEST: PredictRequest<LustreConfiguration> = {
  configuration: { deploymentType: 'PERSISTENT_1', storageCapacityGiB: 7200, perUnitStorageThroughput: 50 },
  clients: { count: 1, instanceType: 'c5n.18xlarge' },
  seconds: 60,
};

test('few streams are the limit by name, and enough of them are not', () => {
  const of = (processes: number) => predict({ ...REQUEST, streams: { processes } });
  expect(of(1)).toMatchObject({ binding: { burst: 'streams' }, run: { MBps: { bottleneck: 'streams' } } });
  expect(of(1).run?.MBps.expected).toBeCloseTo(538, 0);
  expect(of(8)).toMatchObject({ binding: { burst: 'disk' }, run: { MBps: { bottleneck: 'disk' } } });
  expect(predict(REQUEST).limits.map(({ name }) => name)).not.toContain('streams');
});

test('small files are read from as many file servers as there are streams and files, large ones from all', () => {
  const configuration = { deploymentType: 'PERSISTENT_2', storageCapacityGiB: 48_000, perUnitStorageThroughput: 1000 };
  const of = (processes: number, files: number, fileBytes: number) =>
    predict<LustreConfiguration>({
      ...{
        configuration,
        clients: REQUEST.clients,
        readShare: 1,
        files,
        fileBytes,
        streams: { processes, inFlight: 512 },
      },
    } as PredictRequest<LustreConfiguration>).run?.MBps;
  // A client reads 5 Gbit/s from one server; 90 % of it are expected.
  for (const [processes, files, servers] of [
    [1, 1000, 1],
    [8, 1, 1],
    [8, 1000, 8],
  ] as const)
    expect(of(processes, files, 1e6)).toMatchObject({ bottleneck: 'client_oss_path', expected: servers * 562.5 });
  expect(of(1, 1000, 2e9)).toMatchObject({ bottleneck: 'client_nic', expected: 11_250 });
});

test('a working set in the memory of the servers is read at their network, a larger one at the disks', () => {
  const of = (servedFrom: 'disk' | 'memory') =>
    predict<LustreConfiguration>({
      configuration: { deploymentType: 'PERSISTENT_2', storageCapacityGiB: 4800, perUnitStorageThroughput: 125 },
      readShare: 1,
      servedFrom,
    });
  expect(of('memory').binding.baseline).toBe('server_network');
  expect(of('disk').binding.baseline).toBe('disk');
});

test('more requests in flight are never slower, a longer run is never faster', () => {
  const count = fc.integer({ min: 1, max: 512 });
  const size = fc.constantFrom(4096, 65_536, 2 ** 20, 16 * 2 ** 20);
  fc.assert(
    fc.property(count, count, size, fc.integer({ min: 1, max: 1e5 }), (processes, inFlight, transferBytes, seconds) => {
      const of = (streams: NonNullable<PredictRequest['streams']>, long = seconds) =>
        predict({ ...REQUEST, streams, seconds: long }).run?.MBps.expected ?? Number.NaN;
      const rate = of({ processes, inFlight, transferBytes });
      expect(of({ processes: processes * 2, inFlight, transferBytes })).toBeGreaterThanOrEqual(rate);
      expect(of({ processes, inFlight: inFlight * 2, transferBytes })).toBeGreaterThanOrEqual(rate);
      expect(of({ processes, inFlight, transferBytes }, seconds * 10)).toBeLessThanOrEqual(rate);
    }),
  );
});

test('hydration is the import and the restore, for more clients up to four never slower', () => {
  const configuration = { kind: 'lustre', ...REQUEST.configuration };
  const files = { files: 1_000_000, fileBytes: 1_000_000 };
  const { s3 } = predict({ ...REQUEST, configuration, servedFrom: 's3', ...files });
  const one = hydrationSeconds(configuration, files);
  expect(one?.expected).toBeCloseTo((s3?.import.seconds.expected ?? 0) + (s3?.restore.seconds.expected ?? 0), 6);
  expect(one?.expected).toBeCloseTo(1e6 / 2000 + 1e6 / 120, 0);
  expect(hydrationSeconds(configuration, { ...files, clients: 4 })?.expected).toBeLessThan(one?.expected ?? 0);
  expect(hydrationSeconds({ kind: 'efs', throughputMode: 'elastic' } as never, files)).toBeNull();
});

// Files per second: 2,000 imported; 120 restored by a client, 345 at most; a stream waits 3.6 s and then loads 180 MB/s; 213 exported for
// each 1,200 GiB, at most 0.7 of the disks. Disks of PERSISTENT_1 at 50: 50 MB/s for each 1,000 GiB, 240 in the first 1,800 s.
test.each([
  [7200, 1, 1e6, 1e6, ['s3_restore', 120], ['streams', 8 / (3.6 + 1 / 180)], ['disk', 0.7 * 360]],
  [7200, 4, 1e6, 1e6, ['s3_restore', 345], ['streams', 32 / (3.6 + 1 / 180)], ['disk', 0.7 * 360]],
  [7200, 4, 1e6, 1e5, ['s3_restore', 345], ['streams', 32 / (3.6 + 0.1 / 180)], ['s3_export', 6 * 213]],
  [2400, 4, 1e6, 1e6, ['disk', 120], ['streams', 32 / (3.6 + 1 / 180)], ['disk', 0.7 * 120]],
  // 1,000 files of 2 MB are restored while the disks burst.
  [1200, 4, 1000, 2e6, ['disk', 144], ['streams', 32 / (3.6 + 2 / 180)], ['disk', 0.7 * 30]],
] as const)('%d GiB, %d clients, %d files of %d bytes: restored %j, loaded %j, exported %j', (...one) => {
  const [storageCapacityGiB, count, files, fileBytes, restore, lazyLoad, exported] = one;
  const { s3 } = predict({
    ...REQUEST,
    configuration: { ...REQUEST.configuration, storageCapacityGiB },
    clients: { count, instanceType: 'c5n.18xlarge' },
    streams: { processes: 8 },
    ...{ servedFrom: 's3', files, fileBytes },
  });
  for (const [transfer, [bottleneck, perSecond]] of [
    [s3?.import, ['s3_import', 2000]],
    [s3?.restore, restore],
    [s3?.lazyLoad, lazyLoad],
    [s3?.export, exported],
  ] as const) {
    const range = (of: number) => ({ low: 0.585 * of, expected: of, high: 1.75 * of });
    const close = (ends: object) =>
      Object.fromEntries(Object.entries(ends).map(([end, value]) => [end, expect.closeTo(value, 6)]));
    expect(transfer).toMatchObject({
      bottleneck,
      filesPerSecond: close(range(perSecond)),
      seconds: close({ low: files / perSecond / 1.75, expected: files / perSecond, high: files / perSecond / 0.585 }),
    });
    expect(transfer?.MBps).toEqual(transfer === s3?.import ? null : close(range((perSecond * fileBytes) / 1e6)));
  }
});

test.each([
  [1, 0.87],
  [0, 0.76],
  [0.5, 0.815],
])('while files are exported, clients that read a share of %d keep %d', (readShare, kept) => {
  const { s3 } = predict({ ...REQUEST, readShare, servedFrom: 's3', files: 9, fileBytes: 9 });
  expect(s3?.leftWhileExporting).toBeCloseTo(kept, 9);
});

test.each<[string, Partial<PredictRequest<LustreConfiguration>>]>([
  ["'streams.processes' must be a whole number from 1 to 100000, got 0", { streams: { processes: 0 } }],
  ["'seconds' must be above 0, got -1", { seconds: -1 }],
  ["'servedFrom' must be disk for writes", { servedFrom: 'memory' }],
  ["'files' must be given if the data come from S3", { servedFrom: 's3' }],
])('a run that cannot be is refused: %s', (message, run) => {
  expect(() => predict({ ...REQUEST, ...run })).toThrow(message);
});
