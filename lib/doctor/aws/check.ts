import type { BenchmarkConfiguration } from '../../config/benchmark';
import type { Account } from '../../kit/aws/account';
import { explain } from '../../kit/aws/explain';
import type { InstanceLaunch } from '../../kit/aws/launch';
import type { PriceBook } from '../../price/prices';
import type { CheckResult } from '../checks';

/** The result of one check of an account. */
export interface AccountFinding {
  readonly name: string;
  /** `missing` blocks the deployment; `limited` does not, but has a cost; `unknown` could not be checked. */
  readonly state: CheckResult['state'] | 'unknown';
  readonly found: string;
  /** Next step, if any. */
  readonly advice: string | null;
  /** The command that does it, or that shows more; it is only printed. */
  readonly command: string | null;
}

/** The planned deployment and its place. */
export interface CheckedDeployment {
  readonly account: Account;
  readonly accountId: string;
  readonly region: string;
  readonly configuration: BenchmarkConfiguration;
  /** Every instance that it starts. */
  readonly launches: readonly InstanceLaunch[];
  /** Tags that the deployment gets beside its own. */
  readonly tags: Readonly<Record<string, string>>;
  /** Why cdk would refuse it by its table of offerings; `null` if it would not. */
  readonly refusal: string | null;
  /** The qualifier in the names of the bootstrap's resources. */
  readonly qualifier: string;
  /** The prices to use. */
  readonly book: PriceBook;
  readonly now: Date;
}

/** The command that deploys a benchmark with one more setting. */
export function deployWith({ configuration }: Pick<CheckedDeployment, 'configuration'>, setting: string): string {
  return `npx cdk deploy ${configuration.definition.name} -c ${setting}`;
}

export const ok = (name: string, found: string): AccountFinding => ({
  name,
  state: 'ok',
  found,
  advice: null,
  command: null,
});

/** A problem found by a check. */
export function wrong(
  name: string,
  state: 'limited' | 'missing' | 'unknown',
  found: string,
  advice: string,
  command: string | null = null,
): AccountFinding {
  return { name, state, found, advice, command };
}

const DENIED = /^(AccessDenied|AccessDeniedException|UnauthorizedOperation|NotAuthorized)$/;

/** The findings of a check, or why it could not be made: an unanswered check must not pass. */
export async function attempt(name: string, work: () => Promise<AccountFinding[]>): Promise<AccountFinding[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError) throw error; // a bug in fsxbench
    const [reason = ''] = explain(error).split('\n');
    const code = (error as Error).name;
    if (DENIED.test(code)) {
      return [wrong(name, 'unknown', `not allowed: ${reason}`, 'use a role with read access, such as ReadOnlyAccess')];
    }
    return [
      wrong(
        name,
        'unknown',
        `failed: ${reason === code ? code : `${code}: ${reason}`}`,
        'try again; if it persists, check it in the console',
      ),
    ];
  }
}
