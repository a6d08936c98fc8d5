import { costOf } from '../../../lib/analysis/figures/cost';
import { kindOf, labelOf, type OperationKind } from '../../../lib/analysis/figures/operationKind';
import { isTimed, past } from '../../../lib/report/title';
import type { Manifest } from '../../../lib/schema/run';
import type { Sample } from '../../../lib/schema/sample';

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
