import { type Examination, examineAccount } from '../doctor/aws';
import { environmentsAccount } from '../doctor/aws/account';
import type { AccountFinding } from '../doctor/aws/check';
import type { Finding } from '../doctor/checks';
import { benchmarkNamed } from './benchmarks';
import { type CliContext, printJson, Unsuccessful, UsageError } from './context';
import { configured, stackContext } from './cost';
import { bookNamed } from './prices';
import { renderTable } from './table';

interface DoctorAwsOptions {
  readonly context: readonly string[];
  readonly json?: boolean;
  /** What this machine lacks. */
  readonly machine: readonly Finding[];
}

/** The context key that names what a bootstrap made (CDK guide, bootstrapping-customizing). */
const QUALIFIER = '@aws-cdk/core:bootstrapQualifier';

/**
 * `fsxbench doctor --aws BENCHMARK`: what in the account would stop the deployment, each with the command that mends it. Exit 0 only when
 * nothing would, and every question was answered.
 */
export async function doctorAwsCommand(context: CliContext, name: string, options: DoctorAwsOptions): Promise<void> {
  const definition = benchmarkNamed(name);
  const set = stackContext(context.root, options.context);
  const { root } = context;
  // What is wrong with the settings needs no account: it is said first. What is offered the account knows better than our table.
  const anyType = [...options.context, 'checkOfferings=false'];
  const configuration = configured(definition, root, { context: anyType });
  const qualifier = set[QUALIFIER];
  const examination = await examineAccount({
    account: await environmentsAccount(),
    configuration,
    refusal: (region) => refusalOf(() => configured(definition, root, { context: options.context, region })),
    ...(typeof qualifier === 'string' ? { qualifier } : {}),
    book: bookNamed(context, {}),
    now: new Date(),
  });
  const findings = [...ownFindings(options.machine), ...examination.findings];
  const deployable = findings.every(({ state }) => state === 'ok' || state === 'limited');
  if (options.json) printJson(context, documentOf(definition.name, examination, findings, deployable));
  else context.out(renderAccount(definition.name, findings, deployable));
  if (!deployable) throw new Unsuccessful(options.json ? '' : summary(definition.name, findings));
}

/** What a configuration is refused with; `null` when it is not. */
function refusalOf(configure: () => unknown): string | null {
  try {
    configure();
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** What of this machine a deployment needs; who signs in is AWS's affair here. */
function ownFindings(machine: readonly Finding[]): AccountFinding[] {
  return machine
    .filter(({ neededFor, name }) => neededFor.includes('deploy') && name !== 'AWS credentials')
    .map(({ neededFor, ...finding }) => ({ ...finding, command: null }));
}

function documentOf(
  benchmark: string,
  { accountId, region }: Examination,
  findings: readonly AccountFinding[],
  deployable: boolean,
) {
  return {
    schema: 'fsxbench.doctor/1',
    benchmark,
    account: accountId,
    region,
    works: { deploy: deployable },
    findings,
  };
}

/** A table of what was found, and below it what to do. */
export function renderAccount(benchmark: string, findings: readonly AccountFinding[], deployable: boolean): string {
  const rows = findings.map(({ name, state, found }) => [state, name, found]);
  const steps = findings
    .filter(({ advice }) => advice !== null)
    .map(({ name, advice, command }) => `${name}: ${advice}\n${command === null ? '' : `    ${command}\n`}`);
  return `${renderTable(['', '', 'found'], rows)}\n${steps.join('')}${steps.length > 0 ? '\n' : ''}${
    deployable ? 'ready' : 'not ready'
  } for: npx cdk deploy ${benchmark}\n`;
}

function summary(benchmark: string, findings: readonly AccountFinding[]): string {
  const named = (state: AccountFinding['state']): string =>
    findings
      .filter((finding) => finding.state === state)
      .map(({ name }) => name)
      .join(', ');
  const [missing, unknown] = [named('missing'), named('unknown')];
  const parts = [
    ...(missing === '' ? [] : [`${benchmark} would not deploy: ${missing}`]),
    ...(unknown === '' ? [] : [`not known: ${unknown}`]),
  ];
  return parts.join('; ');
}
