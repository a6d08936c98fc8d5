import jsonata from 'jsonata';
import { launchGuardDefinition } from '../../../../lib/constructs/fleet/ec2/launchGuard';
import { ofType, type Resource, resourcesOf, stacksWith } from '../../../support/cdk';

const all = resourcesOf(stacksWith().bench);
const only = (type: string, name = ''): [string, Resource] =>
  ofType(all, type).find(([id]) => id.includes(name)) as [string, Resource];

test('is there before the first instance is started, and knows its group without waiting for it', () => {
  const [groupId, group] = only('AWS::AutoScaling::AutoScalingGroup');
  const [ruleId, rule] = only('AWS::Events::Rule', 'LaunchGuard');
  expect(group.DependsOn).toContain(ruleId);
  expect(JSON.stringify(rule)).not.toContain(`{"Ref":"${groupId}"}`);
  expect(rule.Properties.EventPattern).toEqual({
    source: ['aws.autoscaling'],
    'detail-type': ['EC2 Instance Launch Unsuccessful'],
    detail: {
      AutoScalingGroupName: [{ prefix: { 'Fn::Join': ['', [{ Ref: 'AWS::StackName' }, `-${groupId}-`]] } }],
    },
  });
  const [, machine] = only('AWS::StepFunctions::StateMachine', 'LaunchGuard');
  const [conditionId] = only('AWS::CloudFormation::WaitCondition');
  const told = [...JSON.stringify(machine.Properties.DefinitionString).matchAll(/LogicalResourceId\\":\\"(\w+)/g)];
  expect(told.map(([, id]) => id)).toEqual([conditionId, groupId]);
});

describe('the state machine', () => {
  const { States } = launchGuardDefinition({
    partition: 'aws',
    stackId: 'stack',
    group: 'Group',
    waitCondition: 'Condition',
  });
  const states = States as Record<
    string,
    { Seconds: number; Assign: { lacking: string; reason: string }; Next: string }
  >;
  const lacking = (AutoScalingGroups: readonly object[]): Promise<unknown> =>
    jsonata(states.Look?.Assign.lacking.replace(/^\{% | %\}$/g, '') ?? '').evaluate(
      {},
      { states: { result: { AutoScalingGroups } } },
    );
  const group = (DesiredCapacity: number, ...lifecycle: readonly string[]) => ({
    DesiredCapacity,
    Instances: lifecycle.map((LifecycleState, index) => ({ InstanceId: `i-${index}`, LifecycleState })),
  });

  test.each<[string, readonly object[], boolean]>([
    ['no instance could be started', [group(8)], true],
    ['one is missing', [group(2, 'InService')], true],
    ['one is started again and again, and ends', [group(2, 'InService', 'Pending')], true],
    ['all are there after another attempt', [group(2, 'InService', 'InService')], false],
    ['the group is gone', [], false],
  ])('%s', async (_, groups, expected) => {
    expect(await lacking(groups)).toBe(expected);
  });

  test("tells EC2's reason as the id of its signals, which the events show", async () => {
    const StatusMessage =
      'We currently do not have sufficient c5n.18xlarge capacity in the Availability Zone you requested (us-east-1a).';
    const reason = await jsonata(states.Look?.Assign.reason.replace(/^\{% | %\}$/g, '') ?? '').evaluate(
      {},
      { states: { input: { detail: { StatusMessage } } } },
    );
    // The longest id that SignalResource accepts.
    expect(reason).toHaveLength(64);
    expect(reason).toMatch(/^launch: We currently do not have sufficient c5n\.18xlarge capacit/);
    expect(JSON.stringify([states.Signal, states.SignalGroup]).match(/\$reason/g)).toHaveLength(2);
  });

  test('leaves Auto Scaling ten minutes, a fraction of what the creation policy waits', () => {
    expect(states.Wait?.Seconds).toBe(600);
    const [, { CreationPolicy }] = only('AWS::AutoScaling::AutoScalingGroup');
    expect(CreationPolicy.ResourceSignal.Timeout).toBe('PT45M');
  });
});
