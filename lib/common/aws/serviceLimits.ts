import data from './serviceLimits.json';

/** A fixed limit of a service. Limits that an account can have raised are quotas (lib/deploy/quotas.ts). */
export interface ServiceLimit {
  readonly most: number;
  readonly unit: string;
  /** Address of its documentation. */
  readonly source: string;
}

/**
 * Limits of the services that a stack uses. CDK and cfn-lint know few of them; a violation fails in the middle of a
 * deployment, when the file systems already cost money. test/support/deployability.ts checks every template against them, and the lab's
 * emulator, which reads the same table, rejects what CloudFormation would.
 */
export const LIMITS: Readonly<Record<keyof typeof data, ServiceLimit>> = data;
