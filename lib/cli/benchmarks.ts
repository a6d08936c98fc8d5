import type { Benchmark } from '../benchmark/benchmark';
import { BENCHMARK_NAMES, benchmarkOrNone } from '../benchmark/lookup';
import { BENCHMARKS } from '../benchmark/registry';
import { nearest } from '../config/nearest';
import { type CliContext, printJson, UsageError } from './context';
import { renderTable } from './table';

/** The benchmark with this name. @throws UsageError naming the known ones */
export function benchmarkNamed(name: string): Benchmark {
  const found = benchmarkOrNone(name);
  if (found) return found;
  const meant = nearest(name, BENCHMARK_NAMES);
  throw new UsageError(
    `there is no benchmark '${name}'; benchmarks: ${BENCHMARK_NAMES.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  );
}

/** `fsxbench benchmarks`: the questions that can be answered, the studies they come from and their plans. */
export function benchmarksCommand(context: CliContext, options: { readonly json?: boolean }): void {
  const benchmarks = BENCHMARKS.map(({ name, question, study, plans }) => ({
    name,
    question,
    study,
    plans: plans.map((plan) => plan.name),
  }));
  if (options.json) printJson(context, { schema: 'fsxbench.benchmarks/1', benchmarks });
  else context.out(renderBenchmarks(benchmarks));
}

function renderBenchmarks(
  benchmarks: readonly { name: string; question: string; study: string; plans: string[] }[],
): string {
  const rows = benchmarks.map(({ name, question, study, plans }) => [name, plans.join(', '), study, question]);
  return renderTable(['benchmark', 'plans, the default first', 'study', 'question'], rows);
}
