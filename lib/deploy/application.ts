import { Annotations, type App, CfnResource, type Environment, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { BENCHMARKS } from '../benchmark/registry';
import { type Refused, resolveAll, unlessRefused } from '../config/app';
import { tagAll } from '../constructs/guards';
import { DEPLOYABLE_KINDS, watchStackNamed } from '../constructs/storage/registry';
import { type PriceBook, PUBLISHED } from '../price/prices';
import type { ModelLimits } from '../schema/model';
import { BenchmarkStack } from './benchmarkStack';
import { BenchResults } from './benchResults';

/** Stands for a stack whose settings are refused: the CDK CLI can destroy it, and reports its problems instead of deploying it. */
class RefusedStack extends Stack {
  /** @param problems each one line with the next step; at least one */
  constructor(scope: Construct, id: string, problems: readonly string[], props: StackProps) {
    super(scope, id, props);
    for (const problem of problems) Annotations.of(this).addError(problem);
    // `cdk deploy --ignore-errors` would take a template without resources as an order to delete the stack; this one CloudFormation rejects.
    new CfnResource(this, 'Refused', { type: 'Fsxbench::Settings::Refused' });
  }
}

/** The stacks of an application. */
export interface MadeStacks {
  readonly benchmarks: readonly BenchmarkStack[];
  /** Stacks that only carry the problems of their settings. */
  readonly refused: readonly Refused[];
  /** Benchmarks that no stack can make. */
  readonly leftOut: readonly Refused[];
}

/**
 * Creates every stack configured in the application's context. The CDK CLI does not tell an application which stacks are asked for, so one
 * whose settings are refused is made as well: with its problems, which the CLI reports where that stack is selected.
 *
 * @param book the prices of the deployment. @default the built-in prices
 * @param user who owns a stack that names no owner
 * @param models limits of the lab's scale models, by arm
 * @throws ConfigurationError with the problems that all benchmarks share, before any stack is created
 */
export function makeStacks(
  app: App,
  env: Environment,
  book: PriceBook = PUBLISHED,
  models: ModelLimits = {},
  user?: string,
): MadeStacks {
  const context = app.node.getAllContext() ?? {};
  const { benchmarks, refused, leftOut, watches, tags } = resolveAll(BENCHMARKS, context, DEPLOYABLE_KINDS, env.region);
  const results = new BenchResults(app, undefined, { env });
  tagAll(results, tags);
  const stacks = benchmarks.flatMap((configuration) => {
    const { name } = configuration.definition;
    const props = { env, configuration, results: results.bucket, book, models, user };
    return unlessRefused(refused, name, () => new BenchmarkStack(app, name, props)) ?? [];
  });
  for (const { stack, watched } of watches) {
    const WatchStack = watchStackNamed(stack);
    unlessRefused(refused, stack, () => tagAll(new WatchStack(app, stack, { env, ...watched }), tags));
  }
  for (const { name, problems } of refused) {
    // Half-built where a construct refused the settings.
    app.node.tryRemoveChild(name);
    new RefusedStack(app, name, problems, { env });
  }
  return { benchmarks: stacks, refused, leftOut };
}
