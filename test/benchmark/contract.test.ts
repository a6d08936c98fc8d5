import { AwsSolutionsChecks } from 'cdk-nag';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { compressionBench } from '../../lib/benchmark/compression';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { stacksWith } from '../support/cdk';
import { contractOf, PROMISES } from './contract';

describe.each(BENCHMARKS.map((benchmark) => [benchmark.name, benchmark] as const))('%s', (_, benchmark) => {
  contractOf(() => benchmark);

  test('its smallest deployment leaves no finding of cdk-nag', () => {
    const { bench } = stacksWith({ scale: 'smoke' }, undefined, undefined, benchmark);
    expect(new AwsSolutionsChecks().validateScope(bench).violations.map(({ ruleName }) => ruleName)).toEqual([]);
  });
});

test('each has a name of its own, which is a stack’s', () => {
  const names = BENCHMARKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
});

describe('the contract is known to bite: a benchmark that breaks it on purpose is refused', () => {
  const sound = compressionBench;
  const [plan, ...plans] = sound.plans;
  if (plan === undefined) throw new Error('CompressionBench has no plan');
  const withPlan = (change: Partial<typeof plan>): Partial<Benchmark> => ({
    plans: [{ ...plan, ...change }, ...plans],
  });
  const BROKEN: Readonly<Record<string, readonly [change: Partial<Benchmark>, says: RegExp]>> = {
    'has a plan of each kind at every scale, which could be run as it is': [
      withPlan({ steps: (...given) => plan.steps(...given).map((step) => ({ ...step, id: 'same' })) }),
      /same|Expected/,
    ],
    'runs no command of which the linter warns': [
      withPlan({
        steps: (...given) =>
          plan
            .steps(...given)
            .map((step) => ({
              ...step,
              tasks: step.tasks.map((task) =>
                task.action.kind === 'workload'
                  ? { ...task, action: { ...task.action, command: ['ior', '-w', '-o', '{dir}/f'] } }
                  : task,
              ),
            })),
      }),
      /ior-/,
    ],
    'has a report that names every operation that was measured, on page and in Markdown': [
      withPlan({ steps: (...given) => plan.steps(...given).filter(({ phase }) => phase !== 'measure') }),
      /"paired", 0/,
    ],
    'has arms of storages that are known, whose metrics tell that something happens': [
      { arms: () => [{ name: 'a', storage: { kind: 'gpfs' } }] },
      /got 'gpfs'/,
    ],
    'says what its lab is': [
      { lab: { ...sound.lab, followedBy: [{ plan: 'paired', set: ['colour=red'] }] } },
      /colour/,
    ],
    'names a study with claims, or says that there is none': [{ study: 'the study of nobody' }, /undefined/],
  };

  test.each(Object.entries(PROMISES))('%s', async (promise, holds) => {
    const [change, says] = BROKEN[promise] ?? [{}, /no benchmark that breaks it/];
    await expect((async () => holds({ ...sound, ...change }))()).rejects.toThrow(says);
  });
});
