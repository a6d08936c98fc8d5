import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readWhole } from '../../common/files';
import { RESULTS_STACK } from '../../doctor/aws/leftovers';
import { executionPolicy, operatorPolicy, type StackTemplate } from '../../doctor/aws/policies';
import { benchmarkNamed } from '../benchmarks';
import { type CliContext, printJson, requireClone, Unsuccessful, UsageError } from '../context';
import { configured, stackContext } from '../input/configurationOptions';
import { regionNamed } from '../input/environment';

/** `fsxbench policy BENCHMARK [PRINCIPAL]`: an IAM policy for the stacks of a benchmark, with the settings of cdk.json and `-c`. Asks AWS nothing. */
export async function policyCommand(
  context: CliContext,
  name: string,
  principal: 'operator' | 'execution',
  options: { readonly context: readonly string[] },
): Promise<void> {
  requireClone(context, 'cdk.json', 'policy');
  const definition = benchmarkNamed(name);
  const region = regionNamed(context, undefined);
  // Names every invalid setting.
  configured(definition, context.root, { ...options, region });
  const made = await templates(context, { ...options, region }, definition.name, RESULTS_STACK);
  const [stack, results] = made;
  if (made.some(({ resources }) => 'Refused' in resources))
    throw new UsageError(`these settings are refused: 'npx cdk synth ${definition.name}' with them says why`);
  printJson(context, principal === 'operator' ? operatorPolicy(stack, results) : executionPolicy([stack, results]));
}

/** Templates of stacks, as `cdk deploy` would synthesise them. @throws Unsuccessful with the last words of the application */
async function templates<Names extends readonly string[]>(
  { root, environment }: CliContext,
  set: { readonly context: readonly string[]; readonly region: string },
  ...names: Names
): Promise<{ readonly [Index in keyof Names]: StackTemplate }> {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-policy-'));
  const env = {
    CDK_DEFAULT_REGION: set.region,
    ...environment,
    CDK_CONTEXT_JSON: JSON.stringify(stackContext(root, set.context)),
    CDK_OUTDIR: folder,
  };
  try {
    await promisify(execFile)(process.execPath, [join(root, 'scripts', 'app.mjs')], { env, cwd: root });
    return names.map((name) => {
      const template = JSON.parse(readWhole(join(folder, `${name}.template.json`))) as { Resources: object };
      return { name, resources: template.Resources };
    }) as never;
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: string };
    throw new Unsuccessful(`the stacks cannot be synthesised: ${stderr?.trim() || message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
