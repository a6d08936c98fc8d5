import type { RouteTable, Subnet } from '@aws-sdk/client-ec2';
import { CLIENT_SERVICES } from '../../kit/aws/services';
import { serversOf } from '../../storage/lustre/servers';
import { askAll, tagOf } from './account';
import { type AccountFinding, deployWith, ok, type Subject, wrong } from './check';

/** The subnet of an existing VPC in which file systems and clients will be. */
export interface ChosenSubnet {
  readonly id: string;
  readonly zone: string;
  readonly freeAddresses: number;
  readonly table: RouteTable | undefined;
  /** Others that would do as well. */
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

/** True for a subnet that CDK takes for public: its tag says so, or its default route leads to an internet gateway. */
function isPublic(subnet: Subnet, table: RouteTable | undefined): boolean {
  const type = tagOf(subnet, 'aws-cdk:subnet-type');
  if (type !== undefined) return type === 'Public';
  return defaultRoute(table)?.GatewayId?.startsWith('igw-') === true;
}

/** The private subnet that the stack takes of an existing VPC; `null` where none fits. */
export async function chooseSubnet({ account, configuration }: Subject, vpcId: string): Promise<ChosenSubnet | null> {
  const { availabilityZone, subnetId } = configuration.network;
  const Filters = [{ Name: 'vpc-id', Values: [vpcId] }];
  const subnets = await askAll(account, 'ec2:DescribeSubnets', { Filters }, (page) => page.Subnets);
  const tables = await askAll(account, 'ec2:DescribeRouteTables', { Filters }, (page) => page.RouteTables);
  // CDK takes those that have a way out first, each sort by zone.
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

/** Addresses that the deployment takes: one for each client, file server and metadata server (FSx guide, limit-access-security-groups). */
function addressesOf({ arms, fleet }: Subject['configuration']): number {
  return arms.reduce((sum, { lustre }) => {
    const servers = serversOf(lustre);
    return sum + (servers === null ? 1 : servers.oss + servers.mds);
  }, fleet.clients);
}

/** Does everything find room in the subnet? */
export function room(subject: Subject, subnet: ChosenSubnet): AccountFinding[] {
  const needed = addressesOf(subject.configuration);
  const found = `${subnet.id} in ${subnet.zone} has ${subnet.freeAddresses} free addresses, ${needed} are needed`;
  if (subnet.freeAddresses >= needed) return [ok('addresses', found)];
  const larger = subnet.others.find(({ AvailableIpAddressCount: free = 0 }) => free >= needed);
  return [
    larger === undefined
      ? wrong(
          'addresses',
          'missing',
          found,
          'take a larger subnet, or leave vpcId out for a VPC of its own',
          `aws ec2 describe-subnets --query 'Subnets[].[SubnetId,AvailabilityZone,AvailableIpAddressCount]' --output table`,
        )
      : wrong(
          'addresses',
          'missing',
          found,
          `take ${larger.SubnetId} in ${larger.AvailabilityZone}, which has ${larger.AvailableIpAddressCount}`,
          deployWith(subject, `subnetId=${larger.SubnetId}`),
        ),
  ];
}

/** Do the clients reach AWS and the packages from there? */
export async function routes(subject: Subject, vpcId: string, subnet: ChosenSubnet): Promise<AccountFinding[]> {
  const { account, region } = subject;
  const route = defaultRoute(subnet.table);
  const table = subnet.table?.RouteTableId ?? 'none';
  if (route?.State === 'blackhole') {
    const found = `the default route of ${table} leads to something that is gone`;
    const command = `aws ec2 replace-route --route-table-id ${table} --destination-cidr-block ${DEFAULT_ROUTE} --nat-gateway-id NAT_GATEWAY`;
    return [wrong('routes', 'missing', found, 'point it to a NAT gateway', command)];
  }
  if (route !== undefined) {
    const way =
      route.NatGatewayId ?? route.TransitGatewayId ?? route.NetworkInterfaceId ?? route.GatewayId ?? 'a way out';
    return [ok('routes', `${subnet.id} leaves by ${way}`)];
  }
  const endpoints = await askAll(
    account,
    'ec2:DescribeVpcEndpoints',
    { Filters: [{ Name: 'vpc-id', Values: [vpcId] }] },
    (page) => page.VpcEndpoints,
  );
  const services = endpoints.map(({ ServiceName = '' }) => ServiceName.split('.').at(-1));
  const lacking = ['s3', ...Object.values(CLIENT_SERVICES)].filter((service) => !services.includes(service));
  const [first] = lacking;
  if (first !== undefined) {
    const kind =
      first === 's3'
        ? `--vpc-endpoint-type Gateway --route-table-ids ${table}`
        : `--vpc-endpoint-type Interface --subnet-ids ${subnet.id} --private-dns-enabled`;
    return [
      wrong(
        'routes',
        'missing',
        `${subnet.id} has no default route, and ${vpcId} no endpoints to ${lacking.join(', ')}`,
        'add a NAT gateway, or an endpoint for each of them',
        `aws ec2 create-vpc-endpoint --vpc-id ${vpcId} --service-name com.amazonaws.${region}.${first} ${kind}`,
      ),
    ];
  }
  return [
    wrong(
      'routes',
      'limited',
      `${subnet.id} reaches AWS services only, through endpoints`,
      'clients cannot fetch the sources of Open MPI and IOR there: deploy once where they can, which leaves the builds in the results bucket',
    ),
  ];
}

/** Do names resolve in the VPC? Clients mount file systems by name (FSx guide, mounting). */
export async function names({ account }: Subject, vpcId: string): Promise<AccountFinding[]> {
  const { EnableDnsSupport } = await account.ask('ec2:DescribeVpcAttribute', {
    VpcId: vpcId,
    Attribute: 'enableDnsSupport',
  });
  if (EnableDnsSupport?.Value !== false) return [ok('names', `${vpcId} resolves names`)];
  const command = `aws ec2 modify-vpc-attribute --vpc-id ${vpcId} --enable-dns-support`;
  return [
    wrong('names', 'missing', `${vpcId} resolves no names`, 'clients mount by name: turn DNS support on', command),
  ];
}
