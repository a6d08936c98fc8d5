import type { RouteTable, Subnet } from '@aws-sdk/client-ec2';
import { askAll, tagOf } from '../../common/aws/account';
import { isZoneId } from '../../fleet/offerings';
import { internetNeeds, onePerServerSet, servicesFor, storageOf } from '../../storage/lookup';
import { type AccountFinding, attempt, type CheckedDeployment, deployWith, ok, wrong } from './check';

export interface ChosenSubnet {
  readonly id: string;
  readonly zone: string;
  readonly freeAddresses: number;
  readonly table: RouteTable | undefined;
  readonly others: readonly Subnet[];
}

const DEFAULT_ROUTE = '0.0.0.0/0';

/** The route table of a subnet: its own, or the main one of the VPC. */
function tableOf(subnetId: string, tables: readonly RouteTable[]): RouteTable | undefined {
  const associated = (test: (one: { SubnetId?: string; Main?: boolean }) => boolean) =>
    tables.find(({ Associations = [] }) => Associations.some(test));
  return associated(({ SubnetId }) => SubnetId === subnetId) ?? associated(({ Main }) => Main === true);
}

const defaultRoute = (table: RouteTable | undefined) =>
  table?.Routes?.find(({ DestinationCidrBlock }) => DestinationCidrBlock === DEFAULT_ROUTE);

/** True if the subnet's way out ends at an internet gateway of its VPC. */
export function usesGateway({ table }: ChosenSubnet): boolean {
  const route = defaultRoute(table);
  return route?.NatGatewayId !== undefined || route?.GatewayId?.startsWith('igw-') === true;
}

/** True for a subnet that CDK considers public, by its tag or because its default route leads to an internet gateway. */
function isPublic(subnet: Subnet, table: RouteTable | undefined): boolean {
  const type = tagOf(subnet, 'aws-cdk:subnet-type');
  if (type !== undefined) return type === 'Public';
  return defaultRoute(table)?.GatewayId?.startsWith('igw-') === true;
}

/** The private subnet of an existing VPC that the stack would use; `null` if none fits. */
export async function chooseSubnet({ account, configuration }: CheckedDeployment, vpcId: string) {
  const { availabilityZone, subnetId } = configuration.network;
  const Filters = [{ Name: 'vpc-id', Values: [vpcId] }];
  const subnets = await askAll(account, 'ec2:DescribeSubnets', { Filters }, 'Subnets');
  const tables = await askAll(account, 'ec2:DescribeRouteTables', { Filters }, 'RouteTables');
  // CDK prefers subnets with internet access, each kind sorted by zone.
  const rank = ({ SubnetId = '', AvailabilityZone: zone }: Subnet): string =>
    `${defaultRoute(tableOf(SubnetId, tables)) === undefined ? 1 : 0} ${zone}`;
  const fit = subnets
    .filter((subnet) => !isPublic(subnet, tableOf(subnet.SubnetId ?? '', tables)))
    .filter(({ AvailabilityZone }) => availabilityZone === undefined || AvailabilityZone === availabilityZone)
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const chosen = subnetId === undefined ? fit[0] : fit.find(({ SubnetId }) => SubnetId === subnetId);
  if (chosen === undefined) return null;
  const { SubnetId: id = '', AvailabilityZone: zone = '', AvailableIpAddressCount: freeAddresses = 0 } = chosen;
  return { id, zone, freeAddresses, table: tableOf(id, tables), others: fit.filter((it) => it !== chosen) };
}

/** Addresses that the deployment needs: one per instance, and those of the storages' services. */
function addressesOf({ configuration, launches }: CheckedDeployment): number {
  const instances = launches.reduce((sum, { count, onRequest = false }) => sum + (onRequest ? 0 : count), 0);
  return onePerServerSet(configuration.arms).reduce(
    (sum, { storage }) => sum + (storageOf(storage).account.addresses?.(storage) ?? 0),
    instances,
  );
}

export function room(subject: CheckedDeployment, subnet: ChosenSubnet): AccountFinding[] {
  const needed = addressesOf(subject);
  const found = `${subnet.id} in ${subnet.zone} has ${subnet.freeAddresses} free addresses, ${needed} are needed`;
  if (subnet.freeAddresses >= needed) return [ok('addresses', found)];
  const larger = subnet.others.find(({ AvailableIpAddressCount: free = 0 }) => free >= needed);
  if (larger === undefined) {
    const command = `aws ec2 describe-subnets --query 'Subnets[].[SubnetId,AvailabilityZone,AvailableIpAddressCount]' --output table`;
    return [wrong('addresses', 'missing', found, 'use a larger subnet, or leave out vpcId to create a VPC', command)];
  }
  const { SubnetId, AvailabilityZone, AvailableIpAddressCount } = larger;
  const advice = `use ${SubnetId} in ${AvailabilityZone}, which has ${AvailableIpAddressCount}`;
  return [wrong('addresses', 'missing', found, advice, deployWith(subject, `subnetId=${SubnetId}`))];
}

type ReachingOut = Pick<CheckedDeployment, 'account' | 'configuration' | 'region'>;

/** Checks that clients can reach AWS and the packages from the subnet. */
export async function routes(subject: ReachingOut, vpcId: string, subnet: ChosenSubnet): Promise<AccountFinding[]> {
  const route = defaultRoute(subnet.table);
  const table = subnet.table?.RouteTableId ?? 'none';
  if (route?.State === 'blackhole') {
    const found = `the default route of ${table} is a black hole: its target no longer exists`;
    const command = `aws ec2 replace-route --route-table-id ${table} --destination-cidr-block ${DEFAULT_ROUTE} --nat-gateway-id NAT_GATEWAY`;
    return [wrong('routes', 'missing', found, 'point it to a NAT gateway', command)];
  }
  if (route !== undefined) {
    const way =
      route.NatGatewayId ?? route.TransitGatewayId ?? route.NetworkInterfaceId ?? route.GatewayId ?? 'internet access';
    return [ok('routes', `${subnet.id} has internet access through ${way}`)];
  }
  return withoutInternet(subject, vpcId, subnet);
}

/** Findings for clients that reach AWS by endpoints alone, if at all. */
async function withoutInternet(
  { account, region, configuration: { arms } }: ReachingOut,
  vpcId: string,
  { id, table }: ChosenSubnet,
): Promise<AccountFinding[]> {
  const [need] = internetNeeds(arms);
  if (need !== undefined) {
    const found = `${id} has no default route, which must be there ${need}`;
    return [wrong('routes', 'missing', found, "add a NAT gateway, or leave the arm out with 'arms'")];
  }
  const Filters = [{ Name: 'vpc-id', Values: [vpcId] }];
  const endpoints = await askAll(account, 'ec2:DescribeVpcEndpoints', { Filters }, 'VpcEndpoints');
  const services = endpoints.map(({ ServiceName = '' }) => ServiceName.split('.').at(-1));
  const called = Object.values(servicesFor(arms.map(({ storage }) => storage)));
  const lacking = ['s3', ...called].filter((service) => !services.includes(service));
  const [first] = lacking;
  if (first === undefined) {
    const advice =
      'clients cannot download the Open MPI and IOR sources there: deploy once with internet access, which caches the builds in the results bucket';
    return [wrong('routes', 'limited', `${id} can reach only AWS services, through endpoints`, advice)];
  }
  const kind =
    first === 's3'
      ? `--vpc-endpoint-type Gateway --route-table-ids ${table?.RouteTableId ?? 'none'}`
      : `--vpc-endpoint-type Interface --subnet-ids ${id} --private-dns-enabled`;
  const found = `${id} has no default route, and ${vpcId} has no endpoints for ${lacking.join(', ')}`;
  const command = `aws ec2 create-vpc-endpoint --vpc-id ${vpcId} --service-name com.amazonaws.${region}.${first} ${kind}`;
  return [wrong('routes', 'missing', found, 'add a NAT gateway, or an endpoint for each of them', command)];
}

const BLOCK = 'VPC Block Public Access';

/**
 * Checks that the Region's VPC Block Public Access lets clients out. In one direction it does: NAT gateways only let connections out
 * (https://docs.aws.amazon.com/vpc/latest/userguide/security-vpc-bpa-basics.html). @param vpcId `undefined` for that of the stack, which nobody can have excluded yet
 */
export const publicAccess = (subject: CheckedDeployment, vpcId?: string): Promise<AccountFinding[]> =>
  attempt(BLOCK, async () => {
    const { account, region } = subject;
    const { VpcBlockPublicAccessOptions: { InternetGatewayBlockMode: mode = 'off', ManagedBy } = {} } =
      await account.ask('ec2:DescribeVpcBlockPublicAccessOptions', {});
    if (mode !== 'block-bidirectional') return [ok(BLOCK, mode)];
    const who = ManagedBy === 'declarative-policy' ? ', by a policy of the organization' : '';
    const found = `${mode} in ${region}${who}`;
    if (vpcId === undefined) {
      const advice =
        'the NAT gateway of a new VPC would reach nothing: use a VPC that is excluded, or one with another way out';
      return [wrong(BLOCK, 'missing', found, advice, deployWith(subject, 'vpcId=VPC'))];
    }
    const call = 'ec2:DescribeVpcBlockPublicAccessExclusions';
    const excluded = (await askAll(account, call, {}, 'VpcBlockPublicAccessExclusions')).some(
      ({ ResourceArn = '', State = '' }) =>
        ResourceArn.endsWith(`/${vpcId}`) && /^(create|update)-complete$/.test(State),
    );
    if (excluded) return [ok(BLOCK, `${found}, but not for ${vpcId}`)];
    const advice = 'exclude it, which lets connections out only';
    const command = `aws ec2 create-vpc-block-public-access-exclusion --vpc-id ${vpcId} --internet-gateway-exclusion-mode allow-egress --region ${region}`;
    return [wrong(BLOCK, 'missing', `${found}, and ${vpcId} is not excluded`, advice, command)];
  });

/** Checks that VPC instances resolve the DNS names of file systems and endpoints (FSx guide, mounting; VPC user guide, vpc-dns). */
export async function names({ account }: CheckedDeployment, vpcId: string): Promise<AccountFinding[]> {
  for (const [attribute, key, what, option] of [
    ['enableDnsSupport', 'EnableDnsSupport', 'does not resolve DNS names', '--enable-dns-support'],
    ['enableDnsHostnames', 'EnableDnsHostnames', 'has no DNS hostnames', '--enable-dns-hostnames'],
  ] as const) {
    const { [key]: value } = await account.ask('ec2:DescribeVpcAttribute', { VpcId: vpcId, Attribute: attribute });
    if (value?.Value !== false) continue;
    const command = `aws ec2 modify-vpc-attribute --vpc-id ${vpcId} ${option}`;
    return [wrong('names', 'missing', `${vpcId} ${what}`, `clients mount by name: set ${attribute}`, command)];
  }
  return [ok('names', `${vpcId} resolves DNS names`)];
}

/** A zone with this account's name for it. */
export interface Zone {
  readonly name: string;
  readonly id: string;
}

export async function zonesOf({ account }: CheckedDeployment): Promise<Zone[]> {
  const Filters = [{ Name: 'zone-type', Values: ['availability-zone'] }];
  const { AvailabilityZones = [] } = await account.ask('ec2:DescribeAvailabilityZones', { Filters });
  const zones = AvailabilityZones.map(({ ZoneName: name = '', ZoneId: id = '' }) => ({ name, id }));
  return zones.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The zone of the deployment; `undefined` if its name is unknown. Without a setting, as in CloudFormation, the first that has a default subnet, or of all
 * (docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getavailabilityzones.html).
 */
export async function zoneOf(subject: CheckedDeployment, zones: readonly Zone[], subnet: ChosenSubnet | null) {
  const wanted = subnet?.zone ?? subject.configuration.network.availabilityZone;
  if (wanted !== undefined) return zones.find((zone) => (isZoneId(wanted) ? zone.id : zone.name) === wanted);
  const Filters = [{ Name: 'default-for-az', Values: ['true'] }];
  const defaults = await askAll(subject.account, 'ec2:DescribeSubnets', { Filters }, 'Subnets');
  const names = defaults.map(({ AvailabilityZone }) => AvailabilityZone);
  return zones.find(({ name }) => names.includes(name)) ?? zones[0];
}
