import { costOf } from '../../../lib/analysis/figures/cost';
import type { Manifest } from '../../../lib/schema/run';

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
