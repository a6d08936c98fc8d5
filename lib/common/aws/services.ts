/**
 * The AWS services that a client calls, by the construct id of their interface endpoint: Systems Manager (agent, sessions),
 * CloudFormation (signals), CloudWatch. S3 has a gateway, which is free. `ec2messages` is not among them: agents since 3.3.40 use
 * `ssmmessages`, and new Regions have no such endpoint. Nor is EC2, since a client learns about its peers from the plan; storages whose
 * machines call more say so (`outbound` in lib/storage/slices/account.ts).
 */
export const CLIENT_SERVICES = {
  Ssm: 'ssm',
  SsmMessages: 'ssmmessages',
  CloudFormation: 'cloudformation',
  Logs: 'logs',
  Monitoring: 'monitoring',
} as const;
