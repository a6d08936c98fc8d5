import type * as z from 'zod';
import type { Benchmark } from '../benchmark/benchmark';
import { judging } from '../benchmark/common/parameters';
import { labFleet } from '../benchmark/lab';
import { BENCHMARK_NAMES, benchmarkOrNone } from '../benchmark/lookup';
import { PLAN_SCALES, type PlanDefinition, type PlanScale } from '../benchmark/plan';
import { BENCHMARKS } from '../benchmark/registry';
import { fieldOf } from '../common/field';
import { renderTable } from '../common/format/text';
import { didYouMean } from '../common/nearest';
import { defaultsOf, plansOf } from '../plan/plan';
import { type CliContext, printJson, UsageError } from './context';
import { plannedFleet } from './plan';

export function benchmarkNamed(name: string): Benchmark {
  const found = benchmarkOrNone(name);
  if (found) return found;
  const list = `benchmarks: ${BENCHMARK_NAMES.join(', ')}${didYouMean(name, BENCHMARK_NAMES)}`;
  throw new UsageError(`there is no benchmark '${name}'; ${list}`);
}

/** `fsxbench benchmarks`: the questions, their studies and plans; for one benchmark, every parameter of `--set`. */
export function benchmarksCommand(context: CliContext, name: string | undefined, options: { readonly json?: boolean }) {
  const chosen = name === undefined ? BENCHMARKS : [benchmarkNamed(name)];
  const benchmarks = chosen.map((one) => ({
    name: one.name,
    question: one.question,
    study: one.study,
    plans: one.plans.map(({ name: plan }) => plan),
    parameters: name === undefined ? undefined : plansOf(one).map((plan) => parametersOf(one, plan)),
  }));
  if (options.json) printJson(context, { schema: 'fsxbench.benchmarks/1', benchmarks });
  else {
    const rows = benchmarks.map((one) => [one.name, one.plans.join(', '), one.study, one.question]);
    context.out(renderTable(['benchmark', 'plans, the default first', 'study', 'question'], rows));
    for (const { parameters = [] } of benchmarks) for (const each of parameters) context.out(renderParameters(each));
  }
}

/** The parameters of a plan, with what completes "'key' must be"; `null` if the type says all. */
function parametersOf(benchmark: Benchmark, plan: PlanDefinition) {
  const at = (scale: PlanScale): Readonly<Record<string, unknown>> =>
    defaultsOf(plan, scale, scale === 'lab' ? labFleet(benchmark) : plannedFleet(benchmark.fleet(scale), plan));
  const defaults = PLAN_SCALES.map((scale) => [scale, at(scale)] as const);
  const shape = plan.parameters.extend(judging).shape as Readonly<Record<string, z.ZodType>>;
  return {
    plan: plan.name,
    parameters: Object.entries(shape).map(([key, schema]) => ({
      key,
      allowed: fieldOf(schema).allowed || null,
      defaults: Object.fromEntries(defaults.map(([scale, values]) => [scale, values[key] ?? null])),
    })),
  };
}

function renderParameters({ plan, parameters }: ReturnType<typeof parametersOf>): string {
  const shown = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value ?? '–'));
  const rows = parameters.map(({ key, allowed, defaults }) => [
    `  ${key}`,
    ...PLAN_SCALES.map((scale) => shown(defaults[scale])),
    allowed ?? '',
  ]);
  return `\n${renderTable([`--set with --plan ${plan}`, ...PLAN_SCALES, 'allowed'], rows)}`;
}
