import type { App, Environment } from 'aws-cdk-lib';
import { BENCHMARKS } from '../benchmark/registry';
import { type Refused, resolveAll } from '../config/app';
import { type PriceBook, PUBLISHED } from '../cost/prices';
import { DEPLOYABLE_KINDS, deploymentNamed } from '../storage/constructs';
import { BenchmarkStack } from './benchmarkStack';
import { BenchResults } from './benchResults';

/** The stacks of an application. */
export interface MadeStacks {
  readonly benchmarks: readonly BenchmarkStack[];
  /** Benchmarks skipped because of the settings; empty if only a file system is watched. */
  readonly refused: readonly Refused[];
}

/**
 * Creates every stack configured in the application's context.
 *
 * @param book the prices of the deployment. @default the built-in prices
 * @throws ConfigurationError with all problems, before any stack is created
 */
export function makeStacks(app: App, env: Environment, book: PriceBook = PUBLISHED): MadeStacks {
  const { benchmarks, refused, watches } = resolveAll(
    BENCHMARKS,
    app.node.getAllContext() ?? {},
    DEPLOYABLE_KINDS,
    env.region,
  );
  const { bucket } = new BenchResults(app, undefined, { env });
  const stacks = benchmarks.map(
    (configuration) =>
      new BenchmarkStack(app, configuration.definition.name, { env, configuration, results: bucket, book }),
  );
  for (const { kind, stack, watched } of watches) deploymentNamed(kind).watch?.(app, stack, { env, ...watched });
  // Users of the dashboard alone do not need to hear about benchmarks.
  return { benchmarks: stacks, refused: watches.length === 0 ? refused : [] };
}
