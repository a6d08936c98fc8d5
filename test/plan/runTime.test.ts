import fc from 'fast-check';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { benchmarkOrNone } from '../../lib/benchmark/lookup';
import { documentedPlan } from '../../lib/cli/plan';
import { runTime } from '../../lib/plan/runTime';
import { PHASES, type Step } from '../../lib/schema/plan';

test('measured and other time are all of the time', () => {
  const kinds = ['drop-caches', 'make-directory', 'measure-ratio', 'measure-capacity', 'remove-data', 'workload'];
  const steps = fc.array(
    fc.record({ phase: fc.constantFrom(...PHASES), kind: fc.constantFrom(...kinds), seconds: fc.nat(10_000) }),
  );
  fc.assert(
    fc.property(steps, fc.nat(100_000), (made, between) => {
      const planned = made.map(
        ({ phase, kind, seconds }) =>
          ({ phase, expectedSeconds: seconds, tasks: [{ action: { kind } }] }) as unknown as Step,
      );
      const inSteps = made.reduce((sum, { seconds }) => sum + seconds, 0);
      const time = runTime(planned, ({ expectedSeconds }) => expectedSeconds, inSteps + between);
      const others = time.others.reduce((sum, { seconds }) => sum + seconds, 0);
      expect(time.measuredSeconds + others).toBe(inSteps + between);
      if (time.perMeasured !== null) expect(time.perMeasured * time.measuredSeconds).toBeCloseTo(inSteps + between, 6);
      expect(time.others.every(({ seconds }) => seconds > 0)).toBe(true);
    }),
  );
});

test.each(['CompressionBench', 'MetadataBench'])('%s pays at most 1.15 minutes for each that it measures', (name) => {
  const { steps, totals } = documentedPlan(benchmarkOrNone(name) as Benchmark, { scale: 'published', set: [] });
  const { perMeasured, measuredSeconds } = runTime(steps, ({ expectedSeconds }) => expectedSeconds);
  expect(perMeasured).toBeGreaterThan(1);
  expect(perMeasured).toBeLessThanOrEqual(1.15);
  expect(totals.measuredSeconds).toBe(measuredSeconds);
});

test('the bytes of a plan are the most of each write, in MiB', () => {
  const { steps, totals, parameters } = documentedPlan(benchmarkOrNone('CompressionBench') as Benchmark, {
    scale: 'smoke',
    set: ['maxMiBPerArm=64'],
  });
  const writes = steps.flatMap(({ tasks }) =>
    tasks.filter(({ action }) => action.kind === 'workload' && action.operation === 'write'),
  );
  expect([writes.length > 0, parameters.maxMiBPerArm]).toEqual([true, 64]);
  expect([totals.bytesWritten, totals.bytesRead]).toEqual([writes.length * 2 ** 26, writes.length * 2 ** 26]);
});
