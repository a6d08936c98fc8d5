import { FIELDS } from '../../lib/config/fields';
import { ConfigurationError } from '../../lib/config/problem';
import { readSettings } from '../../lib/config/read';
import { settingsOfCases } from '../storage/cases';

const read = (context: Record<string, unknown>) => readSettings(context, 'CompressionBench');

/** The problems of a context that must be refused. */
function problemsOf(context: Record<string, unknown>): readonly string[] {
  try {
    read(context);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(context)}`);
}

test('sets nothing that the user did not set', () => {
  expect(read({})).toEqual({});
});

test('turns the text of -c into numbers and flags', () => {
  expect(read({ clients: '8', efa: 'true', storageCapacityGiB: '14400', metadataIops: 'automatic' })).toEqual({
    clients: 8,
    efa: true,
    storageCapacityGiB: 14_400,
    metadataIops: 'automatic',
  });
});

test('takes the same values as numbers and flags from cdk.json', () => {
  expect(read({ clients: 8, efa: false, stripeCount: -1 })).toEqual({ clients: 8, efa: false, stripeCount: -1 });
});

test('lets -c override what cdk.json says for the benchmark', () => {
  expect(read({ clients: '4', CompressionBench: { clients: 8, scale: 'smoke' } })).toEqual({
    clients: 4,
    scale: 'smoke',
  });
});

test('reads the section of a benchmark from -c as JSON', () => {
  expect(read({ CompressionBench: '{"clients": 4}' })).toEqual({ clients: 4 });
});

test('takes a version that cdk.json holds as a number', () => {
  expect(read({ kernel: 6.12, lustreVersion: 2.15 })).toEqual({ kernel: '6.12', lustreVersion: '2.15' });
});

test.each([
  '10.0.0.0/15',
  '172.32.0.0/16',
  '192.169.0.0/16',
  '10.300.0.0/16',
  '10.0.1.0/16',
  '10.0.16.0/19',
  '8.8.0.0/16',
  '10.05.0.0/16',
])('refuses the range %s', (vpcCidr) => {
  expect(problemsOf({ vpcCidr })).toHaveLength(1);
});

test.each([
  ['instanceType', 'c5n.0xlarge'],
  ['instanceType', 'c5n.09xlarge'],
  ['storageCapacityGiB', 2_147_484_000],
  ['import', 's3://my..data/x'],
  ['import', 's3://my-.data'],
  ['import', 's3://192.168.1.1/x'],
])('refuses %s %s, which AWS cannot know', (name, value) => {
  expect(problemsOf({ [name]: value })).toHaveLength(1);
});

test.each([
  ['instanceType', 'c7gn.metal'],
  ['instanceType', 'c5n.xlarge'],
  ['import', 's3://my.data.1/a..b/-.c'],
  ['import', 's3://192.168.1.1a'],
])('accepts %s %s', (name, value) => {
  expect(read({ [name]: value })).toEqual({ [name]: value });
});

test.each(['10.0.0.0/16', '172.31.128.0/17', '192.168.64.0/18', '10.255.224.0/19'])(
  'accepts the range %s',
  (vpcCidr) => {
    expect(read({ vpcCidr })).toEqual({ vpcCidr });
  },
);

test("leaves CDK's own context keys and other benchmarks' sections alone", () => {
  const context = {
    'aws:cdk:enable-path-metadata': true,
    '@aws-cdk/core:checkSecretUsage': true,
    'availability-zones:account=123456789012:region=us-east-1': ['us-east-1a'],
    'acknowledged-issue-numbers': [34892],
    'cli-telemetry': false,
    MetadataBench: { anything: 1 },
  };
  expect(readSettings(context, 'CompressionBench', ['CompressionBench', 'MetadataBench'])).toEqual({});
});

test('names every problem at once', () => {
  expect(problemsOf({ clients: 0, scale: 'huge', clientz: 2 })).toHaveLength(3);
});

test.each([
  [{ scael: 'smoke' }, "'scael' is not a setting. Did you mean 'scale'?"],
  [{ clientss: 4 }, "'clientss' is not a setting. Did you mean 'clients'?"],
  [{ storageCapacityGib: 1200 }, "'storageCapacityGib' is not a setting. Did you mean 'storageCapacityGiB'?"],
  [{ CompressionBench: { efaa: true } }, "'efaa' is not a setting of CompressionBench. Did you mean 'efa'?"],
  [{ 'instance-type': 'c5n.large' }, "'instance-type' is not a setting. Did you mean 'instanceType'?"],
  [{ 'storage-capacity': '2400' }, "'storage-capacity' is not a setting. Did you mean 'storageCapacityGiB'?"],
  [{ 'clients ': '4' }, "'clients ' is not a setting. Did you mean 'clients'?"],
  [
    { 'CompressionBench.clients': '4' },
    "'CompressionBench.clients' is not a setting. For one benchmark alone write: -c CompressionBench='{\"clients\": …}'",
  ],
  [
    { 'CompressionBench:scael': 'smoke' },
    "'CompressionBench:scael' is not a setting. For one benchmark alone write: -c CompressionBench='{\"scale\": …}'",
  ],
  [
    { CompressionBench: { 'instance-type': 'c5n.large' } },
    "'instance-type' is not a setting of CompressionBench. Did you mean 'instanceType'?",
  ],
  [{ Compressionbench: {} }, "'Compressionbench' is not a setting. Did you mean 'CompressionBench'?"],
  [
    { CompressionBench: 'yes' },
    '\'CompressionBench\' must be an object of settings such as {"clients": 4}, got "yes". Correct it in cdk.json.',
  ],
])('refuses %j', (context, message) => {
  expect(problemsOf(context)).toEqual([message]);
});

test('lists what is known when no name is near', () => {
  expect(problemsOf({ zzzzzzzz: 1 })[0]).toMatch(/^'zzzzzzzz' is not a setting\. Known are scale, availabilityZone, /);
});

/** For every key one value that looks right to a hurried person, and the whole line that they get. */
const REFUSED: Record<keyof typeof FIELDS, readonly [unknown, string]> = {
  scale: [
    'Published',
    "'scale' must be published or smoke, got \"Published\". Use 'published' for the study's own size, 'smoke' for the smallest that AWS accepts.",
  ],
  availabilityZone: [
    'us-east-1',
    '\'availabilityZone\' must be the name or the id of an Availability Zone such as us-east-1a or use1-az1, got "us-east-1". List them with: aws ec2 describe-availability-zones',
  ],
  checkOfferings: [
    'no',
    "'checkOfferings' must be true or false, got \"no\". With false an 'instanceType' is accepted even if the table of offerings, which may be outdated, lacks it.",
  ],
  subnetId: [
    'vpc-0a1b2c3d4e5f60718',
    "'subnetId' must be the id of a subnet such as subnet-0a1b2c3d4e5f60718, got \"vpc-0a1b2c3d4e5f60718\". It must be a private subnet of 'vpcId'. List them with: aws ec2 describe-subnets",
  ],
  placement: [
    'spread',
    "'placement' must be one of cluster, none, partition, got \"spread\". 'cluster' places clients close together, 'none' wherever there is capacity, 'partition' on separate racks.",
  ],
  vpcId: [
    'default',
    '\'vpcId\' must be the id of a VPC such as vpc-0a1b2c3d4e5f60718, got "default". List them with: aws ec2 describe-vpcs',
  ],
  vpcCidr: [
    '10.0.0.0/24',
    '\'vpcCidr\' must be a private IPv4 range of /16 to /19 such as 10.0.0.0/16, got "10.0.0.0/24". The compute subnet uses a /20 of it.',
  ],
  egress: [
    'none',
    "'egress' must be nat or endpoints, got \"none\". Use 'nat' to reach the internet, 'endpoints' to reach AWS services only.",
  ],
  instanceType: [
    'c5n9xlarge',
    '\'instanceType\' must be an EC2 instance type such as c5n.9xlarge, got "c5n9xlarge". List them with: aws ec2 describe-instance-types',
  ],
  fleet: [
    'slurm',
    "'fleet' must be ec2 or parallelcluster, got \"slurm\". 'ec2' is an Auto Scaling group, 'parallelcluster' a cluster with Slurm.",
  ],
  headNodeInstanceType: [
    'large',
    '\'headNodeInstanceType\' must be an EC2 instance type such as m5.xlarge, got "large". It runs Slurm and starts runs, as long as the cluster is deployed.',
  ],
  queues: [
    'c5.9xlarge',
    "'queues' must be a list of instance types with their number of nodes, such as c5.9xlarge:200, got \"c5.9xlarge\". They are queues beside that of the 'clients'.",
  ],
  efaClients: [
    'yes',
    "'efaClients' must be true or false, got \"yes\". With true clients reach file systems over EFA, which these must have ('efa').",
  ],
  mpiEfa: [
    'yes',
    '\'mpiEfa\' must be true or false, got "yes". With false MPI uses TCP. The way to the file system is chosen by the file system.',
  ],
  clients: [
    '0',
    '\'clients\' must be a whole number from 1 to 1000, got "0". If all arms are driven at the same time it must be a multiple of their number.',
  ],
  ranksPerClient: [
    0,
    "'ranksPerClient' must be a whole number from 1 to 1024, got 0. It is the number of MPI processes per client; start with the vCPUs of the instance type.",
  ],
  purchase: [
    'ondemand',
    "'purchase' must be one of on-demand, spot, capacity-reservation, got \"ondemand\". For a capacity reservation also set 'capacityReservationId'.",
  ],
  capacityReservationId: [
    'cr-1',
    '\'capacityReservationId\' must be the id of a capacity reservation such as cr-0a1b2c3d4e5f60718, got "cr-1". List them with: aws ec2 describe-capacity-reservations',
  ],
  placementGroup: [
    'my group',
    '\'placementGroup\' must be the name of a cluster placement group, got "my group". It is the group of the capacity reservation. List them with: aws ec2 describe-placement-groups',
  ],
  image: [
    'latest',
    '\'image\' must be the id of an Amazon Linux 2023 image such as ami-0a1b2c3d4e5f60718, got "latest". Leave it out for the newest one.',
  ],
  kernel: [
    5.1,
    "'kernel' must be one of 6.1, 6.12, 6.18, got 5.1. These are the Amazon Linux 2023 kernels that lustre-client supports.",
  ],
  rootVolumeGiB: [
    4,
    "'rootVolumeGiB' must be a whole number of GiB from 8 to 1024, got 4. It contains the operating system and the builds, never benchmark data.",
  ],
  bootTimeoutMinutes: [
    '45m',
    '\'bootTimeoutMinutes\' must be a whole number from 10 to 60, got "45m". The first boot builds Open MPI and IOR, which takes minutes on a small instance.',
  ],
  deploymentType: [
    'SCRATCH_1',
    '\'deploymentType\' must be one of SCRATCH_2, PERSISTENT_1, PERSISTENT_2, got "SCRATCH_1". PERSISTENT_1 is what the study measured.',
  ],
  storageType: [
    'ssd',
    '\'storageType\' must be one of SSD, HDD, INTELLIGENT_TIERING, got "ssd". SSD is what the study measured.',
  ],
  storageCapacityGiB: [
    '1.2TiB',
    '\'storageCapacityGiB\' must be a whole number of GiB from 1200 to 2147483647, got "1.2TiB". It is the size of each arm.',
  ],
  perUnitStorageThroughput: [
    '-50',
    '\'perUnitStorageThroughput\' must be a whole number of MB/s per TiB, got "-50". PERSISTENT_1 SSD knows 50, 100 and 200; PERSISTENT_2 SSD 125, 250, 500 and 1000.',
  ],
  throughputCapacity: [
    100,
    "'throughputCapacity' must be a whole number of MB/s from 4000, got 100. It belongs to INTELLIGENT_TIERING only.",
  ],
  metadataIops: [
    'AUTOMATIC',
    "'metadataIops' must be 'automatic' or a whole number from 1500, got \"AUTOMATIC\". It belongs to PERSISTENT_2 only.",
  ],
  efa: ['yes', '\'efa\' must be true or false, got "yes". EFA belongs to PERSISTENT_2 with metadata IOPS.'],
  driveCacheType: ['WRITE', '\'driveCacheType\' must be NONE or READ, got "WRITE". It belongs to HDD only.'],
  dataReadCache: [
    '8',
    "'dataReadCache' must be 'none', 'proportional' or a whole number of GiB from 32, got \"8\". It belongs to INTELLIGENT_TIERING only.",
  ],
  lustreVersion: [
    '2.10',
    '\'lustreVersion\' must be 2.12 or 2.15, got "2.10". Clients on Amazon Linux 2023 cannot mount 2.10.',
  ],
  customerManagedKey: [
    'alias/mine',
    '\'customerManagedKey\' must be true or false, got "alias/mine". Encrypts with a key created by the stack; not on scratch.',
  ],
  backupRetentionDays: [
    '91',
    '\'backupRetentionDays\' must be a whole number of days from 0 to 90, got "91". Backups may run during a measurement; they are deleted with the file system.',
  ],
  weeklyMaintenanceStartTime: [
    '0:03:30',
    '\'weeklyMaintenanceStartTime\' must be d:HH:MM in UTC with 1 for Monday, such as 7:03:30, got "0:03:30". Choose a time at which no run is planned.',
  ],
  logLevel: [
    'ALL',
    '\'logLevel\' must be one of DISABLED, WARN_ONLY, ERROR_ONLY, WARN_ERROR, got "ALL". It selects the data repository events to log in CloudWatch Logs.',
  ],
  import: [
    'my-data',
    '\'import\' must be a bucket or a prefix in it such as s3://my-data/reference, got "my-data". Each arm links its directory /data to it and imports the metadata of its objects.',
  ],
  stripeCount: [
    '-2',
    '\'stripeCount\' must be a whole number from -1 to 2000, got "-2". -1 stripes over all OSTs, as the study did; 0 uses the default layout of the file system.',
  ],
  iorVersion: [
    '4.1.0',
    "'iorVersion' must be 3.3.0 or 4.0.0, got \"4.1.0\". Only 3.3.0 writes the data of the study; 4.0.0's compress half as well.",
  ],
  openMpiVersion: [
    '5.0.0',
    '\'openMpiVersion\' must be 4.1.8, got "5.0.0". It is the release whose checksum is pinned on the clients.',
  ],
  tuning: [
    'fast',
    "'tuning' must be advised or published-metadata, got \"fast\". 'advised' depends on the size of a client, 'published-metadata' adds the settings of the metadata study.",
  ],
  arms: [
    'P250 12000',
    '\'arms\' must be names of arms such as p250-12000,p1000-192000, got "P250 12000". Without it all arms of the benchmark are deployed.',
  ],
  metadataIopsSweep: [
    '1500,5000',
    "'metadataIopsSweep' must be a list of metadata IOPS, each one of 1500, 3000, 6000, or a multiple of 12000 up to 192000 ('none' and 'automatic' are allowed, too), got \"1500,5000\". Such as metadataIopsSweep=1500,12000,192000.",
  ],
  fileSystemId: [
    'fs-1',
    '\'fileSystemId\' must be the id of a file system such as fs-0a1b2c3d4e5f60718, got "fs-1". LustreDashboard shows it, and others can be selected on the dashboard. List them with: aws fsx describe-file-systems',
  ],
  permissionsBoundary: [
    'Boundary',
    '\'permissionsBoundary\' must be the ARN of a managed policy such as arn:aws:iam::123456789012:policy/Boundary, got "Boundary". Each role of the stack gets it. List them with: aws iam list-policies --scope Local',
  ],
  flowLogs: [
    'all',
    "'flowLogs' must be true or false, got \"all\". With true the stack's VPC records its flows in CloudWatch Logs.",
  ],
  operationsKey: [
    'alias/logs',
    '\'operationsKey\' must be the ARN of a KMS key such as arn:aws:kms:us-east-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666, got "alias/logs". It encrypts log groups and the topic of the alarms; its policy must allow CloudWatch to use it (docs/security.md).',
  ],
  alarmEmail: [
    'ops',
    '\'alarmEmail\' must be an e-mail address, got "ops". Amazon SNS sends a confirmation to it before the first alarm.',
  ],
  expiresAfterHours: [
    0,
    "'expiresAfterHours' must be a number of hours up to 8760, or never, got 0. The stack deletes itself that long after its deployment, once its results are in the bucket.",
  ],
  maxCostUsd: [
    'much',
    '\'maxCostUsd\' must be a number of USD from 1, got "much". The stack deletes itself before its list price since its creation exceeds it.',
  ],
  logRetentionDays: [
    10,
    "'logRetentionDays' must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, got 10. These are the periods that CloudWatch Logs offers.",
  ],
};

test.each(Object.entries(REFUSED))('refuses a bad %s in one line that says what to do', (name, [value, message]) => {
  expect(problemsOf({ [name]: value })).toEqual([message]);
});

test('accepts, for every key, a good value', () => {
  const good: Record<string, unknown> = {
    scale: 'smoke',
    availabilityZone: 'use1-az1',
    checkOfferings: 'false',
    vpcId: 'vpc-0a1b2c3d4e5f60718',
    subnetId: 'subnet-0a1b2c3d4e5f60718',
    placement: 'partition',
    vpcCidr: '172.31.0.0/16',
    egress: 'endpoints',
    instanceType: 'c7gn.16xlarge',
    clients: '200',
    fleet: 'parallelcluster',
    headNodeInstanceType: 'm5.2xlarge',
    queues: 'c5.9xlarge:200',
    mpiEfa: 'false',
    efaClients: 'true',
    ranksPerClient: 36,
    purchase: 'spot',
    capacityReservationId: 'cr-0a1b2c3d4e5f60718',
    placementGroup: 'hpc.group-1',
    image: 'ami-0a1b2c3d4e5f60718',
    kernel: '6.12',
    rootVolumeGiB: 50,
    bootTimeoutMinutes: '60',
    deploymentType: 'PERSISTENT_2',
    storageType: 'SSD',
    storageCapacityGiB: 2400,
    perUnitStorageThroughput: 1000,
    throughputCapacity: '4000',
    metadataIops: '192000',
    efa: true,
    driveCacheType: 'READ',
    dataReadCache: 'proportional',
    lustreVersion: '2.15',
    customerManagedKey: 'true',
    backupRetentionDays: '7',
    weeklyMaintenanceStartTime: '7:03:30',
    logLevel: 'WARN_ERROR',
    import: 's3://my-data/reference',
    stripeCount: '0',
    iorVersion: '4.0.0',
    openMpiVersion: '4.1.8',
    tuning: 'published-metadata',
    arms: 'p250-12000, p1000-192000',
    metadataIopsSweep: '1500,none,192000',
    recordSizesKiB: '1024,128',
    fileSystemId: 'fs-0a1b2c3d4e5f60718',
    inputs: 's3://my-data/reads/, s3://other',
    permissionsBoundary: 'arn:aws-cn:iam::123456789012:policy/team/Boundary',
    flowLogs: 'true',
    operationsKey: 'arn:aws:kms:us-east-1:123456789012:key/mrk-0a1b2c3d',
    alarmEmail: 'ops@example.com',
    expiresAfterHours: 'never',
    maxCostUsd: '500',
    logRetentionDays: '90',
    ...Object.fromEntries(settingsOfCases.map(([name, { good }]) => [name, good])),
  };
  expect(Object.keys(read(good)).sort()).toEqual(Object.keys(FIELDS).sort());
});

test.each([
  ['1500', [1500]],
  [12_000, [12_000]],
  ['1500, 3000,192000', [1500, 3000, 192_000]],
  [
    ['none', 6000, '24000'],
    ['none', 6000, 24_000],
  ],
])('reads %j as a sweep', (metadataIopsSweep, expected) => {
  expect(read({ metadataIopsSweep }).metadataIopsSweep).toEqual(expected);
});

test.each([5000, 13_000, 204_000, 0, -1500, '', 'most'])('takes no %j into a sweep', (metadataIopsSweep) => {
  expect(problemsOf({ metadataIopsSweep })[0]).toContain('1500, 3000, 6000, or a multiple of 12000 up to 192000');
});
