/** The packages of the SDK by their services, as IAM names them. */
export interface Services {
  sts: typeof import('@aws-sdk/client-sts');
  ec2: typeof import('@aws-sdk/client-ec2');
  servicequotas: typeof import('@aws-sdk/client-service-quotas');
  fsx: typeof import('@aws-sdk/client-fsx');
  kms: typeof import('@aws-sdk/client-kms');
  ssm: typeof import('@aws-sdk/client-ssm');
  elasticfilesystem: typeof import('@aws-sdk/client-efs');
  logs: typeof import('@aws-sdk/client-cloudwatch-logs');
  cloudwatch: typeof import('@aws-sdk/client-cloudwatch');
  route53: typeof import('@aws-sdk/client-route-53');
  s3: typeof import('@aws-sdk/client-s3');
  states: typeof import('@aws-sdk/client-sfn');
  cloudformation: typeof import('@aws-sdk/client-cloudformation');
}

/** Every call that doctor and `leftovers` make to an account: service and operation, as IAM names them. All are read-only. */
export const CALLS = [
  ...['sts:GetCallerIdentity', 'ec2:DescribeAvailabilityZones', 'ec2:DescribeInstanceTypeOfferings'],
  ...['ec2:DescribeInstanceTypes', 'ec2:DescribeInstances', 'ec2:DescribeCapacityReservations', 'ec2:DescribeSubnets'],
  ...['ec2:DescribeRouteTables', 'ec2:DescribeVpcEndpoints', 'ec2:DescribeVpcAttribute'],
  ...['ec2:DescribeVpcs', 'ec2:DescribeAddresses', 'ec2:DescribeImages', 'ec2:GetAllowedImagesSettings'],
  ...['ec2:DescribeVpcBlockPublicAccessOptions', 'ec2:DescribeVpcBlockPublicAccessExclusions'],
  ...['ec2:GetEbsEncryptionByDefault', 'ec2:GetEbsDefaultKmsKeyId', 'kms:DescribeKey', 'kms:GetKeyPolicy'],
  ...['kms:ListGrants', 'ec2:RunInstances', 'servicequotas:GetServiceQuota', 'servicequotas:GetAWSDefaultServiceQuota'],
  ...['fsx:DescribeFileSystems', 'fsx:DescribeBackups', 'elasticfilesystem:DescribeFileSystems', 'ec2:DescribeVolumes'],
  ...['ec2:DescribeSnapshots', 'ec2:DescribeNatGateways', 'cloudwatch:ListDashboards', 'route53:ListHostedZones'],
  ...['logs:ListTagsForResource', 'logs:DescribeLogGroups', 's3:GetBucketTagging', 's3:ListBuckets'],
  ...['ssm:GetParameter', 'cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
  ...['states:ListExecutions', 'states:DescribeExecution'],
] as const;
export type CallName = (typeof CALLS)[number];

/** A command of the SDK, by the types of its input and output. */
interface Command {
  readonly input: object;
  resolveMiddleware(...args: never[]): (...args: never[]) => Promise<{ readonly output: object }>;
}
type CommandOf<K extends CallName> = K extends `${infer S extends keyof Services}:${infer Operation}`
  ? Services[S][`${Operation}Command` & keyof Services[S]] extends (abstract new (
      ...args: never
    ) => infer C extends Command)
    ? C
    : never
  : never;
/** Input of a call; instances are started in dry runs only. */
export type CallInput<K extends CallName> = CommandOf<K>['input'] &
  (K extends 'ec2:RunInstances' ? { readonly DryRun: true } : unknown);
export type CallAnswer<K extends CallName> = Omit<
  Awaited<ReturnType<ReturnType<CommandOf<K>['resolveMiddleware']>>>['output'],
  '$metadata'
>;

/** An AWS account in one Region, as an interface so that tests can use a recorded one. */
export interface Account {
  /** `null` if none is configured. */
  readonly region: string | null;
  /** @throws AWS's error, with its code as `name` */
  ask<K extends CallName>(call: K, input: CallInput<K>): Promise<CallAnswer<K>>;
}

/** Names of the pagination token of a service, in the request and in the response. */
const TOKENS: Readonly<Record<string, readonly [request: string, answer: string]>> = {
  elasticfilesystem: ['Marker', 'NextMarker'],
  kms: ['Marker', 'NextMarker'],
  logs: ['nextToken', 'nextToken'],
  route53: ['Marker', 'NextMarker'],
  s3: ['ContinuationToken', 'ContinuationToken'],
};

type ItemOf<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never;

/** The items of a list of an answer, from all of its pages. */
export async function askAll<K extends CallName, List extends keyof CallAnswer<K>>(
  account: Account,
  call: K,
  input: CallInput<K>,
  list: List,
): Promise<ItemOf<CallAnswer<K>[List]>[]> {
  const [request, answer] = TOKENS[call.split(':')[0] as string] ?? ['NextToken', 'NextToken'];
  const found: ItemOf<CallAnswer<K>[List]>[] = [];
  let token: string | undefined;
  do {
    const page = await account.ask(call, { ...input, [request]: token });
    found.push(...((page[list] ?? []) as typeof found));
    token = (page as Readonly<Record<string, unknown>>)[answer] as string | undefined;
  } while (token);
  return found;
}

/** A resource as most services describe it. */
export interface Tagged {
  readonly Tags?: readonly { readonly Key?: string; readonly Value?: string }[] | undefined;
}

export const tagOf = ({ Tags = [] }: Tagged, key: string): string | undefined =>
  Tags.find((tag) => tag.Key === key)?.Value;

/** A limit of an account in a Region, as Service Quotas knows it. */
export interface AccountQuota {
  /** `PERSISTENT_2 storage` */
  readonly name: string;
  readonly service: string;
  readonly code: string;
  readonly unit: string;
  /** Value in a new account. @default - not documented: nothing is warned of before the account is asked */
  readonly usual?: { readonly value: number; readonly warning: `fsxbench:${string}`; readonly of: string };
  /** The amount in use in an account, without that of one stack. @default - the sum over the file systems that are found */
  used?(account: Account, butOf: string): Promise<number>;
}
