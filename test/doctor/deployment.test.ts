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
