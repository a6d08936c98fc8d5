import { askAll } from '../../common/aws/account';
import { instanceLines } from '../../price/instances';
import { itemLine, unknownQuantity } from '../../price/line';
import { foundLogGroup, OF_STACKS, type ResourceSearch, stackInName, stackOf } from '../../storage/search';

/** Clients, servers and builders; their volumes are EBS's. */
const instances: ResourceSearch = {
  label: 'instances',
  find: async (account, { region, book }) => {
    const Filters = [OF_STACKS, { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping'] }];
    const reservations = await askAll(account, 'ec2:DescribeInstances', { Filters }, 'Reservations');
    return reservations
      .flatMap(({ Instances = [] }) => Instances)
      .map((instance) => ({
        id: instance.InstanceId ?? '',
        what: `instance ${instance.InstanceType}`,
        stack: stackOf(instance),
        lines: instanceLines(
          {
            instanceType: instance.InstanceType ?? '',
            clients: 1,
            purchase: instance.InstanceLifecycle === 'spot' ? 'spot' : 'on-demand',
          },
          region,
          book,
        ),
        remove: `aws ec2 terminate-instances --instance-ids ${instance.InstanceId} --region ${region}`,
      }));
  },
};

const gateways: ResourceSearch = {
  label: 'NAT gateways',
  find: async (account, options) => {
    const Filter = [OF_STACKS, { Name: 'state', Values: ['pending', 'available'] }];
    const all = await askAll(account, 'ec2:DescribeNatGateways', { Filter }, 'NatGateways');
    return all.map((gateway) => ({
      id: gateway.NatGatewayId ?? '',
      what: 'NAT gateway',
      stack: stackOf(gateway),
      lines: [itemLine('vpc/nat-gateway', 1, 'vpc/nat-gateway', options)],
      remove: `aws ec2 delete-nat-gateway --nat-gateway-id ${gateway.NatGatewayId} --region ${options.region}`,
    }));
  },
};

const addresses: ResourceSearch = {
  label: 'Elastic IP addresses',
  find: async (account, options) => {
    const { Addresses = [] } = await account.ask('ec2:DescribeAddresses', { Filters: [OF_STACKS] });
    return Addresses.map((address) => ({
      id: address.AllocationId ?? '',
      what: 'Elastic IP address',
      stack: stackOf(address),
      lines: [itemLine('vpc/public-ipv4', 1, 'vpc/public-ipv4', options)],
      remove: `aws ec2 release-address --allocation-id ${address.AllocationId} --region ${options.region}`,
    }));
  },
};

const endpoints: ResourceSearch = {
  label: 'VPC endpoints',
  find: async (account, options) => {
    const Filters = [OF_STACKS, { Name: 'vpc-endpoint-type', Values: ['Interface'] }];
    const all = await askAll(account, 'ec2:DescribeVpcEndpoints', { Filters }, 'VpcEndpoints');
    return all.map((endpoint) => ({
      id: endpoint.VpcEndpointId ?? '',
      what: `endpoint of ${endpoint.ServiceName}`,
      stack: stackOf(endpoint),
      lines: [itemLine('vpc/interface-endpoint', 1, 'vpc/interface-endpoint', options)],
      remove: `aws ec2 delete-vpc-endpoints --vpc-endpoint-ids ${endpoint.VpcEndpointId} --region ${options.region}`,
    }));
  },
};

// Of log groups, dashboards and buckets the name says which stack made them: no service lists tags with its answer.

const logGroups: ResourceSearch = {
  label: 'log groups',
  find: async (account, { region, stacks }) => {
    const all = await askAll(account, 'logs:DescribeLogGroups', {}, 'logGroups');
    return all.flatMap((group) => {
      const stack = stackInName(stacks, group.logGroupName ?? '', 'Logs');
      return stack === undefined ? [] : { ...foundLogGroup(group, region), stack, kept: true };
    });
  },
};

/** Dashboards are listed for all Regions, and have theirs at the end of their names. */
const dashboards: ResourceSearch = {
  label: 'dashboards',
  find: async (account, options) => {
    const all = await askAll(account, 'cloudwatch:ListDashboards', {}, 'DashboardEntries');
    return all.flatMap(({ DashboardName: id = '' }) => {
      const stack = id.endsWith(`-${options.region}`) ? stackInName(options.stacks, id) : undefined;
      if (stack === undefined) return [];
      return {
        id,
        what: 'dashboard',
        stack,
        lines: [itemLine('cloudwatch/dashboard', 1, 'cloudwatch/dashboard', options)],
        remove: `aws cloudwatch delete-dashboards --dashboard-names ${id} --region ${options.region}`,
      };
    });
  },
};

const buckets = (resultsStack: string): ResourceSearch => ({
  label: 'buckets',
  find: async (account) => {
    const all = await askAll(account, 's3:ListBuckets', {}, 'Buckets');
    return all.flatMap(({ Name: id = '' }) => {
      const stack = stackInName([resultsStack], id, 'Bucket');
      if (stack === undefined) return [];
      return {
        id,
        what: 'bucket with the results',
        stack,
        lines: [unknownQuantity('results', null, { reason: 'what is stored is billed' })],
        remove: `aws s3 rb s3://${id} --force`,
        kept: true,
      };
    });
  },
});

/** Searches for billed resources other than storages. */
export const searchesBeside = (resultsStack: string): readonly ResourceSearch[] => [
  instances,
  gateways,
  addresses,
  endpoints,
  logGroups,
  dashboards,
  buckets(resultsStack),
];
