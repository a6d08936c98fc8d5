import type { Account } from '../../common/aws/account';
import { credentialFault, explain } from '../../common/aws/explain';
import { type AccountFinding, ok, wrong } from './check';

const NAME = 'AWS credentials';

/** Next steps where the caller or the Region is not known, in a line. */
export const unidentified = (findings: readonly AccountFinding[]): string =>
  findings
    .filter(({ state }) => state !== 'ok')
    .map(({ name, found, advice, command }) => `${name}: ${found}: ${advice}${command === null ? '' : ` (${command})`}`)
    .join('; ');

/** The caller and the Region, without which no other check can be made. */
export async function identity(
  account: Account,
): Promise<{ readonly accountId: string | null; readonly findings: readonly AccountFinding[] }> {
  const { region } = account;
  if (region === null) {
    const advice = 'choose the Region of the deployment';
    const finding = wrong('AWS Region', 'missing', 'none', advice, 'export AWS_REGION=us-east-1');
    return { accountId: null, findings: [finding] };
  }
  const inRegion = ok('AWS Region', region);
  try {
    const { Account: accountId = '', Arn = 'somebody' } = await account.ask('sts:GetCallerIdentity', {});
    return { accountId, findings: [ok(NAME, Arn), inRegion] };
  } catch (error) {
    return { accountId: null, findings: [unknownCaller(error), inRegion] };
  }
}

function unknownCaller(error: unknown): AccountFinding {
  const missing = credentialFault(error);
  if (missing === null) {
    const [reason = ''] = explain(error).split('\n');
    return wrong(NAME, 'unknown', reason, 'nothing else can be asked before AWS says who asks');
  }
  return wrong(NAME, 'missing', missing.fault, missing.advice, missing.command);
}
