import type { Account } from '../../../lib/common/aws/account';
import { findLeftovers, leftoverFindings, remedyOf } from '../../../lib/doctor/aws/leftovers';
import { PUBLISHED } from '../../../lib/price/prices';
import { recordedAccount } from '../recorded';

const tag = (Value: string) => [{ Key: 'aws:cloudformation:stack-name', Value }];

/** Tags of a bucket with an arm's files, and of one that is only called alike; no other may be asked for. */
function tagsOf(bucket: string): object {
  if (bucket === 'compressionbench-s3-abc')
    return { TagSet: [...tag('CompressionBench'), { Key: 'fsxbench:mountpoint-s3', Value: 'Storage-s3' }] };
  if (bucket === 'compressionbench-logs') throw Object.assign(new Error('no tags'), { name: 'NoSuchTagSet' });
  throw new TypeError(`the tags of ${bucket} are nobody's business`);
}

/** Log groups of our cluster and of somebody else's. */
const clusterLogs = ['ClusterBench-1a2b3c4d-202611230900', 'climate-202611230900']
  .map((name) => `/aws/parallelcluster/${name}`)
  .map((logGroupName) => ({ logGroupName, logGroupArn: logGroupName, storedBytes: 5e6, retentionInDays: 90 }));

/** An account with one of everything that a gone CompressionBench may leave, and the same of somebody else. */
function account(refused: readonly string[] = [], more: Readonly<Record<string, object>> = {}): Account {
  const base = recordedAccount('all-well').account;
  const [ours, others] = [tag('CompressionBench'), tag('Website')];
  const answers: Readonly<Record<string, object>> = {
    'fsx:DescribeBackups': {
      Backups: [
        { BackupId: 'backup-1', Tags: ours, FileSystem: { FileSystemId: 'fs-1', FileSystemType: 'LUSTRE' } },
        { BackupId: 'backup-2', Tags: ours, FileSystem: { FileSystemId: 'fs-2', FileSystemType: 'WINDOWS' } },
        {
          BackupId: 'backup-3',
          SizeInBytes: 100 * 2 ** 30,
          // The final backup of an OpenZFS file system: no service copies AWS tags.
          Tags: [{ Key: 'fsxbench:stack', Value: 'StorageBench' }],
          FileSystem: { FileSystemId: 'fs-4', FileSystemType: 'OPENZFS' },
        },
        { BackupId: 'backup-4', FileSystem: { FileSystemId: 'fs-5', FileSystemType: 'LUSTRE', Tags: ours } },
        { BackupId: 'backup-5', Lifecycle: 'DELETED', Tags: ours, FileSystem: { FileSystemType: 'LUSTRE' } },
      ],
    },
    'ec2:DescribeVolumes': {
      Volumes: [
        {
          VolumeId: 'vol-1',
          VolumeType: 'gp3',
          Size: 100,
          Iops: 3000,
          Throughput: 125,
          State: 'available',
          Tags: ours,
        },
        { VolumeId: 'vol-2', VolumeType: 'gp3', Size: 100, State: 'in-use', Tags: others },
        { VolumeId: 'vol-3', VolumeType: 'st1', Size: 500, State: 'available', Tags: ours },
      ],
    },
    'ec2:DescribeSnapshots': { Snapshots: [{ SnapshotId: 'snap-1', VolumeId: 'vol-9', Tags: ours }] },
    'ec2:DescribeNatGateways': { NatGateways: [{ NatGatewayId: 'nat-1', Tags: ours }] },
    'ec2:DescribeAddresses': { Addresses: [{ AllocationId: 'eipalloc-1', Tags: ours }] },
    'elasticfilesystem:DescribeFileSystems': {
      FileSystems: [
        {
          FileSystemId: 'fs-3',
          ThroughputMode: 'elastic',
          SizeInBytes: { Value: 2 ** 40 },
          LifeCycleState: 'available',
          Tags: ours,
        },
      ],
    },
    'logs:DescribeLogGroups': {
      logGroups: [
        { logGroupName: 'CompressionBench-LogsABC', storedBytes: 3e6, retentionInDays: 30 },
        { logGroupName: '/aws/lambda/website' },
      ],
    },
    'cloudwatch:ListDashboards': {
      DashboardEntries: ['CompressionBench-us-east-1', 'CompressionBench-eu-west-1', 'Website-us-east-1'].map(
        (DashboardName) => ({ DashboardName }),
      ),
    },
    's3:ListBuckets': {
      Buckets: ['benchresults-bucket83908e77-abc', 'compressionbench-s3-abc', 'compressionbench-logs', 'website'].map(
        (Name) => ({ Name }),
      ),
    },
  };
  return {
    region: 'us-east-1',
    ask: async (call, input) => {
      if (refused.includes(call))
        throw Object.assign(new Error(`not authorized to perform: ${call}`), { name: 'AccessDeniedException' });
      // The answers above are of log groups without a prefix.
      const { logGroupNamePrefix: prefix } = input as { logGroupNamePrefix?: string };
      if (prefix !== undefined)
        return { logGroups: clusterLogs.filter((one) => one.logGroupName.startsWith(prefix)) } as never;
      if (call === 's3:GetBucketTagging') return tagsOf((input as { Bucket: string }).Bucket) as never;
      return (more[call] ?? answers[call] ?? (await base.ask(call, input))) as never;
    },
  };
}

const find = (refused?: readonly string[]) =>
  findLeftovers({ account: account(refused), region: 'us-east-1', book: PUBLISHED });

test('a service that does not answer is named, and nothing counts as absent for it', async () => {
  const left = await find(['ec2:DescribeSnapshots']);
  const { unknown, found, fileSystemsKnown } = left;
  expect(fileSystemsKnown).toBe(false);
  expect(unknown).toEqual([{ search: 'EBS', reason: expect.stringContaining('not authorized to perform') }]);
  expect(found.map(({ id }) => id)).toContain('nat-1');
  const states = leftoverFindings({ ...left, found: [] }, 'CompressionBench').map(({ state }) => state);
  expect(states).toEqual(['unknown']);
});

test('finds what a gone stack left in each service, and nothing of others', async () => {
  const { found, unknown } = await find();
  expect(unknown).toEqual([]);
  expect(found.map(({ id }) => id).sort()).toEqual([
    ...[
      '/aws/parallelcluster/ClusterBench-1a2b3c4d-202611230900',
      'CompressionBench-LogsABC',
      'CompressionBench-us-east-1',
      'backup-1',
      'backup-3',
      'backup-4',
      'benchresults-bucket83908e77-abc',
      'compressionbench-s3-abc',
      'eipalloc-1',
    ],
    ...['fs-3', 'nat-1', 'snap-1', 'vol-1', 'vol-3'],
  ]);
  expect(found.filter(({ kept }) => kept).map(({ id }) => id)).toEqual([
    'CompressionBench-LogsABC',
    'benchresults-bucket83908e77-abc',
  ]);
});

test('names the price where there is one, and otherwise the reason', async () => {
  const { found } = await find();
  const by = new Map(found.map((one) => [one.id, one]));
  // 100 GB-month of gp3, and 1 TiB of EFS: list prices of us-east-1.
  expect(by.get('vol-1')?.monthlyUsd).toBeCloseTo(8, 2);
  expect(by.get('fs-3')?.monthlyUsd).toBeCloseTo(0.3 * 1024, 0);
  expect(by.get('vol-3')).toMatchObject({ hourlyUsd: null, reason: 'volume: the price of st1 volumes is unknown' });
  expect(by.get('CompressionBench-LogsABC')?.what).toBe('log group, 3.0 MB, events expire after 30 days');
  expect(by.get('compressionbench-s3-abc')).toMatchObject({
    hourlyUsd: null,
    reason: expect.stringContaining('storage'),
  });
  expect(by.get('backup-1')).toMatchObject({ hourlyUsd: null, reason: expect.stringContaining('how much a backup') });
  expect(by.get('backup-3')).toMatchObject({
    what: 'backup of fs-4',
    stack: 'StorageBench',
    standing: false,
    monthlyUsd: expect.closeTo(5, 9),
    remove: 'aws fsx delete-backup --backup-id backup-3 --region us-east-1',
  });
});

test('an instance on demand has its price, and one of Spot none, which changes', async () => {
  const instance = (InstanceId: string, more: object = {}) => ({
    InstanceId,
    InstanceType: 'c5n.9xlarge',
    Tags: tag('CompressionBench'),
    ...more,
  });
  const Instances = [instance('i-1'), instance('i-2', { InstanceLifecycle: 'spot' })];
  const answers = { 'ec2:DescribeInstances': { Reservations: [{ Instances }] } };
  const { found } = await findLeftovers({ account: account([], answers), region: 'us-east-1', book: PUBLISHED });
  expect(found.filter(({ what }) => what === 'instance c5n.9xlarge')).toMatchObject([
    { id: 'i-1', hourlyUsd: expect.closeTo(1.944 + (7 * 0.3) / 730, 9) },
    { id: 'i-2', hourlyUsd: null, reason: expect.stringContaining('Spot changes') },
  ]);
});

test('finds what costs money already or still, with its price and its command, and nothing that is free or gone', async () => {
  const Tags = tag('CompressionBench');
  const states = (...all: string[]) => all.map((state) => ({ state, id: `${state}-1` }));
  const instances = states('pending', 'running', 'stopping', 'stopped', 'shutting-down', 'terminated');
  const gateways = states('pending', 'available', 'failed', 'deleting', 'deleted');
  const all: Readonly<Record<string, { key: string; those: readonly object[] }>> = {
    'ec2:DescribeInstances': {
      key: 'Reservations',
      those: instances.map(({ id, state: Name }) => ({ InstanceId: `i-${id}`, State: { Name }, Tags })),
    },
    'ec2:DescribeNatGateways': {
      key: 'NatGateways',
      those: gateways.map(({ id, state: State }) => ({ NatGatewayId: `nat-${id}`, State, Tags })),
    },
    'ec2:DescribeVpcEndpoints': {
      key: 'VpcEndpoints',
      those: ['Interface', 'Gateway'].map((VpcEndpointType) => ({
        VpcEndpointId: `vpce-${VpcEndpointType}`,
        ServiceName: 'com.amazonaws.us-east-1.logs',
        VpcEndpointType,
        Tags,
      })),
    },
  };
  type Described = { State?: string | { Name: string }; VpcEndpointType?: string; Tags: { Key: string }[] };
  const valuesOf = ({ State, VpcEndpointType, Tags: own }: Described): Record<string, unknown[]> => ({
    'tag-key': own.map(({ Key }) => Key),
    'instance-state-name': [(State as { Name?: string } | undefined)?.Name],
    state: [State],
    'vpc-endpoint-type': [VpcEndpointType],
  });
  const base = account();
  // As EC2 does, it answers with what passes every filter.
  const ask: Account['ask'] = async (call, input) => {
    const asked = all[call];
    if (asked === undefined) return base.ask(call, input);
    type Filters = { Name: string; Values: string[] }[];
    const { Filters = [], Filter = Filters } = input as { Filters?: Filters; Filter?: Filters };
    const those = asked.those.filter((one) =>
      Filter.every(({ Name, Values }) =>
        valuesOf(one as Described)[Name]?.some((value) => Values.includes(value as string)),
      ),
    );
    return { [asked.key]: asked.key === 'Reservations' ? [{ Instances: those }] : those } as never;
  };
  const { found } = await findLeftovers({ account: { ...base, ask }, region: 'us-east-1', book: PUBLISHED });
  const own = new Map(found.map((one) => [one.id, one]));
  expect([...own.keys()].filter((id) => /^(i|nat|vpce)-/.test(id)).sort()).toEqual([
    ...['i-pending-1', 'i-running-1', 'i-stopping-1', 'nat-available-1', 'nat-pending-1', 'vpce-Interface'],
  ]);
  expect(own.get('i-running-1')?.remove).toContain('--instance-ids i-running-1 ');
  expect(own.get('vpce-Interface')).toMatchObject({
    what: 'endpoint of com.amazonaws.us-east-1.logs',
    hourlyUsd: 0.01,
    remove: 'aws ec2 delete-vpc-endpoints --vpc-endpoint-ids vpce-Interface --region us-east-1',
  });
  expect(own.get('eipalloc-1')).toMatchObject({
    hourlyUsd: 0.005,
    remove: 'aws ec2 release-address --allocation-id eipalloc-1 --region us-east-1',
  });
  expect(own.get('CompressionBench-us-east-1')?.remove).toContain('--dashboard-names CompressionBench-us-east-1 ');
  expect(own.get('benchresults-bucket83908e77-abc')?.remove).toContain('s3://benchresults-bucket83908e77-abc ');
});

test('finds what a gone cluster left: nodes by our tag, for CloudFormation’s names the cluster, the rest by its name', async () => {
  const CLUSTER = 'ClusterBench-1a2b3c4d';
  const node = (InstanceId: string, ...Tags: object[]) => ({ InstanceId, InstanceType: 'm5.xlarge', Tags });
  const base = account([], {
    'ec2:DescribeInstances': {
      Reservations: [
        {
          Instances: [
            node('i-head', ...tag(CLUSTER), { Key: 'fsxbench:stack', Value: 'ClusterBench' }),
            node('i-theirs', ...tag('climate')),
          ],
        },
      ],
    },
    'cloudwatch:ListDashboards': {
      DashboardEntries: [{ DashboardName: `${CLUSTER}-us-east-1` }, { DashboardName: 'climate-us-east-1' }],
    },
    'route53:ListHostedZones': {
      HostedZones: [
        { Id: '/hostedzone/Z1', Name: 'clusterbench-1a2b3c4d.pcluster.' },
        { Id: '/hostedzone/Z2', Name: 'climate.pcluster.' },
        { Id: '/hostedzone/Z3', Name: 'clusterbench-club.example.' },
      ],
    },
  });
  const { found, unknown } = await findLeftovers({ account: base, region: 'us-east-1', book: PUBLISHED });
  expect(unknown).toEqual([]);
  const own = found.filter(({ stack }) => stack === 'ClusterBench');
  expect(own.map(({ id }) => id)).toEqual([
    `/aws/parallelcluster/${CLUSTER}-202611230900`,
    'Z1',
    'i-head',
    `${CLUSTER}-us-east-1`,
  ]);
  const by = new Map(own.map((one) => [one.id, one]));
  expect(by.get('Z1')).toMatchObject({ monthlyUsd: 0.5, remove: 'aws route53 delete-hosted-zone --id Z1' });
  expect(by.get(`${CLUSTER}-us-east-1`)).toMatchObject({ what: 'dashboard', monthlyUsd: expect.closeTo(3, 9) });
  expect(found.map(({ id }) => id).filter((id) => /theirs|climate|Z2|Z3/.test(id))).toEqual([]);
});

test('doctor lists them with the command that removes each, except what is kept on purpose', async () => {
  const findings = leftoverFindings(await find(), 'CompressionBench');
  expect(findings).toHaveLength(12);
  expect(findings.find(({ found }) => found.startsWith('nat-1'))).toMatchObject({
    state: 'limited',
    found: expect.stringMatching(/^nat-1 of CompressionBench, NAT gateway: 0\.0\d USD\/h; its stack is gone$/),
    command: 'aws ec2 delete-nat-gateway --nat-gateway-id nat-1 --region us-east-1',
  });
});

describe('a stack that stands', () => {
  const NOW = new Date('2026-11-23T12:00:00Z');
  const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
  const resource = (LogicalResourceId: string, ResourceType: string, more: object = {}) => ({
    LogicalResourceId,
    ResourceType,
    PhysicalResourceId: `arn:${LogicalResourceId}`,
    ResourceStatus: 'CREATE_COMPLETE',
    ...more,
  });
  const MACHINE = resource('ExpiryMachine1', 'AWS::StepFunctions::StateMachine');
  const execution = (status: string, minutes: number) => ({
    executionArn: `arn:${status}`,
    status,
    startDate: ago(minutes + 1),
    stopDate: ago(minutes),
  });
  /** The failures of CompressionBench in such a state. */
  const failures = async (
    StackStatus: string,
    resources: readonly object[],
    executions: readonly object[] = [],
    refused: readonly string[] = [],
  ) => {
    const base = account(refused, {
      'cloudformation:ListStackResources': { StackResourceSummaries: resources },
      'states:ListExecutions': { executions },
      'states:DescribeExecution': { error: 'NotDeleted', cause: 'i-1, Failed: disk full' },
    });
    const Stacks = [
      { StackName: 'CompressionBench', StackStatus, StackStatusReason: 'limit reached', CreationTime: ago(600) },
    ];
    const ask: Account['ask'] = async (call, input) => {
      const { StackName, stateMachineArn } = input as { StackName?: string; stateMachineArn?: string };
      const own = StackName === 'CompressionBench';
      // Nothing has started the launch guard.
      if (stateMachineArn?.includes('Guard')) return { executions: [] } as never;
      return call === 'cloudformation:DescribeStacks' && own ? ({ Stacks } as never) : base.ask(call, input);
    };
    return findLeftovers({ account: { ...base, ask }, region: 'us-east-1', book: PUBLISHED }, NOW);
  };
  const works = execution('SUCCEEDED', 5);

  test('says why its deletion failed, resource by resource, and doctor says so, too', async () => {
    const found = await failures('DELETE_FAILED', [
      resource('Storagelz4', 'AWS::FSx::FileSystem', {
        ResourceStatus: 'DELETE_FAILED',
        ResourceStatusReason: 'it has an association in use',
      }),
      resource('Gone', 'AWS::EC2::Subnet', { ResourceStatus: 'DELETE_COMPLETE' }),
    ]);
    expect(found.failures).toEqual([
      {
        stack: 'CompressionBench',
        what: 'DELETE_FAILED',
        reason: 'Storagelz4: it has an association in use',
        remove: 'npx cdk destroy CompressionBench',
      },
    ]);
    expect(leftoverFindings({ ...found, found: [] }, 'CompressionBench')).toMatchObject([
      { state: 'limited', found: 'CompressionBench: DELETE_FAILED: Storagelz4: it has an association in use' },
    ]);
  });

  test.each<[string, object[], object[]]>([
    ['failed in its last attempt', [works, execution('FAILED', 40)], [{ reason: 'i-1, Failed: disk full' }]],
    [
      'failed in one that is not repeated yet',
      [works, execution('FAILED', 70)],
      [{ reason: 'i-1, Failed: disk full' }],
    ],
    ['hung', [works, execution('TIMED_OUT', 40)], [{ what: 'its expiry failed at 2026-11-23T11:20:00.000Z' }]],
    ['failed long ago', [works, execution('FAILED', 600)], []],
    ['works', [works, execution('SUCCEEDED', 20)], []],
    ['was never started', [], [{ what: 'not checked by its expiry since 2026-11-23T02:00:00.000Z' }]],
    ['is no longer started', [execution('SUCCEEDED', 99)], [{ reason: 'its schedule starts nothing' }]],
  ])('whose expiry %s', async (_, executions, expected) => {
    // The launch guard's is started only where launches fail.
    const guard = resource('FleetLaunchGuardMachine1', 'AWS::StepFunctions::StateMachine');
    const found = await failures('CREATE_COMPLETE', [guard, MACHINE], executions);
    expect(found).toMatchObject({ failures: expected, unknown: [] });
  });

  test('is in use where it is to be deployed again, and costs what it costs where another is', async () => {
    const { found, ...rest } = await failures('CREATE_COMPLETE', [MACHINE], [works]);
    const own = found.filter(({ stack }) => stack === 'CompressionBench');
    const findingsFor = (name: string, some = own) => leftoverFindings({ ...rest, found: some }, name);
    const nothing = { name: 'left over', state: 'ok', found: 'nothing from an earlier run' };
    expect(findingsFor('CompressionBench')).toMatchObject([
      nothing,
      { name: 'in use', state: 'ok', found: expect.stringContaining('CompressionBench is deployed: 10 resources, ') },
    ]);
    expect(findingsFor('MetadataBench')).toMatchObject([
      nothing,
      { name: 'in use', state: 'limited', command: 'npx cdk destroy CompressionBench' },
    ]);
    // An unknown price is not nothing, and makes that of all unknown.
    const priced = own.filter(({ id }) => ['nat-1', 'eipalloc-1'].includes(id));
    expect(findingsFor('MetadataBench', priced)[1]?.found).toMatch(/: 2 resources, 0\.05 USD\/h$/);
    expect(findingsFor('MetadataBench')[1]?.found).toMatch(/, at an unknown price$/);
  });

  test('takes what it made with it, except what is kept on purpose, which nothing but its own command removes', async () => {
    const { found } = await failures('CREATE_COMPLETE', [MACHINE], [works]);
    const remedy = (id: string) => found.flatMap((one) => (one.id === id ? remedyOf(one) : []));
    expect(remedy('nat-1')).toEqual(['npx cdk destroy CompressionBench']);
    expect(remedy('CompressionBench-LogsABC')).toEqual([
      'aws logs delete-log-group --log-group-name CompressionBench-LogsABC --region us-east-1',
    ]);
    // The stack of StorageBench is gone.
    expect(remedy('backup-3')).toEqual(['aws fsx delete-backup --backup-id backup-3 --region us-east-1']);
  });

  test('counts for quotas as file systems only what is one', async () => {
    const { fileSystems } = await failures('CREATE_COMPLETE', [MACHINE], [works]);
    expect(fileSystems.map(({ id }) => id)).toEqual(['fs-3']);
  });

  test.each(['CREATE_FAILED', 'UPDATE_ROLLBACK_FAILED'])(
    'that is %s costs money, and has the reason',
    async (status) => {
      const resources = [resource('Fleet', 'AWS::EC2::Fleet', { ResourceStatus: 'CREATE_FAILED' })];
      expect((await failures(status, resources)).failures).toMatchObject([
        { what: status, reason: 'Fleet: CREATE_FAILED' },
      ]);
      expect((await failures(status, [])).failures).toMatchObject([{ reason: 'limit reached' }]);
    },
  );

  test('whose expiry is deleted already has none that could fail', async () => {
    const gone = { ...MACHINE, ResourceStatus: 'DELETE_COMPLETE' };
    const stuck = resource('Vpc', 'AWS::EC2::VPC', { ResourceStatus: 'DELETE_FAILED' });
    expect((await failures('DELETE_FAILED', [gone, stuck])).failures).toMatchObject([{ what: 'DELETE_FAILED' }]);
  });

  test.each(['DELETE_IN_PROGRESS', 'UPDATE_IN_PROGRESS'])('says nothing while it is %s', async (status) => {
    expect((await failures(status, [MACHINE])).failures).toEqual([]);
  });

  test('whose executions nobody may list is unknown, which hides nothing else', async () => {
    const found = await failures('CREATE_COMPLETE', [MACHINE], [], ['states:ListExecutions']);
    expect(found.unknown).toEqual([
      { search: 'failures of CompressionBench', reason: expect.stringMatching(/states:ListEx/) },
    ]);
    expect(found).toMatchObject({ failures: [], fileSystemsKnown: true });
  });
});

test('a stack that nobody may ask about may stand: it is destroyed before what it made is removed', async () => {
  const { found } = await find(['cloudformation:DescribeStacks']);
  expect(found.find(({ id }) => id === 'nat-1')).toMatchObject({ standing: true });
});
