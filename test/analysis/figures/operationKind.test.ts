import { costOf } from '../../../lib/analysis/figures/cost';
import { kindOf, labelOf, type OperationKind } from '../../../lib/analysis/figures/operationKind';
import { bytesMoved } from '../../../lib/analysis/task';
import { byWorkAndArm, isTimed, past } from '../../../lib/report/title';
import type { Manifest } from '../../../lib/schema/run';
import type { Sample } from '../../../lib/schema/sample';
import { sampleOf } from '../../support/records';

const sample = (more: Partial<Sample>): Sample => ({ operation: 'write', source: 'client', ...more }) as Sample;
const named = (more: Partial<Sample>): string => labelOf(sample(more));
const kindFor = (more: Partial<Sample>): OperationKind => kindOf(sample(more));

test('an operation is named with its axes, where a plan has them', () => {
  expect(named({})).toBe('write');
  expect(named({ fileBytes: 0 })).toBe('write');
  expect(named({ fileBytes: 2 ** 30, threads: 4 })).toBe('write of 1 GiB by 4 threads');
  expect(named({ threads: 1 })).toBe('write by 1 thread');
  expect(past(kindFor({ fileBytes: 500_000, threads: 4 }))).toBe('wrote files of 500 kB by 4 threads');
  expect(past(kindFor({ operation: 'read', threads: 1 }))).toBe('read by 1 thread');
});

test('what the driver measures itself, and trees of mdtest, have no axes', () => {
  expect(named({ operation: 'task', source: 'driver', threads: 4 })).toBe('task');
  expect(named({ operation: 'tree_create', fileBytes: 4096 })).toBe('tree_create');
});

test('figures of arms are in the order of the plan, not of their names', () => {
  const figures = ['a', 'b'].map((arm) => ({ operation: 'write', compressibility: 1, arm }));
  expect(byWorkAndArm(figures, [{ name: 'b' }, { name: 'a' }]).map(({ arm }) => arm)).toEqual(['b', 'a']);
});

test('a time is better when it is lower, whatever its axes', () => {
  const kind = kindFor({ operation: 'read_large_file', fileBytes: 2 ** 30, threads: 8 });
  expect(isTimed({ kind, metric: 'seconds' })).toBe(true);
  expect(isTimed({ kind, metric: 'throughput' })).toBe(false);
});

test('operations on files are told with all of their axes', () => {
  expect(past(kindFor({ operation: 'file_create', fileBytes: 4096, threads: 4 }))).toBe(
    'created files of 4 KiB by 4 threads',
  );
  expect(past(kindFor({ operation: 'file_create', threads: 4 }))).toBe('created files by 4 threads');
  expect(past(kindFor({ operation: 'write', plannedNodes: 8 }))).toBe('wrote on 8 nodes');
  expect(past(kindFor({ operation: 'sync', threads: 2 }))).toBe('did sync by 2 threads');
});

const manifest = {
  arms: [{ name: 'none', hourlyUsd: 5 }],
  fleet: { instanceType: null, clients: [], hourlyUsd: 3 },
  stack: { hourlyUsd: 10 },
} as unknown as Manifest;

test('each hour costs what the stack does: one of work and three between the sessions', () => {
  const cost = costOf({ manifest, arms: [] }, { worked: 3600, between: 3 * 3600 });
  expect(cost).toMatchObject({ hours: 1, idleHours: 3, hourlyUsd: 10, runUsd: 10, idleUsd: 30 });
  expect(cost.lines.map(({ runUsd }) => runUsd)).toEqual([5, 3, 2]);
});

test('two arms on the same servers are paid for once', () => {
  const planned = ['off', 'lz4'].map((compression, at) => ({
    name: 'ab'[at],
    planned: { kind: 'lustre-zfs', instanceType: 'i3en.24xlarge', compression },
  }));
  const arms = ['a', 'b'].map((name) => ({ name, hourlyUsd: 10 }));
  const run = { arms: planned, manifest: { ...manifest, arms, stack: null } } as unknown as Parameters<
    typeof costOf
  >[0];
  expect(costOf(run, { worked: 3600, between: 0 })).toMatchObject({ lines: [{}, {}, {}], hourlyUsd: 13 });
});

/** Arms, each as its file system and its price (`-`: unknown), and four clients, with what is said of them. */
const pricedBy = (
  arms: string,
  { stack, fleet = {}, worked = 7200 }: { stack?: number | null; fleet?: object; worked?: number | null } = {},
) =>
  costOf(
    {
      arms: [],
      manifest: {
        arms: arms.split(', ').map((arm, at) => {
          const [fileSystemId, price] = arm.split(' ').map((word) => (word === '-' ? null : word));
          return { name: 'ab'[at], fileSystemId, hourlyUsd: price && Number(price) };
        }),
        fleet: { instanceType: 'c5n.large', clients: ['1', '2', '3', '4'], hourlyUsd: 3, ...fleet },
        ...(stack === undefined ? {} : { stack: { hourlyUsd: stack } }),
      } as unknown as Manifest,
    },
    { worked, between: 1800 },
  );

test.each<[string, Parameters<typeof pricedBy>, (number | null)[], number | null]>([
  ['two file systems', ['fs-1 5, fs-2 7'], [10, 14, 6], 15],
  ['one file system before and after a change: the higher price', ['fs-1 5, fs-1 7'], [10, 14, 6], 10],
  ['the higher price first', ['fs-1 7, fs-1 5'], [14, 10, 6], 10],
  ['the same price twice', ['fs-1 7, fs-1 7'], [14, 14, 6], 10],
  ['file systems without an id are two', ['- 7, - 7'], [14, 14, 6], 17],
  ['the rest of the stack', ['fs-1 5, fs-2 7', { stack: 16 }], [10, 14, 6, 2], 16],
  ['a rest below what prices are kept to', ['fs-1 5, fs-2 7', { stack: 15.0004 }], [10, 14, 6], 15],
  ['a stack that is cheaper, as of another day', ['fs-1 5, fs-2 7', { stack: 14 }], [10, 14, 6], 15],
  ['a stack of an unknown price', ['fs-1 5, fs-2 7', { stack: null }], [10, 14, 6], 15],
  ['an unknown file system', ['fs-1 5, fs-2 -', { stack: 16 }], [10, null, 6], null],
  ['unknown clients', ['fs-1 5, fs-2 7', { fleet: { hourlyUsd: null } }], [10, 14, null], null],
])('what two hours of a run cost: %s', (_, given, lines, hourlyUsd) => {
  const cost = pricedBy(...given);
  expect(cost.lines.map(({ runUsd }) => runUsd)).toEqual(lines);
  const times = (hours: number) => hourlyUsd && hourlyUsd * hours;
  expect(cost).toMatchObject({ hours: 2, idleHours: 0.5, hourlyUsd, runUsd: times(2), idleUsd: times(0.5) });
});

test('a cost names its lines, and says why there is no sum', () => {
  const { lines, reason } = pricedBy('fs-1 5, fs-2 -', { fleet: { hourlyUsd: null, hourlyReason: 'Spot' } });
  expect(lines.map(({ item }) => item)).toEqual(['File system of a', 'File system of b', '4 × c5n.large']);
  expect(reason).toBe('File system of b: no list price is known; 4 × c5n.large: Spot');
  expect(pricedBy('fs-1 5', { worked: null })).toMatchObject({
    ...{ hours: null, hourlyUsd: 8, runUsd: null, idleUsd: 4 },
    reason: 'when a driver worked on the run is unknown',
  });
  expect(costOf({ manifest: null, arms: [] }, { worked: 3600, between: 0 })).toMatchObject({
    ...{ lines: [], hours: 1, hourlyUsd: null, runUsd: null },
    reason: 'the manifest, which has the prices, is missing',
  });
});

test.each([
  [{ id: 'write' }, 'wrote'],
  [{ id: 'write', fileBytes: 2 ** 25, threads: 4 }, 'wrote files of 32 MiB by 4 threads'],
  [{ id: 'file_create', fileBytes: 4096 }, 'created files of 4 KiB'],
  [{ id: 'dir_rename' }, 'renamed directories'],
  // Those of one tool alone bring their verb with them.
  [{ id: 'stream_write' }, 'wrote streams'],
  [{ id: 'second_read' }, 'read again'],
  // Of another release, or of an output that no plan asks for.
  [{ id: 'random_write' }, 'did random write'],
])('%j is said as "%s"', (kind, words) => {
  expect(past(kind)).toBe(words);
});

const rate = (arm: string, value: number | null, more: Partial<Sample> = {}): Sample =>
  sampleOf({ arm, phase: 'measure', operation: 'write', metric: 'throughput', unit: 'MB/s', value, ...more });
test.each<[string, Sample[], number | null]>([
  [
    'counted by the tool',
    [rate('a', 100), rate('a', 7, { metric: 'bytes' }), rate('a', 3, { metric: 'total_time' })],
    7,
  ],
  ['its rate times its time', [rate('a', 100), rate('a', 3, { metric: 'total_time' })], 3e8],
  ['by its unit', [rate('a', 100, { unit: 'MiB/s' }), rate('a', 3, { metric: 'total_time' })], 300 * 2 ** 20],
  [
    'of all iterations',
    [1, 2].flatMap((iteration) => [
      rate('a', 1, { iteration }),
      rate('a', iteration * 5, { iteration, metric: 'bytes' }),
    ]),
    15,
  ],
  ['without a failed step', [rate('a', 1), rate('a', 5, { metric: 'bytes' }), rate('a', null, { step: 'other' })], 5],
  ['unknown if one is', [rate('a', 1), rate('a', 5, { metric: 'bytes' }), rate('a', 1, { step: 'other' })], null],
  ['of another arm unknown', [rate('a', 1), rate('b', 5, { metric: 'bytes' })], null],
])('bytes moved: %s', (_, counted, bytes) => {
  expect(bytesMoved({ counted, arms: [] } as never).find(({ arm }) => arm === 'a')?.bytes).toBe(bytes);
});

test('bytes moved are in the order of the arms', () => {
  const counted = ['b', 'a'].map((arm) => rate(arm, 1));
  const arms = [{ name: 'a' }, { name: 'b' }];
  expect(bytesMoved({ counted, arms } as never).map(({ arm }) => arm)).toEqual(['a', 'b']);
});
