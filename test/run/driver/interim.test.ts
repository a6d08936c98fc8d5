import { type ConvergedTask, InterimAnalyses } from '../../../lib/run/driver/interim';
import type { Sample } from '../../../lib/schema/sample';

const action = { kind: 'drop-caches' };
const step = (id: string, repeat: number) => ({
  ...{ id, repeat, unit: id, phase: 'measure' },
  tasks: ['none', 'lz4'].map((arm) => ({ arm, group: 1, action })),
});
const STEPS = [step('r1-write', 1), step('r4-write', 4), step('r4-read', 4), step('r5-write', 5)];

/** Analyses that find tasks settled before a repeat, of which some may have been done already. */
function analyses(settled: Readonly<Record<number, readonly ConvergedTask[]>>, done: readonly string[] = []) {
  const asked: number[] = [];
  const written: Sample[] = [];
  const noted: Sample[] = [];
  const interim = new InterimAnalyses(
    {
      ...{ run: 'r-1', plan: { steps: STEPS }, clients: { config: { arms: {} }, addresses: [], groups: 1 } },
      folder: { samples: () => [], append: (samples: Sample[]) => void written.push(...samples) },
      converged: (_: unknown, __: unknown, repeat: number) => {
        asked.push(repeat);
        return settled[repeat] ?? [];
      },
    } as never,
    {
      succeeded: (id: string, arm: string) => done.includes(`${id} ${arm}`),
      nextAttempt: () => 1,
      note: (sample: Sample) => void noted.push(sample),
    } as never,
    { wall: () => 0, steady: () => 0 },
  );
  return { interim, asked, written, noted };
}

const BOTH = new Set(['none', 'lz4']);
const armsOf = (tasks: readonly { arm: string }[]) => tasks.map(({ arm }) => arm);

test('what is settled after three repeats is left out of the fourth, and so are later ones that were named', () => {
  const { interim, asked, written, noted } = analyses({
    3: [
      { step: 'r4-write', arm: 'lz4' },
      { step: 'r5-write', arm: 'lz4' },
      { step: 'r4-write', arm: 'none' },
    ],
  });
  expect(interim.before(STEPS[1] as never)).toBe('settled after 3 repeats: 3 tasks of later ones left out (lz4, none)');
  expect(asked).toEqual([3]);
  expect(armsOf(interim.needed(STEPS[0] as never, BOTH))).toEqual(['none', 'lz4']);
  expect(armsOf(interim.needed(STEPS[1] as never, BOTH))).toEqual([]);
  expect(armsOf(interim.needed(STEPS[2] as never, BOTH))).toEqual(['none', 'lz4']);
  expect(armsOf(interim.needed(STEPS[3] as never, BOTH))).toEqual(['none']);
  // Each has a sample, by which a run that is resumed leaves it out, too.
  expect(written.map(({ step: id, arm }) => `${id} ${arm}`)).toEqual(['r4-write lz4', 'r5-write lz4', 'r4-write none']);
  expect(noted).toEqual(written);
});

test('each repeat is analysed once, before its first step', () => {
  const { interim, asked } = analyses({ 3: [{ step: 'r4-write', arm: 'lz4' }] });
  expect(STEPS.map((one) => interim.before(one as never))).toEqual([
    null,
    'settled after 3 repeats: 1 task of later ones left out (lz4)',
    null,
    null,
  ]);
  expect(asked).toEqual([0, 3, 4]);
});

test('a task that was done already is not left out, and an arm that is not asked for has no task', () => {
  const { interim, written } = analyses({ 3: [{ step: 'r4-write', arm: 'lz4' }] }, ['r4-write lz4']);
  expect(interim.before(STEPS[1] as never)).toBeNull();
  expect(written).toEqual([]);
  expect(armsOf(interim.needed(STEPS[1] as never, new Set(['none'])))).toEqual(['none']);
  expect(interim.needed(STEPS[1] as never, undefined)).toEqual([]);
});
