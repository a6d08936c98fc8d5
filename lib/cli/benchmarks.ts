import { compressionBench } from '../benchmark/compression';
import type { BenchmarkDefinition } from '../benchmark/definition';
import { metadataBench } from '../benchmark/metadata';
import { UsageError } from './context';

/** Every benchmark there is. */
export const BENCHMARKS: readonly BenchmarkDefinition[] = [compressionBench, metadataBench];

/** The benchmark of a name. @throws with the names there are */
export function benchmarkNamed(name: string): BenchmarkDefinition {
  const found = BENCHMARKS.find((benchmark) => benchmark.name === name);
  if (!found)
    throw new UsageError(
      `there is no benchmark '${name}'; benchmarks: ${BENCHMARKS.map((benchmark) => benchmark.name).join(', ')}`,
    );
  return found;
}
