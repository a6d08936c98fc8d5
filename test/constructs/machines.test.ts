import { Aws, Fn, Lazy } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import jsonata from 'jsonata';
import { offloadBench } from '../../lib/benchmark/offload';
import { LIMITS } from '../../lib/common/aws/services';
import { compositeAlarm } from '../../lib/constructs/dashboard/watch';
import { launchGuardDefinition } from '../../lib/constructs/fleet/ec2/launchGuard';
import { buildEnvironment, cloudConfig, machineUserData } from '../../lib/constructs/machine/userData';
import { moosefsStacks } from '../storage/moosefs/bench';
import { emptyStack, ofType, type Resource, resourcesOf, stacksWith, templateOf, theOnly } from '../support/cdk';

const arnOf = (name: string): string => `arn:aws:cloudwatch:us-east-1:111122223333:alarm:${name}`;

test('a composite alarm goes off while all of its alarms do, but none of those that it excludes', () => {
  const stack = emptyStack();
  const alarm = (name: string) => cloudwatch.Alarm.fromAlarmArn(stack, name, arnOf(name));
  const [a, b, c] = [alarm('a'), alarm('b'), alarm('c')];
  // With the longest name that CloudWatch takes.
  const title = 'x'.repeat(255 - `, input only (${stack.stackName})`.length);
  compositeAlarm(stack, 'Both', { title, meaning: 'Both.', section: 'both', all: [a, b], none: [c] });
  const [[, { Properties }] = ['', { Properties: {} }]] = ofType(resourcesOf(stack), 'AWS::CloudWatch::CompositeAlarm');
  expect(Properties.AlarmRule).toBe(
    `(ALARM("${arnOf('a')}") AND ALARM("${arnOf('b')}") AND (NOT (ALARM("${arnOf('c')}"))))`,
  );
});

describe('the launch guard', () => {
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
      detail: { AutoScalingGroupName: [{ prefix: { 'Fn::Join': ['', [{ Ref: 'AWS::StackName' }, `-${groupId}-`]] } }] },
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
});

describe.each([
  ['MooseFS', moosefsStacks().bench],
  ['Lustre on ZFS', stacksWith({}, undefined, {}, offloadBench).bench],
])('the wait condition of a stack with servers of %s', (_, bench) => {
  const resources = resourcesOf(bench);

  test('waits for each client, the builder and each server, and for nothing else', () => {
    const condition = theOnly(resources, 'AWS::CloudFormation::WaitCondition');
    expect(condition).not.toHaveProperty('DependsOn');
    const { MinSize } = theOnly(resources, 'AWS::AutoScaling::AutoScalingGroup').Properties;
    const instances = ofType(resources, 'AWS::EC2::Instance').length;
    expect(instances).toBeGreaterThan(1);
    expect(templateOf(bench).Parameters[condition.Properties.Count.Ref]).toMatchObject({
      Type: 'Number',
      Default: Number(MinSize) + instances,
    });
  });

  test('has its address in the user data of every machine', () => {
    const [handleId] = ofType(resources, 'AWS::CloudFormation::WaitConditionHandle').map(([id]) => id);
    const templates = ofType(resources, 'AWS::EC2::LaunchTemplate');
    expect(templates.length).toBeGreaterThan(2);
    for (const [, { Properties }] of templates)
      expect(JSON.stringify(Properties)).toMatch(new RegExp(`export FSXBENCH_SIGNAL_URL='",\\{"Ref":"${handleId}"\\}`));
  });
});

describe('user data', () => {
  const render = (environment: Record<string, string>, script = '#!/bin/bash\ntrue\n') =>
    machineUserData(environment, script).render();

  test('sets the environment before the script, in the one form that cloud-init can check', () => {
    expect(render({ A: '1', B: 'two' }, '#!/bin/bash\nmain "$@"\n')).toBe(
      cloudConfig("#!/bin/bash\nexport A='1'\nexport B='two'\n#!/bin/bash\nmain \"$@\"\n"),
    );
  });

  test('lets no value end its quotes', () => {
    expect(render({ A: "it's $HOME; `id`" })).toContain("export A='it'\\''s $HOME; `id`'\n");
  });

  /** The text of a value as CloudFormation makes it, with a word for each reference. */
  function filledIn(value: unknown): string {
    if (typeof value === 'string') return value;
    const { 'Fn::Join': join, 'Fn::Sub': sub } = value as { 'Fn::Join'?: [string, unknown[]]; 'Fn::Sub'?: string };
    return join === undefined ? (sub ?? '<name>') : join[1].map(filledIn).join(join[0]);
  }

  test.each<[string, string, string]>([
    ['Lazy', Lazy.string({ produce: () => "echo 'a'\necho b" }), "echo '\\''a'\\''\n      echo b"],
    ['Fn.join', Fn.join("'", ["it'", Aws.STACK_NAME, 'a\nb']), "it'\\'''\\''<name>'\\''a\n      b"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills it in
    ['Fn.sub', Fn.sub("echo '${AWS::StackName}'\nid"), "echo '\\''${AWS::StackName}'\\''\n      id"],
  ])('lets no word of a value that comes later end its quotes or its block: %s', (_, value, expected) => {
    const text = filledIn(emptyStack().resolve(Fn.base64(render({ A: value })))['Fn::Base64']);
    expect(text).toContain(`export A='${expected}'\n`);
  });

  test('refuses more than EC2 takes, with the figure', () => {
    const script = 'x'.repeat(LIMITS.userDataBytes.max - cloudConfig('#!/bin/bash\nx').length + 1);
    expect(() => render({}, script)).not.toThrow();
    expect(() => render({}, `${script}x`)).toThrow(
      'user data must be at most 16384 bytes, got 16385. Move what can wait into the bundle that it downloads (assets/client).',
    );
  });

  test('counts bytes, not characters', () => {
    expect(() => render({}, 'ß'.repeat(8192))).toThrow(`got ${16_384 + cloudConfig('#!/bin/bash\nx').length - 1}`);
  });

  test('allows for the length of what CloudFormation fills in', () => {
    const token = Lazy.string({ produce: () => 'fs-0a1b2c3d4e5f60718' });
    const rest = LIMITS.userDataBytes.max - cloudConfig("#!/bin/bash\nexport A=''\nx").length + 1 - 128;
    expect(() => render({ A: token }, 'x'.repeat(rest))).not.toThrow();
    expect(() => render({ A: token }, 'x'.repeat(rest + 1))).toThrow('got 16385');
  });

  test('says what differs from the build that the scripts make by themselves, and no more', () => {
    const versions = { iorVersion: '3.3.0', openMpiVersion: '4.1.8' };
    const said = { FSXBENCH_IOR_VERSION: '3.3.0', FSXBENCH_OPENMPI_VERSION: '4.1.8' };
    expect(buildEnvironment({ ...versions, install: 'source', mpiEfa: false })).toEqual(said);
    expect(buildEnvironment({ ...versions, install: 'spack', mpiEfa: true })).toEqual({
      ...said,
      FSXBENCH_INSTALL: 'spack',
      FSXBENCH_MPI_EFA: 'true',
    });
  });
});
