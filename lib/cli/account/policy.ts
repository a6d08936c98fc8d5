import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readWhole } from '../../common/files';
import { RESULTS_STACK } from '../../doctor/aws/leftovers';
import { executionPolicy, operatorPolicy, type StackTemplate } from '../../doctor/aws/policies';
import { benchmarkNamed } from '../benchmarks';
import { type CliContext, printJson, requireClone, Unsuccessful } from '../context';
import { configured, stackContext } from '../input/configurationOptions';
import { regionNamed } from '../input/surroundings';

/** `fsxbench policy BENCHMARK [PRINCIPAL]`: an IAM policy for the stacks of a benchmark, with the settings of cdk.json. Asks AWS nothing. */
export async function policyCommand(
  context: CliContext,
  name: string,
  principal: 'operator' | 'execution',
): Promise<void> {
  requireClone(context, 'cdk.json', 'policy');
  const definition = benchmarkNamed(name);
  const region = regionNamed(context, undefined);
  // Names every invalid setting.
  configured(definition, context.root, { context: [], region });
  const [stack, results] = await templates(context, region, definition.name, RESULTS_STACK);
  printJson(context, principal === 'operator' ? operatorPolicy(stack, results) : executionPolicy([stack, results]));
}

/** Templates of stacks, as `cdk deploy` would synthesise them. @throws Unsuccessful with the last words of the application */
async function templates<Names extends readonly string[]>(
  { root, environment }: CliContext,
  region: string,
  ...names: Names
): Promise<{ readonly [Index in keyof Names]: StackTemplate }> {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-policy-'));
  const env = {
    CDK_DEFAULT_REGION: region,
    ...environment,
    CDK_CONTEXT_JSON: JSON.stringify(stackContext(root, [])),
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
