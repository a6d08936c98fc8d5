import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as logs from 'aws-cdk-lib/aws-logs';
import { lustreZfsDeployment } from '../../../lib/constructs/storage/lustre-zfs';
import type { LustreZfsStorage } from '../../../lib/storage/lustre-zfs/configuration';
import { LUSTRE_ZFS_NAMESPACE } from '../../../lib/storage/lustre-zfs/dashboard';
import { STUDY } from '../../storage/lustre-zfs/bench';
import { emptyStack, ofType, resourcesOf } from '../../support/cdk';

/** A stack with an arm of each configuration. */
function made(...configurations: readonly Partial<LustreZfsStorage>[]) {
  const stack = emptyStack({ env: { region: 'us-east-1' } });
  const vpc = new ec2.Vpc(stack, 'Vpc', { maxAzs: 1 });
  const [subnet] = vpc.privateSubnets as [ec2.ISubnet];
  const logGroup = new logs.LogGroup(stack, 'Logs');
  const common = { vpc, subnet, egress: subnet.internetConnectivityEstablished, logGroup, smoke: false };
  const arms = configurations.map((changes, index) =>
    lustreZfsDeployment.deploy(stack, `Storage${index}`, { ...common, configuration: { ...STUDY, ...changes } }),
  );
  const clients = new ec2.SecurityGroup(stack, 'Clients', { vpc, allowAllOutbound: false });
  for (const arm of arms) arm.grantMount(clients);
  const resources = resourcesOf(stack);
  const userData = ofType(resources, 'AWS::EC2::LaunchTemplate').map(([, { Properties }]) =>
    JSON.stringify(Properties.LaunchTemplateData.UserData),
  );
  return { stack, arms, resources, userData };
}

test('what could not work is never deployed', () => {
  expect(() => made({ compression: 'gzip-10' })).toThrow("'compression' must be");
});

describe('arms that differ in their datasets', () => {
  const { arms, resources, userData } = made(
    { compression: 'off' },
    { compression: 'gzip-6' },
    { compression: 'gzip-6', recordSizeKiB: 128 },
  );

  test('share one server, which makes a file system for each', () => {
    expect(ofType(resources, 'AWS::EC2::Instance')).toHaveLength(1);
    expect(userData[0]).toContain("FSXBENCH_FILE_SYSTEMS='off:off:1024 gzip6:gzip-6:1024 gzip6_2:gzip-6:128'");
    expect(new Set(arms.map(({ resourceId }) => resourceId)).size).toBe(3);
  });

  test('mount their own file system from the same address', () => {
    const values = arms.map((arm) => arm.mountValues());
    expect(values.map(({ mountName }) => mountName)).toEqual(['off', 'gzip6', 'gzip6_2']);
    expect(new Set(values.map(({ dnsName }) => dnsName)).size).toBe(1);
  });

  test('have series of their own', () => {
    const [first, second] = arms.map((arm) => arm.metricOf('bytes_written'));
    expect(first).toMatchObject({ namespace: LUSTRE_ZFS_NAMESPACE, metricName: 'BytesWritten' });
    expect(first?.dimensions).not.toEqual(second?.dimensions);
    expect(arms[0]?.metricOf('burst_credits')).toBeNull();
  });

  test('reach the ports of Lustre, of the baselines and of ssh, and no others, from the clients alone', () => {
    const ingress = ofType(resources, 'AWS::EC2::SecurityGroupIngress').map(([, { Properties }]) => Properties);
    const servers = ingress.filter(({ Description }) => /from clients|Programs/.test(Description));
    expect(servers.map(({ FromPort, ToPort }) => `${FromPort}-${ToPort}`).sort()).toEqual([
      '1018-1023',
      '22-22',
      '47592-47592',
      '5201-5201',
      '988-988',
    ]);
    for (const { CidrIp, SourceSecurityGroupId } of ingress)
      expect([CidrIp, SourceSecurityGroupId]).toEqual([undefined, expect.anything()]);
  });
});

test('arms on other hardware have servers of their own', () => {
  const { resources } = made({}, { raidDisks: 8 });
  expect(ofType(resources, 'AWS::EC2::Instance')).toHaveLength(2);
});

test('of several servers the others know the first, which alone has the MGS', () => {
  const { userData } = made({ servers: 3 });
  expect(userData.map((text) => [text.includes('FSXBENCH_MGS='), text.includes('FSXBENCH_METRICS_ID=')])).toEqual([
    [false, false],
    [true, true],
    [true, true],
  ]);
});

test('clients are told the addresses of all servers, whose counters count together', () => {
  expect(made({ servers: 3 }).arms.map((arm) => arm.mountValues())).toMatchObject([
    { otherServers: expect.stringMatching(/^\S+ \S+$/) },
  ]);
  expect(made({}).arms[0]?.mountValues()).not.toHaveProperty('otherServers');
});

test('a server may read its scripts, its key and its build, signal, and publish metrics in its own namespace', () => {
  const build = { url: 's3://bucket/zfs.tar.gz', sha256: '0'.repeat(64) };
  const { resources } = made({ offload: 'own-build', compression: 'gzip-6', build });
  const statements = ofType(resources, 'AWS::IAM::Role').flatMap(([, { Properties }]) =>
    // biome-ignore lint/suspicious/noExplicitAny: templates are JSON of any shape
    (Properties.Policies ?? []).flatMap(({ PolicyDocument }: any) => PolicyDocument.Statement),
  );
  const own = statements.map(({ Action }) => Action).filter((action) => typeof action === 'string');
  expect(own.sort()).toEqual([
    'cloudformation:SignalResource',
    'cloudwatch:PutMetricData',
    's3:GetObject',
    's3:GetObject',
    'ssm:GetParameter',
  ]);
  expect(JSON.stringify(statements)).toContain(':s3:::bucket/zfs.tar.gz');
});
