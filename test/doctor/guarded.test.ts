import { offloadBench } from '../../lib/benchmark/offload';
import { storageBench } from '../../lib/benchmark/storage';
import type { Settings } from '../../lib/config/fields';
import { examineRecorded } from './recorded';

const VPC = 'vpc-2d55a7c47dbdd414a';

describe('everything that is launched counts together', () => {
  test('clients that fit into their quota alone do not fit beside their builder', async () => {
    expect((await examineRecorded('sum-over-quota')).wrong).toMatchSnapshot();
  });

  test('a reservation that nobody uses counts on the quota', async () => {
    const { of } = await examineRecorded('reserved-elsewhere');
    expect(of('vCPU quota')).toEqual([
      expect.objectContaining({ state: 'missing', found: expect.stringContaining('in use: 864 of 1152 vCPUs') }),
    ]);
  });

  test('servers count on the quota of the clients, and their volumes with those of others', async () => {
    const { of } = await examineRecorded('servers', {}, { definition: storageBench });
    expect(of('vCPU quota')[0]?.found).toBe(
      'needed: 28, in use: 0 of 400 vCPUs (clients 8, builder 8, MooseFS master 4, MooseFS chunkservers 8)',
    );
    expect(of('EBS gp3 storage')).toMatchSnapshot();
    const big = await examineRecorded('servers', { availabilityZone: 'use1-az6' }, { definition: offloadBench });
    expect(big.of('vCPU quota')[0]).toMatchObject({
      state: 'missing',
      found: 'needed: 408, in use: 0 of 400 vCPUs (clients 144, builder 72, Lustre servers 192)',
    });
  });

  test('a type of servers that the zone lacks is found, with a zone that offers all types', async () => {
    const { of } = await examineRecorded('servers', {}, { definition: storageBench });
    expect(of('instance type')).toMatchSnapshot();
  });

  test('the image of servers is asked for as that of the clients', async () => {
    const settings = { availabilityZone: 'use1-az6' };
    const { of } = await examineRecorded('servers', settings, { definition: offloadBench });
    expect(of('image')).toMatchSnapshot();
    // Launches with an image are still tried.
    expect(of('dry run')[0]?.found).toBe('EC2 would start 2 × c5n.18xlarge (clients), 1 × c5n.18xlarge (builder)');
  });
});

test.each<[string, Settings]>([
  ['customer-key', {}],
  ['customer-key-granted', {}],
  ['customer-key-deleted', {}],
  // Its policy names Auto Scaling, and leaves nothing to IAM.
  ['customer-key-closed', {}],
  ['public-access-blocked', {}],
  ['public-access-blocked', { vpcId: VPC }],
  ['public-access-blocked', { egress: 'endpoints' }],
  ['public-access-excluded', { vpcId: VPC }],
  ['public-ingress-blocked', {}],
  ['allowed-amis', {}],
  ['allowed-amis-audited', {}],
  ['image-deprecated', { image: 'ami-03c3da4cfa8e8943a' }],
])('what is wrong in %s with %j', async (account, settings) => {
  expect((await examineRecorded(account, settings)).wrong).toMatchSnapshot();
});

test('a deprecated image boots', async () => {
  const { of } = await examineRecorded('image-deprecated', { image: 'ami-03c3da4cfa8e8943a' });
  expect(of('dry run')[0]).toMatchObject({ state: 'ok' });
});

test.each([
  ['another VPC', 'vpc-0123456789abcdef0', 'create-complete'],
  ['this VPC, of which it was taken back', VPC, 'delete-complete'],
])('an exclusion of %s lets nobody out', async (_, vpc, State) => {
  const ResourceArn = `arn:aws:ec2:us-east-1:123456789012:vpc/${vpc}`;
  const instead = {
    'ec2:DescribeVpcBlockPublicAccessExclusions': { VpcBlockPublicAccessExclusions: [{ ResourceArn, State }] },
  };
  const { wrong } = await examineRecorded('public-access-excluded', { vpcId: VPC }, { instead });
  expect(wrong).toEqual([expect.objectContaining({ found: expect.stringContaining(`${VPC} is not excluded`) })]);
});

test("what an organization's policy denies is found before anything is deployed", async () => {
  const tags = { CostCenter: '42' };
  const { wrong, asked } = await examineRecorded('policy-denies', { tags });
  expect(wrong).toEqual(
    ['8 × c5n.9xlarge (clients)', '1 × c5n.9xlarge (builder)'].map((started) => ({
      name: 'dry run',
      state: 'missing',
      found: `a service control policy of the organization denies ${started}`,
      advice: "read what it requires; if that is tags, set 'tags' (-c tags=CostCenter=42)",
      command: 'aws sts decode-authorization-message --encoded-message AQoDYXdzEXAMPLE',
    })),
  );
  // As the stack would start them: policies ask for these.
  expect(asked.find(({ call }) => call === 'ec2:RunInstances')?.input).toMatchObject({
    DryRun: true,
    MetadataOptions: { HttpTokens: 'required' },
    BlockDeviceMappings: [{ Ebs: { Encrypted: true } }],
    TagSpecifications: ['instance', 'volume', 'network-interface'].map((ResourceType) => ({
      ResourceType,
      Tags: expect.arrayContaining([{ Key: 'CostCenter', Value: '42' }]),
    })),
  });
});

test.each<[string, string[]]>([
  ['guards-denied', ['VPC Block Public Access', 'image', 'EBS encryption']],
  ['key-denied', ['EBS encryption']],
])('%s: what may not be asked is never well', async (account, names) => {
  const { wrong } = await examineRecorded(account);
  expect(wrong.map(({ name, state }) => [name, state])).toEqual(names.map((name) => [name, 'unknown']));
  for (const { found } of wrong) expect(found).toMatch(/^not allowed: User: /);
});

describe('a dry run', () => {
  const error = (name: string, message: string): Error => Object.assign(new Error(message), { name });
  const requests = (asked: readonly { readonly call: string; readonly input: unknown }[]) =>
    asked.flatMap(({ call, input }) => (call === 'ec2:RunInstances' ? [input] : []));

  test('asks for all instances at once, and for Spot where they are bought so', async () => {
    const { asked } = await examineRecorded('all-well', { purchase: 'spot' });
    expect(requests(asked)).toEqual([
      expect.objectContaining({ MinCount: 8, MaxCount: 8, InstanceMarketOptions: { MarketType: 'spot' } }),
      expect.objectContaining({ MinCount: 1, InstanceMarketOptions: undefined }),
    ]);
  });

  test('that EC2 refuses is told once, with a command to try it, and is never said to be well', async () => {
    const refusal = error('InvalidParameterCombination', 'no such combination\nof parameters');
    const { of } = await examineRecorded('all-well', {}, { instead: { 'ec2:RunInstances': refusal } });
    expect(of('dry run')).toMatchSnapshot();
  });

  test('in an account without a default VPC cannot be made, which stops nothing', async () => {
    const none = error('VPCIdNotSpecified', 'No default VPC for this user');
    const { of } = await examineRecorded('all-well', {}, { instead: { 'ec2:RunInstances': none } });
    expect(of('dry run')).toMatchSnapshot();
  });
});

describe('an image of another architecture than its machines', () => {
  const Images = [{ ImageId: 'ami-0a1b2c3d4e5f60718', State: 'available', Architecture: 'arm64' }];
  const InstanceTypes = ['c5n.9xlarge', 'm5.xlarge'].map((InstanceType) => ({
    InstanceType,
    VCpuInfo: { DefaultVCpus: 2 },
    ProcessorInfo: { SupportedArchitectures: ['x86_64'] },
  }));
  const advices = async (settings: Settings) => {
    const InstanceTypeOfferings = InstanceTypes.map(({ InstanceType }) => ({ InstanceType, Location: 'use1-az6' }));
    const instead = {
      'ec2:DescribeImages': { Images },
      'ec2:DescribeInstanceTypes': { InstanceTypes },
      'ec2:DescribeInstanceTypeOfferings': { InstanceTypeOfferings },
    };
    const { of } = await examineRecorded('all-well', settings, { instead });
    return of('image').flatMap(({ found, advice }) => (found.includes('m5.xlarge') ? advice : []));
  };

  test('is changed by the setting of the image, or of the type where the image is that of a service', async () => {
    const another = "leave out 'image' for the newest Amazon Linux 2023, or set another";
    expect(await advices({ instanceType: 'm5.xlarge' })).toEqual([another]);
    // The cluster's own image, and that of the machine which builds what its nodes run.
    expect(await advices({ fleet: 'parallelcluster' })).toEqual([
      "set 'headNodeInstanceType' to a type for arm64",
      another,
    ]);
  });
});

describe('a capacity reservation', () => {
  const settings: Settings = {
    purchase: 'capacity-reservation',
    capacityReservationId: 'cr-0a1b2c3d4e5f60718',
    availabilityZone: 'us-east-1a',
  };
  const RESERVED = {
    State: 'active',
    InstanceType: 'c5n.9xlarge',
    AvailableInstanceCount: 8,
    AvailabilityZone: 'us-east-1a',
  };
  const examined = async (change: object) => {
    const InstanceTypes = ['c5n.9xlarge', 'c5n.large'].map((InstanceType) => ({
      InstanceType,
      VCpuInfo: { DefaultVCpus: 2 },
      ProcessorInfo: { SupportedArchitectures: ['x86_64'] },
    }));
    const instead = {
      'ec2:DescribeInstanceTypes': { InstanceTypes },
      'ec2:DescribeCapacityReservations': { CapacityReservations: [{ ...RESERVED, ...change }] },
    };
    return examineRecorded('all-well', settings, { instead });
  };

  test('of exactly the clients will do, and is where the dry run tries them', async () => {
    const { of, asked } = await examined({});
    expect(of('capacity reservation')).toMatchSnapshot();
    const [clients] = asked.filter(({ call }) => call === 'ec2:RunInstances');
    expect(clients?.input).toMatchObject({
      CapacityReservationSpecification: {
        CapacityReservationTarget: { CapacityReservationId: 'cr-0a1b2c3d4e5f60718' },
      },
    });
  });

  test.each([
    [{ ReservationType: 'capacity-block' }, /^cr-\w+ is a Capacity Block$/],
    [
      { PlacementGroupArn: 'arn:aws:ec2:us-east-1:123456789012:placement-group/hpc' },
      /the placement group hpc, and 'placementGroup' is not set/,
    ],
    [{ EndDate: new Date('2020-01-01T00:00:00Z') }, /ends at 2020-01-01T00:00Z, and the stack lives for 24 h/],
  ])('that does not fit is refused in one sentence: %j', async (change, found) => {
    const { of } = await examined(change);
    expect(of('capacity reservation')).toEqual([
      expect.objectContaining({ state: 'missing', found: expect.stringMatching(found) }),
    ]);
  });

  test('that outlives the stack will do', async () => {
    const { of } = await examined({ EndDate: new Date('2099-01-01T00:00:00Z') });
    expect(of('capacity reservation')).toEqual([expect.objectContaining({ state: 'ok' })]);
  });

  test('with too few is enlarged by what is missing: the ones in use stay', async () => {
    const { of } = await examined({ AvailableInstanceCount: 7, TotalInstanceCount: 20 });
    expect(of('capacity reservation')).toMatchSnapshot();
  });

  test.each([{ State: 'expired' }, { InstanceType: 'c5n.large' }])('with %j is no place for them', async (change) => {
    const { of } = await examined(change);
    expect(of('capacity reservation')).toMatchSnapshot();
  });
});

test('a quota is enough if the deployment takes all that is left of it', async () => {
  const of = async (Value: number) =>
    (await examineRecorded('all-well', {}, { instead: { 'servicequotas:GetServiceQuota': { Quota: { Value } } } })).of(
      'vCPU quota',
    )[0]?.state;
  expect([await of(324), await of(323)]).toEqual(['ok', 'missing']);
});

test('where file systems may not be listed, none of their quotas is said to be free', async () => {
  const denied = Object.assign(new Error('User: x is not authorized'), { name: 'AccessDeniedException' });
  const { findings, wrong } = await examineRecorded('all-well', {}, { instead: { 'fsx:DescribeFileSystems': denied } });
  expect(findings.map(({ name }) => name).filter((name) => name.startsWith('PERSISTENT_1'))).toEqual([]);
  expect(wrong).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'left over', state: 'unknown' })]));
});

test('the instances are tried in the subnet that the stack would use', async () => {
  const { asked } = await examineRecorded('all-well', { vpcId: VPC });
  const tried = asked.flatMap(({ call, input }) => (call === 'ec2:RunInstances' ? [input] : []));
  expect(tried).toEqual(tried.map(() => expect.objectContaining({ SubnetId: 'subnet-ece5cbf753088d679' })));
  expect(tried).toHaveLength(2);
});

test('a parameter that may not be read is not said to be missing', async () => {
  const throttled = Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
  const { of } = await examineRecorded('all-well', {}, { instead: { 'ssm:GetParameter': throttled } });
  expect(of('CDK bootstrap')).toEqual([
    expect.objectContaining({ state: 'unknown', found: 'failed: ThrottlingException: Rate exceeded' }),
  ]);
});
