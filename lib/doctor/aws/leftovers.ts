import type { Stack } from '@aws-sdk/client-cloudformation';
import { BENCHMARK_NAMES } from '../../benchmark/lookup';
import { type Account, askAll } from '../../common/aws/account';
import { counted } from '../../common/format/units';
import { FLEETS } from '../../fleet/registry';
import { instanceLines, sumOf } from '../../price/cost';
import { itemLine, unknownQuantity } from '../../price/line';
import { HOURS_PER_MONTH } from '../../price/prices';
import { STORAGES } from '../../storage/registry';
import {
  type FoundResource,
  foundLogGroup,
  OF_STACKS,
  type ResourceSearch,
  stackInName,
  stackOf,
} from '../../storage/search';
import { type AccountFinding, attempted, type CheckedDeployment, deployedStack, ok, reasonOf, wrong } from './check';

/** The stack with the results bucket, which is deployed with every benchmark. */
export const RESULTS_STACK = 'BenchResults';

export interface Leftover extends FoundResource {
  readonly stack: string;
  /** True if a stack of that name exists: deleting that removes it. */
  readonly standing: boolean;
  readonly hourlyUsd: number | null;
  readonly monthlyUsd: number | null;
  readonly reason?: string;
}

export type Leftovers = Awaited<ReturnType<typeof findLeftovers>>;

/** Everything of the benchmarks' stacks that costs money in an account and Region, whether the stacks are there or not. */
export async function findLeftovers(
  { account, region, book }: Pick<CheckedDeployment, 'account' | 'region' | 'book'>,
  now = new Date(),
) {
  const plugIns = [...STORAGES.map((storage) => storage.account), ...FLEETS];
  const searches = [...plugIns.flatMap(({ search }) => search ?? []), ...OTHERS];
  const unknown: { search: string; reason: string }[] = [];
  const tried = async <T>(search: string, find: () => Promise<readonly T[]>): Promise<readonly T[]> =>
    (await attempted(find, (error) => void unknown.push({ search, reason: reasonOf(error) }))) ?? [];
  const options = { region, book, stacks: BENCHMARK_NAMES };
  const resources = await flat(searches.map(({ label, find }) => tried(label, () => find(account, options))));
  const fileSystemsKnown = unknown.length === 0;
  const own = new Set([...BENCHMARK_NAMES, RESULTS_STACK]);
  // A stack whose state is unknown may be deployed: destroy it before removing what it made.
  const standing = new Set<string>();
  const failures = await flat(
    [...own].map(async (name) => {
      const [stack] = await tried(`the stack ${name}`, async () => [(await deployedStack(account, name)) ?? null]);
      if (stack !== null) standing.add(name);
      return stack ? tried(`failures of ${name}`, () => failuresOf(account, stack, now)) : [];
    }),
  );
  const found: readonly Leftover[] = resources.flatMap((one) => {
    const { stack } = one;
    if (stack === undefined || !own.has(stack)) return [];
    const { hourlyUsd, reason } = sumOf(one.lines);
    const monthlyUsd = hourlyUsd === null ? null : hourlyUsd * HOURS_PER_MONTH;
    return { ...one, stack, standing: standing.has(stack), hourlyUsd, monthlyUsd, reason };
  });
  return {
    /** Searches that failed: the resources that they look for may exist. */
    unknown: unknown as readonly (typeof unknown)[number][],
    failures,
    /** False where a search failed that may have found more of them. */
    fileSystemsKnown,
    /** File systems of anybody, for quotas. */
    fileSystems: resources
      .filter(({ configuration }) => configuration !== undefined)
      .map((one) => ({ ...one, standing: standing.has(one.stack ?? '') })),
    found,
  };
}

const flat = async <T>(all: readonly Promise<T | readonly T[]>[]): Promise<readonly T[]> =>
  (await Promise.all(all)).flat() as T[];

export const remedyOf = ({ standing, stack, kept, remove }: Leftover): string =>
  standing && kept !== true ? `npx cdk destroy ${stack}` : remove;

/** Findings on billed resources of earlier deployments. Those without a stack are orphaned; a stack's are in use, and its deployment updates them. */
export function leftoverFindings({ found, failures, unknown }: Leftovers, name: string): AccountFinding[] {
  const NAME = 'left over';
  const own = found.filter(({ kept }) => kept !== true);
  const failed = unknown.map(({ search, reason }) =>
    wrong(NAME, 'unknown', `${search}: ${reason}`, 'use a role with read access, such as ReadOnlyAccess'),
  );
  const stuck = failures.map(({ stack, what, reason, remove }) =>
    wrong(NAME, 'limited', `${stack}: ${what}: ${reason}`, 'it keeps costing money: fix that, then destroy it', remove),
  );
  const [gone, used] = [own.filter(({ standing }) => !standing), own.filter(({ standing }) => standing)];
  const left = gone.map((one) => {
    const bill = `${one.id} of ${one.stack}, ${one.what}: ${priceOf([one])}; its stack is gone`;
    return wrong(NAME, 'limited', bill, 'if nobody needs its data, delete it', remedyOf(one));
  });
  const deployed = [...Map.groupBy(used, ({ stack }) => stack)].map(([stack, all]) => {
    const bill = `${stack} is deployed: ${counted(all.length, 'resource')}, ${priceOf(all)}`;
    if (stack === name) return ok('in use', bill);
    return wrong('in use', 'limited', bill, 'if nobody needs it, destroy it', `npx cdk destroy ${stack}`);
  });
  const all = [...failed, ...stuck, ...left];
  return [...(all.length > 0 ? all : [ok(NAME, 'nothing from an earlier run')]), ...deployed];
}

function priceOf(all: readonly Leftover[]): string {
  const sum = all.reduce((total, { hourlyUsd }) => total + (hourlyUsd ?? 0), 0);
  return all.some(({ hourlyUsd }) => hourlyUsd === null) ? 'at an unknown price' : `${sum.toFixed(2)} USD/h`;
}

/** A creation, a deletion or an expiry that failed: the stack stays, and costs money. */
interface StackFailure {
  readonly stack: string;
  /** `DELETE_FAILED`, or that of its expiry. */
  readonly what: string;
  readonly reason: string;
  readonly remove: string;
}

/** An attempt is repeated after an hour, and looked for every quarter of an hour. */
const ATTEMPT_MS = 80 * 60_000;

/** The last that Step Functions lists; more than are started within {@link ATTEMPT_MS}. */
const EXECUTIONS = 100;

/** Failures of an existing stack; none while CloudFormation works on it. */
async function failuresOf(account: Account, stack: Stack, now: Date): Promise<StackFailure[]> {
  const { StackName: name = '', StackStatus: status = '', StackStatusReason: why, CreationTime: created = now } = stack;
  if (status.endsWith('_IN_PROGRESS')) return [];
  const all = await askAll(account, 'cloudformation:ListStackResources', { StackName: name }, 'StackResourceSummaries');
  const resources = all.filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE');
  const failure = (what: string, reason: string) => ({ stack: name, what, reason, remove: `npx cdk destroy ${name}` });
  // The fleet has its own (lib/constructs/fleet/ec2/launchGuard.ts).
  const machine = resources.find(
    ({ ResourceType, LogicalResourceId = '' }) =>
      ResourceType === 'AWS::StepFunctions::StateMachine' && LogicalResourceId.startsWith('Expiry'),
  );
  const expiry = machine === undefined ? null : await expiryFailure(account, machine.PhysicalResourceId, created, now);
  const reasons = resources.flatMap(({ ResourceStatus = '', LogicalResourceId, ResourceStatusReason }) =>
    ResourceStatus.endsWith('_FAILED') ? `${LogicalResourceId}: ${ResourceStatusReason ?? ResourceStatus}` : [],
  );
  const reason = reasons.join('; ') || (why ?? 'its events have the reason');
  return [
    ...(status.endsWith('_FAILED') ? [failure(status, reason)] : []),
    ...(expiry === null ? [] : [failure(expiry.what, expiry.reason)]),
  ];
}

/** The failure of the state machine that should delete a stack: its last attempt failed or hung, or nothing starts it. */
async function expiryFailure(account: Account, stateMachineArn: string | undefined, created: Date, now: Date) {
  const since = now.getTime() - ATTEMPT_MS;
  const answer = await account.ask('states:ListExecutions', { stateMachineArn, maxResults: EXECUTIONS });
  const executions = (answer.executions ?? []).map(({ startDate = created, ...one }) => ({ ...one, startDate }));
  executions.sort((a, b) => b.startDate.getTime() - a.startDate.getTime());
  const last = executions[0]?.startDate ?? created;
  if (last.getTime() < since)
    return { what: `not checked by its expiry since ${last.toISOString()}`, reason: 'its schedule starts nothing' };
  const failed = executions.find(
    ({ status = '', stopDate }) => /^(FAILED|TIMED_OUT)$/.test(status) && (stopDate?.getTime() ?? 0) >= since,
  );
  if (failed === undefined) return null;
  const { cause, error, status } = await account.ask('states:DescribeExecution', { executionArn: failed.executionArn });
  return {
    what: `its expiry failed at ${(failed.stopDate ?? last).toISOString()}`,
    reason: cause ?? error ?? status ?? 'unknown',
  };
}

/** Clients, servers and builders; their volumes are EBS's. */
const instances: ResourceSearch = {
  label: 'instances',
  find: async (account, { region, book }) => {
    const Filters = [OF_STACKS, { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping'] }];
    const reservations = await askAll(account, 'ec2:DescribeInstances', { Filters }, 'Reservations');
    const all = reservations.flatMap(({ Instances = [] }) => Instances);
    return all.map((instance) => {
      const { InstanceId: id = '', InstanceType: instanceType = '', InstanceLifecycle: lifecycle } = instance;
      const purchase = lifecycle === 'spot' ? 'spot' : 'on-demand';
      return {
        id,
        what: `instance ${instanceType}`,
        stack: stackOf(instance),
        lines: instanceLines({ instanceType, clients: 1, purchase }, region, book),
        remove: `aws ec2 terminate-instances --instance-ids ${id} --region ${region}`,
      };
    });
  },
};

/** A part of a network, billed by the hour. @param remove the command of `aws ec2` that takes its id */
const ofVpc = (
  resource: Parameters<typeof stackOf>[0],
  id = '',
  item: string,
  remove: string,
  options: Parameters<ResourceSearch['find']>[1],
) => ({
  id,
  stack: stackOf(resource),
  lines: [itemLine(item, 1, item, options)],
  remove: `aws ec2 ${remove} ${id} --region ${options.region}`,
});

const gateways: ResourceSearch = {
  label: 'NAT gateways',
  find: async (account, options) => {
    const Filter = [OF_STACKS, { Name: 'state', Values: ['pending', 'available'] }];
    const all = await askAll(account, 'ec2:DescribeNatGateways', { Filter }, 'NatGateways');
    return all.map((one) => ({
      what: 'NAT gateway',
      ...ofVpc(one, one.NatGatewayId, 'vpc/nat-gateway', 'delete-nat-gateway --nat-gateway-id', options),
    }));
  },
};

const addresses: ResourceSearch = {
  label: 'Elastic IP addresses',
  find: async (account, options) => {
    const { Addresses = [] } = await account.ask('ec2:DescribeAddresses', { Filters: [OF_STACKS] });
    return Addresses.map((one) => ({
      what: 'Elastic IP address',
      ...ofVpc(one, one.AllocationId, 'vpc/public-ipv4', 'release-address --allocation-id', options),
    }));
  },
};

const endpoints: ResourceSearch = {
  label: 'VPC endpoints',
  find: async (account, options) => {
    const Filters = [OF_STACKS, { Name: 'vpc-endpoint-type', Values: ['Interface'] }];
    const all = await askAll(account, 'ec2:DescribeVpcEndpoints', { Filters }, 'VpcEndpoints');
    return all.map((one) => ({
      what: `endpoint of ${one.ServiceName}`,
      ...ofVpc(one, one.VpcEndpointId, 'vpc/interface-endpoint', 'delete-vpc-endpoints --vpc-endpoint-ids', options),
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

const buckets: ResourceSearch = {
  label: 'buckets',
  find: async (account) => {
    const all = await askAll(account, 's3:ListBuckets', {}, 'Buckets');
    return all.flatMap(({ Name: id = '' }) => {
      const stack = stackInName([RESULTS_STACK], id, 'Bucket');
      if (stack === undefined) return [];
      const lines = [unknownQuantity('results', null, { reason: 'what is stored is billed' })];
      return { id, what: 'bucket with the results', stack, lines, remove: `aws s3 rb s3://${id} --force`, kept: true };
    });
  },
};

const OTHERS = [instances, gateways, addresses, endpoints, logGroups, dashboards, buckets];
