import type { Sample } from '../../lib/schema/sample';
import { sessionsOf, timesOf } from '../../lib/store/readRun';

const at = (minutes: number): string => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
const span = (from: number, to: number) => ({ startedAt: at(from), endedAt: at(to) });
const samples = (...spans: readonly (readonly [number, number])[]) =>
  spans.map(([from, to]) => span(from, to)) as unknown as Sample[];

test('a run without a status has worked where its samples are at most ten minutes apart', () => {
  expect(sessionsOf(null, samples([30, 34], [0, 5], [1, 3], [15, 20], [20, 20]))).toEqual([span(0, 34)]);
  expect(sessionsOf(null, samples([0, 5], [15, 20], [31, 34]))).toEqual([span(0, 20), span(31, 34)]);
  expect(sessionsOf(null, [])).toEqual([]);
});

test('a session without an end lasted until the last status', () => {
  const sessions = [span(0, 9), { startedAt: at(20) }];
  const status = { startedAt: at(20), updatedAt: at(25), endedAt: null, sessions } as Parameters<typeof sessionsOf>[0];
  expect(sessionsOf(status, samples([0, 90]))).toEqual([span(0, 9), span(20, 25)]);
});

test('time within sessions and between them is told, unless a clock ran backwards', () => {
  expect(timesOf([span(0, 9), span(20, 25)])).toEqual({ worked: 14 * 60, between: 11 * 60 });
  expect(timesOf([{ ...span(0, 9), seconds: 7 }])).toEqual({ worked: 7, between: 0 });
  expect(timesOf([span(9, 0)])).toEqual({ worked: null, between: 0 });
  expect(timesOf([])).toEqual({ worked: null, between: null });
});
