import type { StackEvent } from '@aws-sdk/client-cloudformation';
import { type Account, askAll } from '../../common/aws/account';
import { stackNamed } from '../aws/check';

/** A stack as CloudFormation knows it, deleted or not. */
export interface KnownStack {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly reason: string | null;
}

/** The stack of a name, or the last deleted one, whose events are kept for 90 days; `null` if there was none. */
export async function knownStack(account: Account, name: string): Promise<KnownStack | null> {
  const stack = await stackNamed(account, name);
  if (stack?.StackId !== undefined) {
    const { StackId: id, StackStatus: status = 'unknown', StackStatusReason: reason = null } = stack;
    return { id, name, status, reason };
  }
  const deleted = await askAll(
    account,
    'cloudformation:ListStacks',
    { StackStatusFilter: ['DELETE_COMPLETE'] },
    'StackSummaries',
  );
  const [last] = deleted
    .filter(({ StackName }) => StackName === name)
    .sort((a, b) => timeOf(b.DeletionTime) - timeOf(a.DeletionTime));
  return last?.StackId === undefined ? null : { id: last.StackId, name, status: 'DELETE_COMPLETE', reason: null };
}

/** In milliseconds since 1970; recorded answers have texts. */
export const timeOf = (time: Date | string | undefined): number => (time === undefined ? 0 : new Date(time).getTime());

/** Begins a deployment; deleting one is the end of it. */
const BEGINS = /^(CREATE|UPDATE|REVIEW)_IN_PROGRESS$/;

/** The events of a stack's last deployment, the oldest first: its rollback and its deletion belong to it. */
export async function lastDeployment(account: Account, { id }: KnownStack): Promise<StackEvent[]> {
  const events: StackEvent[] = [];
  let NextToken: string | undefined;
  do {
    const page = await account.ask('cloudformation:DescribeStackEvents', { StackName: id, NextToken });
    for (const event of page.StackEvents ?? []) {
      events.unshift(event);
      const own = event.PhysicalResourceId === id && event.ResourceType === 'AWS::CloudFormation::Stack';
      if (own && BEGINS.test(event.ResourceStatus ?? '')) return events;
    }
    NextToken = page.NextToken;
  } while (NextToken);
  return events;
}
