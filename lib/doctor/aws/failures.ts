import type { Stack } from '@aws-sdk/client-cloudformation';
import { type Account, askAll } from '../../kit/aws/account';

/** A creation, a deletion or an expiry that failed: the stack stays, and costs money. */
export interface StackFailure {
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

/** Failures of a stack that stands; none while CloudFormation works on it. */
export async function failuresOf(account: Account, stack: Stack, now: Date): Promise<StackFailure[]> {
  const { StackName: name = '', StackStatus: status = '', StackStatusReason: why, CreationTime: created = now } = stack;
  if (status.endsWith('_IN_PROGRESS')) return [];
  const all = await askAll(
    account,
    'cloudformation:ListStackResources',
    { StackName: name },
    (page) => page.StackResourceSummaries,
  );
  const resources = all.filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE');
  const failure = (what: string, reason: string) => ({
    ...{ stack: name, what, reason, remove: `npx cdk destroy ${name}` },
  });
  // The fleet has one of its own (lib/fleet/ec2/construct/launchGuard.ts).
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
    return { what: `not looked at by its expiry since ${last.toISOString()}`, reason: 'its schedule starts nothing' };
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
