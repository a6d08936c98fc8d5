import type { Benchmark } from './benchmark';
import { BENCHMARKS } from './registry';

/** The benchmark that is meant where none is named. */
export const [DEFAULT_BENCHMARK] = BENCHMARKS;

export const BENCHMARK_NAMES: readonly string[] = BENCHMARKS.map(({ name }) => name);

/** The benchmark of a name; `undefined` where there is none: that of a run of another release. */
export const benchmarkOrNone = (name: string | null | undefined): Benchmark | undefined =>
  BENCHMARKS.find((benchmark) => benchmark.name === name);
