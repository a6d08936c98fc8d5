import type { BenchmarkConfiguration } from '../../config/benchmark';
import type { PriceBook } from '../../cost/prices';
import { explain } from '../../kit/aws/explain';
import type { Finding } from '../checks';
import type { Account } from './account';

/** The answer to one question about an account. */
export interface AccountFinding {
  readonly name: string;
  /** `missing` stops the deployment; `limited` does not, but costs something or somebody; `unknown` could not be asked. */
  readonly state: Finding['state'] | 'unknown';
  readonly found: string;
  /** What to do, when there is something to do. */
  readonly advice: string | null;
  /** The command that does it, or that shows more; nothing runs it here. */
  readonly command: string | null;
}

/** What is to be deployed, and where. */
export interface Subject {
  readonly account: Account;
  readonly accountId: string;
  readonly region: string;
  readonly configuration: BenchmarkConfiguration;
  /** Why cdk would refuse it, going by its table of offerings; `null` when it would not. */
  readonly refusal: string | null;
  /** Part of the names of what `cdk bootstrap` makes. */
  readonly qualifier: string;
  /** The prices that count. */
  readonly book: PriceBook;
  readonly now: Date;
}

/** The command that deploys a benchmark with one more setting. */
export function deployWith({ configuration }: Pick<Subject, 'configuration'>, setting: string): string {
  return `npx cdk deploy ${configuration.definition.name} -c ${setting}`;
}

export const ok = (name: string, found: string): AccountFinding => ({
  name,
  state: 'ok',
  found,
  advice: null,
  command: null,
});

/** Something that is not as it should be. */
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

/** The findings of a check, or why it could not be made: a question without an answer is no good news. */
export async function attempt(name: string, work: () => Promise<AccountFinding[]>): Promise<AccountFinding[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError) throw error; // a mistake of ours
    const [reason = ''] = explain(error).split('\n');
    const code = (error as Error).name;
    if (DENIED.test(code)) {
      return [
        wrong(name, 'unknown', `not allowed: ${reason}`, 'ask with a role that may read, such as ReadOnlyAccess'),
      ];
    }
    return [
      wrong(
        name,
        'unknown',
        `not answered: ${reason === code ? code : `${code}: ${reason}`}`,
        'ask again; if it stays so, look at it in the console',
      ),
    ];
  }
}
