import { summarise } from '../../lib/analysis/summary';
import type { RunRecord } from '../../lib/store/record';
import { syntheticRun } from '../report/syntheticRun';

/** A run of so many arms, half of them compressing, which counts how often the arm of a sample is read. */
function runOfArms(count: number): { readonly record: RunRecord; readonly reads: () => number } {
  const record = syntheticRun({ repeats: 2, compressibilities: [1, 2.6], withMetrics: false });
  const { plan, manifest } = record;
  const all = Array.from({ length: count }, (_, index) => ({
    name: `a${index}`,
    of: index % 2 === 0 ? 'none' : 'lz4',
  }));
  const like = <T extends { readonly name: string }>(arms: readonly T[]): T[] =>
    all.map(({ name, of }) => ({ ...(arms.find((arm) => arm.name === of) as T), name }));
  let reads = 0;
  const counting = (arm: string): PropertyDescriptor => ({
    enumerable: true,
    get: () => {
      reads += 1;
      return arm;
    },
  });
  const samples = all.flatMap(({ name, of }) =>
    record.samples.flatMap((sample) =>
      sample.arm === of ? [Object.defineProperty({ ...sample }, 'arm', counting(name))] : [],
    ),
  );
  return {
    record: {
      ...record,
      plan: plan && { ...plan, arms: like(plan.arms) },
      manifest: manifest && { ...manifest, arms: like(manifest.arms) },
      samples,
    },
    reads: () => reads / samples.length,
  };
}

test('an analysis looks at each sample as often with many arms as with few', () => {
  const [few, many] = [10, 80].map((count) => {
    const { record, reads } = runOfArms(count);
    expect(summarise(record).comparisons).toHaveLength(4 * (count - 1));
    return reads();
  }) as [number, number];
  expect(many).toBeLessThan(1.2 * few);
});
