import type { StackEvent } from '@aws-sdk/client-cloudformation';
import { type Account, askAll } from '../../common/aws/account';
import { timeOf } from './stack';

/** A launch without an instance in service. */
export interface FailedLaunch {
  /** In ISO 8601. */
  readonly at: string;
  readonly message: string;
}

/** An Auto Scaling group of a deployment. */
export interface GroupStatus {
  /** Its logical id. */
  readonly id: string;
  readonly name: string;
  /** Instances; `null` for a group that is gone. */
  readonly wanted: number | null;
  readonly inService: number;
  /** Instances that have told CloudFormation how their boot went. */
  readonly signals: { readonly success: number; readonly failure: number };
  /** Since the deployment began, the oldest first. */
  readonly failedLaunches: readonly FailedLaunch[];
}

/** CloudFormation's event for each signal. */
const SIGNAL = /^Received (SUCCESS|FAILURE) signal with UniqueId /;

/** The groups that a deployment made or changed, also those that are gone: Auto Scaling keeps their history for six weeks. */
export async function groupsOf(account: Account, events: readonly StackEvent[], begun: number): Promise<GroupStatus[]> {
  const own = events.filter(({ ResourceType }) => ResourceType === 'AWS::AutoScaling::AutoScalingGroup');
  const names = new Map(
    own.flatMap(({ LogicalResourceId: id = '', PhysicalResourceId: name = '' }) => (name === '' ? [] : [[id, name]])),
  );
  return Promise.all(
    [...names].map(async ([id, name]): Promise<GroupStatus> => {
      const { AutoScalingGroups: [group] = [] } = await account.ask('autoscaling:DescribeAutoScalingGroups', {
        AutoScalingGroupNames: [name],
      });
      const activities = await askAll(
        account,
        'autoscaling:DescribeScalingActivities',
        { AutoScalingGroupName: name, IncludeDeletedGroups: true },
        'Activities',
      );
      const said = own.filter(({ LogicalResourceId }) => LogicalResourceId === id);
      const signals = said.flatMap(({ ResourceStatusReason = '' }) => SIGNAL.exec(ResourceStatusReason)?.[1] ?? []);
      return {
        id,
        name,
        wanted: group?.DesiredCapacity ?? null,
        inService: (group?.Instances ?? []).filter(({ LifecycleState }) => LifecycleState === 'InService').length,
        signals: {
          success: signals.filter((one) => one === 'SUCCESS').length,
          failure: signals.filter((one) => one === 'FAILURE').length,
        },
        failedLaunches: activities
          .filter(({ StatusCode, StartTime, Description = '' }) => {
            const failed = StatusCode === 'Failed' || StatusCode === 'Cancelled';
            return failed && /^Launching/.test(Description) && timeOf(StartTime) >= begun;
          })
          .map(({ StartTime, StatusMessage = '' }) => ({
            at: new Date(timeOf(StartTime)).toISOString(),
            message: StatusMessage,
          }))
          .sort((a, b) => (a.at < b.at ? -1 : 1)),
      };
    }),
  );
}
