import { Aspects, CfnParameter, CfnRule, Fn, type Stack, Tags, Token } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as sns from 'aws-cdk-lib/aws-sns';
import { requireThat } from '../common/configurationError';
import { topicArn } from '../common/email';
import type { BenchmarkConfiguration } from '../config/benchmark';

/**
 * Adds what an account requires of each resource of a kind: a permissions boundary to each role, a key to each log group and topic. Aspects do this,
 * so a storage that makes a role or log group needs no code for it. @param ownRoles false if the roles of the clients are made outside this stack
 * @throws ConfigurationError if the boundary cannot be applied
 */
export function guard(stack: Stack, { guards, fleet, alarmEmail }: BenchmarkConfiguration, ownRoles: boolean): void {
  const { permissionsBoundary, kmsKeyArn } = guards;
  if (permissionsBoundary !== undefined) {
    const must = { conflict: `fleet ${fleet.kind}: its roles are created outside this stack` };
    requireThat(ownRoles, 'permissionsBoundary', must, permissionsBoundary, "Leave it out, or set 'fleet' to ec2.");
    requireOwn(stack, 'permissionsBoundary', permissionsBoundary, ['partition', 'account']);
    const policy = iam.ManagedPolicy.fromManagedPolicyArn(stack, 'PermissionsBoundary', permissionsBoundary);
    iam.PermissionsBoundary.of(stack).apply(policy);
  }
  guardOperations(stack, { kmsKeyArn, alarmEmail });
}

/**
 * Tags all resources of a stack. Tags of `cdk deploy --tags` do not reach a launch template's volumes (CloudFormation user guide, resource tags),
 * and an organization's policy then denies each launch.
 */
export function tagAll(stack: Stack, tags: Readonly<Record<string, string>>): void {
  const all = Object.entries(tags);
  if (all.length === 0) return;
  for (const [key, value] of all) Tags.of(stack).add(key, value);
  Aspects.of(stack).add({
    visit(node) {
      if (!(node instanceof ec2.CfnLaunchTemplate)) return;
      // CDK writes those of instances and volumes, in this order.
      node.addPropertyOverride('LaunchTemplateData.TagSpecifications.2', {
        ResourceType: 'network-interface',
        Tags: all.map(([Key, Value]) => ({ Key, Value })),
      });
    },
  });
}

/** Refuses to update another owner's stack before any change: `cdk deploy` keeps a parameter's first value, and rules are checked first. */
export function ownedBy(stack: Stack, owner: string): void {
  const parameter = new CfnParameter(stack, 'Owner', {
    default: owner,
    description: 'Creator of the stack. Set at creation; do not change it',
  });
  const advice = `deploy to another Region or account; or take it over with the owner's consent: set 'owner' to the value of its parameter Owner`;
  new CfnRule(stack, 'SameOwner', {
    assertions: [
      {
        assert: Fn.conditionEquals(parameter.valueAsString, owner),
        assertDescription: `${stack.stackName} was created by someone other than ${owner}: ${advice}`,
      },
    ],
  });
}

/** Positions of the parts of an ARN, and the words for them. */
const ARN_PARTS = {
  partition: { at: 1, words: 'the partition' },
  region: { at: 3, words: 'the Region' },
  account: { at: 4, words: 'the account' },
} as const;

/** Checks ARNs: a key or topic must be of the Region, a boundary of the account. AWS fails late. @throws ConfigurationError if known to differ */
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

/** Encrypts each log group and topic of a stack with the account's key. @throws ConfigurationError for a key or topic of another Region */
export function guardOperations(
  stack: Stack,
  { kmsKeyArn: key, alarmEmail }: { readonly kmsKeyArn?: string; readonly alarmEmail?: string },
): void {
  if (topicArn.safeParse(alarmEmail).success)
    requireOwn(stack, 'alarmEmail', String(alarmEmail), ['partition', 'region']);
  if (key === undefined) return;
  requireOwn(stack, 'kmsKeyArn', key, ['partition', 'region']);
  Aspects.of(stack).add({
    visit(node) {
      if (node instanceof logs.CfnLogGroup) node.kmsKeyId ??= key;
      if (node instanceof sns.CfnTopic) node.kmsMasterKeyId ??= key;
    },
  });
}
