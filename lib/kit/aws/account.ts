import type * as autoscaling from '@aws-sdk/client-auto-scaling';
import type * as cloudformation from '@aws-sdk/client-cloudformation';
import type * as cloudwatch from '@aws-sdk/client-cloudwatch';
import type * as logs from '@aws-sdk/client-cloudwatch-logs';
import type * as ec2 from '@aws-sdk/client-ec2';
import type * as efs from '@aws-sdk/client-efs';
import type * as fsx from '@aws-sdk/client-fsx';
import type * as kms from '@aws-sdk/client-kms';
import type * as route53 from '@aws-sdk/client-route-53';
import type * as s3 from '@aws-sdk/client-s3';
import type * as quotas from '@aws-sdk/client-service-quotas';
import type * as states from '@aws-sdk/client-sfn';
import type * as ssm from '@aws-sdk/client-ssm';
import type * as sts from '@aws-sdk/client-sts';

type Call<I, O> = { readonly input: I; readonly output: Omit<O, '$metadata'> };

/** Every call that doctor, `leftovers` and `deploy-status` make to an account: service and operation, as IAM names them. All are read-only. */
export interface Calls {
  'sts:GetCallerIdentity': Call<sts.GetCallerIdentityCommandInput, sts.GetCallerIdentityCommandOutput>;
  'ec2:DescribeAvailabilityZones': Call<
    ec2.DescribeAvailabilityZonesCommandInput,
    ec2.DescribeAvailabilityZonesCommandOutput
  >;
  'ec2:DescribeInstanceTypeOfferings': Call<
    ec2.DescribeInstanceTypeOfferingsCommandInput,
    ec2.DescribeInstanceTypeOfferingsCommandOutput
  >;
  'ec2:DescribeInstanceTypes': Call<ec2.DescribeInstanceTypesCommandInput, ec2.DescribeInstanceTypesCommandOutput>;
  'ec2:DescribeInstances': Call<ec2.DescribeInstancesCommandInput, ec2.DescribeInstancesCommandOutput>;
  'ec2:DescribeCapacityReservations': Call<
    ec2.DescribeCapacityReservationsCommandInput,
    ec2.DescribeCapacityReservationsCommandOutput
  >;
  'ec2:DescribeSubnets': Call<ec2.DescribeSubnetsCommandInput, ec2.DescribeSubnetsCommandOutput>;
  'ec2:DescribeRouteTables': Call<ec2.DescribeRouteTablesCommandInput, ec2.DescribeRouteTablesCommandOutput>;
  'ec2:DescribeVpcEndpoints': Call<ec2.DescribeVpcEndpointsCommandInput, ec2.DescribeVpcEndpointsCommandOutput>;
  'ec2:DescribeVpcAttribute': Call<ec2.DescribeVpcAttributeCommandInput, ec2.DescribeVpcAttributeCommandOutput>;
  'ec2:DescribeVpcs': Call<ec2.DescribeVpcsCommandInput, ec2.DescribeVpcsCommandOutput>;
  'ec2:DescribeAddresses': Call<ec2.DescribeAddressesCommandInput, ec2.DescribeAddressesCommandOutput>;
  'ec2:DescribeImages': Call<ec2.DescribeImagesCommandInput, ec2.DescribeImagesCommandOutput>;
  'ec2:GetAllowedImagesSettings': Call<
    ec2.GetAllowedImagesSettingsCommandInput,
    ec2.GetAllowedImagesSettingsCommandOutput
  >;
  'ec2:DescribeVpcBlockPublicAccessOptions': Call<
    ec2.DescribeVpcBlockPublicAccessOptionsCommandInput,
    ec2.DescribeVpcBlockPublicAccessOptionsCommandOutput
  >;
  'ec2:DescribeVpcBlockPublicAccessExclusions': Call<
    ec2.DescribeVpcBlockPublicAccessExclusionsCommandInput,
    ec2.DescribeVpcBlockPublicAccessExclusionsCommandOutput
  >;
  'ec2:GetEbsEncryptionByDefault': Call<
    ec2.GetEbsEncryptionByDefaultCommandInput,
    ec2.GetEbsEncryptionByDefaultCommandOutput
  >;
  'ec2:GetEbsDefaultKmsKeyId': Call<ec2.GetEbsDefaultKmsKeyIdCommandInput, ec2.GetEbsDefaultKmsKeyIdCommandOutput>;
  'kms:DescribeKey': Call<kms.DescribeKeyCommandInput, kms.DescribeKeyCommandOutput>;
  'kms:GetKeyPolicy': Call<kms.GetKeyPolicyCommandInput, kms.GetKeyPolicyCommandOutput>;
  'kms:ListGrants': Call<kms.ListGrantsCommandInput, kms.ListGrantsCommandOutput>;
  'ec2:RunInstances': Call<ec2.RunInstancesCommandInput & { readonly DryRun: true }, ec2.RunInstancesCommandOutput>;
  'servicequotas:GetServiceQuota': Call<quotas.GetServiceQuotaCommandInput, quotas.GetServiceQuotaCommandOutput>;
  'servicequotas:GetAWSDefaultServiceQuota': Call<
    quotas.GetAWSDefaultServiceQuotaCommandInput,
    quotas.GetAWSDefaultServiceQuotaCommandOutput
  >;
  'fsx:DescribeFileSystems': Call<fsx.DescribeFileSystemsCommandInput, fsx.DescribeFileSystemsCommandOutput>;
  'fsx:DescribeBackups': Call<fsx.DescribeBackupsCommandInput, fsx.DescribeBackupsCommandOutput>;
  'elasticfilesystem:DescribeFileSystems': Call<
    efs.DescribeFileSystemsCommandInput,
    efs.DescribeFileSystemsCommandOutput
  >;
  'ec2:DescribeVolumes': Call<ec2.DescribeVolumesCommandInput, ec2.DescribeVolumesCommandOutput>;
  'ec2:DescribeSnapshots': Call<ec2.DescribeSnapshotsCommandInput, ec2.DescribeSnapshotsCommandOutput>;
  'ec2:DescribeNatGateways': Call<ec2.DescribeNatGatewaysCommandInput, ec2.DescribeNatGatewaysCommandOutput>;
  'cloudwatch:ListDashboards': Call<cloudwatch.ListDashboardsCommandInput, cloudwatch.ListDashboardsCommandOutput>;
  'route53:ListHostedZones': Call<route53.ListHostedZonesCommandInput, route53.ListHostedZonesCommandOutput>;
  'logs:ListTagsForResource': Call<logs.ListTagsForResourceCommandInput, logs.ListTagsForResourceCommandOutput>;
  'logs:DescribeLogGroups': Call<logs.DescribeLogGroupsCommandInput, logs.DescribeLogGroupsCommandOutput>;
  's3:GetBucketTagging': Call<s3.GetBucketTaggingCommandInput, s3.GetBucketTaggingCommandOutput>;
  's3:ListBuckets': Call<s3.ListBucketsCommandInput, s3.ListBucketsCommandOutput>;
  'ssm:GetParameter': Call<ssm.GetParameterCommandInput, ssm.GetParameterCommandOutput>;
  'logs:DescribeLogStreams': Call<logs.DescribeLogStreamsCommandInput, logs.DescribeLogStreamsCommandOutput>;
  'logs:GetLogEvents': Call<logs.GetLogEventsCommandInput, logs.GetLogEventsCommandOutput>;
  'autoscaling:DescribeAutoScalingGroups': Call<
    autoscaling.DescribeAutoScalingGroupsCommandInput,
    autoscaling.DescribeAutoScalingGroupsCommandOutput
  >;
  'autoscaling:DescribeScalingActivities': Call<
    autoscaling.DescribeScalingActivitiesCommandInput,
    autoscaling.DescribeScalingActivitiesCommandOutput
  >;
  'cloudformation:ListStacks': Call<cloudformation.ListStacksCommandInput, cloudformation.ListStacksCommandOutput>;
  'cloudformation:DescribeStackEvents': Call<
    cloudformation.DescribeStackEventsCommandInput,
    cloudformation.DescribeStackEventsCommandOutput
  >;
  'cloudformation:DescribeStacks': Call<
    cloudformation.DescribeStacksCommandInput,
    cloudformation.DescribeStacksCommandOutput
  >;
  'cloudformation:ListStackResources': Call<
    cloudformation.ListStackResourcesCommandInput,
    cloudformation.ListStackResourcesCommandOutput
  >;
  'states:ListExecutions': Call<states.ListExecutionsCommandInput, states.ListExecutionsCommandOutput>;
  'states:DescribeExecution': Call<states.DescribeExecutionCommandInput, states.DescribeExecutionCommandOutput>;
}

/** An AWS account in one Region, as an interface so that tests can use a recorded one. */
export interface Account {
  /** `null` if none is configured. */
  readonly region: string | null;
  /** @throws AWS's error, with its code as `name` */
  ask<K extends keyof Calls>(call: K, input: Calls[K]['input']): Promise<Calls[K]['output']>;
}

/** Names of the pagination token of a service, in the request and in the response. */
const TOKENS: Readonly<Record<string, readonly [request: string, answer: string]>> = {
  elasticfilesystem: ['Marker', 'NextMarker'],
  kms: ['Marker', 'NextMarker'],
  logs: ['nextToken', 'nextToken'],
  route53: ['Marker', 'NextMarker'],
  s3: ['ContinuationToken', 'ContinuationToken'],
};

/** The pages of an answer. */
export async function askAll<K extends keyof Calls, T>(
  account: Account,
  call: K,
  input: Calls[K]['input'],
  items: (page: Calls[K]['output']) => readonly T[] | undefined,
): Promise<T[]> {
  const [request, answer] = TOKENS[call.split(':')[0] as string] ?? ['NextToken', 'NextToken'];
  const found: T[] = [];
  let token: string | undefined;
  do {
    const page = await account.ask(call, { ...input, ...(token === undefined ? {} : { [request]: token }) });
    found.push(...(items(page) ?? []));
    token = (page as Readonly<Record<string, unknown>>)[answer] as string | undefined;
  } while (token);
  return found;
}

/** A resource as most services describe it. */
export interface Tagged {
  readonly Tags?: readonly { readonly Key?: string; readonly Value?: string }[] | undefined;
}

/** The value of a tag. */
export function tagOf({ Tags = [] }: Tagged, key: string): string | undefined {
  return Tags.find((tag) => tag.Key === key)?.Value;
}
