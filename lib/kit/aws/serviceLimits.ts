import data from './serviceLimits.json';

/** What a service takes at most. None of these can be raised; what an account can ask more of is a quota (lib/deploy/quotas.ts). */
export interface Limit {
  readonly most: number;
  readonly unit: string;
  /** Where it is documented. */
  readonly source: string;
}

/**
 * Limits of the services that a stack is made of. CDK and cfn-lint know few of them: what passes one is refused in the middle of a
 * deployment, when the file systems are paid for already. test/support/deployability.ts holds every template against them; the lab's
 * emulator, which reads the same table, refuses what CloudFormation would.
 */
export const LIMITS: Readonly<Record<keyof typeof data, Limit>> = data;

/** Addresses that AWS keeps of each subnet. Source: https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html */
export const RESERVED_ADDRESSES = 5;
