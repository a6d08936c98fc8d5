import { nameByAxes } from '../../../lib/analysis/figures/sizes';
import { past } from '../../../lib/report/phrases';
import type { Sample } from '../../../lib/schema/sample';
import { betterOf } from '../../../lib/workload/lookup';

const sample = (more: Partial<Sample>): Sample => ({ operation: 'write', source: 'client', ...more }) as Sample;
const named = (more: Partial<Sample>): string => nameByAxes(sample(more)).operation;

test('an operation is named with its axes, where a plan has them', () => {
  expect(named({})).toBe('write');
  expect(named({ fileBytes: 0 })).toBe('write');
  expect(named({ fileBytes: 2 ** 30, threads: 4 })).toBe('write of 1 GiB by 4 threads');
  expect(named({ threads: 1 })).toBe('write by 1 thread');
  expect(past(named({ fileBytes: 500_000, threads: 4 }))).toBe('wrote files of 500 kB by 4 threads');
  expect(past('read by 1 thread')).toBe('read by 1 thread');
});

test('what the driver measures itself, and trees of mdtest, have no axes', () => {
  expect(named({ operation: 'task', source: 'driver', threads: 4 })).toBe('task');
  expect(named({ operation: 'tree_create', fileBytes: 4096 })).toBe('tree_create');
});

test('a time is better when it is lower, whatever its axes', () => {
  const operation = named({ operation: 'read_large_file', fileBytes: 2 ** 30, threads: 8 });
  expect(betterOf({ operation, metric: 'seconds' })).toBe('lower');
});
