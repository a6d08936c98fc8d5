import { join } from 'node:path';
import { parseFile, parseText } from '../../lib/parse';
import { readWorkload } from '../../lib/run/task/readWorkload';
import type { WorkloadAction } from '../../lib/schema/plan';
import { casesOf, FIXTURES } from './corpus';
import { expectedVerdict, verdictOf } from './verdict';

test.each(casesOf('lazyload'))('$id gives the figures that it printed, or what is wrong', ({ path, expected }) => {
  const document = parseFile(path, 'lazyload');
  expect(verdictOf(document, expected)).toEqual(expectedVerdict(expected));
  expect(document.samples.map(({ value }) => value).sort()).toEqual(Object.values(expected.figures).sort());
});

const DONE = { schema: 'fsxbench.lazyload/1', phase: 'first', files: 4, bytes: 4000, file_bytes: 4000, seconds: 2 };
const parsed = (change: object) =>
  parseText(
    'x.out',
    `${JSON.stringify({ ...DONE, released_before: 4, released_after: 0, ...change })}\n`,
    undefined,
    '',
    'lazyload',
  );

test.each([
  ['a first read of files that were all in the bucket', {}, [], []],
  ['a first read of files that were there already', { released_before: 3 }, [], ['files_loaded_before']],
  ['a second read of files that were not there', { phase: 'second' }, [], ['files_released_before']],
  ['a read after which files are still in the bucket', { released_after: 1 }, ['files_released'], []],
  ['another phase', { phase: 'third' }, ['truncated'], []],
])('%s', (_, change, problems, cautions) => {
  expect(parsed(change)).toMatchObject({ problems, cautions });
});

test('clients are summed over the time of the slowest', () => {
  const action: WorkloadAction = {
    kind: 'workload',
    tool: 'lazyload',
    operation: 'run',
    operationId: 'preload',
    command: [],
    ranksPerClient: 1,
    pattern: 's3',
  };
  const now = new Date();
  const outcome = { exitStatus: 0, signal: null, timedOut: false, abandoned: false, startError: null };
  const ended = {
    outcome: { ...outcome, startedAt: now, endedAt: now },
    outputFile: join(FIXTURES, 'lazyload_preload.out'),
  };
  const seconds = parseFile(ended.outputFile).samples.find(({ metric }) => metric === 'seconds')?.value ?? Number.NaN;
  const { measured, failure } = readWorkload(action, [ended, ended]);
  expect(failure).toBeNull();
  expect(measured[0]).toMatchObject({ operation: 'preload', metric: 'throughput', unit: 'MB/s' });
  expect(measured[0]?.value).toBeCloseTo(160 / seconds, 6);
  expect(measured.find(({ metric }) => metric === 'files')?.value).toBe(80);
});
