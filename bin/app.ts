import { App } from 'aws-cdk-lib';
import { BENCHMARKS } from '../lib/benchmark/all';
import { LUSTRE_DASHBOARD_STACK, type Refused, resolveAll } from '../lib/config/app';
import { ConfigurationError } from '../lib/config/problem';
import { BenchmarkStack } from '../lib/stack/benchmarkStack';
import { BenchResults } from '../lib/stack/benchResults';
import { LustreDashboardStack } from '../lib/stack/lustreDashboard';

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');

/** The application: the only place that reads the environment and the context. */
function main(): void {
  // Without it the application would write what it has so far even when the configuration was refused.
  const app = new App({ autoSynth: false });
  const env = { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION };
  const { benchmarks, refused, dashboard } = resolveAll(
    BENCHMARKS,
    app.node.getAllContext() ?? {},
    LUSTRE_DASHBOARD_STACK,
    env.region,
  );
  const { bucket } = new BenchResults(app, undefined, { env });
  for (const configuration of benchmarks) {
    new BenchmarkStack(app, configuration.definition.name, { env, configuration, results: bucket });
  }
  if (dashboard !== undefined) new LustreDashboardStack(app, LUSTRE_DASHBOARD_STACK, { env, ...dashboard });
  app.synth();
  // Somebody who looks at a dashboard has no benchmark in mind.
  if (dashboard === undefined) for (const one of refused) say(one);
}

/** Settings for one benchmark need not fit the others: those are not there then. */
function say({ name, problems }: Refused): void {
  console.error(`\n${name} cannot be made with these settings and is left out:\n${indented(problems)}\n`);
}

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(`\nThe configuration cannot be used:\n${indented(error.problems)}\n`);
  process.exitCode = 1;
}
