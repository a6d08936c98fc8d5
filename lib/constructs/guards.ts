import { Aspects, type Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as sns from 'aws-cdk-lib/aws-sns';
import type { BenchmarkConfiguration } from '../config/benchmark';
import { ConfigurationError } from '../kit/configurationError';

/**
 * Guards that an account's own rules require on each resource of a kind, wherever a stack makes it: a permissions boundary on each role, a
 * key for each log group and topic. Aspects, so that a storage that brings a role or a log group need not know of them.
 *
 * @param ownRoles false where somebody else makes the roles of the clients
 * @throws ConfigurationError where the boundary could not hold
 */
export function guard(stack: Stack, { guards, fleet }: BenchmarkConfiguration, ownRoles: boolean): void {
  const { permissionsBoundary, operationsKey } = guards;
  if (permissionsBoundary !== undefined) {
    if (!ownRoles) {
      const must = `absent with fleet ${fleet.kind}, whose roles are made outside this stack`;
      const next = "Leave it out, or set 'fleet' to ec2.";
      throw new ConfigurationError([{ property: 'permissionsBoundary', must, got: permissionsBoundary, next }]);
    }
    const policy = iam.ManagedPolicy.fromManagedPolicyArn(stack, 'PermissionsBoundary', permissionsBoundary);
    iam.PermissionsBoundary.of(stack).apply(policy);
  }
  encryptOperations(stack, operationsKey);
}

/** Has a key of the account encrypt each log group and topic of a stack. */
export function encryptOperations(stack: Stack, key: string | undefined): void {
  if (key === undefined) return;
  Aspects.of(stack).add({
    visit(node) {
      if (node instanceof logs.CfnLogGroup) node.kmsKeyId ??= key;
      if (node instanceof sns.CfnTopic) node.kmsMasterKeyId ??= key;
    },
  });
}
