import { BENCHMARKS } from '../benchmark/all';
import type { BenchmarkDefinition } from '../benchmark/definition';
import { UsageError } from './context';

/** The benchmark of a name. @throws with the names there are */
export function benchmarkNamed(name: string): BenchmarkDefinition {
  const found = BENCHMARKS.find((benchmark) => benchmark.name === name);
  if (!found)
    throw new UsageError(
      `there is no benchmark '${name}'; benchmarks: ${BENCHMARKS.map((benchmark) => benchmark.name).join(', ')}`,
    );
  return found;
}
