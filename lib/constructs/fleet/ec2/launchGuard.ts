import { Aws, Stack, Validations } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { allow, serviceRole } from '../../machine/role';

/**
 * Minutes from a failed launch to the end of the deployment, if instances are still missing (docs/decisions/launch-failures.md). Auto Scaling
 * retries: by then, the builder's quota is free, a new role is known everywhere, and capacity may be available.
 */
const PATIENCE_MINUTES = 10;

/**
 * State machine that waits, checks for all instances of a group, and if not signals failure to CloudFormation with EC2's reason.
 * @param guarded logical ids of the group and of the stack's wait condition
 */
export function launchGuardDefinition(guarded: {
  readonly partition: string;
  readonly stackId: string;
  readonly group: string;
  readonly waitCondition: string;
}): Record<string, unknown> {
  const { partition, stackId, group, waitCondition } = guarded;
  const retry = [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 5, MaxAttempts: 3, BackoffRate: 2 }];
  const short = "AutoScalingGroups[$count(Instances[LifecycleState = 'InService']) < DesiredCapacity]";
  const signal = (LogicalResourceId: string, next: string) => ({
    Type: 'Task',
    Resource: `arn:${partition}:states:::aws-sdk:cloudformation:signalResource`,
    Arguments: { StackName: stackId, LogicalResourceId, UniqueId: '{% $reason %}', Status: 'FAILURE' },
    Retry: retry,
    // CloudFormation no longer waits for signals: the stack has failed, or was deployed long ago and now lacks a client.
    Catch: [{ ErrorEquals: ['States.ALL'], Next: next }],
    Next: next,
  });
  return {
    QueryLanguage: 'JSONata',
    StartAt: 'Wait',
    States: {
      Wait: { Type: 'Wait', Seconds: PATIENCE_MINUTES * 60, Next: 'Look' },
      Look: {
        Type: 'Task',
        Resource: `arn:${partition}:states:::aws-sdk:autoscaling:describeAutoScalingGroups`,
        Arguments: { AutoScalingGroupNames: ['{% $states.input.detail.AutoScalingGroupName %}'] },
        Assign: {
          lacking: `{% $count($states.result.${short}) > 0 %}`,
          // A signal's id is the only text of SignalResource that an event shows; it has room for 64 characters.
          reason: "{% $substring('launch: ' & $states.input.detail.StatusMessage, 0, 64) %}",
        },
        Retry: retry,
        Next: 'Lacking',
      },
      Lacking: { Type: 'Choice', Choices: [{ Condition: '{% $lacking %}', Next: 'Signal' }], Default: 'Done' },
      // The event of a failed wait condition has the id of the signal; that of a failed group has only a count.
      Signal: signal(waitCondition, 'Printed'),
      Printed: { Type: 'Wait', Seconds: 60, Next: 'SignalGroup' },
      // An update does not wait for the condition, but for its groups.
      SignalGroup: signal(group, 'Done'),
      Done: { Type: 'Succeed' },
    },
  };
}

/** Ends a deployment whose group cannot start its instances; a creation policy would wait to its timeout (docs/decisions/launch-failures.md). */
export class LaunchGuard extends Construct {
  /** The group must be made after it. */
  readonly rule: events.CfnRule;

  /** @param guarded logical ids: a rule that referred to the group's name would be made when all is over */
  constructor(scope: Construct, id: string, guarded: { readonly group: string; readonly waitCondition: string }) {
    super(scope, id);
    const stack = Stack.of(this);
    const role = serviceRole(this, 'Role', 'states', 'Ends a deployment whose clients cannot be started', {
      LaunchGuard: [
        allow('Group', ['autoscaling:DescribeAutoScalingGroups'], ['*']),
        allow('Signal', ['cloudformation:SignalResource'], [Aws.STACK_ID]),
      ],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'autoscaling:DescribeAutoScalingGroups supports no narrower resource.',
    });
    const machine = new sfn.CfnStateMachine(this, 'Machine', {
      roleArn: role.roleArn,
      definitionString: stack.toJsonString(
        launchGuardDefinition({ partition: Aws.PARTITION, stackId: Aws.STACK_ID, ...guarded }),
      ),
    });
    Validations.of(machine).acknowledge(
      { id: 'AwsSolutions-SF1', reason: 'Step Functions keeps the history of each execution for 90 days.' },
      { id: 'AwsSolutions-SF2', reason: 'It calls two services one after the other: its history has every time.' },
    );
    const start = serviceRole(this, 'RuleRole', 'events', 'Starts the state machine that ends a deployment', {
      Start: [allow('Start', ['states:StartExecution'], [machine.ref])],
    });
    this.rule = new events.CfnRule(this, 'Rule', {
      description: `Launches of clients of ${stack.stackName} that fail`,
      // Fields: https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-event-reference.html
      eventPattern: {
        source: ['aws.autoscaling'],
        'detail-type': ['EC2 Instance Launch Unsuccessful'],
        // CloudFormation names a group after its stack and its logical id (CloudFormation guide, resources-section-structure).
        detail: { AutoScalingGroupName: [{ prefix: `${Aws.STACK_NAME}-${guarded.group}-` }] },
      },
      targets: [{ id: 'LaunchGuard', arn: machine.ref, roleArn: start.roleArn }],
    });
  }
}
