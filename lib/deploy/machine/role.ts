import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';

export const allow = (sid: string, actions: string[], resources: string[], conditions?: Record<string, unknown>) =>
  new iam.PolicyStatement({ sid, actions, resources, ...(conditions && { conditions }) });

/** Fetching the scripts that a machine runs. */
export const bundleStatement = (bundle: assets.Asset): iam.PolicyStatement =>
  allow(
    'Bundle',
    ['s3:GetObject'],
    [
      Stack.of(bundle).formatArn({
        service: 's3',
        region: '',
        account: '',
        resource: bundle.s3BucketName,
        resourceName: bundle.s3ObjectKey,
      }),
    ],
  );

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
