import type { Benchmark } from '../benchmark/benchmark';
import { BENCHMARK_NAMES, benchmarkOrNone } from '../benchmark/lookup';
import { nearest } from '../config/nearest';
import { UsageError } from './context';

/** The benchmark with this name. @throws UsageError naming the known ones */
export function benchmarkNamed(name: string): Benchmark {
  const found = benchmarkOrNone(name);
  if (found) return found;
  const meant = nearest(name, BENCHMARK_NAMES);
  throw new UsageError(
    `there is no benchmark '${name}'; benchmarks: ${BENCHMARK_NAMES.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  );
}
