import type { Benchmark } from '../benchmark/benchmark';
import { explain } from '../kit/aws/explain';
import { findDeployment, inLab } from '../run/deployed';
import type { Plan } from '../schema/plan';
import { benchmarkNamed } from './benchmarks';
import { type CliContext, printJson, Unsuccessful } from './context';
import { bookNamed, regionNamed } from './input/prices';
import { documentedPlan, type PlanOptions } from './plan';
import { renderPlan } from './render/renderPlan';
import { planOnFleet } from './start/runFleet';

/** `fsxbench plan BENCHMARK`: exit status 1 if the plan has errors. */
export async function planCommand(context: CliContext, name: string, options: PlanOptions): Promise<void> {
  const definition = benchmarkNamed(name);
  const region = regionNamed(context, options.region);
  const plan =
    (await planInLab(context, definition, options)) ??
    documentedPlan(definition, options, { region, book: bookNamed(context, options) });
  if (options.json) printJson(context, plan);
  else context.out(renderPlan(plan));
  if (plan.issues.some((issue) => issue.severity === 'error'))
    throw new Unsuccessful('refusing to run this plan: see its errors');
}

/** The plan that `run` would carry out in this shell; `null` outside the lab, and where a scale of AWS is asked for. */
async function planInLab(context: CliContext, definition: Benchmark, options: PlanOptions): Promise<Plan | null> {
  if (!inLab(context.environment) || options.scale !== undefined) return null;
  try {
    await findDeployment(definition.name);
  } catch (error) {
    context.err(`${definition.name} cannot run in the lab (${explain(error)}): this is its plan on AWS\n`);
    return null;
  }
  return (await planOnFleet(context, definition, options)).plan;
}
