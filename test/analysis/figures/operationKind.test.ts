import { kindOf, labelOf, type OperationKind } from '../../../lib/analysis/figures/operationKind';
import { isTimed, past } from '../../../lib/report/title';
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
