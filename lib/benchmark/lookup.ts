import type { Benchmark } from './benchmark';
import { BENCHMARKS } from './registry';

export const [DEFAULT_BENCHMARK] = BENCHMARKS;

export const BENCHMARK_NAMES: readonly string[] = BENCHMARKS.map(({ name }) => name);

/** True if its plans drive all arms at the same time: each arm then needs an equal part of the fleet. */
export const dividesFleet = ({ plans: [plan], fleet }: Benchmark): boolean =>
  plan?.defaults('published', fleet('published')).simultaneous === true;

/** The benchmark of a name; `undefined` for an unknown name, such as one from another release's run. */
export const benchmarkOrNone = (name: string | null | undefined): Benchmark | undefined =>
  BENCHMARKS.find((benchmark) => benchmark.name === name);
