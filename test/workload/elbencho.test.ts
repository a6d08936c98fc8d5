import { join } from 'node:path';
import { readWorkload } from '../../lib/run/readWorkload';
import type { WorkloadAction } from '../../lib/schema/plan';
import { FIXTURES } from '../parse/corpus';

const now = new Date();
const well = { exitStatus: 0, signal: null, timedOut: false, abandoned: false, startError: null };
const outcome = { ...well, startedAt: now, endedAt: now };
const read = (operation: WorkloadAction['operation'], name: string) =>
  readWorkload(
    { kind: 'workload', tool: 'elbencho', operation, command: [], ranksPerClient: 4, pattern: 'files-4096' },
    [{ outcome, outputFile: join(FIXTURES, `${name}.out`) }],
  );

// The column LAST DONE of Files/s, and Total files.
test.each([
  ['create', 'file_create', 33994],
  ['stat', 'file_stat', 101781],
  ['read', 'file_read', 162822],
  ['remove', 'file_remove', 82474],
] as const)('%s is the rate of all files, when the last thread was done', (verb, operation, rate) => {
  const { measured, failure } = read(verb, 'elbencho_files');
  expect(failure).toBeNull();
  expect(measured[0]).toMatchObject({ operation, metric: 'rate', unit: 'op/s', value: rate });
  expect(measured[1]).toMatchObject({ operation, metric: 'operations', value: 240 });
});

test('an output without the phase fails with what is missing', () => {
  expect(read('stat', 'elbencho_large').failure).toBe('elbencho printed no rate of file_stat');
});

test('a disk that was full is a failure, not a rate', () => {
  expect(read('create', 'elbencho_enospc').failure).toMatch(/no_space|exit_status_1|not a whole run/);
});
