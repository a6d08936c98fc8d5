import type { Command } from 'commander';
import type { Benchmark } from '../benchmark/benchmark';
import { explain } from '../common/aws/explain';
import { findDeployment, inLab } from '../run/deployed';
import type { Plan } from '../schema/plan';
import { benchmarkNamed } from './benchmarks';
import { type CliContext, printJson, Unsuccessful, UsageError } from './context';
import { configuredInFile } from './input/configurationOptions';
import { bookOf, regionNamed } from './input/environment';
import { documentedPlan, type PlanOptions } from './plan';
import { renderPlan } from './render/renderPlan';

import { argumentsOf, operandsOf, type RunOptions } from './start/arguments';
import { planOnFleet } from './start/fleetPlan';
import { sketchOn } from './start/runOn';

const NO_DIRECTORY =
  "missing required argument 'benchmark', or one mounted directory: npx fsxbench plan --on /fsx (fsxbench plan --help names the options)";

/** Options of `fsxbench plan`: those of the run that it is asked about. */
type ShowPlanOptions = Omit<RunOptions, 'results'>;

/** `fsxbench plan BENCHMARK`, `fsxbench plan --on DIRECTORY`: exit status 1 if the plan has errors. */
export async function planCommand(context: CliContext, command: Command, asked: ShowPlanOptions): Promise<void> {
  const { name, options } = argumentsOf(NO_DIRECTORY, operandsOf(command), asked);
  if (name === null)
    for (const key of ['scale', 'region'] as const)
      if (options[key] !== undefined) throw new UsageError(`--${key} is for a benchmark: leave it out with --on`);
  const plan =
    name === null
      ? await sketchOn(context, { ...options, results: '' })
      : await planOf(context, benchmarkNamed(name), options);
  if (options.json) printJson(context, plan);
  else context.out(renderPlan(plan));
  if (plan.issues.some((issue) => issue.severity === 'error'))
    throw new Unsuccessful('refusing to run this plan: see its errors');
}

async function planOf(context: CliContext, definition: Benchmark, options: PlanOptions): Promise<Plan> {
  const region = regionNamed(context, options.region);
  const inTheLab = await planInLab(context, definition, options);
  if (inTheLab !== null) return inTheLab;
  const book = bookOf(context);
  // The lab deploys no settings of cdk.json.
  const { scale: asked } = options;
  const configuration =
    asked === 'lab' ? null : configuredInFile(definition, context.root, { ...(asked && { scale: asked }), region });
  if (configuration === null) return documentedPlan(definition, options, { region, book });
  context.err(`with the settings of ${definition.name} in cdk.json\n`);
  const { scale } = configuration;
  return documentedPlan(definition, { ...options, scale }, { region, book, configuration });
}

/** The plan that `run` would carry out in this shell; `null` outside the lab, or if an AWS scale is requested. */
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
