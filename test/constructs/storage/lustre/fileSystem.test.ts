import { isDeepStrictEqual } from 'node:util';
import { CfnParameter, type Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as kms from 'aws-cdk-lib/aws-kms';
import { LustreFileSystem } from '../../../../lib/constructs/storage/lustre/fileSystem';
import { ForeignLustre } from '../../../../lib/constructs/storage/lustre/metrics';
import type { LustreConfiguration } from '../../../../lib/storage/lustre/configuration';
import { MIN } from '../../../storage/lustre/configurations';
import { clientGroup, network, withFileSystem } from './declared';

/** Protocol and ports of rules that name a group, `in` or `out` of it. */
function rules(stack: Stack, direction: 'Ingress' | 'Egress', from: RegExp, to: RegExp): string[] {
  const other = direction === 'Ingress' ? 'SourceSecurityGroupId' : 'DestinationSecurityGroupId';
  return Object.values(Template.fromStack(stack).findResources(`AWS::EC2::SecurityGroup${direction}`))
    .map(({ Properties }) => Properties)
    .filter((rule) => from.test(JSON.stringify(rule.GroupId)) && to.test(JSON.stringify(rule[other])))
    .map(({ IpProtocol, FromPort, ToPort }) => `${IpProtocol} ${FromPort ?? '*'}-${ToPort ?? '*'}`)
    .sort();
}

/** Protocol and ports of rules that stand in a group itself, each for a subnet. */
function inline(found: readonly Record<string, unknown>[], subnet: ec2.ISubnet): string[] {
  expect(found.map(({ CidrIp }) => CidrIp)).toEqual(found.map(() => subnet.ipv4CidrBlock));
  return found.map(({ IpProtocol, FromPort, ToPort }) => `${IpProtocol} ${FromPort}-${ToPort}`).sort();
}

const FSX = 'AWS::FSx::FileSystem';

const PUBLISHED: LustreConfiguration = {
  deploymentType: 'PERSISTENT_1',
  storageCapacityGiB: 14_400,
  perUnitStorageThroughput: 200,
  dataCompressionType: 'LZ4',
};

test.each<[string, LustreConfiguration]>([
  ['that of the published study, with a Lustre that clients of today can mount', PUBLISHED],
  [
    'every property that a configuration can have',
    {
      ...{ ...MIN.hdd12, version: '2.12', weeklyMaintenanceStartTime: '7:03:00' },
      s3Link: {
        ...{ importPath: 's3://bucket/in', exportPath: 's3://bucket/out' },
        ...{ autoImportPolicy: 'NEW_CHANGED', importedFileChunkSizeMiB: 512 },
      },
    },
  ],
  [
    'Intelligent-Tiering without a capacity',
    { ...MIN.tiering, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 64 } },
  ],
  [
    'backups only when they are asked for',
    { ...PUBLISHED, backups: { retentionDays: 7, dailyStartTime: '05:00', copyTags: true } },
  ],
])('a file system is declared: %s', (_, configuration) => {
  const [declared] = Object.values(Template.fromStack(withFileSystem(configuration).stack).findResources(FSX));
  expect(declared?.Properties).toMatchSnapshot();
});

test('keeps the logical id of the file system: another one would be another file system', () => {
  const { stack } = withFileSystem(PUBLISHED);
  expect(Object.keys(Template.fromStack(stack).findResources(FSX))).toEqual(['Storage07F31EBC']);
});

test('a variant with an id of its own leaves the other file system alone', () => {
  const { stack, vpc, subnet } = network();
  const add = (id: string, configuration: LustreConfiguration) =>
    new LustreFileSystem(stack, id, { vpc, subnet, configuration });
  add('Storage', PUBLISHED);
  add('StorageNone', { ...PUBLISHED, dataCompressionType: 'NONE' });
  const fileSystems = Template.fromStack(stack).findResources(FSX);
  expect(Object.keys(fileSystems)).toEqual(['Storage07F31EBC', expect.stringMatching(/^StorageNone/)]);
});

test('the names that a client mounts come from the resource', () => {
  const { stack, fileSystem } = withFileSystem(PUBLISHED);
  expect(stack.resolve(fileSystem.dnsName)).toEqual({
    'Fn::Join': ['', [{ Ref: 'Storage07F31EBC' }, '.fsx.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]],
  });
  expect(stack.resolve(fileSystem.mountName)).toEqual({ 'Fn::GetAtt': ['Storage07F31EBC', 'LustreMountName'] });
});

test('all broken rules are told at construction, before anything is deployed', () => {
  expect(() => withFileSystem({ ...PUBLISHED, storageCapacityGiB: 14_000, perUnitStorageThroughput: 125 })).toThrow(
    /'perUnitStorageThroughput' must be 50, 100 or 200 .*\n.*'storageCapacityGiB' must be 1200 or a multiple of 2400/,
  );
});

test('a number that is a string, as in CDK context, is told as one', () => {
  const fromContext = { ...PUBLISHED, storageCapacityGiB: '1200' as unknown as number };
  expect(() => withFileSystem(fromContext)).toThrow("got '1200' (a string): make it a number");
  expect(() => withFileSystem({ ...PUBLISHED, storageCapacityGiB: 1300 })).toThrow('got 1300.');
  // Versions are text.
  expect(() => withFileSystem({ ...PUBLISHED, version: '2.11' as '2.10' })).toThrow(/'version' .* got 2\.11\b/);
  const iops = { fileSystemId: 'fs-01234567', metadataIops: '12000' as unknown as number };
  expect(() => new ForeignLustre(network().stack, 'Text', iops)).toThrow("got '12000' (a string): make it a number");
});

test('a size that is known at deployment only is refused by name', () => {
  const { stack, vpc, subnet } = network();
  const size = new CfnParameter(stack, 'Size', { type: 'Number' });
  const configuration: LustreConfiguration = { ...PUBLISHED, storageCapacityGiB: size.valueAsNumber };
  expect(() => new LustreFileSystem(stack, 'Storage', { vpc, subnet, configuration })).toThrow(
    "'storageCapacityGiB' must be known when the template is made, got a value that CloudFormation fills in later: set it in cdk.json or with -c, not as a template parameter",
  );
});

test('what is legal but unwise warns with its id and still synthesises', () => {
  const { stack } = withFileSystem({ ...MIN.scratch2, storageCapacityGiB: 4800 });
  Annotations.fromStack(stack).hasWarning(
    '/Test/Storage',
    Match.stringLikeRegexp('does not replicate data.*fsxbench:lustre-scratch'),
  );
  Template.fromStack(stack).resourceCountIs(FSX, 1);
});

test('mount commands install the client, and mount the file system now and at each boot', () => {
  const { stack, fileSystem } = withFileSystem(PUBLISHED);
  const userData = ec2.UserData.forLinux();
  userData.addCommands(...fileSystem.mountCommands('/mnt/data'));
  const text = JSON.stringify(stack.resolve(userData.render()));
  for (const part of [
    'dnf install -y lustre-client',
    'mkdir -p /mnt/data',
    'mount -t lustre -o noatime,flock ',
    ' /mnt/data lustre defaults,noatime,flock,_netdev,x-systemd.automount,',
    '"LustreMountName"',
  ])
    expect(text).toContain(part);
  expect(() => fileSystem.mountCommands('data; reboot')).toThrow(
    "'mountPoint' must be an absolute path of letters, digits and ._-/, got data; reboot",
  );
});

describe('security groups', () => {
  const LUSTRE = ['tcp 1018-1023', 'tcp 988-988'];
  const ALL = ['-1 *-*'];

  test('opens nothing but the ports of Lustre, in the groups themselves and to their subnet only', () => {
    const { stack, vpc, subnet, fileSystem } = withFileSystem(PUBLISHED);
    fileSystem.grantMount(clientGroup(stack, vpc, false));
    const template = Template.fromStack(stack);
    const groups = Object.values(template.findResources('AWS::EC2::SecurityGroup'));
    expect(groups).toHaveLength(2);
    for (const { Properties } of groups) {
      expect(inline(Properties.SecurityGroupIngress, subnet)).toEqual(LUSTRE);
      expect(inline(Properties.SecurityGroupEgress, subnet)).toEqual(LUSTRE);
    }
    // A separate rule could come after the file system.
    template.resourceCountIs('AWS::EC2::SecurityGroupIngress', 0);
    template.resourceCountIs('AWS::EC2::SecurityGroupEgress', 0);
  });

  test('clients of other subnets reach it by their range, and its servers them', () => {
    const { stack, vpc, subnet } = network();
    const props = { vpc, subnet, configuration: PUBLISHED, clientRange: vpc.vpcCidrBlock };
    const fileSystem = new LustreFileSystem(stack, 'Storage', props);
    fileSystem.grantMount(clientGroup(stack, vpc, true));
    const [group] = Object.values(Template.fromStack(stack).findResources('AWS::EC2::SecurityGroup'));
    const range = stack.resolve(vpc.vpcCidrBlock);
    for (const rules of [group?.Properties.SecurityGroupIngress, group?.Properties.SecurityGroupEgress]) {
      const ports = rules.filter(({ CidrIp }: { CidrIp: object }) => isDeepStrictEqual(CidrIp, range));
      expect(ports.map(({ FromPort, ToPort }: Record<string, number>) => [FromPort, ToPort])).toEqual([
        [988, 988],
        [1018, 1023],
      ]);
    }
  });

  test.each([
    [MIN.efa, '10.0.0.0/16', "'clientRange' cannot be combined with EFA, whose rules name groups, got 10.0.0.0/16"],
    [PUBLISHED, '10.0.0.0', 'CIDR mask is missing in IPv4: "10.0.0.0"'],
  ])('a range of clients that cannot be is refused', (configuration, clientRange, refusal) => {
    const { stack, vpc, subnet } = network();
    const props = { vpc, subnet, configuration, clientRange };
    expect(() => new LustreFileSystem(stack, 'Storage', props)).toThrow(refusal);
  });

  test('a file system waits for the rules of its group, also for those that come later and for those of its EFA clients', () => {
    const { stack, vpc, fileSystem } = withFileSystem(MIN.efa);
    const clients = clientGroup(stack, vpc, false);
    fileSystem.grantMount(clients);
    fileSystem.connections.allowFrom(ec2.Peer.prefixList('pl-0123'), ec2.Port.tcp(988));
    clients.connections.allowInternally(ec2.Port.tcp(22));
    const template = Template.fromStack(stack);
    const all = ['Ingress', 'Egress'].flatMap((direction) =>
      Object.keys(template.findResources(`AWS::EC2::SecurityGroup${direction}`)),
    );
    const [system] = Object.values(template.findResources(FSX));
    expect(all.length).toBeGreaterThanOrEqual(7);
    expect(system?.DependsOn).toEqual(expect.arrayContaining(all));
  });

  test('EFA allows all traffic between the groups by name, both ways', () => {
    const { stack, vpc, fileSystem } = withFileSystem(MIN.efa);
    fileSystem.grantMount(clientGroup(stack, vpc, false));
    for (const [from, to] of [
      [/StorageGroup/, /StorageGroup/],
      [/StorageGroup/, /Clients/],
      [/Clients/, /StorageGroup/],
    ] as const) {
      expect(rules(stack, 'Ingress', from, to)).toEqual(ALL);
      expect(rules(stack, 'Egress', from, to)).toEqual(ALL);
    }
  });

  test('EFA refuses groups in which CDK would drop the rules that AWS asks for', () => {
    const { stack, vpc, fileSystem } = withFileSystem(MIN.efa);
    const open = clientGroup(stack, vpc, true);
    expect(() => fileSystem.grantMount(open)).toThrow(
      'the client group must be made with allowAllOutbound: false for EFA, got allowAllOutbound: true: its outbound rules must name groups',
    );
    const { subnet } = network();
    const props = { vpc, subnet, configuration: MIN.efa, securityGroup: open };
    expect(() => new LustreFileSystem(stack, 'Other', props)).toThrow(
      /^'securityGroup' must be made with allowAllOutbound: false/,
    );
  });

  test('a group that is passed gets the rules, and no other is made', () => {
    const { stack, vpc, subnet } = network();
    const securityGroup = clientGroup(stack, vpc, true);
    new LustreFileSystem(stack, 'Storage', { vpc, subnet, configuration: PUBLISHED, securityGroup });
    const [group] = Object.values(Template.fromStack(stack).findResources('AWS::EC2::SecurityGroup'));
    expect(inline(group?.Properties.SecurityGroupIngress, subnet)).toEqual(LUSTRE);
    Template.fromStack(stack).resourceCountIs('AWS::EC2::SecurityGroup', 1);
    Annotations.fromStack(stack).hasNoWarning('*', Match.anyValue());
  });
});

describe('encryption', () => {
  test('a key that is passed is used', () => {
    const { stack, vpc, subnet } = network();
    const kmsKey = new kms.Key(stack, 'Mine');
    new LustreFileSystem(stack, 'Storage', { vpc, subnet, configuration: PUBLISHED, kmsKey });
    const KmsKeyId = { 'Fn::GetAtt': [Match.stringLikeRegexp('^Mine'), 'Arn'] };
    Template.fromStack(stack).hasResourceProperties(FSX, { KmsKeyId });
  });

  test('a key for a scratch file system is refused', () => {
    const { stack, vpc, subnet } = network();
    const props = { vpc, subnet, configuration: MIN.scratch2, kmsKey: new kms.Key(stack, 'Mine') };
    expect(() => new LustreFileSystem(stack, 'Storage', props)).toThrow(
      /'kmsKey' \(.*\) cannot be combined with SCRATCH_2: FSx encrypts it with a key of the service only/,
    );
  });
});

test('a file system of somebody else has the same metrics, by its id', () => {
  const { stack } = network();
  const foreign = new ForeignLustre(stack, 'Foreign', { fileSystemId: 'fs-0123456789abcdef0' });
  expect(foreign.metric('DataReadBytes').dimensions).toEqual({ FileSystemId: 'fs-0123456789abcdef0' });
  expect(() => new ForeignLustre(stack, 'Wrong', { fileSystemId: 'lustre' })).toThrow(
    "'fileSystemId' must be fs- and 8 or more hexadecimal digits, got lustre",
  );
  expect(() => new ForeignLustre(stack, 'Half', { fileSystemId: 'fs-01234567', metadataIops: 1.5 })).toThrow(
    "'metadataIops' must be a whole number above 0, or null without a metadata configuration, got 1.5",
  );
});
