import { FIELDS } from '../../lib/config/fields';
import { settingsOfCases } from '../storage/cases';
import { problemsOf, read } from './context';

/** For every key one value that looks right to a hurried person; the snapshot has the whole line that they get. */
const REFUSED: Record<keyof typeof FIELDS, unknown> = {
  scale: 'publish',
  availabilityZone: 'us-east-1',
  checkOfferings: 'no',
  subnetId: 'vpc-0a1b2c3d4e5f60718',
  placement: 'spread',
  vpcId: 'default',
  egress: 'none',
  instanceType: 'c5n9xlarge',
  fleet: 'slurm',
  headNodeInstanceType: 'large',
  queues: 'c5.9xlarge',
  efaClients: 'yes',
  mpiEfa: 'yes',
  clients: '0',
  ranksPerClient: 0,
  purchase: 'ondemand',
  capacityReservationId: 'cr-1',
  placementGroup: 'hpc\ngroup',
  image: 'latest',
  kernel: 5.1,
  rootVolumeGiB: 4,
  bootTimeoutMinutes: '2h',
  deploymentType: 'SCRATCH_1',
  storageType: 'sdd',
  storageCapacityGiB: '1.2TB',
  perUnitStorageThroughput: '-50',
  throughputCapacity: 100,
  metadataIops: 'auto',
  efa: 'yes',
  driveCacheType: 'WRITE',
  dataReadCache: '7',
  lustreVersion: '2.10',
  weeklyMaintenanceStartTime: '0:03:30',
  logLevel: 'ALL',
  import: 'my-data',
  stripeCount: '-2',
  iorVersion: '4.1.0',
  owner: 'alice smith',
  tags: 'CostCenter',
  install: 'conda',
  tuning: 'fast',
  arms: 'P250 12000',
  metadataIopsSweep: '1500,5000',
  fileSystemId: 'fs-1',
  permissionsBoundary: 'Boundary',
  flowLogs: 'all',
  kmsKeyArn: 'alias/logs',
  alarmEmail: 'ops',
  expiresAfterHours: 0,
  maxCostUsd: 'much',
};

test.each(Object.entries(REFUSED))('refuses a bad %s in one line that says what to do', (name, value) => {
  const [problem, ...more] = problemsOf({ [name]: value });
  expect(more).toEqual([]);
  expect(problem).toMatchSnapshot();
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
  const tagged = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`T${at}`, 'x']));

  test.each([
    [tagged(45), tagged(45)],
    ['CostCenter=42,Owner=x', { CostCenter: '42', Owner: 'x' }],
    [' Cost Center = a=b , Empty=', { 'Cost Center': 'a=b', Empty: '' }],
    [{ Owner: 'x' }, { Owner: 'x' }],
  ])('%j', (given, tags) => {
    expect(read({ tags: given })).toEqual({ tags });
  });

  test.each(['', 'A=1,A=2', '=1', 'aws:x=1', 'AWS:x=1', 'A=1,,B=2', `A=${'x'.repeat(257)}`, 'A=<b>', tagged(46)])(
    'not %j',
    (given) => {
      expect(() => read({ tags: given })).toThrow("'tags' must be");
    },
  );
});
