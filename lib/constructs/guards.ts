import { Aspects, type Stack, Token } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as sns from 'aws-cdk-lib/aws-sns';
import { requireThat } from '../common/configurationError';
import type { BenchmarkConfiguration } from '../config/benchmark';

/**
 * Adds what an account's own rules require of each resource of a kind: a permissions boundary to each role, a key to each log group and
 * topic. By aspects, so that a storage with a role or log group of its own need not know of them.
 *
 * @param ownRoles false where somebody else makes the roles of the clients
 * @throws ConfigurationError where the boundary could not hold
 */
export function guard(stack: Stack, { guards, fleet }: BenchmarkConfiguration, ownRoles: boolean): void {
  const { permissionsBoundary, operationsKey } = guards;
  if (permissionsBoundary !== undefined) {
    const must = `absent with fleet ${fleet.kind}, whose roles are made outside this stack`;
    requireThat(ownRoles, 'permissionsBoundary', must, permissionsBoundary, "Leave it out, or set 'fleet' to ec2.");
    requireOwn(stack, 'permissionsBoundary', permissionsBoundary, ['partition', 'account']);
    const policy = iam.ManagedPolicy.fromManagedPolicyArn(stack, 'PermissionsBoundary', permissionsBoundary);
    iam.PermissionsBoundary.of(stack).apply(policy);
  }
  encryptOperations(stack, operationsKey);
}

/** Positions of the parts of an ARN, and the words for them. */
const ARN_PARTS = {
  partition: { at: 1, words: 'the partition' },
  region: { at: 3, words: 'the Region' },
  account: { at: 4, words: 'the account' },
} as const;

/**
 * AWS finds a key in its own Region only, and a boundary in its own account, and says so in the middle of a deployment.
 *
 * @throws ConfigurationError where the deployment goes elsewhere, as far as that is known
 */
function requireOwn(stack: Stack, property: string, arn: string, parts: readonly (keyof typeof ARN_PARTS)[]): void {
  for (const part of parts) {
    const { at, words } = ARN_PARTS[part];
    const [wanted, got] = [stack[part], arn.split(':')[at]];
    // Policies of AWS itself are in each account.
    const isOwn = Token.isUnresolved(wanted) || wanted === got || (part === 'account' && got === 'aws');
    const next = 'Name one there, or deploy with the profile and the Region of this one (AWS_PROFILE, AWS_REGION).';
    requireThat(isOwn, property, `of ${words} of the deployment, ${wanted}`, arn, next);
  }
}

/**
 * Has a key of the account encrypt each log group and topic of a stack.
 *
 * @throws ConfigurationError where that key is of another Region
 */
export function encryptOperations(stack: Stack, key: string | undefined): void {
  if (key === undefined) return;
  requireOwn(stack, 'operationsKey', key, ['partition', 'region']);
  Aspects.of(stack).add({
    visit(node) {
      if (node instanceof logs.CfnLogGroup) node.kmsKeyId ??= key;
      if (node instanceof sns.CfnTopic) node.kmsMasterKeyId ??= key;
    },
  });
}
