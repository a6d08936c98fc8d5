import type * as cloudformation from '@aws-sdk/client-cloudformation';
import type * as ec2 from '@aws-sdk/client-ec2';
import type * as fsx from '@aws-sdk/client-fsx';
import type * as quotas from '@aws-sdk/client-service-quotas';
import type * as ssm from '@aws-sdk/client-ssm';
import type * as sts from '@aws-sdk/client-sts';
import { camelCase } from '../../kit/format/words';

type Call<I, O> = { readonly input: I; readonly output: Omit<O, '$metadata'> };

/** Every call that doctor makes to an account: service and operation, as IAM names them. All are read-only. */
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
  'ec2:RunInstances': Call<ec2.RunInstancesCommandInput & { readonly DryRun: true }, ec2.RunInstancesCommandOutput>;
  'servicequotas:GetServiceQuota': Call<quotas.GetServiceQuotaCommandInput, quotas.GetServiceQuotaCommandOutput>;
  'servicequotas:GetAWSDefaultServiceQuota': Call<
    quotas.GetAWSDefaultServiceQuotaCommandInput,
    quotas.GetAWSDefaultServiceQuotaCommandOutput
  >;
  'fsx:DescribeFileSystems': Call<fsx.DescribeFileSystemsCommandInput, fsx.DescribeFileSystemsCommandOutput>;
  'ssm:GetParameter': Call<ssm.GetParameterCommandInput, ssm.GetParameterCommandOutput>;
  'cloudformation:DescribeStacks': Call<
    cloudformation.DescribeStacksCommandInput,
    cloudformation.DescribeStacksCommandOutput
  >;
}

/** An AWS account in one Region, as an interface so that tests can use a recorded one. */
export interface Account {
  /** `null` if none is configured. */
  readonly region: string | null;
  /** @throws AWS's error, with its code as `name` */
  ask<K extends keyof Calls>(call: K, input: Calls[K]['input']): Promise<Calls[K]['output']>;
}

/** True for calls that change nothing: reads, and the dry run. */
export function isReadOnly(call: string, input: unknown): boolean {
  if (/^[a-z0-9]+:(Describe|Get|List)[A-Z]/.test(call)) return true;
  return call === 'ec2:RunInstances' && (input as { readonly DryRun?: unknown }).DryRun === true;
}

/** The packages of the SDK, each loaded on the first call to its service. */
const CLIENTS: Readonly<Record<string, () => Promise<object>>> = {
  sts: async () => new (await import('@aws-sdk/client-sts')).STS({}),
  ec2: async () => new (await import('@aws-sdk/client-ec2')).EC2({}),
  servicequotas: async () => new (await import('@aws-sdk/client-service-quotas')).ServiceQuotas({}),
  fsx: async () => new (await import('@aws-sdk/client-fsx')).FSx({}),
  ssm: async () => new (await import('@aws-sdk/client-ssm')).SSM({}),
  cloudformation: async () => new (await import('@aws-sdk/client-cloudformation')).CloudFormation({}),
};

/** Operations whose SDK method is not their name with a lower-case first letter. */
const METHODS: Readonly<Record<string, string>> = { GetAWSDefaultServiceQuota: 'getAWSDefaultServiceQuota' };

/** The account and the Region of the environment, as the SDK finds them. */
export async function environmentsAccount(): Promise<Account> {
  const clients = new Map<string, Promise<object>>();
  const region = await regionOfEnvironment();
  return {
    region,
    ask: async (call, input) => {
      if (!isReadOnly(call, input)) throw new Error(`doctor is read-only: refusing to call ${call}`);
      const [service = '', operation = ''] = call.split(':');
      const client = clients.get(service) ?? (CLIENTS[service] as () => Promise<object>)();
      clients.set(service, client);
      const method = METHODS[operation] ?? camelCase(operation);
      const made = (await client) as Record<string, (input: unknown) => Promise<never>>;
      return (made[method] as (input: unknown) => Promise<never>).call(made, input);
    },
  };
}

async function regionOfEnvironment(): Promise<string | null> {
  const { STS } = await import('@aws-sdk/client-sts');
  try {
    return await new STS({}).config.region();
  } catch {
    return null;
  }
}

/** The pages of an answer. */
export async function askAll<K extends keyof Calls, T>(
  account: Account,
  call: K,
  input: Calls[K]['input'],
  items: (page: Calls[K]['output']) => readonly T[] | undefined,
): Promise<T[]> {
  const found: T[] = [];
  let NextToken: string | undefined;
  do {
    const page = await account.ask(call, { ...input, ...(NextToken === undefined ? {} : { NextToken }) });
    found.push(...(items(page) ?? []));
    NextToken = (page as { readonly NextToken?: string }).NextToken;
  } while (NextToken);
  return found;
}

/** The value of a tag. */
export function tagOf(
  { Tags = [] }: { readonly Tags?: readonly { readonly Key?: string; readonly Value?: string }[] | undefined },
  key: string,
): string | undefined {
  return Tags.find((tag) => tag.Key === key)?.Value;
}
