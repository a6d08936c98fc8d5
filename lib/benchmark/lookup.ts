import type { Benchmark } from './benchmark';
import type { AroundChange } from './plan';
import { BENCHMARKS } from './registry';

/** The benchmark that is meant where none is named. */
export const [DEFAULT_BENCHMARK] = BENCHMARKS;

export const BENCHMARK_NAMES: readonly string[] = BENCHMARKS.map(({ name }) => name);

/** The benchmark of a name; `undefined` where there is none: that of a run of another release. */
export const benchmarkOrNone = (name: string | null | undefined): Benchmark | undefined =>
  BENCHMARKS.find((benchmark) => benchmark.name === name);

/** The first benchmark of which something can be measured around a change. @throws Error where there is none */
export function benchmarkAround(change: string): Benchmark & { readonly aroundChange: AroundChange } {
  for (const benchmark of BENCHMARKS) {
    const { aroundChange } = benchmark;
    if (aroundChange?.of === change) return { ...benchmark, aroundChange };
  }
  throw new Error(`no benchmark of lib/benchmark/registry.ts can be run around a change of ${change}`);
}
