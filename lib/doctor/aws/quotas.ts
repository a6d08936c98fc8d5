import type { CapacityReservation } from '@aws-sdk/client-ec2';
import { type AccountQuota, askAll } from '../../common/aws/account';
import { demandsOf, vcpuQuotaOfLaunch } from '../../config/launches';
import { amount, partsOf } from '../../deploy/quotas';
import { vcpusByType } from '../../fleet/vcpuQuota';
import type { StorageConfiguration } from '../../schema/deployment';
import { storageOf } from '../../storage/lookup';
import { stackOf } from '../../storage/search';
import { type AccountFinding, attempt, type CheckedDeployment, deployWith, ok, wrong } from './check';
import type { Leftovers } from './leftovers';

/** The account's value of a quota: the applied one, or AWS's default. */
async function quotaValue({ account }: CheckedDeployment, { service, code }: Pick<AccountQuota, 'service' | 'code'>) {
  const input = { ServiceCode: service, QuotaCode: code };
  const answer = await account.ask('servicequotas:GetServiceQuota', input).catch((error: Error) => {
    if (error.name !== 'NoSuchResourceException') throw error;
    return account.ask('servicequotas:GetAWSDefaultServiceQuota', input);
  });
  const value = answer.Quota?.Value;
  if (value === undefined) throw new Error(`Service Quotas has no value for ${service} ${code}`);
  return value;
}

async function within(
  subject: CheckedDeployment,
  { name, ...quota }: AccountQuota,
  { used, needed, parts = '' }: { readonly used: number; readonly needed: number; readonly parts?: string },
  otherwise: string,
): Promise<AccountFinding> {
  const value = await quotaValue(subject, quota);
  const found = `needed: ${amount(needed)}, in use: ${amount(used)} of ${value} ${quota.unit}${parts}`;
  if (used + needed <= value) return ok(name, found);
  const advice = `request an increase of ${quota.code}, which takes hours to days, or ${otherwise}`;
  const command = `aws service-quotas request-service-quota-increase --service-code ${quota.service} --quota-code ${quota.code} --desired-value ${Math.ceil(used + needed)}`;
  return wrong(name, 'missing', found, advice, command);
}

/** Checks every quota against the sum of the deployment's demand. @param existing all file systems; `null` if some could not be found */
export async function quotas(subject: CheckedDeployment, existing: Leftovers['fileSystems'] | null) {
  const { account, configuration, launches } = subject;
  const { arms, definition } = configuration;
  // File systems that the stack already has are not created again.
  const others = existing?.filter(({ stack, standing }) => !standing || stack !== definition.name);
  const there = others?.flatMap(({ configuration: one }) => one ?? []);
  const types = launches.map(({ instanceType }) => instanceType);
  const vcpus = await vcpusByType(account, types);
  const started = new Set(launches.map(({ name }) => name));
  const asked = demandsOf(configuration, (type) => vcpus.get(type) ?? null).flatMap(async (demand) => {
    const { quota, total, parts } = demand;
    // A use that is not known may not pass for none.
    if (quota.used === undefined && there === undefined) return [];
    return attempt(quota.name, async () => {
      const taken = (there ?? []).reduce((sum, one) => sum + takenBy(one, quota), 0);
      const used = (await quota.used?.(account, definition.name)) ?? taken;
      const otherwise = [...parts.keys()].some((what) => started.has(what))
        ? `use fewer or smaller instances: ${deployWith(subject, 'scale=smoke')}`
        : `select fewer arms: ${deployWith(subject, `arms=${arms[0]?.name}`)}`;
      return [await within(subject, quota, { needed: total, used, parts: partsOf(demand) }, otherwise)];
    });
  });
  return [...unknownQuotas(subject, vcpus), ...(await Promise.all(asked)).flat()];
}

const takenBy = (storage: StorageConfiguration, { service, code }: AccountQuota): number =>
  (storageOf(storage).account.quotas ?? [])
    .filter((quota) => quota.service === service && quota.code === code)
    .reduce((sum, quota) => sum + quota.of(storage), 0);

function unknownQuotas({ launches }: CheckedDeployment, vcpus: ReadonlyMap<string, number>): AccountFinding[] {
  const counted = launches.filter(
    ({ purchase, onRequest = false }) => purchase.kind !== 'capacity-reservation' && !onRequest,
  );
  const types = counted.filter((launch) => vcpuQuotaOfLaunch(launch) === null || !vcpus.has(launch.instanceType));
  const command = "aws service-quotas list-service-quotas --service-code ec2 --query 'Quotas[].[QuotaName,Value]'";
  return [...new Set(types.map(({ instanceType, purchase }) => `${instanceType}, ${purchase.kind}`))].map((type) =>
    wrong('vCPU quota', 'unknown', `the vCPU quota for ${type} is unknown`, 'find it in the list', command),
  );
}

/** Checks that capacity reservations exist, are free, last as long as the stack and are in the placement group of the clients. */
export async function reservations(subject: CheckedDeployment): Promise<AccountFinding[]> {
  const findings = subject.launches.map(async ({ purchase, count, instanceType: type }): Promise<AccountFinding[]> => {
    if (purchase.kind !== 'capacity-reservation') return [];
    const { id } = purchase;
    const input = { CapacityReservationIds: [id] };
    const { CapacityReservations: [found] = [] } = await subject.account.ask('ec2:DescribeCapacityReservations', input);
    const { State, InstanceType, AvailableInstanceCount: free = 0, AvailabilityZone } = found ?? {};
    // It needs its own market type in the launch template (EC2 user guide, capacity-blocks-launch).
    if (found?.ReservationType === 'capacity-block') {
      const advice = 'fsxbench cannot launch into one: use an On-Demand Capacity Reservation';
      return [wrong(RESERVATION, 'missing', `${id} is a Capacity Block`, advice)];
    }
    const state = `${id}: ${State ?? 'unknown'}, ${free} × ${InstanceType} free in ${AvailabilityZone}`;
    const fits = State === 'active' && InstanceType === type;
    if (fits && free >= count) return [unsuitable(subject, id, found ?? {}) ?? ok(RESERVATION, state)];
    const must = `it must be active and have ${count} × ${type} free`;
    if (!fits) {
      const others = `aws ec2 describe-capacity-reservations --filters Name=instance-type,Values=${type} Name=state,Values=active`;
      return [wrong(RESERVATION, 'missing', state, `${must}: set 'capacityReservationId' to another`, others)];
    }
    // Those in use stay.
    const total = (found?.TotalInstanceCount ?? free) - free + count;
    const command = `aws ec2 modify-capacity-reservation --capacity-reservation-id ${id} --instance-count ${total}`;
    return [wrong(RESERVATION, 'missing', state, must, command)];
  });
  return (await Promise.all(findings)).flat();
}

const RESERVATION = 'capacity reservation';

/** The problem of a free reservation; `null` for a suitable one. */
function unsuitable(
  { configuration: { expiresAfterHours, fleet }, now }: CheckedDeployment,
  id: string,
  { EndDate, PlacementGroupArn }: CapacityReservation,
): AccountFinding | null {
  const set = fleet.purchase.kind === 'capacity-reservation' ? fleet.purchase.placementGroup : undefined;
  const group = PlacementGroupArn?.split('/').at(-1);
  if (group !== set) {
    const where = group === undefined ? 'no placement group' : `the placement group ${group}`;
    const advice = group === undefined ? "leave out 'placementGroup'" : `set 'placementGroup' to ${group}`;
    const found = `${id} is in ${where}, and 'placementGroup' is ${set ?? 'not set'}`;
    return wrong(RESERVATION, 'missing', found, advice);
  }
  if (EndDate === undefined) return null;
  const hours = (EndDate.getTime() - now.getTime()) / 3_600_000;
  if (expiresAfterHours !== null && hours >= expiresAfterHours) return null;
  const life = expiresAfterHours === null ? 'the stack has no end' : `the stack lives for ${expiresAfterHours} h`;
  const found = `${id} ends at ${EndDate.toISOString().slice(0, 16)}Z, and ${life}: EC2 terminates what is in it at the end`;
  const command = `aws ec2 modify-capacity-reservation --capacity-reservation-id ${id} --end-date-type unlimited`;
  return wrong(RESERVATION, 'missing', found, 'extend it, or let the stack expire before', command);
}

/** Source: docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html */
const VPCS = { name: 'VPCs', service: 'vpc', code: 'L-F678F1CE', unit: 'VPCs' } as const;
const ADDRESSES = { name: 'Elastic IP addresses', service: 'ec2', code: 'L-0263D0A3', unit: 'addresses' } as const;

/** Checks the quotas for another VPC and for its NAT gateway's address. */
export async function vpcs(subject: CheckedDeployment): Promise<AccountFinding[]> {
  const { account, configuration } = subject;
  const stack = configuration.definition.name;
  const others = (all: readonly { readonly Tags?: { Key?: string; Value?: string }[] | undefined }[]): number =>
    all.filter((one) => stackOf(one) !== stack).length;
  const networks = await attempt(VPCS.name, async () => {
    const found = await askAll(account, 'ec2:DescribeVpcs', {}, 'Vpcs');
    return [await within(subject, VPCS, { used: others(found), needed: 1 }, "use an existing one, with 'vpcId'")];
  });
  if (configuration.network.egress === 'endpoints') return networks;
  const addresses = await attempt(ADDRESSES.name, async () => {
    const { Addresses = [] } = await account.ask('ec2:DescribeAddresses', {});
    return [await within(subject, ADDRESSES, { used: others(Addresses), needed: 1 }, 'release an unused one')];
  });
  return [...networks, ...addresses];
}
