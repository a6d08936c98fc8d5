import { vcpuQuotaOf } from '../../fleet/vcpuQuota';
import { askAll, tagOf } from '../../kit/aws/account';
import { storageOf } from '../../storage/lookup';
import { STACK_NAME_TAG } from '../../storage/search';
import { withoutSharers } from '../../storage/shared';
import type { StorageConfiguration, Quota as StorageQuota } from '../../storage/storage';
import { type AccountFinding, attempt, type CheckedDeployment, deployWith, ok, wrong } from './check';
import type { Leftovers } from './leftovers';

/** A resource with a quota per account and Region. */
interface Quota {
  readonly service: string;
  readonly code: string;
  readonly unit: string;
}

/** The account's value of a quota: the applied one, or AWS's default. */
async function quotaValue({ account }: CheckedDeployment, { service, code }: Quota): Promise<number> {
  const input = { ServiceCode: service, QuotaCode: code };
  const answer = await account.ask('servicequotas:GetServiceQuota', input).catch((error: Error) => {
    if (error.name !== 'NoSuchResourceException') throw error;
    return account.ask('servicequotas:GetAWSDefaultServiceQuota', input);
  });
  const value = answer.Quota?.Value;
  if (value === undefined) throw new Error(`Service Quotas has no value for ${service} ${code}`);
  return value;
}

/** Checks that a quota has room for `needed` more. */
async function within(
  subject: CheckedDeployment,
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
    `request an increase of ${quota.code}, which takes hours to days, or ${otherwise}`,
    `aws service-quotas request-service-quota-increase --service-code ${quota.service} --quota-code ${quota.code} --desired-value ${used + needed}`,
  );
}

/** vCPUs of running instances under the same quota, without those of the benchmark's own stack. */
async function vcpusInUse({ account, configuration }: CheckedDeployment, code: string, spot: boolean): Promise<number> {
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

/** Checks the vCPU quota for the instances. */
export async function vcpus(subject: CheckedDeployment): Promise<AccountFinding[]> {
  const { account, configuration } = subject;
  const { instanceType: type, clients, purchase } = configuration.fleet;
  if (purchase.kind === 'capacity-reservation') return reservation(subject, purchase.id);
  const quota = vcpuQuotaOf(type, purchase.kind);
  const NAME = 'vCPU quota';
  if (quota === null) {
    const command = "aws service-quotas list-service-quotas --service-code ec2 --query 'Quotas[].[QuotaName,Value]'";
    return [wrong(NAME, 'unknown', `the vCPU quota for ${type} is unknown`, 'find it in the list', command)];
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
      `use fewer or smaller clients: ${deployWith(subject, 'scale=smoke')}`,
    ),
  ];
}

/** Checks that a capacity reservation exists and is free. */
async function reservation({ account, configuration }: CheckedDeployment, id: string): Promise<AccountFinding[]> {
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

/** Checks the quotas for the file systems. */
export async function storage(
  subject: CheckedDeployment,
  existing: Leftovers['fileSystems'],
): Promise<AccountFinding[]> {
  const { arms, definition } = subject.configuration;
  // File systems that the stack already has are not created again.
  const others = existing.filter(({ stack, standing }) => !standing || stack !== definition.name);
  const own = withoutSharers(arms).map(({ storage }) => storage);
  const there = others.flatMap(({ configuration }) => configuration ?? []);
  const kinds = [...new Set(own.map(storageOf))];
  const asked = kinds.flatMap((kind) => {
    const sum = (quota: StorageQuota, all: readonly StorageConfiguration[]): number =>
      all.filter((one) => storageOf(one) === kind).reduce((total, one) => total + quota.of(one), 0);
    return kind.quotas
      .filter((quota) => sum(quota, own) > 0)
      .map((quota) =>
        attempt(quota.name, async () => {
          const counted = { needed: sum(quota, own), used: sum(quota, there) };
          const otherwise = `select fewer arms: ${deployWith(subject, `arms=${arms[0]?.name}`)}`;
          return [await within(subject, quota.name, quota, counted, otherwise)];
        }),
      );
  });
  return (await Promise.all(asked)).flat();
}

/** Checks the quotas for another VPC and for its NAT gateway's address. Codes: docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html */
export async function vpcs(subject: CheckedDeployment): Promise<AccountFinding[]> {
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
        await within(subject, 'VPCs', quota, { used: others(found), needed: 1 }, "use an existing one, with 'vpcId'"),
      ];
    })),
    ...(egress === 'endpoints'
      ? []
      : await attempt('Elastic IP addresses', async () => {
          const { Addresses = [] } = await account.ask('ec2:DescribeAddresses', {});
          const quota = { service: 'ec2', code: 'L-0263D0A3', unit: 'addresses' } as const;
          const counted = { used: others(Addresses), needed: 1 };
          return [await within(subject, 'Elastic IP addresses', quota, counted, 'release an unused one')];
        })),
  ];
}
