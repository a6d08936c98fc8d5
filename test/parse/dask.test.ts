import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFile, parseText } from '../../lib/parse';
import { readWorkload } from '../../lib/run/task/readWorkload';
import type { WorkloadAction } from '../../lib/schema/plan';
import { casesOf, FIXTURES } from './corpus';
import { expectedVerdict, verdictOf } from './verdict';

const path = (name: string) => join(FIXTURES, `${name}.out`);
const printed = (name: string) => JSON.parse(readFileSync(path(name), 'utf8').trim().split('\n').at(-1) as string);

test.each(casesOf('dask'))('$id gives the figures that it printed, or what is wrong', ({ path: file, expected }) => {
  const document = parseFile(file, 'dask');
  expect(verdictOf(document, expected)).toEqual(expectedVerdict(expected));
  const values = document.samples.filter(({ iteration, metric }) => iteration === null && metric !== 'throughput');
  expect(values.map(({ value }) => value).sort()).toEqual(Object.values(expected.figures).sort());
});

test('an analysis has its years one by one, and the bytes of its workers over its time', () => {
  const { years, bytes_read, seconds } = printed('dask_local');
  const { samples } = parseFile(path('dask_local'), 'dask');
  const of = (metric: string) => samples.filter((one) => one.metric === metric).map(({ value }) => value);
  expect(of('year')).toEqual(years.map(({ year }: { year: number }) => year));
  expect(of('year_mean')).toEqual(years.map(({ mean_k }: { mean_k: number }) => mean_k));
  expect(of('throughput')).toEqual([bytes_read / seconds / 1e6]);
});

const ANALYSIS = { ...printed('dask_local') };
const parsed = (change: object) =>
  parseText('x.out', `${JSON.stringify({ ...ANALYSIS, ...change })}\n`, undefined, '', 'dask');

test('fewer than three whole years have no trend, and say why', () => {
  const { samples, valid } = parsed({ trend_k_per_decade: null, trend_error_k_per_decade: null, years: [] });
  expect(valid).toBe(true);
  for (const metric of ['trend', 'trend_error'])
    expect(samples.find((one) => one.metric === metric)).toMatchObject({
      value: null,
      reason: 'fewer than three whole years',
    });
});

test('an analysis whose workers read less than the files hold is cautioned about', () => {
  expect(parsed({ bytes_read: 0.5 * ANALYSIS.file_bytes }).cautions).toEqual(['files_not_read']);
  expect(parsed({}).cautions).toEqual([]);
});

test.each([
  ['a time that is no number', { seconds: 'soon' }, false],
  ['a time below zero', { seconds: -1 }, false],
  ['another program', { program: 'other' }, false],
  ['a falling trend', { trend_k_per_decade: -0.3 }, true],
])('%s: an analysis has ended only if it has its time', (_, change, complete) => {
  expect(parsed(change).complete).toBe(complete);
});

test('the values of a run are those of its operation, the time first', () => {
  const action: WorkloadAction = {
    kind: 'workload',
    tool: 'dask',
    operation: 'run',
    command: [],
    ranksPerClient: 2,
    pattern: 'sst',
  };
  const now = new Date();
  const outcome = { exitStatus: 0, signal: null, timedOut: false, abandoned: false, startError: null };
  const { measured, failure } = readWorkload(action, [
    { outcome: { ...outcome, startedAt: now, endedAt: now }, outputFile: path('dask_local') },
  ]);
  expect(failure).toBeNull();
  expect(measured[0]).toMatchObject({ operation: 'analyse', metric: 'seconds', value: ANALYSIS.seconds, unit: 's' });
});
