import { join } from 'node:path';
import { metadataBench } from '../../lib/benchmark/metadata';
import { makePlan } from '../../lib/plan/plan';
import { readWorkload } from '../../lib/run/task/readWorkload';
import type { WorkloadAction } from '../../lib/schema/plan';
import { FIXTURES } from '../parse/corpus';

const now = new Date();
const well = { exitStatus: 0, signal: null, timedOut: false, abandoned: false, startError: null };
const outcome = { ...well, startedAt: now, endedAt: now };
const read = (operation: WorkloadAction['operation'], ...names: readonly string[]) =>
  readWorkload(
    { kind: 'workload', tool: 'smallfile', operation, command: [], ranksPerClient: 2, pattern: 'files-4096' },
    names.map((name) => ({ outcome, outputFile: join(FIXTURES, `${name}.out`) })),
  );
const figureOf = ({ measured }: ReturnType<typeof read>, metric: string) =>
  measured.find((each) => each.metric === metric)?.value ?? null;

test('one client’s rate is the one that smallfile 3.2 printed, over all of its files', () => {
  const { measured, failure } = read('create', 'smallfile32_create');
  expect(failure).toBeNull();
  expect(measured.map(({ operation, metric }) => `${operation} ${metric}`)).toEqual([
    ...['file_create rate', 'file_create operations', 'file_create seconds'],
  ]);
  expect(figureOf(read('create', 'smallfile32_create'), 'operations')).toBe(600);
  expect(measured[0]).toMatchObject({ ranks: 2 });
});

test('two clients’ files count over the time of the slower', () => {
  const [one, both] = [read('stat', 'smallfile32_stat'), read('stat', 'smallfile32_stat', 'smallfile32_stat')];
  expect(figureOf(both, 'rate')).toBeCloseTo(2 * (figureOf(one, 'rate') as number), 6);
  expect(figureOf(both, 'last_done')).toBe(figureOf(both, 'first_done'));
});

test('another operation’s output is no value of this one', () => {
  expect(read('read', 'smallfile32_stat').failure).toBe('smallfile printed no rate of file_read');
});

test('a removal is smallfile’s delete', () => {
  expect(figureOf(read('remove', 'smallfile32_remove'), 'rate')).toBeGreaterThan(0);
});

test('sizes that it cannot take are refused with one that it can', () => {
  const request = {
    benchmark: metadataBench,
    plan: 'paired',
    scale: 'lab',
    hourlyUsd: 0,
  } as const;
  const arms = [{ name: 'none', description: '' }];
  const fleet = { clients: 1, instanceType: null, ranksPerClient: 2 };
  expect(() => makePlan({ ...request, arms, fleet, set: ['tool=smallfile', 'fileBytes=3901'] })).toThrow(
    "'fileBytes' must be multiples of 1024 with tool=smallfile, got 3901: set 4096, or another tool",
  );
});
