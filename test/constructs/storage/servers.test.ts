import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as logs from 'aws-cdk-lib/aws-logs';
import { lustreZfsDeployment } from '../../../lib/constructs/storage/lustre-zfs';
import { MooseFsServers } from '../../../lib/constructs/storage/moosefs';
import type { LustreZfsStorage } from '../../../lib/storage/lustre-zfs/configuration';
import { LUSTRE_ZFS_NAMESPACE } from '../../../lib/storage/lustre-zfs/dashboard';
import type { MooseFsStorage } from '../../../lib/storage/moosefs/configuration';
import { MOOSEFS_NAMESPACE } from '../../../lib/storage/moosefs/dashboard';
import { STUDY } from '../../storage/lustre-zfs/bench';
import { moosefsStacks, TWO_SERVERS } from '../../storage/moosefs/bench';
import { emptyStack, ofType, resourcesOf, theOnly } from '../../support/cdk';
import { bodyOf, dashboardBody } from '../../support/dashboardBody';

describe('MooseFS', () => {
  function made(configuration: MooseFsStorage) {
    const stack = emptyStack({ env: { region: 'us-east-1' } });
    const vpc = new ec2.Vpc(stack, 'Vpc', { maxAzs: 1 });
    const [subnet] = vpc.privateSubnets as [ec2.ISubnet];
    const storage = new MooseFsServers(stack, 'Storage', {
      vpc,
      subnet,
      configuration,
      logGroup: new logs.LogGroup(stack, 'Logs'),
      egress: subnet.internetConnectivityEstablished,
    });
    const clients = new ec2.SecurityGroup(stack, 'Clients', { vpc, allowAllOutbound: false });
    storage.grantMount(clients);
    return { stack, storage };
  }

  test('what could not work is never deployed', () => {
    expect(() => made({ ...TWO_SERVERS, copies: 3 })).toThrow("'copies' must be at most the number of chunkservers");
  });

  describe('the servers', () => {
    const { stack, storage } = made(TWO_SERVERS);
    const resources = resourcesOf(stack);
    const templates = ofType(resources, 'AWS::EC2::LaunchTemplate').map(
      ([, { Properties }]) => Properties.LaunchTemplateData,
    );
    const userData = templates.map(({ UserData }) => JSON.stringify(UserData));

    test('are a master and chunkservers, for each of whose signals CloudFormation waits', () => {
      const instances = ofType(resources, 'AWS::EC2::Instance');
      expect(instances).toHaveLength(3);
      for (const [id, { CreationPolicy }] of instances) {
        expect(CreationPolicy).toEqual({ ResourceSignal: { Count: 1, Timeout: 'PT20M' } });
        expect(userData.some((text) => text.includes(`FSXBENCH_SIGNAL_RESOURCE='${id}'`))).toBe(true);
      }
      expect(userData.filter((text) => text.includes("FSXBENCH_MOOSEFS_ROLE='master'"))).toHaveLength(1);
      expect(userData.filter((text) => text.includes("FSXBENCH_MOOSEFS_ROLE='chunkserver'"))).toHaveLength(2);
    });

    test('have the volumes that were asked for, encrypted, which go with them', () => {
      expect(templates.map(({ BlockDeviceMappings }) => BlockDeviceMappings)).toMatchSnapshot();
      expect(userData.filter((text) => text.includes("FSXBENCH_MOOSEFS_DEVICES='/dev/sdf /dev/sdg'"))).toHaveLength(2);
    });

    test('open their ports to one another and to their clients alone', () => {
      expect(ofType(resources, 'AWS::EC2::SecurityGroupIngress')).toMatchSnapshot();
    });

    test('boot when their rules and the routes out of the subnet are there', () => {
      for (const [, { DependsOn = [] }] of ofType(resources, 'AWS::EC2::Instance')) {
        for (const part of ['Role', 'Group', 'DefaultRoute']) expect(DependsOn.join(' ')).toContain(part);
      }
    });

    test('publish metrics in their own namespace and nothing else', () => {
      const statements = ofType(resources, 'AWS::IAM::Role').flatMap(([, { Properties }]) =>
        // biome-ignore lint/suspicious/noExplicitAny: templates are JSON of any shape
        Properties.Policies.flatMap(({ PolicyDocument }: any) => PolicyDocument.Statement),
      );
      expect(statements.filter(({ Sid }) => Sid === 'Metrics')).toMatchSnapshot();
      expect(storage.metricOf('bytes_written')).toMatchObject({
        metricName: 'BytesWritten',
        namespace: MOOSEFS_NAMESPACE,
      });
      expect(storage.metricOf('burst_credits')).toBeNull();
    });
  });

  describe('a benchmark with an arm of MooseFS and one of Lustre', () => {
    const { bench } = moosefsStacks();
    const resources = resourcesOf(bench);

    test('tells clients which release to build, where the master is, and how many copies there are', () => {
      const text = JSON.stringify(resources);
      expect(text).toMatch(
        /\\"kind\\":\\"moosefs\\".{0,80}\\"engine\\":\\"moosefs-4\.57\.5\\",\\"copies\\":2,\\"master\\":/,
      );
      expect(text).toMatch(/\\"master\\":\\"",\{"Fn::GetAtt":\["\w+","PrivateIp"\]\},"\\",\\"mountOptions\\":\\"[a-z]/);
    });

    test('has the servers up before a client boots', () => {
      const { DependsOn } = theOnly(resources, 'AWS::AutoScaling::AutoScalingGroup');
      expect(DependsOn?.filter((id) => /^Storagemoose.*Instance/.test(id))).toHaveLength(3);
    });

    test('has a dashboard that CloudWatch takes, and watches the master and the space', () => {
      expect(dashboardBody.safeParse(bodyOf(theOnly(resources, 'AWS::CloudWatch::Dashboard'))).error).toBeUndefined();
      const ids = ofType(resources, 'AWS::CloudWatch::Alarm').map(([id]) => id);
      for (const name of ['Mastermoose', 'Spacemoose']) expect(ids).toContainEqual(expect.stringContaining(name));
    });
  });
});

describe('Lustre on ZFS', () => {
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
      expect(ofType(resources, 'AWS::EC2::SecurityGroupIngress')).toMatchSnapshot();
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
    expect(statements.map(({ Sid, Action }) => `${Sid}: ${Action}`)).toMatchSnapshot();
    expect(JSON.stringify(statements)).toContain(':s3:::bucket/zfs.tar.gz');
  });
});
