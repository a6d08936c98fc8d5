import { userInfo } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { ConfigurationError } from '../lib/common/configurationError';
import { checkCheckout } from '../lib/constructs/machine/bundle';
import { priceBook } from '../lib/cost/priceFile';
import { makeStacks } from '../lib/deploy/application';
import { MODEL_LIMITS, modelLimitsSchema } from '../lib/schema/model';

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');

/** Name of the user who runs cdk; `undefined` if the system knows none, as in some containers. */
function user(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** The application: the only place that reads the environment and the context. */
function main(): void {
  const app = new App({
    // Else the application would write what it has so far even when the configuration was refused.
    autoSynth: false,
    // Lines of our sources before each warning help nobody who configures a stack.
    stackTraces: false,
    // Templates follow from our code and from settings that are checked: tests have CDK's own check look at each kind of them, and a synth
    // need not wait for it (docs/decisions/synthesis.md). CDK_VALIDATION=true turns it on.
    builtinCloudFormationValidation: process.env.CDK_VALIDATION === 'true',
  });
  checkCheckout();
  const env = { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION };
  const models = modelLimitsSchema.parse(JSON.parse(process.env[MODEL_LIMITS] ?? '{}'));
  makeStacks(app, env, priceBook(join(__dirname, '..')), models, user());
  app.synth();
}

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(`\nThe configuration cannot be used:\n${indented(error.problems)}\n`);
  process.exitCode = 1;
}
