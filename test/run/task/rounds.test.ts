import { roundsOf, runRounds } from '../../../lib/run/task/rounds';
import type { Plan, WorkloadAction } from '../../../lib/schema/plan';
import type { Sample } from '../../../lib/schema/sample';
import type { Measured } from '../../../lib/workload/common/measured';

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
  expect(roundsOf(plan, { unit: 'r1', arm: 'a' }, samples)).toBe({ three: 3, one: 1, none: 0 }[count]);
});

test('a round that failed left no files', () => {
  expect(roundsOf(plan, { unit: 'r1', arm: 'a' }, [round('a', 1), round('a', 1, null)])).toBe(1);
});

/** Rounds that each say of themselves how long they took, by the tool's clock. */
async function passesOf(operation: string, { seconds, most, made }: { seconds: number; most: number; made: number }) {
  const passes: number[] = [];
  const { failure, measured } = await runRounds({
    action: { operation } as WorkloadAction,
    rounds: { seconds, most },
    made: () => made,
    deadlineSeconds: 1000,
    abort: new AbortController().signal,
    dropCaches: async () => true,
    run: async (_, round) => {
      passes.push(round);
      return { measured: [{ metric: 'seconds', value: 20 } as Measured], failure: null };
    },
  });
  expect(failure).toBeNull();
  // Files that are read again are another iteration.
  expect(measured.map(({ iteration }) => iteration)).toEqual(passes.map((_, index) => index));
  return passes;
}

test.each([
  ['file_read', 'reads each file that was created once, though its time is over before', 30, 4, [1, 2, 3, 4]],
  ['file_read', 'begins anew until its time is over', 90, 3, [1, 2, 3, 1, 2]],
  ['create', 'ends with the round in which its time is over', 30, 0, [1, 2]],
  ['remove', 'removes every round, however long that takes', 30, 4, [1, 2, 3, 4]],
])('%s %s', async (operation, _, seconds, made, rounds) => {
  expect(await passesOf(operation, { seconds, most: 8, made })).toEqual(rounds);
});
