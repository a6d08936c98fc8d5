import type { App, Environment } from 'aws-cdk-lib';
import { BENCHMARKS } from '../benchmark/registry';
import { LUSTRE_DASHBOARD_STACK, type Refused, resolveAll } from '../config/app';
import { type PriceBook, PUBLISHED } from '../cost/prices';
import { LustreDashboardStack } from '../storage/lustre/construct/dashboardStack';
import { BenchmarkStack } from './benchmarkStack';
import { BenchResults } from './benchResults';

/** What was made for an application. */
export interface MadeStacks {
  readonly benchmarks: readonly BenchmarkStack[];
  /** Benchmarks that the settings do not fit, for the user to know; none where only a file system is watched. */
  readonly refused: readonly Refused[];
}

/**
 * Makes every stack that the application's context asks for.
 *
 * @param book the prices of what is deployed. @default those that came with fsxbench
 * @throws ConfigurationError with every problem, before there is a stack
 */
export function makeStacks(app: App, env: Environment, book: PriceBook = PUBLISHED): MadeStacks {
  const { benchmarks, refused, dashboard } = resolveAll(
    BENCHMARKS,
    app.node.getAllContext() ?? {},
    LUSTRE_DASHBOARD_STACK,
    env.region,
  );
  const { bucket } = new BenchResults(app, undefined, { env });
  const stacks = benchmarks.map(
    (configuration) =>
      new BenchmarkStack(app, configuration.definition.name, { env, configuration, results: bucket, book }),
  );
  if (dashboard !== undefined) new LustreDashboardStack(app, LUSTRE_DASHBOARD_STACK, { env, ...dashboard });
  // Somebody who looks at a dashboard has no benchmark in mind.
  return { benchmarks: stacks, refused: dashboard === undefined ? refused : [] };
}
