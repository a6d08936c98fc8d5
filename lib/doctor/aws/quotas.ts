import { vcpuQuotaOf } from '../../fleet/vcpuQuota';
import type { LustreConfiguration } from '../../storage/lustre/configuration';
import { readCacheGiB } from '../../storage/lustre/limits';
import { askAll, tagOf } from './account';
import { type AccountFinding, attempt, deployWith, ok, type Subject, wrong } from './check';

/** Something of which an account may have only so much in a Region. */
interface Quota {
  readonly service: 'ec2' | 'fsx' | 'vpc';
  readonly code: string;
  readonly unit: string;
}

/** The tag that CloudFormation puts on what it makes (CloudFormation guide, resource-tags). */
export const STACK_NAME_TAG = 'aws:cloudformation:stack-name';

/** What the account has of a quota: as applied, or AWS's default where nobody asked for more. */
async function quotaValue({ account }: Subject, { service, code }: Quota): Promise<number> {
  const input = { ServiceCode: service, QuotaCode: code };
  const answer = await account.ask('servicequotas:GetServiceQuota', input).catch((error: Error) => {
    if (error.name !== 'NoSuchResourceException') throw error;
    return account.ask('servicequotas:GetAWSDefaultServiceQuota', input);
  });
  const value = answer.Quota?.Value;
  if (value === undefined) throw new Error(`Service Quotas names no value of ${service} ${code}`);
  return value;
}

/** Is there room for `needed` more beside what is in use? */
async function within(
  subject: Subject,
  name: string,
  quota: Quota,
  { used, needed }: { readonly used: number; readonly needed: number },
  otherwise: string,
): Promise<AccountFinding> {
  const value = await quotaValue(subject, quota);
  const found = `needed: ${needed}, in use: ${used} of ${value} ${quota.unit}`;
  if (used + needed <= value) return ok(name, found);
  return wrong(
    name,
    'missing',
    found,
    `have ${quota.code} raised, which takes hours to days, or ${otherwise}`,
    `aws service-quotas request-service-quota-increase --service-code ${quota.service} --quota-code ${quota.code} --desired-value ${used + needed}`,
  );
}

/** vCPUs of running instances that count on the same quota, without those of the benchmark's own stack. */
async function vcpusInUse({ account, configuration }: Subject, code: string, spot: boolean): Promise<number> {
  const reservations = await askAll(
    account,
    'ec2:DescribeInstances',
    { Filters: [{ Name: 'instance-state-name', Values: ['pending', 'running'] }] },
    (page) => page.Reservations,
  );
  return reservations
    .flatMap(({ Instances = [] }) => Instances)
    .filter(({ InstanceLifecycle }) => (InstanceLifecycle === 'spot') === spot)
    .filter(({ InstanceType = '' }) => vcpuQuotaOf(InstanceType, spot ? 'spot' : 'on-demand')?.code === code)
    .filter((instance) => tagOf(instance, STACK_NAME_TAG) !== configuration.definition.name)
    .reduce((sum, { CpuOptions: { CoreCount = 0, ThreadsPerCore = 1 } = {} }) => sum + CoreCount * ThreadsPerCore, 0);
}

/** May so many instances run? */
export async function vcpus(subject: Subject): Promise<AccountFinding[]> {
  const { account, configuration } = subject;
  const { instanceType: type, clients, purchase } = configuration.fleet;
  if (purchase.kind === 'capacity-reservation') return reservation(subject, purchase.id);
  const quota = vcpuQuotaOf(type, purchase.kind);
  const NAME = 'vCPU quota';
  if (quota === null) {
    const command = "aws service-quotas list-service-quotas --service-code ec2 --query 'Quotas[].[QuotaName,Value]'";
    return [wrong(NAME, 'unknown', `which quota ${type} counts on is not known here`, 'look for it', command)];
  }
  const { InstanceTypes: [info] = [] } = await account.ask('ec2:DescribeInstanceTypes', {
    InstanceTypes: [type as never],
  });
  const each = info?.VCpuInfo?.DefaultVCpus;
  if (each === undefined) throw new Error(`EC2 does not say how many vCPUs ${type} has`);
  const used = await vcpusInUse(subject, quota.code, purchase.kind === 'spot');
  const counted = { used, needed: clients * each };
  return [
    await within(
      subject,
      NAME,
      { service: 'ec2', code: quota.code, unit: 'vCPUs' },
      counted,
      `take fewer or smaller clients: ${deployWith(subject, 'scale=smoke')}`,
    ),
  ];
}

/** A reservation brings its own capacity, if it is there and free. */
async function reservation({ account, configuration }: Subject, id: string): Promise<AccountFinding[]> {
  const NAME = 'capacity reservation';
  const { clients, instanceType: type } = configuration.fleet;
  const { CapacityReservations: [found] = [] } = await account.ask('ec2:DescribeCapacityReservations', {
    CapacityReservationIds: [id],
  });
  const { State, InstanceType, AvailableInstanceCount: free = 0, AvailabilityZone } = found ?? {};
  const said = `${id}: ${State ?? 'unknown'}, ${free} × ${InstanceType} free in ${AvailabilityZone}`;
  if (State === 'active' && InstanceType === type && free >= clients) return [ok(NAME, said)];
  const command = `aws ec2 modify-capacity-reservation --capacity-reservation-id ${id} --instance-count ${clients}`;
  return [wrong(NAME, 'missing', said, `it must be active and have ${clients} × ${type} free`, command)];
}

/** What one file system takes of a quota. */
interface Share {
  readonly quota: Quota;
  readonly name: string;
  readonly of: (lustre: LustreConfiguration) => number;
}

/**
 * Quotas of FSx for Lustre: for each deployment type the number of file systems and their storage; for Intelligent-Tiering throughput
 * and read cache. Codes: the links of docs.aws.amazon.com/general/latest/gr/fsx.html, and answers of ListServiceQuotas.
 */
const FSX_QUOTAS: readonly { readonly types: readonly string[]; readonly count: string; readonly storage: string }[] = [
  { types: ['PERSISTENT_1'], count: 'L-9AFA1F09', storage: 'L-C8640C82' },
  { types: ['PERSISTENT_2'], count: 'L-FD6F2F22', storage: 'L-8F1B9C74' },
  { types: ['SCRATCH_1', 'SCRATCH_2'], count: 'L-C48231E5', storage: 'L-AD2FC696' },
];

const isTiering = ({ storageType }: LustreConfiguration): boolean => storageType === 'INTELLIGENT_TIERING';

const SHARES: readonly Share[] = [
  ...FSX_QUOTAS.flatMap(({ types, count, storage }) => {
    const own = (lustre: LustreConfiguration): boolean => types.includes(lustre.deploymentType);
    const label = (types.at(-1) as string).replace(/^SCRATCH.*/, 'SCRATCH');
    return [
      {
        name: `${label} file systems`,
        quota: { service: 'fsx', code: count, unit: 'file systems' } as const,
        of: (lustre: LustreConfiguration) => (own(lustre) ? 1 : 0),
      },
      {
        name: `${label} storage`,
        quota: { service: 'fsx', code: storage, unit: 'GiB' } as const,
        // Hard disks have a quota of their own, for each file system, which the storage rules know.
        of: (lustre: LustreConfiguration) =>
          own(lustre) && lustre.storageType !== 'HDD' ? (lustre.storageCapacityGiB ?? 0) : 0,
      },
    ];
  }),
  {
    name: 'Intelligent-Tiering throughput',
    quota: { service: 'fsx', code: 'L-0CD18A5D', unit: 'MB/s' },
    of: (lustre) => (isTiering(lustre) ? (lustre.throughputCapacity ?? 0) : 0),
  },
  {
    name: 'Intelligent-Tiering read cache',
    quota: { service: 'fsx', code: 'L-B7391FCE', unit: 'GiB' },
    of: (lustre) => (isTiering(lustre) ? readCacheGiB(lustre) : 0),
  },
];

/** A file system of the account. */
export interface Existing {
  readonly id: string;
  readonly configuration: LustreConfiguration;
  /** Name of the stack that made it, as its tag says. */
  readonly stack: string | undefined;
  /** A stack of that name is there. */
  readonly standing: boolean;
}

/** May so many file systems be made? */
export async function storage(subject: Subject, existing: readonly Existing[]): Promise<AccountFinding[]> {
  const { arms, definition } = subject.configuration;
  // What the stack has already it does not make again.
  const others = existing.filter(({ stack, standing }) => !standing || stack !== definition.name);
  const sum = (share: Share, all: readonly LustreConfiguration[]): number =>
    all.reduce((total, lustre) => total + share.of(lustre), 0);
  const own = arms.map(({ lustre }) => lustre);
  const asked = SHARES.filter((share) => sum(share, own) > 0).map((share) =>
    attempt(share.name, async () => [
      await within(
        subject,
        share.name,
        share.quota,
        {
          needed: sum(share, own),
          used: sum(
            share,
            others.map(({ configuration }) => configuration),
          ),
        },
        `choose fewer arms: ${deployWith(subject, `arms=${arms[0]?.name}`)}`,
      ),
    ]),
  );
  return (await Promise.all(asked)).flat();
}

/** May another VPC be made, and another address for its NAT gateway? Codes: docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html */
export async function vpcs(subject: Subject): Promise<AccountFinding[]> {
  const { account, configuration } = subject;
  const stack = configuration.definition.name;
  const others = (all: readonly { readonly Tags?: { Key?: string; Value?: string }[] | undefined }[]): number =>
    all.filter((one) => tagOf(one, STACK_NAME_TAG) !== stack).length;
  const { egress } = configuration.network;
  return [
    ...(await attempt('VPCs', async () => {
      const found = await askAll(account, 'ec2:DescribeVpcs', {}, (page) => page.Vpcs);
      const quota = { service: 'vpc', code: 'L-F678F1CE', unit: 'VPCs' } as const;
      return [
        await within(subject, 'VPCs', quota, { used: others(found), needed: 1 }, "use one that is there, with 'vpcId'"),
      ];
    })),
    ...(egress === 'endpoints'
      ? []
      : await attempt('Elastic IP addresses', async () => {
          const { Addresses = [] } = await account.ask('ec2:DescribeAddresses', {});
          const quota = { service: 'ec2', code: 'L-0263D0A3', unit: 'addresses' } as const;
          const counted = { used: others(Addresses), needed: 1 };
          return [await within(subject, 'Elastic IP addresses', quota, counted, 'release one that is not used')];
        })),
  ];
}
