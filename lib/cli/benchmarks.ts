import type { BenchmarkDefinition } from '../benchmark/definition';
import { BENCHMARKS } from '../benchmark/registry';
import { nearest } from '../config/nearest';
import { UsageError } from './context';

/** The benchmark of a name. @throws with the names there are */
export function benchmarkNamed(name: string): BenchmarkDefinition {
  const found = BENCHMARKS.find((benchmark) => benchmark.name === name);
  if (!found) {
    const names = BENCHMARKS.map((benchmark) => benchmark.name);
    const meant = nearest(name, names);
    throw new UsageError(
      `there is no benchmark '${name}'; benchmarks: ${names.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    );
  }
  return found;
}
