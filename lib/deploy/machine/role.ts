import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';

export const allow = (sid: string, actions: string[], resources: string[], conditions?: Record<string, unknown>) =>
  new iam.PolicyStatement({ sid, actions, resources, ...(conditions && { conditions }) });

/** ARN of an asset in its bucket. */
export const objectArn = (asset: assets.Asset): string =>
  Stack.of(asset).formatArn({
    service: 's3',
    region: '',
    account: '',
    resource: asset.s3BucketName,
    resourceName: asset.s3ObjectKey,
  });

/** Fetching the scripts that a machine runs. */
export const bundleStatement = (bundle: assets.Asset): iam.PolicyStatement =>
  allow('Bundle', ['s3:GetObject'], [objectArn(bundle)]);

/** A role of EC2 with these statements and no managed policy. */
export function instanceRole(
  scope: Construct,
  description: string,
  statements: Readonly<Record<string, iam.PolicyStatement[]>>,
): iam.Role {
  return new iam.Role(scope, 'Role', {
    assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),
    description,
    inlinePolicies: Object.fromEntries(
      Object.entries(statements).map(([name, list]) => [name, new iam.PolicyDocument({ statements: list })]),
    ),
  });
}
