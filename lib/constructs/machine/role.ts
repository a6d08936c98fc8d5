import { Aws, Stack, Token, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import type { Construct, IConstruct } from 'constructs';
import type { ClientMount } from '../fleet/construct';

export const allow = (sid: string, actions: string[], resources: string[], conditions?: Record<string, unknown>) =>
  new iam.PolicyStatement({ sid, actions, resources, conditions });

export const objectArn = (asset: assets.Asset): string =>
  Stack.of(asset).formatArn({
    service: 's3',
    region: '',
    account: '',
    resource: asset.s3BucketName,
    resourceName: asset.s3ObjectKey,
  });

export const bundleStatement = (bundle: assets.Asset): iam.PolicyStatement =>
  allow('Bundle', ['s3:GetObject'], [objectArn(bundle)]);

/**
 * Use of the account's default EBS key, if the account has chosen one, through EC2 alone: attaching a volume makes a grant, starting
 * an instance needs the rest. Source: https://docs.aws.amazon.com/ebs/latest/userguide/ebs-encryption-requirements.html
 */
export function volumeKeyStatements(scope: Construct, uses: 'attach' | 'start'): iam.PolicyStatement[] {
  const stack = Stack.of(scope);
  const keys = [stack.formatArn({ service: 'kms', resource: 'key', resourceName: '*' })];
  const through = { 'kms:ViaService': `ec2.${stack.region}.${stack.urlSuffix}` };
  const data = ['kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKeyWithoutPlaintext', 'kms:ReEncryptFrom'];
  return [
    allow('VolumeKeyGrants', ['kms:CreateGrant'], keys, {
      StringEquals: through,
      Bool: { 'kms:GrantIsForAWSResource': 'true' },
    }),
    ...(uses === 'attach' ? [] : [allow('VolumeKey', [...data, 'kms:ReEncryptTo'], keys, { StringEquals: through })]),
  ];
}

/** The beginning of an ARN as cdk-nag shows it. */
export function shownArn(scope: IConstruct, service: string): string {
  const { partition, region, account } = Stack.of(scope);
  const shown = (value: string, name: string): string => (Token.isUnresolved(value) ? `<AWS::${name}>` : value);
  return `arn:${shown(partition, 'Partition')}:${service}:${shown(region, 'Region')}:${shown(account, 'AccountId')}`;
}

/** Acknowledges the wildcard in their resource for cdk-nag. */
export function acknowledgeVolumeKey(role: Construct): void {
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::${shownArn(role, 'kms')}:key/*]`,
    reason: "Which key encrypts the account's volumes is its own setting; the condition admits uses by EC2 alone.",
  });
}

/** Encryption of a bucket: with a key of the account, which S3 then calls for a bucket and not for each object, or with S3's own. */
export const bucketEncryption = (encryptionKey?: kms.IKey): Partial<s3.BucketProps> =>
  encryptionKey === undefined
    ? { encryption: s3.BucketEncryption.S3_MANAGED }
    : { encryption: s3.BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true };

/** Use of the key of a bucket, through S3 alone; nothing for a bucket without one. Uploads in parts also read (S3 user guide, mpuAndPermissions). */
export function bucketKeyStatements({ encryptionKey, stack }: s3.IBucket): iam.PolicyStatement[] {
  if (encryptionKey === undefined) return [];
  const through = { StringEquals: { 'kms:ViaService': `s3.${stack.region}.${Aws.URL_SUFFIX}` } };
  return [allow('BucketKey', ['kms:Decrypt', 'kms:GenerateDataKey'], [encryptionKey.keyArn], through)];
}

type Policies = Readonly<Record<string, iam.PolicyStatement[]>>;

const inlinePolicies = (policies: Policies): Record<string, iam.PolicyDocument> =>
  Object.fromEntries(
    Object.entries(policies).map(([name, statements]) => [name, new iam.PolicyDocument({ statements })]),
  );

/** An EC2 role with these statements and without managed policies. */
export const instanceRole = (scope: Construct, description: string, policies: Policies): iam.Role =>
  new iam.Role(scope, 'Role', {
    assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),
    description,
    inlinePolicies: inlinePolicies(policies),
  });

/** A role that a service may take for resources of this account only. */
export const serviceRole = (scope: Construct, id: string, service: string, description: string, policies: Policies) =>
  new iam.Role(scope, id, {
    assumedBy: new iam.ServicePrincipal(`${service}.amazonaws.com`, {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
    description,
    inlinePolicies: inlinePolicies(policies),
  });

/**
 * The mounts of the clients as the value of FSXBENCH_ARMS. An arm on the servers of an earlier one is `like` that one, and has its own values only:
 * user data has room for the addresses of many servers once, not for each arm.
 */
export const armsText = (mounts: readonly ClientMount[]): string =>
  JSON.stringify(
    mounts.map((mount, index) => {
      const earlier = mounts.slice(0, index).find((other) => sharesServers(mount, other));
      if (earlier === undefined) return mount;
      const own = Object.entries(mount).filter(([field, value]) => fieldOf(earlier, field) !== value);
      return { ...Object.fromEntries(own), like: earlier.name };
    }),
  );

const fieldOf = (mount: ClientMount, field: string): unknown => (mount as Readonly<Record<string, unknown>>)[field];

/** True if arms have a value in common that CloudFormation fills in, such as an address, and the later one lacks none that the earlier one has. */
function sharesServers(mount: ClientMount, earlier: ClientMount): boolean {
  const fields = Object.keys(earlier);
  const shared = fields.filter((field) => fieldOf(mount, field) === fieldOf(earlier, field));
  return fields.every((field) => field in mount) && shared.some((field) => Token.isUnresolved(fieldOf(earlier, field)));
}
