import { App } from 'aws-cdk-lib';
import { compressionBench } from '../lib/benchmark/compression';
import { resolveBenchmark } from '../lib/config/benchmark';
import { ConfigurationError } from '../lib/config/problem';
import { readSettings } from '../lib/config/read';
import { BenchmarkStack } from '../lib/stack/benchmarkStack';
import { BenchResults } from '../lib/stack/benchResults';

/** The application: the only place that reads the environment and the context. */
function main(): void {
  // Without it the application would write what it has so far even when the configuration was refused.
  const app = new App({ autoSynth: false });
  const env = { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION };
  const settings = readSettings(app.node.getAllContext() ?? {}, compressionBench.name);
  const { bucket } = new BenchResults(app, undefined, { env });
  new BenchmarkStack(app, compressionBench.name, {
    env,
    configuration: resolveBenchmark(compressionBench, settings),
    results: bucket,
  });
  app.synth();
}

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(`\nThe configuration cannot be used:\n${error.problems.map((problem) => `  ${problem}`).join('\n')}\n`);
  process.exitCode = 1;
}
