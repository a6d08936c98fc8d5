import { renderTable } from '../../common/format/text';
import { examineAccount } from '../../doctor/aws';
import { environmentsAccount } from '../../doctor/aws/account';
import type { AccountFinding } from '../../doctor/aws/check';
import type { CheckResult } from '../../doctor/checks';
import { benchmarkNamed } from '../benchmarks';
import { type CliContext, printJson, Unsuccessful, UsageError } from '../context';
import { configured, stackContext } from '../input/configurationOptions';
import { bookOf } from '../input/environment';

interface DoctorAwsOptions {
  readonly context: readonly string[];
  readonly json?: boolean;
  readonly machine: readonly CheckResult[];
}

/** The context key with the bootstrap's qualifier (CDK guide, bootstrapping-customizing). */
const QUALIFIER = '@aws-cdk/core:bootstrapQualifier';

/** `fsxbench doctor --aws BENCHMARK`: problems of a deployment, each with a command that fixes it. Exit status 0 only if all checks passed. */
export async function doctorAwsCommand(context: CliContext, name: string, options: DoctorAwsOptions): Promise<void> {
  const definition = benchmarkNamed(name);
  const set = stackContext(context.root, options.context);
  const { root } = context;
  // Invalid settings are reported first, since that needs no account. Offerings are checked against the account, not our table.
  const anyType = [...options.context, 'checkOfferings=false'];
  const configuration = configured(definition, root, { context: anyType });
  const qualifier = set[QUALIFIER];
  const examination = await examineAccount({
    account: await environmentsAccount(),
    configuration,
    refusal: (region) => refusalOf(() => configured(definition, root, { context: options.context, region })),
    qualifier: typeof qualifier === 'string' ? qualifier : undefined,
    book: bookOf(context),
    now: new Date(),
  });
  const findings = [...ownFindings(options.machine), ...examination.findings];
  const deployable = findings.every(({ state }) => state === 'ok' || state === 'limited');
  const { name: benchmark } = definition;
  const { accountId, region } = examination;
  const works = { deploy: deployable };
  if (options.json)
    printJson(context, { schema: 'fsxbench.doctor/1', benchmark, account: accountId, region, works, findings });
  else context.out(renderAccount(benchmark, findings, deployable));
  if (!deployable) throw new Unsuccessful(options.json ? '' : summary(benchmark, findings));
}

function refusalOf(configure: () => unknown): string | null {
  try {
    configure();
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** The checks of this computer that a deployment needs, except credentials, which the account checks cover. */
const ownFindings = (machine: readonly CheckResult[]): AccountFinding[] =>
  machine
    .filter(({ neededFor, name }) => neededFor.includes('deploy') && name !== 'AWS credentials')
    .map(({ neededFor, ...finding }) => ({ ...finding, command: null }));

export function renderAccount(benchmark: string, findings: readonly AccountFinding[], deployable: boolean): string {
  const rows = findings.map(({ name, state, found }) => [state, name, found]);
  const steps = findings
    .filter(({ advice }) => advice !== null)
    .map(({ name, advice, command }) => `${name}: ${advice}\n${command === null ? '' : `    ${command}\n`}`);
  const next = steps.length === 0 ? '' : `${steps.join('')}\n`;
  const verdict = `${deployable ? 'ready' : 'not ready'} for: npx cdk deploy ${benchmark}\n`;
  return `${renderTable(['', '', 'found'], rows)}\n${next}${verdict}`;
}

function summary(benchmark: string, findings: readonly AccountFinding[]): string {
  const named = (state: AccountFinding['state']): string =>
    findings.flatMap((finding) => (finding.state === state ? finding.name : [])).join(', ');
  const [missing, unknown] = [named('missing'), named('unknown')];
  const parts = [
    ...(missing === '' ? [] : [`${benchmark} would not deploy: ${missing}`]),
    ...(unknown === '' ? [] : [`could not be checked: ${unknown}`]),
  ];
  return parts.join('; ');
}
