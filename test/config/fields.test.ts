import { FIELDS } from '../../lib/config/fields';
import { settingsOfCases } from '../storage/cases';
import { problemsOf, read } from './context';

/** For every key one value that looks right to a hurried person, and the whole line that they get. */
const REFUSED: Record<keyof typeof FIELDS, readonly [unknown, string]> = {
  scale: [
    'publish',
    "'scale' must be published or smoke, got \"publish\". Use 'published' for the study's own size, 'smoke' for the smallest that AWS accepts.",
  ],
  availabilityZone: [
    'us-east-1',
    '\'availabilityZone\' must be the name or the id of an Availability Zone such as us-east-1a or use1-az1, got "us-east-1". List them with: aws ec2 describe-availability-zones',
  ],
  checkOfferings: [
    'no',
    "'checkOfferings' must be true or false, got \"no\". With false, an 'instanceType', a file system and a Region are accepted even if the tables of offerings, which may be outdated, lack them.",
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
    "'queues' must be a list of instance types with their number of nodes, such as c5.9xlarge:200, got \"c5.9xlarge\". They are queues in addition to the one of 'clients'.",
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
    "'ranksPerClient' must be a whole number from 1 to 1024, got 0. It is the number of MPI processes per client; start with one per vCPU.",
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
    'hpc\ngroup',
    '\'placementGroup\' must be the name of a cluster placement group, got "hpc\\ngroup". It is the group of the capacity reservation. List them with: aws ec2 describe-placement-groups',
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
    "'rootVolumeGiB' must be a whole number of GiB from 8 to 1024, or a size such as 500GiB or 1TiB, got 4. It contains the operating system and the builds, never benchmark data.",
  ],
  bootTimeoutMinutes: [
    '2h',
    '\'bootTimeoutMinutes\' must be a whole number from 10 to 60, or a duration such as 45m or 1h, got "2h". The first boot builds Open MPI and IOR, which takes minutes on a small instance.',
  ],
  deploymentType: [
    'SCRATCH_1',
    '\'deploymentType\' must be one of SCRATCH_2, PERSISTENT_1, PERSISTENT_2, got "SCRATCH_1". PERSISTENT_1 is what the study measured.',
  ],
  storageType: [
    'sdd',
    '\'storageType\' must be one of SSD, HDD, INTELLIGENT_TIERING, got "sdd". SSD is what the study measured.',
  ],
  storageCapacityGiB: [
    '1.2TB',
    '\'storageCapacityGiB\' must be a whole number of GiB from 1200 to 2147483647, or a size such as 12TiB (of 1000 GiB), got "1.2TB". It is the size of each file system.',
  ],
  perUnitStorageThroughput: [
    '-50',
    '\'perUnitStorageThroughput\' must be a whole number of MB/s per TiB, got "-50". PERSISTENT_1 SSD has 50, 100, 200; PERSISTENT_2 SSD 125, 250, 500, 1000.',
  ],
  throughputCapacity: [
    100,
    "'throughputCapacity' must be a whole number of MB/s from 1000, got 100. It belongs to INTELLIGENT_TIERING only.",
  ],
  metadataIops: [
    'auto',
    "'metadataIops' must be 'automatic', one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got \"auto\". It belongs to PERSISTENT_2 only.",
  ],
  efa: ['yes', '\'efa\' must be true or false, got "yes". EFA belongs to PERSISTENT_2 with metadata IOPS.'],
  driveCacheType: ['WRITE', '\'driveCacheType\' must be NONE or READ, got "WRITE". It belongs to HDD only.'],
  dataReadCache: [
    '7',
    "'dataReadCache' must be 'none', 'proportional' or a whole number of GiB from 8, or a size such as 12TiB (of 1000 GiB), got \"7\". It belongs to INTELLIGENT_TIERING only.",
  ],
  lustreVersion: [
    '2.10',
    '\'lustreVersion\' must be 2.12 or 2.15, got "2.10". Clients on Amazon Linux 2023 cannot mount 2.10.',
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
  owner: [
    'alice smith',
    '\'owner\' must be a name of up to 64 letters, digits and +=,.@_-, such as alice, got "alice smith". A stack is updated only by the owner who made it.',
  ],
  tags: [
    'CostCenter',
    '\'tags\' must be at most 45 tags such as CostCenter=42,Owner=x: keys of up to 128 characters that do not begin with aws:, values of up to 256; letters, digits, spaces and +-=._:/@, got "CostCenter". All resources of the stacks get them, and so do volumes and network interfaces of instances.',
  ],
  install: [
    'conda',
    "'install' must be source or spack, got \"conda\". 'source' builds IOR from its archive, 'spack' by assets/client/spack/spack.yaml.",
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
    "'metadataIopsSweep' must be a list of metadata IOPS, each one of 1500, 3000, 6000, or a multiple of 12000 up to 192000 ('none' and 'automatic' are also allowed), got \"1500,5000\". Such as metadataIopsSweep=12000,24000,192000.",
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
  kmsKeyArn: [
    'alias/logs',
    '\'kmsKeyArn\' must be the ARN of a KMS key such as arn:aws:kms:us-east-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666, got "alias/logs". It encrypts file systems, buckets, log groups and the alarm topic; its policy must allow their services to use it (docs/security.md). An alias has one: aws kms describe-key --key-id alias/NAME',
  ],
  alarmEmail: [
    'ops',
    '\'alarmEmail\' must be an e-mail address or the ARN of an SNS topic such as arn:aws:sns:us-east-1:123456789012:ops, got "ops". An address must confirm before the first alarm. A chat channel gets alarms from a topic in its ChatOps configuration.',
  ],
  expiresAfterHours: [
    0,
    "'expiresAfterHours' must be never, or a number of hours from 0.01 to 8760, or a duration such as 36h or 2d, got 0. The stack deletes itself that long after its deployment, once its results are in the bucket.",
  ],
  maxCostUsd: [
    'much',
    '\'maxCostUsd\' must be a number of USD from 1, got "much". The stack deletes itself before its list price since its creation exceeds it.',
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
    placementGroup: 'hpc.group-1 (ours)',
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
    weeklyMaintenanceStartTime: '7:03:30',
    logLevel: 'WARN_ERROR',
    import: 's3://my-data/reference',
    stripeCount: '0',
    iorVersion: '4.0.0',
    install: 'spack',
    owner: 'alice@example.com',
    tags: 'CostCenter=42,Owner=x',
    tuning: 'published-metadata',
    arms: 'p250-12000, p1000-192000',
    metadataIopsSweep: '1500,none,192000',
    recordSizesKiB: '1024,128',
    fileSystemId: 'fs-0a1b2c3d4e5f60718',
    inputs: 's3://my-data/reads/, s3://other',
    permissionsBoundary: 'arn:aws-cn:iam::123456789012:policy/team/Boundary',
    flowLogs: 'true',
    kmsKeyArn: 'arn:aws:kms:us-east-1:123456789012:key/mrk-0a1b2c3d',
    alarmEmail: 'ops@example.com',
    expiresAfterHours: 'never',
    maxCostUsd: '500',
    ...Object.fromEntries(settingsOfCases.map(([name, { good }]) => [name, good])),
  };
  expect(Object.keys(read(good)).sort()).toEqual(Object.keys(FIELDS).sort());
});

describe('tags', () => {
  test.each([
    ['CostCenter=42,Owner=x', { CostCenter: '42', Owner: 'x' }],
    [' Cost Center = a=b , Empty=', { 'Cost Center': 'a=b', Empty: '' }],
    [{ Owner: 'x' }, { Owner: 'x' }],
  ])('%j', (given, tags) => {
    expect(read({ tags: given })).toEqual({ tags });
  });

  test.each(['', 'A=1,A=2', '=1', 'aws:x=1', 'AWS:x=1', 'A=1,,B=2', `A=${'x'.repeat(257)}`, 'A=<b>'])(
    'not %j',
    (given) => {
      expect(() => read({ tags: given })).toThrow("'tags' must be");
    },
  );
});
