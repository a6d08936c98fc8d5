import type { RouteTable, Subnet } from '@aws-sdk/client-ec2';
import { compressionBench } from '../../../lib/benchmark/compression';
import { resolveBenchmark } from '../../../lib/config/benchmark';
import type { Settings } from '../../../lib/config/fields';
import { launchesOf } from '../../../lib/config/launches';
import type { CheckedDeployment } from '../../../lib/doctor/aws/check';
import { volumeKey } from '../../../lib/doctor/aws/stacks';
import { type ChosenSubnet, chooseSubnet, names, room, routes, zoneOf } from '../../../lib/doctor/aws/subnet';

const VPC = 'vpc-2d55a7c47dbdd414a';
const settings = { vpcId: VPC, clients: 2 };

/** A deployment to an account that answers each call alike. */
function subject(answers: Readonly<Record<string, object>>, own: Settings = settings): CheckedDeployment {
  const configuration = resolveBenchmark(compressionBench, own);
  const account = { region: 'us-east-1', ask: async (call: string) => answers[call] ?? {} };
  return {
    account,
    configuration,
    launches: launchesOf(configuration),
    region: 'us-east-1',
    accountId: '123456789012',
  } as unknown as CheckedDeployment;
}

const subnet = (SubnetId: string, zone: string, change: Partial<Subnet> = {}): Subnet => ({
  SubnetId,
  AvailabilityZone: `us-east-1${zone}`,
  AvailableIpAddressCount: 100,
  ...change,
});
const table = (SubnetId: string, target: object): RouteTable => ({
  RouteTableId: `rtb-${SubnetId}`,
  Associations: [{ SubnetId }],
  Routes: [{ DestinationCidrBlock: '0.0.0.0/0', ...target }],
});

describe('of the subnets of a VPC', () => {
  const chosen = async (Subnets: readonly Subnet[], RouteTables: readonly RouteTable[] = []) =>
    (
      await chooseSubnet(
        subject({ 'ec2:DescribeSubnets': { Subnets }, 'ec2:DescribeRouteTables': { RouteTables } }),
        VPC,
      )
    )?.id;
  const nat = (id: string) => table(id, { NatGatewayId: 'nat-1' });

  test('one with a way out is taken before one without, though its zone comes later', async () =>
    expect(await chosen([subnet('a', 'a'), subnet('b', 'b')], [nat('b')])).toBe('b'));

  test('the first zone is taken of those alike', async () =>
    expect(await chosen([subnet('b', 'b'), subnet('a', 'a')], [nat('a'), nat('b')])).toBe('a'));

  test('none is taken that is public by its tag or, where it has none, by its way out', async () => {
    const tagged = (value: string): Partial<Subnet> => ({ Tags: [{ Key: 'aws-cdk:subnet-type', Value: value }] });
    const gateway = table('b', { GatewayId: 'igw-1' });
    expect(await chosen([subnet('a', 'a', tagged('Public'))])).toBeUndefined();
    expect(await chosen([subnet('b', 'a')], [gateway])).toBeUndefined();
    expect(await chosen([subnet('b', 'a', tagged('Private'))], [gateway])).toBe('b');
  });
});

const place = (free: number, others: readonly Subnet[] = [], of?: RouteTable): ChosenSubnet => ({
  id: 'subnet-1',
  zone: 'us-east-1a',
  freeAddresses: free,
  table: of,
  others,
});

test('exactly as many addresses as are needed are enough, in another subnet as well', () => {
  const [found] = room(subject({}), place(0));
  const needed = Number(/, (\d+) are needed$/.exec(found?.found ?? '')?.[1]);
  // Two clients, their builder, and the servers of two file systems.
  expect(needed).toBeGreaterThan(2);
  expect(room(subject({}), place(needed))[0]?.state).toBe('ok');
  const other = subnet('subnet-2', 'b', { AvailableIpAddressCount: needed });
  expect(room(subject({}), place(needed - 1, [other]))).toEqual([
    expect.objectContaining({
      state: 'missing',
      advice: `use subnet-2 in us-east-1b, which has ${needed}`,
      command: 'npx cdk deploy CompressionBench -c subnetId=subnet-2',
    }),
  ]);
});

test('a way out that leads nowhere is none', async () => {
  const blackHole = table('subnet-1', { NatGatewayId: 'nat-1', State: 'blackhole' });
  expect(await routes(subject({}), VPC, place(9, [], blackHole))).toEqual([
    expect.objectContaining({
      state: 'missing',
      found: 'the default route of rtb-subnet-1 is a black hole: its target no longer exists',
    }),
  ]);
});

test.each([
  [{ EnableDnsSupport: { Value: true } }, 'ok', 'resolves DNS names'],
  [{ EnableDnsSupport: { Value: false } }, 'missing', 'does not resolve DNS names'],
  [{ EnableDnsHostnames: { Value: false } }, 'missing', 'has no DNS hostnames'],
])('names with %j: %s', async (attribute, state, found) => {
  expect(await names(subject({ 'ec2:DescribeVpcAttribute': attribute }), VPC)).toEqual([
    expect.objectContaining({ state, found: expect.stringContaining(found) }),
  ]);
});

describe('the zone of a deployment', () => {
  const zones = ['a', 'b', 'c'].map((name) => ({ name: `us-east-1${name}`, id: `use1-az${name}` }));
  const defaults = (...letters: string[]) => ({
    'ec2:DescribeSubnets': { Subnets: letters.map((letter) => subnet(letter, letter)) },
  });
  const none = { clients: 2 };

  test('is that of its subnet, else the first with a default subnet, else the first', async () => {
    expect((await zoneOf(subject(defaults('a'), none), zones, { ...place(1), zone: 'us-east-1c' }))?.id).toBe(
      'use1-azc',
    );
    expect((await zoneOf(subject(defaults('c', 'b'), none), zones, null))?.id).toBe('use1-azb');
    expect((await zoneOf(subject(defaults(), none), zones, null))?.id).toBe('use1-aza');
  });
});

describe('a key of the account for volumes', () => {
  const KEY = 'arn:aws:kms:us-east-1:123456789012:key/1';
  const OPERATIONS = [
    ...['Encrypt', 'Decrypt', 'ReEncryptFrom', 'ReEncryptTo', 'GenerateDataKey', 'GenerateDataKeyWithoutPlaintext'],
    ...['DescribeKey', 'CreateGrant'],
  ];
  const role = 'arn:aws:iam::123456789012:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling';
  const grant = { GranteePrincipal: role, Operations: OPERATIONS };
  const root = { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::123456789012:root' }, Action: 'kms:*' };

  async function found(Grants: readonly object[], Statement: readonly object[] = [root], KeyManager = 'CUSTOMER') {
    const findings = await volumeKey(
      subject({
        'ec2:GetEbsDefaultKmsKeyId': { KmsKeyId: KEY },
        'kms:DescribeKey': { KeyMetadata: { KeyManager, KeyState: 'Enabled' } },
        'kms:GetKeyPolicy': { Policy: JSON.stringify({ Statement }) },
        'kms:ListGrants': { Grants },
      }),
    );
    return findings.map(({ state }) => state);
  }

  test('is well with a grant of all that it takes', async () => expect(await found([grant])).toEqual(['ok']));

  test('is well if it is AWS’s own under another name', async () => expect(await found([], [], 'AWS')).toEqual(['ok']));

  test.each([
    ['a grant of a part', [{ ...grant, Operations: OPERATIONS.slice(1) }]],
    ['a grant to another', [{ ...grant, GranteePrincipal: `${role}_other` }]],
  ])('is missing with %s', async (_, grants) => expect(await found(grants)).toEqual(['missing']));

  test.each([
    ['kms:CreateGrant', 'Allow', 'ok'],
    ['kms:Create*', 'Allow', 'ok'],
    ['kms:CreateAlias', 'Allow', 'missing'],
    ['kms:CreateGrant', 'Deny', 'missing'],
  ])('with a policy for Auto Scaling of %s, %s: %s', async (Action, Effect, state) =>
    expect(await found([], [root, { Effect, Principal: { AWS: [role] }, Action }])).toEqual([state]),
  );

  test('whose policy denies IAM is told', async () =>
    expect(await found([grant], [{ ...root, Effect: 'Deny' }])).toEqual(['limited']));
});
