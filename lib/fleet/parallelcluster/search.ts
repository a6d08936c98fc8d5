import { type Account, askAll } from '../../common/aws/account';
import { itemLine } from '../../price/line';
import {
  type FoundResource,
  foundLogGroup,
  type ResourceSearch,
  type SearchOptions,
  stackInName,
  stackOf,
} from '../../storage/search';

/** Log group prefixes of a cluster (aws-parallelcluster's constants.py) and of its provider, which is kept for 90 days (cluster.yaml). */
const LOGS = { cluster: '/aws/parallelcluster/', provider: '/aws/lambda/pcluster-cfn-' } as const;

/** The domain of a cluster is its name in this one. */
const DOMAIN = '.pcluster.';

const ZONE = 'route53/hosted-zone';

/**
 * Search for ParallelCluster resources that are listed without tags: log groups, the zone in which nodes know one another. Nodes and
 * their volumes carry the tag of the benchmark's stack, and the dashboard is found with those of stacks, by its name.
 */
export const clusterSearch: ResourceSearch = {
  label: 'ParallelCluster',
  find: async (account, options) => [
    ...(await clusterLogs(account, options)),
    ...(await providerLogs(account, options)),
    ...(await zones(account, options)),
  ],
};

const logGroups = (account: Account, logGroupNamePrefix: string) =>
  askAll(account, 'logs:DescribeLogGroups', { logGroupNamePrefix }, 'logGroups');

const clusterLogs = async (account: Account, { region, stacks }: SearchOptions): Promise<FoundResource[]> =>
  (await logGroups(account, LOGS.cluster)).flatMap((group) => {
    const stack = stackInName(stacks, group.logGroupName?.slice(LOGS.cluster.length) ?? '');
    return stack === undefined ? [] : { ...foundLogGroup(group, region), stack };
  });

async function providerLogs(account: Account, { region }: SearchOptions): Promise<FoundResource[]> {
  const all = await logGroups(account, LOGS.provider);
  return Promise.all(
    all.map(async (group) => {
      const { tags = {} } = await account.ask('logs:ListTagsForResource', { resourceArn: group.logGroupArn });
      const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
      return { ...foundLogGroup(group, region), stack: stackOf({ Tags }), kept: true };
    }),
  );
}

async function zones(account: Account, options: SearchOptions): Promise<FoundResource[]> {
  const all = await askAll(account, 'route53:ListHostedZones', {}, 'HostedZones');
  return all.flatMap(({ Id = '', Name = '' }) => {
    const stack = Name.endsWith(DOMAIN) ? stackInName(options.stacks, Name) : undefined;
    // The id as the console shows it is the last part.
    const id = Id.slice(Id.lastIndexOf('/') + 1);
    return stack === undefined
      ? []
      : {
          id,
          what: `hosted zone ${Name}`,
          stack,
          lines: [itemLine(ZONE, 1, ZONE, options)],
          remove: `aws route53 delete-hosted-zone --id ${id}`,
        };
  });
}
