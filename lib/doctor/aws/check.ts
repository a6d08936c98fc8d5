import type { Stack } from '@aws-sdk/client-cloudformation';
import type { Account } from '../../common/aws/account';
import { explain } from '../../common/aws/explain';
import type { InstanceLaunch } from '../../common/aws/launch';
import type { BenchmarkConfiguration } from '../../config/benchmark';
import type { PriceBook } from '../../price/prices';
import type { CheckResult } from '../checks';

export interface AccountFinding extends Omit<CheckResult, 'neededFor' | 'state'> {
  /** `missing` blocks the deployment; `limited` does not, but has a cost; `unknown` could not be checked. */
  readonly state: CheckResult['state'] | 'unknown';
  /** The command that does it, or that shows more; it is only printed. */
  readonly command: string | null;
}

export interface CheckedDeployment {
  readonly account: Account;
  readonly accountId: string;
  readonly region: string;
  readonly configuration: BenchmarkConfiguration;
  readonly launches: readonly InstanceLaunch[];
  /** Why cdk would refuse it by its table of offerings; `null` if it would not. */
  readonly refusal: string | null;
  readonly qualifier: string;
  readonly book: PriceBook;
  readonly now: Date;
}

export const deployWith = ({ configuration }: Pick<CheckedDeployment, 'configuration'>, setting: string): string =>
  `npx cdk deploy ${configuration.definition.name} -c ${setting}`;

export function ok(name: string, found: string): AccountFinding {
  return { name, state: 'ok', found, advice: null, command: null };
}

export const wrong = (
  name: string,
  state: 'limited' | 'missing' | 'unknown',
  found: string,
  advice: string,
  command: string | null = null,
): AccountFinding => ({ name, state, found, advice, command });

const DENIED = /^(AccessDenied|AccessDeniedException|UnauthorizedOperation|NotAuthorized)$/;

/** Answer to a question to an account; undefined, with the error, if the request failed. */
export async function attempted<T>(ask: () => Promise<T>, failed: (error: Error) => void): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError) throw error; // a bug in fsxbench
    failed(error as Error);
    return undefined;
  }
}

export const reasonOf = (error: unknown): string => explain(error).split('\n', 1)[0] ?? '';

/** The findings of a check, or why it could not be made: an unanswered check must not pass. */
export async function attempt(name: string, work: () => Promise<AccountFinding[]>): Promise<AccountFinding[]> {
  const failures: AccountFinding[] = [];
  const findings = await attempted(work, (error) => failures.push(unanswered(name, error)));
  return findings ?? failures;
}

export function unanswered(name: string, error: Error): AccountFinding {
  const { name: code } = error;
  const reason = reasonOf(error);
  if (DENIED.test(code))
    return wrong(name, 'unknown', `not allowed: ${reason}`, 'use a role with read access, such as ReadOnlyAccess');
  const found = `failed: ${reason === code ? code : `${code}: ${reason}`}`;
  return wrong(name, 'unknown', found, 'try again; if it persists, check it in the console');
}

/** The value of a Systems Manager parameter; `undefined` if it does not exist. */
export async function parameterValue(account: Account, name: string): Promise<string | undefined> {
  const { Parameter } = await account.ask('ssm:GetParameter', { Name: name }).catch((error: Error) => {
    if (error.name === 'ParameterNotFound') return { Parameter: undefined };
    throw error;
  });
  return Parameter?.Value;
}

/** A stack by name; `undefined` if it does not exist or was deleted. */
export async function deployedStack(account: Account, name: string): Promise<Stack | undefined> {
  const input = { StackName: name };
  const { Stacks: [stack] = [] } = await account.ask('cloudformation:DescribeStacks', input).catch((error: Error) => {
    if (/does not exist/.test(error.message)) return { Stacks: [] };
    throw error;
  });
  return stack?.StackStatus === 'DELETE_COMPLETE' ? undefined : stack;
}
