import { compressionBench } from '../benchmark/compression';
import type { BenchmarkDefinition } from '../benchmark/definition';
import { UsageError } from './context';

/** Every benchmark there is. */
export const BENCHMARKS: readonly BenchmarkDefinition[] = [compressionBench];

/** The benchmark of a name. @throws with the names there are */
export function benchmarkNamed(name: string): BenchmarkDefinition {
  const found = BENCHMARKS.find((benchmark) => benchmark.name === name);
  if (!found)
    throw new UsageError(
      `there is no benchmark '${name}'; benchmarks: ${BENCHMARKS.map((benchmark) => benchmark.name).join(', ')}`,
    );
  return found;
}
