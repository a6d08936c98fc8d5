import data from './serviceLimits.json';

/**
 * The AWS services that a client calls, by the construct id of their interface endpoint. S3 has a gateway, which is free. Agents since 3.3.40 need no
 * `ec2messages`, and a client learns about its peers without EC2. Storages whose machines call more declare it (lib/storage/slices/account.ts).
 */
export const CLIENT_SERVICES = {
  Ssm: 'ssm',
  SsmMessages: 'ssmmessages',
  CloudFormation: 'cloudformation',
  Logs: 'logs',
  Monitoring: 'monitoring',
} as const;

/** A fixed limit of a service. Limits that an account can have raised are quotas (lib/deploy/quotas.ts). */
export interface ServiceLimit {
  readonly max: number;
  readonly unit: string;
  /** Address of its documentation. */
  readonly source: string;
}

/**
 * Limits of services that stacks use: a violation fails late in a deployment, when file systems already cost money, and CDK and cfn-lint know few.
 * test/support/deployability.ts checks every template against them, and the lab's emulator rejects the same requests as CloudFormation.
 */
export const LIMITS: Readonly<Record<keyof typeof data, ServiceLimit>> = data;
