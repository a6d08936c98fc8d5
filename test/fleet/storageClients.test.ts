import { CfnParameter, Duration } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as s3 from 'aws-cdk-lib/aws-s3';
import {
  LustreClients,
  type LustreClientsProps,
  type LustreConfiguration,
  LustreFileSystem,
} from '../../lib/constructs';
import { emptyStack, ofType, resourcesOf, theOnly } from '../support/cdk';

const SCRATCH: LustreConfiguration = { deploymentType: 'SCRATCH_2', storageCapacityGiB: 1200 };
const EFA: LustreConfiguration = {
  deploymentType: 'PERSISTENT_2',
  storageCapacityGiB: 38_400,
  perUnitStorageThroughput: 125,
  metadata: { mode: 'AUTOMATIC' },
  efaEnabled: true,
};

function clientsOf(props: Partial<LustreClientsProps> = {}, configuration = SCRATCH) {
  const stack = emptyStack();
  const vpc = new ec2.Vpc(stack, 'Vpc', { maxAzs: 1 });
  const [subnet] = vpc.privateSubnets as [ec2.ISubnet];
  const fileSystem = new LustreFileSystem(stack, 'Scratch', { vpc, subnet, configuration });
  const clients = new LustreClients(stack, 'Clients', {
    mounts: { '/mnt/Projects': fileSystem },
    instanceType: new ec2.InstanceType('m6i.4xlarge'),
    ...props,
  });
  return { stack, vpc, fileSystem, clients };
}

/** User data as a client reads it, with a word for each value that CloudFormation fills in. */
function userDataOf(props?: Partial<LustreClientsProps>): string {
  const template = theOnly(resourcesOf(clientsOf(props).stack), 'AWS::EC2::LaunchTemplate');
  const parts = template.Properties.LaunchTemplateData.UserData['Fn::Base64']['Fn::Join'][1] as unknown[];
  return parts.map((part) => (typeof part === 'string' ? part : '<value>')).join('');
}

test('mounts where it was told, runs the setup, and knows nothing of a benchmark', () => {
  const text = userDataOf({ setup: ['echo "it\'s mounted"', 'touch /done'] });
  expect(text).toContain("export FSXBENCH_ROLE='mount'\n");
  expect(text).toMatch(/FSXBENCH_SETUP='echo "it'\\''s mounted"\n *touch \/done'/);
  const [arm] = JSON.parse(text.match(/FSXBENCH_ARMS='(.*)'$/m)?.[1] ?? '') as Record<string, unknown>[];
  expect(arm).toMatchObject({ name: 'at-mnt-projects', kind: 'lustre', mountPoint: '/mnt/Projects' });
  expect(text).not.toMatch(/IOR_VERSION|CACHE_URL|KEY_PARAMETER/);
  expect(userDataOf()).not.toContain('FSXBENCH_SETUP=');
});

test('mounts whose paths differ in a dash alone have names of their own, by which its scripts find them', () => {
  const { fileSystem, stack } = clientsOf();
  const mounts = { '/mnt/a': fileSystem, '/mnt-a': fileSystem, '/mnt/A': fileSystem };
  new LustreClients(stack, 'More', { mounts, instanceType: new ec2.InstanceType('m6i.4xlarge') });
  const templates = JSON.stringify(ofType(resourcesOf(stack), 'AWS::EC2::LaunchTemplate'));
  const names = [...templates.matchAll(/"name\\\\?":\\\\?"(at[a-z0-9-]+)/g)].map(([, name]) => name);
  expect(names).toHaveLength(4);
  expect(new Set(names.slice(1)).size).toBe(3);
});

test('boots when the file system lets it in, and the deployment waits for every client', () => {
  const { stack, fileSystem } = clientsOf({ clients: 3 });
  const resources = resourcesOf(stack);
  const group = theOnly(resources, 'AWS::AutoScaling::AutoScalingGroup');
  expect(group.Properties).toMatchObject({ MinSize: '3', MaxSize: '3' });
  expect(group.CreationPolicy).toEqual({ ResourceSignal: { Count: 3, Timeout: 'PT30M' } });
  expect(group.DependsOn).toContain(stack.getLogicalId(fileSystem.node.defaultChild as ec2.CfnInstance));
});

test('opens no port to the world, lets out Lustre and HTTPS, and may write logs and nothing else of the account', () => {
  const { stack } = clientsOf();
  const groups = ofType(resourcesOf(stack), 'AWS::EC2::SecurityGroup').map(([, { Properties }]) => Properties);
  const clients = groups.find(({ GroupDescription }) => GroupDescription === 'Clients of the file systems');
  expect(clients?.SecurityGroupIngress.map(({ FromPort }: { FromPort: number }) => FromPort)).toEqual([988, 1018]);
  expect(clients?.SecurityGroupEgress.map(({ FromPort }: { FromPort: number }) => FromPort)).toEqual([443, 988, 1018]);
  const policies = JSON.stringify(Template.fromStack(stack).findResources('AWS::IAM::Role'));
  expect(policies).not.toMatch(/s3:PutObject|ssm:GetParameter/);
});

test('is granted what an application grants to its machines', () => {
  const { stack, clients } = clientsOf();
  new s3.Bucket(stack, 'Input').grantRead(clients);
  expect(Object.keys(Template.fromStack(stack).findResources('AWS::IAM::Policy'))).toHaveLength(1);
});

test('with EFA every client has an interface for it, and all traffic flows among clients and servers', () => {
  const { stack } = clientsOf({ efa: true, instanceType: new ec2.InstanceType('c6in.32xlarge') }, EFA);
  const template = theOnly(resourcesOf(stack), 'AWS::EC2::LaunchTemplate').Properties.LaunchTemplateData;
  expect(template.NetworkInterfaces).toEqual([expect.objectContaining({ InterfaceType: 'efa' })]);
});

const other = emptyStack();
const elsewhere = (): LustreFileSystem => {
  const vpc = new ec2.Vpc(other, 'Other', { maxAzs: 1 });
  return new LustreFileSystem(other, 'Elsewhere', {
    vpc,
    subnet: vpc.privateSubnets[0] as ec2.ISubnet,
    configuration: SCRATCH,
  });
};

const inner = clientsOf().fileSystem;

test.each<[string, Partial<LustreClientsProps>]>([
  ["'clients' must be a whole number from 1 to 1000, got 0", { clients: 0 }],
  ["'clients' must be a whole number from 1 to 1000, got 1.5", { clients: 1.5 }],
  [
    "'clients' must be a whole number from 1 to 1000, got '4' (a string): make it a number",
    { clients: '4' as unknown as number },
  ],
  ["'mounts' must name at least one file system", { mounts: {} }],
  [
    "'mounts' must be absolute paths of letters, digits and ._-/, got 'fsx data'",
    { mounts: { 'fsx data': clientsOf().fileSystem } },
  ],
  ["'mounts' must be paths without . and .., got '/fsx/../etc'", { mounts: { '/fsx/../etc': clientsOf().fileSystem } }],
  [
    "'mounts' must be paths of which none is inside another, got '/fsx/inner'",
    { mounts: { '/fsx/inner': inner, '/fsx': inner } },
  ],
  [
    "'kernel' cannot be combined with 'image', which has its own kernel, got 6.12",
    { image: 'ami-0a1b2c3d', kernel: '6.12' },
  ],
  [
    "'mounts' must be file systems in one subnet, got 2 subnets",
    { mounts: { '/a': clientsOf().fileSystem, '/b': elsewhere() } },
  ],
  ["'tuning' must be advised or published-metadata, got fast", { tuning: 'fast' as 'advised' }],
  ["'placement' must be cluster, none, partition, got near", { placement: 'near' as 'none' }],
  [
    "'instanceType' must be one that can be in a cluster placement group, got t3.large: leave 'placement' out",
    { placement: 'cluster', instanceType: new ec2.InstanceType('t3.large') },
  ],
  [
    "'instanceType' must be one that Amazon Linux 2023 boots on, got mac2.metal",
    { instanceType: new ec2.InstanceType('mac2.metal') },
  ],
  [
    "'instanceType' must be one that EC2 offers as Spot Instances, got hpc7g.16xlarge: leave 'purchase' out",
    { instanceType: new ec2.InstanceType('hpc7g.16xlarge'), purchase: { kind: 'spot' } },
  ],
  ["'clients' must be a whole number from 1 to 1000, got 1001", { clients: 1001 }],
  ["'rootVolumeGiB' must be a whole number of at least 8, got 7", { rootVolumeGiB: 7 }],
  [
    "'bootTimeout' must be between 10 minutes and 1 hour, got 9 minutes 59 seconds",
    { bootTimeout: Duration.seconds(599) },
  ],
  ["'bootTimeout' must be between 10 minutes and 1 hour, got 1 hour 1 minute", { bootTimeout: Duration.minutes(61) }],
  [
    "'efa' must be false with Test/Scratch, which was made without EFA, got true. Set 'efaEnabled' in its configuration.",
    { efa: true },
  ],
])('refuses at synthesis: %s', (message, props) => {
  expect(() => clientsOf(props)).toThrow(new Error(message));
});

test.each<[string, Partial<LustreClientsProps>]>([
  ['the fewest', { clients: 1, rootVolumeGiB: 8, bootTimeout: Duration.minutes(10) }],
  ['the most', { clients: 1000, bootTimeout: Duration.hours(1) }],
])('takes what lies at a limit: %s', (_, props) => expect(() => clientsOf(props)).not.toThrow());

test('paths that begin alike are not inside another', () => {
  const { stack, fileSystem } = clientsOf();
  const mounts = { '/fsx2': fileSystem, '/fsx': fileSystem, '/fsx-old': fileSystem };
  const instanceType = new ec2.InstanceType('m6i.4xlarge');
  expect(() => new LustreClients(stack, 'Alike', { mounts, instanceType })).not.toThrow();
});

test.each<[string, (later: CfnParameter) => Partial<LustreClientsProps>]>([
  ['clients', (later) => ({ clients: later.valueAsNumber })],
  ['rootVolumeGiB', (later) => ({ rootVolumeGiB: later.valueAsNumber })],
  ['instanceType', (later) => ({ instanceType: new ec2.InstanceType(later.valueAsString) })],
  ['bootTimeout', (later) => ({ bootTimeout: Duration.minutes(later.valueAsNumber) })],
  ['mounts', (later) => ({ mounts: { [later.valueAsString]: clientsOf().fileSystem } })],
])('refuses a value that comes later by its name, not by what stands for it: %s', (property, props) => {
  const later = new CfnParameter(emptyStack(), 'Later', { type: 'Number' });
  const text = new CfnParameter(emptyStack(), 'Text');
  const given = ['clients', 'rootVolumeGiB', 'bootTimeout'].includes(property) ? later : text;
  expect(() => clientsOf(props(given))).toThrow(
    new Error(
      `'${property}' must be known when the template is made, got a value that CloudFormation fills in later: ` +
        'set it in cdk.json or with -c, not as a template parameter',
    ),
  );
});

test('refuses a setup that user data has no room for, with what to do', () => {
  expect(() => clientsOf({ setup: ['x'.repeat(16_384)] })).toThrow(
    /^user data must be at most 16384 bytes, got \d+\. Shorten 'setup': put the commands into a script, upload that as an Asset/,
  );
});

test('refuses an instance type that cannot reach FSx over EFA', () => {
  expect(() => clientsOf({ efa: true }, EFA)).toThrow(
    "'instanceType' must be a type that supports FSx over EFA, got m6i.4xlarge. Use one such as c6in.32xlarge.",
  );
});
