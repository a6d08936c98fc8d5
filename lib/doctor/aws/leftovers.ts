import type { Stack } from '@aws-sdk/client-cloudformation';
import { BENCHMARK_NAMES } from '../../benchmark/lookup';
import { type Account, askAll } from '../../common/aws/account';
import { counted } from '../../common/format/units';
import { FLEETS } from '../../fleet/registry';
import { sumOf } from '../../price/cost';
import { HOURS_PER_MONTH, type PriceBook } from '../../price/prices';
import { STORAGES } from '../../storage/registry';
import type { FoundResource } from '../../storage/search';
import { type AccountFinding, attempted, deployedStack, ok, reasonOf, wrong } from './check';
import { searchesBeside } from './searches';

/** The stack with the results bucket, which is deployed with every benchmark. */
export const RESULTS_STACK = 'BenchResults';

/** Something of a benchmark's stack that costs money. */
export interface Leftover extends FoundResource {
  readonly stack: string;
  /** True if a stack of that name exists: deleting that removes it. */
  readonly standing: boolean;
  readonly hourlyUsd: number | null;
  readonly monthlyUsd: number | null;
  /** Why there is no price. */
  readonly reason?: string;
}

export interface Leftovers {
  readonly found: readonly Leftover[];
  /** File systems of anybody, for quotas. */
  readonly fileSystems: readonly (FoundResource & { readonly standing: boolean })[];
  /** False where a search failed that may have found more of them. */
  readonly fileSystemsKnown: boolean;
  readonly failures: readonly StackFailure[];
  /** Searches that failed: the resources that they look for may exist. */
  readonly unknown: readonly { readonly search: string; readonly reason: string }[];
}

interface Place {
  readonly account: Account;
  readonly region: string;
  readonly book: PriceBook;
}

/** Everything of the benchmarks' stacks that costs money in an account and Region, whether the stacks are there or not. */
export async function findLeftovers(place: Place, now = new Date()): Promise<Leftovers> {
  const { account, region, book } = place;
  const plugIns = [...STORAGES.map((storage) => storage.account), ...FLEETS];
  const searches = [...plugIns.flatMap(({ search }) => search ?? []), ...searchesBeside(RESULTS_STACK)];
  const unknown: { search: string; reason: string }[] = [];
  const tried = async <T>(search: string, find: () => Promise<readonly T[]>): Promise<readonly T[]> =>
    (await attempted(find, (error) => void unknown.push({ search, reason: reasonOf(error) }))) ?? [];
  const options = { region, book, stacks: BENCHMARK_NAMES };
  const resources = await flat(searches.map(({ label, find }) => tried(label, () => find(account, options))));
  const fileSystemsKnown = unknown.length === 0;
  const own = new Set([...BENCHMARK_NAMES, RESULTS_STACK]);
  // A stack whose state is unknown may be deployed: destroy it before removing what it made.
  const asked = await flat(
    [...own].map(async (name) => {
      const found = await tried(`the stack ${name}`, async () => [await deployedStack(account, name)]);
      return { name, found };
    }),
  );
  const standing = new Set(
    asked.flatMap(({ name, found }) => (found[0] === undefined && found.length > 0 ? [] : name)),
  );
  const stacks = asked.flatMap(({ found }) => found[0] ?? []);
  const failures = await flat(
    stacks.map((stack) => tried(`failures of ${stack.StackName}`, () => failuresOf(account, stack, now))),
  );
  return {
    unknown,
    failures,
    fileSystemsKnown,
    fileSystems: resources
      .filter(({ configuration }) => configuration !== undefined)
      .map((one) => ({ ...one, standing: standing.has(one.stack ?? '') })),
    found: resources.flatMap((one) => {
      const { stack } = one;
      if (stack === undefined || !own.has(stack)) return [];
      const { hourlyUsd, reason } = sumOf(one.lines);
      const monthlyUsd = hourlyUsd === null ? null : hourlyUsd * HOURS_PER_MONTH;
      return { ...one, stack, standing: standing.has(stack), hourlyUsd, monthlyUsd, reason };
    }),
  };
}

const flat = async <T>(all: readonly Promise<T | readonly T[]>[]): Promise<T[]> =>
  (await Promise.all(all)).flat() as T[];

/** The command that stops the cost of an orphaned resource. */
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
  const left = own
    .filter(({ standing }) => !standing)
    .map((one) => {
      const bill = `${one.id} of ${one.stack}, ${one.what}: ${priceOf([one])}; its stack is gone`;
      return wrong(NAME, 'limited', bill, 'if nobody needs its data, delete it', remedyOf(one));
    });
  const deployed = [
    ...Map.groupBy(
      own.filter(({ standing }) => standing),
      ({ stack }) => stack,
    ),
  ].map(([stack, all]) => {
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
  return [
    ...(status.endsWith('_FAILED')
      ? [failure(status, reasons.join('; ') || (why ?? 'its events have the reason'))]
      : []),
    ...(expiry === null ? [] : [failure(expiry.what, expiry.reason)]),
  ];
}

/** The failure of the state machine that should delete a stack: its last attempt failed or hung, or nothing starts it. */
async function expiryFailure(
  account: Account,
  stateMachineArn: string | undefined,
  created: Date,
  now: Date,
): Promise<Pick<StackFailure, 'what' | 'reason'> | null> {
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
