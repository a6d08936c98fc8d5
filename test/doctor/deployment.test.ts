import type { Account } from '../../lib/common/aws/account';
import { isReadOnly } from '../../lib/doctor/aws/account';
import { bootIn } from '../../lib/doctor/deployment/machines';
import { knownStack } from '../../lib/doctor/deployment/stack';
import { deploymentStatus } from '../../lib/doctor/deployment/status';
import { launchFailureOf } from '../../lib/fleet/launchFailures';
import { recordedAccount } from './recorded';

const GROUP = 'FleetGroupASGF037160E';

async function statusOf(name: string, now = '2026-11-23T09:17:00Z') {
  const { account, asked } = recordedAccount(name, 'deployments');
  const stack = await knownStack(account, 'CompressionBench');
  if (stack === null) throw new Error('there is no such stack');
  const status = await deploymentStatus(account, stack, new Date(now));
  expect(asked.filter(({ call, input }) => !isReadOnly(call, input))).toEqual([]);
  return status;
}

test('a deployment that goes well: what it waits for, and how far machines have booted', async () => {
  const status = await statusOf('booting');
  expect(status).toMatchObject({
    outcome: 'in progress',
    startedAt: '2026-11-23T09:00:40.000Z',
    resources: {
      done: 3,
      inProgress: [{ id: GROUP, type: 'AWS::AutoScaling::AutoScalingGroup' }],
      failed: [],
    },
    groups: [{ id: GROUP, wanted: 2, inService: 2, signals: { success: 0, failure: 0 }, failedLaunches: [] }],
    problems: [],
    unknown: [],
  });
  expect(status.machines.map(({ name, state, step }) => [name, state, step])).toEqual([
    ['CompressionBench builder', 'terminated', 'the build cache is filled'],
    ['CompressionBench client', 'running', 'step mount-arms'],
    ['CompressionBench client', 'running', 'step install-packages'],
  ]);
});

test('one that is done', async () => {
  const status = await statusOf('done', '2026-11-23T12:00:00Z');
  expect(status).toMatchObject({
    outcome: 'deployed',
    problems: [],
    groups: [{ signals: { success: 2, failure: 0 } }],
  });
  expect(status.resources.inProgress).toEqual([]);
});

test('lacking capacity is told with the words of the scaling activities, and is hopeless after ten minutes', async () => {
  const soon = await statusOf('no-capacity', '2026-11-23T09:22:00Z');
  expect(soon).toMatchObject({
    outcome: 'in progress',
    problems: [
      {
        what: `${GROUP}: 0 of 2 instances`,
        since: '2026-11-23T09:13:42.000Z',
        found: expect.stringMatching(/^We currently do not have sufficient c5n\.large capacity /),
        cause: 'the zone has no capacity for so many instances of the type, or not so close together',
        advice: expect.stringContaining("another 'availabilityZone'"),
        command: 'npx fsxbench doctor --aws CompressionBench',
        final: false,
      },
    ],
  });
  expect((await statusOf('no-capacity', '2026-11-23T09:24:00Z')).outcome).toBe('cannot succeed');
});

test('a launch that failed before this deployment says nothing of it', async () => {
  const { outcome, problems, groups } = await statusOf('no-capacity-yesterday', '2026-11-23T09:24:00Z');
  expect([outcome, problems, groups[0]?.failedLaunches]).toEqual(['in progress', [], []]);
});

test('a quota may be free again when the builder is gone', async () => {
  const { outcome, problems } = await statusOf('quota');
  expect(outcome).toBe('in progress');
  expect(problems).toEqual([
    expect.objectContaining({ what: `${GROUP}: 1 of 2 instances`, cause: 'a quota on vCPUs', final: false }),
  ]);
});

test('a key that may not be used is hopeless at once', async () => {
  expect(await statusOf('key', '2026-11-23T09:15:00Z')).toMatchObject({
    outcome: 'cannot succeed',
    problems: [{ cause: "the account's key for EBS may not be used", final: true }],
  });
});

test('a boot that failed is told by its own error, though stack, group and instance are gone', async () => {
  const status = await statusOf('boot-failed', '2026-11-23T10:00:00Z');
  expect(status).toMatchObject({
    outcome: 'failed',
    status: 'DELETE_COMPLETE',
    groups: [{ wanted: null, signals: { success: 0, failure: 1 } }],
    resources: { failed: [{ id: GROUP }] },
  });
  expect(status.problems.map(({ what, found }) => [what, found])).toEqual([
    ['i-0c1b2c3d4e5f60711', 'mount: fs-0a1b2c3d4e5f60718 does not answer at 10.0.0.12@tcp: is port 988 open to it?'],
    [
      `${GROUP} (AWS::AutoScaling::AutoScalingGroup)`,
      expect.stringMatching(/^Received 1 FAILURE signal\(s\) out of 2\./),
    ],
  ]);
});

test('a boot that says nothing any more is told', async () => {
  const { problems, outcome } = await statusOf('booting', '2026-11-23T09:40:00Z');
  expect(outcome).toBe('in progress');
  expect(problems.map(({ what, found }) => [what, found])).toEqual([
    ['i-0c1b2c3d4e5f60711 (CompressionBench client)', 'silent for 23 minutes in step mount-arms'],
    ['i-0c1b2c3d4e5f60712 (CompressionBench client)', 'silent for 24 minutes in step install-packages'],
  ]);
});

test('what may not be asked is named, and hides nothing else', async () => {
  const { unknown, machines, resources } = await statusOf('denied');
  expect(unknown).toEqual([{ what: 'scaling activities', reason: expect.stringMatching(/^User: .* not authorized/) }]);
  expect(machines).toHaveLength(1);
  expect(resources.inProgress).toHaveLength(1);
});

test('a stack that never was is none', async () => {
  expect(await knownStack(recordedAccount('none', 'deployments').account, 'CompressionBench')).toBeNull();
});

test.each([
  ['VcpuLimitExceeded', 'quota'],
  ['Could not launch Spot Instances. MaxSpotInstanceCountExceeded - Max spot instance count exceeded.', 'quota'],
  ['Could not launch Spot Instances. UnfulfillableCapacity - Unable to fulfill capacity', 'capacity'],
  ['Could not launch On-Demand Instances. InsufficientInstanceCapacity - We currently do not have', 'capacity'],
  ['There is no Spot capacity available that matches your request. Launching EC2 instance failed.', 'capacity'],
  ['Client.InternalError: Client error on launch', 'key'],
  ['You are not authorized to perform this operation. … with an explicit deny in a service control policy', 'policy'],
  ["The image id '[ami-0a1b2c3d]' does not exist. Launching EC2 instance failed.", 'image'],
  ['Your requested instance type (c5n.large) is not supported in your requested Availability Zone', 'type'],
  ['Client.VolumeLimitExceeded: Volume limit exceeded', 'volumes'],
  ['There are not enough free addresses in subnet', 'addresses'],
  ['Received 0 SUCCESS signal(s) out of 2', undefined],
])('%s is known as %s', (message, id) => {
  expect(launchFailureOf(message)?.id).toBe(id);
});

test('reads boots of clients and of servers, whatever stands between their lines', () => {
  expect(
    bootIn([
      '2026-11-23T09:04:01Z boot: install-packages\n',
      'Installing: zfs-dkms',
      '2026-11-23T09:09:30Z install-packages: warning: a mirror does not answer',
    ]),
  ).toEqual({ step: 'install-packages', lastLineAt: '2026-11-23T09:09:30Z' });
  expect(bootIn(['no line of ours'])).toEqual({ step: null, lastLineAt: null });
});

describe('of a stack that stands', () => {
  const STACK = { id: 'arn:stack', name: 'CompressionBench', reason: null };
  const NOW = '2026-11-23T09:30:00Z';
  const time = (minute: number): Date => new Date(Date.UTC(2026, 10, 23, 9, minute));
  const event = (minute: number, LogicalResourceId: string, change: object) => ({
    Timestamp: time(minute),
    LogicalResourceId,
    PhysicalResourceId: `${LogicalResourceId}-1`,
    ...change,
  });
  const group = { ResourceType: 'AWS::AutoScaling::AutoScalingGroup', ResourceStatus: 'CREATE_IN_PROGRESS' };
  const begun = event(0, 'CompressionBench', {
    PhysicalResourceId: STACK.id,
    ResourceType: 'AWS::CloudFormation::Stack',
    ResourceStatus: 'CREATE_IN_PROGRESS',
  });
  const activity = (minute: number, StatusMessage: string, Description = 'Launching a new EC2 instance') => ({
    StatusCode: 'Failed',
    StartTime: time(minute),
    StatusMessage,
    Description,
  });
  const serving = (count: number) => ({
    DesiredCapacity: 2,
    Instances: [
      ...Array.from({ length: count }, () => ({ LifecycleState: 'InService' })),
      { LifecycleState: 'Pending' },
    ],
  });
  const machine = (InstanceId: string, stack: string, State: string) => ({
    InstanceId,
    State: { Name: State },
    StateReason: { Message: 'Client.UserInitiatedShutdown' },
    Tags: [{ Key: 'aws:cloudformation:stack-name', Value: stack }],
  });

  /** The status by the answers to each call; none means that there is nothing of the kind. */
  async function status(answers: Readonly<Record<string, object>>, state = 'CREATE_IN_PROGRESS') {
    const asked: Record<string, unknown> = {};
    const account = {
      region: 'us-east-1',
      ask: async (call: string, input: unknown) => {
        asked[call] = input;
        const answer = answers[call] ?? {};
        if (answer instanceof Error) throw answer;
        return answer;
      },
    } as unknown as Account;
    return { asked, ...(await deploymentStatus(account, { ...STACK, status: state }, new Date(NOW))) };
  }
  const withEvents = (...events: object[]) => ({
    'cloudformation:DescribeStackEvents': { StackEvents: [...events, begun] },
  });

  test('a failed launch is told by its last words; what was ended says nothing, nor does a group that has all', async () => {
    const answers = (inService: number) => ({
      ...withEvents(event(1, 'Fleet', group)),
      'autoscaling:DescribeAutoScalingGroups': { AutoScalingGroups: [serving(inService)] },
      'autoscaling:DescribeScalingActivities': {
        Activities: [
          activity(28, 'VcpuLimitExceeded'),
          activity(27, 'InsufficientInstanceCapacity'),
          activity(26, 'cannot be ended', 'Terminating EC2 instance'),
        ],
      },
    });
    const { problems, asked } = await status(answers(1));
    expect(problems.map(({ what, found, since }) => [what, found, since])).toEqual([
      ['Fleet: 1 of 2 instances', 'VcpuLimitExceeded', time(27).toISOString()],
    ]);
    // The history of one that is gone tells why.
    expect(asked['autoscaling:DescribeScalingActivities']).toMatchObject({ IncludeDeletedGroups: true });
    expect((await status(answers(2))).problems).toEqual([]);
  });

  test('each group has its own signals', async () => {
    const signal = (id: string, word: string) =>
      event(5, id, { ...group, ResourceStatusReason: `Received ${word} signal with UniqueId i-1` });
    const { groups } = await status(
      withEvents(signal('Fleet', 'SUCCESS'), signal('Servers', 'FAILURE'), event(1, 'Fleet', group)),
    );
    expect(groups.map(({ id, signals }) => [id, signals])).toEqual([
      ['Fleet', { success: 1, failure: 0 }],
      ['Servers', { success: 0, failure: 1 }],
    ]);
  });

  test('only its own machines are listed; why one ended is said only of one that did', async () => {
    const Instances = [
      machine('i-1', 'CompressionBench', 'running'),
      machine('i-2', 'MetadataBench', 'running'),
      machine('i-3', 'CompressionBench', 'terminated'),
    ];
    const { machines } = await status({ ...withEvents(), 'ec2:DescribeInstances': { Reservations: [{ Instances }] } });
    expect(machines.map(({ id, stateReason }) => [id, stateReason])).toEqual([
      ['i-1', undefined],
      ['i-3', 'Client.UserInitiatedShutdown'],
    ]);
  });

  const logs = event(1, 'Logs', { ResourceType: 'AWS::Logs::LogGroup', ResourceStatus: 'CREATE_COMPLETE' });

  test('boots are read from the end of their logs; a log group that is not there yet hides nothing', async () => {
    const instances = {
      'ec2:DescribeInstances': { Reservations: [{ Instances: [machine('i-1', 'CompressionBench', 'running')] }] },
    };
    const absent = Object.assign(new Error('no such group'), { name: 'ResourceNotFoundException' });
    const early = await status({ ...withEvents(logs), ...instances, 'logs:DescribeLogStreams': absent });
    expect([early.unknown, early.machines.map(({ step }) => step)]).toEqual([[], [null]]);
    const { asked, problems } = await status({
      ...withEvents(logs),
      'ec2:DescribeInstances': { Reservations: [{ Instances: [machine('i-1', 'CompressionBench', 'stopped')] }] },
      'logs:DescribeLogStreams': { logStreams: [{ logStreamName: 'i-1/boot' }] },
      'logs:GetLogEvents': { events: [{ message: '2026-11-23T09:04:01Z boot: step mount-arms' }] },
    });
    expect(asked['logs:GetLogEvents']).toMatchObject({ logStreamName: 'i-1/boot', startFromHead: false });
    // It is silent because it was stopped.
    expect(problems).toEqual([]);
  });

  test('an update that only cleans up is deployed', async () =>
    expect((await status(withEvents(), 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS')).outcome).toBe('deployed'));

  test('a resource that could not be made for no known cause sends nobody to doctor', async () => {
    const failed = event(2, 'Topic', {
      ResourceType: 'AWS::SNS::Topic',
      ResourceStatus: 'CREATE_FAILED',
      ResourceStatusReason: 'Invalid parameter',
    });
    expect((await status(withEvents(failed))).problems).toEqual([
      expect.objectContaining({
        what: 'Topic (AWS::SNS::Topic)',
        found: 'Invalid parameter',
        command: null,
        final: true,
      }),
    ]);
  });
});
