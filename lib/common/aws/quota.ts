import type { Account } from './account';

/** A limit of an account in a Region, as Service Quotas knows it. */
export interface AccountQuota {
  /** `PERSISTENT_2 storage` */
  readonly name: string;
  readonly service: string;
  readonly code: string;
  readonly unit: string;
  /** Value in a new account. @default - not documented: nothing is warned of before the account is asked */
  readonly usual?: { readonly value: number; readonly warning: `fsxbench:${string}`; readonly of: string };
  /** The amount in use in an account, without that of one stack. @default - the sum over the file systems that are found */
  used?(account: Account, butOf: string): Promise<number>;
}
