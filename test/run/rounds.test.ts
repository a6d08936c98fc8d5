import { roundsOf } from '../../lib/run/driver/rounds';
import type { Plan } from '../../lib/schema/plan';
import type { Sample } from '../../lib/schema/sample';

const action = { kind: 'workload', operation: 'create' } as const;
const plan = { steps: [{ id: 'r1-create', unit: 'r1', tasks: [{ arm: 'a', action }] }] } as unknown as Plan;
const round = (arm: string, attempt: number, value: number | null = 1000): Sample =>
  ({ step: 'r1-create', arm, attempt, metric: 'rate', value }) as Sample;

test.each([
  ['three', 'of its own, not those that another arm made', [1, 1, 1], ['b', 'b']],
  ['one', 'of the last attempt, not those of the one before', [1, 1, 2], []],
  ['none', 'where nothing was made', [], ['b']],
] as const)('an arm has %s rounds of files: %s', (count, _, attempts, others) => {
  const samples = [...attempts.map((attempt) => round('a', attempt)), ...others.map((arm) => round(arm, 1))];
  expect(roundsOf(plan, { unit: 'r1', arm: 'a' }, () => samples)).toBe({ three: 3, one: 1, none: 0 }[count]);
});

test('a round that failed left no files', () => {
  expect(roundsOf(plan, { unit: 'r1', arm: 'a' }, () => [round('a', 1), round('a', 1, null)])).toBe(1);
});
