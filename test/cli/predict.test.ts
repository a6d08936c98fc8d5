import { predict } from '../../lib';
import { fsxbenchIn } from './support';

const run = (...argv: string[]) => fsxbenchIn({}, ['predict', ...argv]);

const STUDY = ['--deployment', 'PERSISTENT_1', '--per-unit', '200', '--capacity', '14400'];

test('prints one document of the fixed format', async () => {
  const words = '--ratio 3.75 --clients 4 --instance c5n.9xlarge --json';
  const { status, out, err } = await run(...STUDY, ...words.split(' '));
  expect([status, err]).toEqual([0, '']);
  const document = JSON.parse(out);
  expect(document).toMatchObject({
    schema: 'fsxbench.predict/1',
    configuration: { deploymentType: 'PERSISTENT_1', dataCompressionType: 'LZ4' },
    binding: { baseline: 'server_network', burst: 'disk_compressed' },
    throughputMBps: { baseline: 10_800, burst: 12_960 },
    metadataPerSecond: null,
    knee: 3.75,
  });
  expect(document.limits.map(({ name }: { name: string }) => name)).toEqual([
    'client_nic',
    'client_oss_path',
    'server_network',
    'disk',
    'disk_compressed',
  ]);
  for (const limit of document.limits) expect(limit.source).toMatch(/https:.*\/LustreGuide\/[a-z-]+\.html/);
});

test('people get a table, what binds, and where the numbers come from', async () => {
  const { out } = await run(...STUDY, '--ratio', '3.5556');
  expect(out).toContain('PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, LZ4; writes');
  expect(out).toMatch(/disk_compressed +10240 +12288 +both +disk × 3.56/);
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(out).toContain('compression helps up to a ratio of 3.75');
  expect(out).toContain('burst duration: unknown');
});

test('the table of a mix has no addresses either, which stand below it once each', async () => {
  const { out } = await run('--deployment', 'SCRATCH_2', '--capacity', '1200', '--read-share', '50%');
  const [table = '', below = ''] = out.split('\nceiling: ');
  expect(table.replaceAll(/\s+/g, ' ')).toContain(
    'time shared between writes (100 MB/s for each 1000 of 1200 GiB) and reads (200 MB/s for each 1000 of 1200 GiB)',
  );
  expect(table).not.toContain('https:');
  const documented = below.slice(below.indexOf('documented in')).trim().split(/\s+/).slice(2);
  expect(documented).toEqual([expect.stringContaining('/ssd-storage.html')]);
});

test.each([
  [['--deployment', 'PERSISTENT_2', '--per-unit', '500', '--capacity', '1200', '--metadata-iops', '12000'], 24_000],
  [['--deployment', 'persistent_2', '--per-unit', '125', '--capacity', '1200', '--metadata-iops', 'automatic'], 3000],
])('metadata IOPS give rates: %p', async (argv, creates) => {
  const { out } = await run(...argv, '--json');
  expect(JSON.parse(out).metadataPerSecond.file_create).toBe(creates);
});

test('reads, Intelligent-Tiering and hard disks are told by their flags', async () => {
  const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).out);
  const hdd = ['--deployment', 'PERSISTENT_1', '--storage-type', 'HDD', '--per-unit', '12', '--capacity', '6000'];
  expect(await json(...hdd, '--drive-cache', 'READ', '--mode', 'read', '--working-set', '1TB')).toMatchObject({
    throughputMBps: { baseline: 240 },
  });
  const tiering =
    '--deployment PERSISTENT_2 --storage-type INTELLIGENT_TIERING --throughput-capacity 4000 --read-cache proportional';
  expect(await json(...tiering.split(' '), '--metadata-iops', '6000', '--read-share', '50%')).toMatchObject({
    conditions: { mode: 'mixed', readShare: 0.5 },
    throughputMBps: { baseline: 4000 },
  });
});

test.each([
  [[]],
  [['--ratio', '2']],
  [['--ratio', '1']],
  [['--compression', 'LZ4', '--ratio', '2']],
  [['--compression', 'NONE']],
])('the library answers %p as the command line does', async (argv: readonly string[]) => {
  const words = '--deployment PERSISTENT_2 --per-unit 500 --capacity 1200 --json';
  const { out } = await run(...words.split(' '), ...argv);
  const [compression, ratio] = ['--compression', '--ratio'].map((flag) => argv[argv.indexOf(flag) + 1 || argv.length]);
  const configuration = {
    deploymentType: 'PERSISTENT_2',
    storageType: 'SSD',
    storageCapacityGiB: 1200,
    perUnitStorageThroughput: 500,
    ...(compression !== undefined && { dataCompressionType: compression }),
  } as const;
  expect(JSON.parse(out)).toEqual(predict({ configuration, ...(ratio !== undefined && { ratio: Number(ratio) }) }));
});

const EFS = ['--storage', 'efs', '--set', 'efsThroughputMode=provisioned', '--set', 'efsProvisionedThroughput=256'];

test('another storage is described by its settings; its reads count as a third of its writes', async () => {
  const baseline = async (...argv: string[]) => {
    const { out, err } = await run(...EFS, ...argv, '--json');
    expect(err).toBe('');
    return JSON.parse(out);
  };
  const MIB = 2 ** 20 / 1e6;
  expect(await baseline()).toMatchObject({
    configuration: { kind: 'efs', throughputMode: 'provisioned', provisionedThroughputMiBps: 256 },
    binding: { baseline: 'metered_throughput' },
    throughputMBps: { baseline: 256 * MIB },
    knee: null,
    kneeReason: 'EFS does not compress',
    servers: null,
    metadataPerSecond: null,
  });
  expect((await baseline('--mode', 'read')).throughputMBps.baseline).toBeCloseTo(768 * MIB, 5);
  // Half of the bytes cost one third: 1 ÷ (0.5 + 0.5 ÷ 3).
  expect((await baseline('--read-share', '50%')).throughputMBps.baseline).toBeCloseTo(384 * MIB, 5);
});

test.each([
  [
    'moosefs moosefsChunkservers=2 moosefsInstanceType=c5.large moosefsVolumeGiB=100',
    'MooseFS on EBS does not compress',
    'it does not compress',
  ],
  [
    'lustre-zfs lustreZfsInstanceType=i7ie.48xlarge lustreZfsCompression=lz4',
    'that needs documented limits of both network and disks, which Lustre on ZFS does not have',
    'its gain is not documented',
  ],
  [
    'ebs ebsVolumeType=gp3 ebsVolumeGiB=1000',
    'that needs documented limits of both network and disks, which EBS does not have',
    'compression is off',
  ],
])('%s has no knee, for a reason that is true', async (words, kneeReason, refused) => {
  const [kind = '', ...settings] = words.split(' ');
  const argv = ['--storage', kind, ...settings.flatMap((setting) => ['--set', setting])];
  expect(JSON.parse((await run(...argv, '--json')).out)).toMatchObject({ knee: null, kneeReason });
  expect((await run(...argv)).out).not.toContain('compression helps');
  expect((await run(...argv, '--ratio', '2')).err).toContain(refused);
});

test.each([
  ['', 'compression helps up to a ratio of 3.75 (server_network ÷ disk)'],
  ['--clients 8 --instance c5.9xlarge', 'compression helps up to a ratio of 3.75 (server_network ÷ disk)'],
  ['--clients 4 --instance c5.9xlarge', 'compression helps up to a ratio of 2.083 (client_nic ÷ disk)'],
  ['--clients 1 --instance c5.2xlarge', 'compression brings no more throughput: client_nic is reached without it'],
])('compression helps as far as the lowest other limit, with %p', async (more, words) => {
  const { out } = await run(...STUDY, '--ratio', '3.75', ...more.split(' ').filter(Boolean));
  expect(out).toContain(words);
});

test('reads of scratch gain nothing by compression, since the network is as fast as the disks', async () => {
  const { out } = await run('--deployment', 'SCRATCH_2', '--capacity', '1200', '--mode', 'read');
  expect(out).toContain('compression brings no more throughput: server_network is reached without it');
});

const OF_EC2 = 'EC2 does not publish how long the network cards of the clients burst';
test.each([
  // 312.5 MB/s a client, and 1,250 in a burst.
  ['--storage mountpoint-s3 --clients 3 --instance c5.2xlarge', OF_EC2],
  [
    '--storage efs --set efsThroughputMode=elastic --clients 2 --instance c5.2xlarge',
    `the range of the file system is not a burst: some Regions sustain the higher figure; ${OF_EC2}`,
  ],
  ['--deployment PERSISTENT_2 --per-unit 1000 --capacity 4800 --clients 1 --instance c5.2xlarge', OF_EC2],
  [
    '--deployment PERSISTENT_2 --per-unit 125 --capacity 1200 --clients 8 --instance c5n.9xlarge',
    'AWS does not publish the size of the burst credit balance; only a run shows how long a burst lasts',
  ],
])('the burst of %s is of unknown duration for a reason that is true', async (argv, reason) => {
  const { burst } = JSON.parse((await run(...argv.split(' '), '--json')).out);
  expect(burst).toEqual({ seconds: null, reason });
});

test('a ceiling without a burst has no burst of unknown duration', async () => {
  const { out } = await run('--deployment', 'SCRATCH_2', '--capacity', '1200');
  expect(out).toContain('\nthere is no burst: the ceiling is sustained\n');
});

const ONE_CLIENT = ['--deployment', 'PERSISTENT_1', '--per-unit', '50', '--capacity', '7200', '--clients', '1'];

test('a run of few streams is told what it sees', async () => {
  const run1 = await run(...ONE_CLIENT, '--instance', 'c5n.18xlarge', '--processes', '1', '--seconds', '60');
  expect(run1.out).toContain('1 client with 1 process at 1 MiB sees 537.7 MB/s (314.6 to 941; the requests in flight)');

  const small = [...ONE_CLIENT, '--instance', 'c5n.18xlarge', '--processes', '1', '--transfer', '64KiB'];
  expect((await run(...small)).out).toContain('1 client with 1 process at 64 KiB sees ');
});

test('files of S3 get the times to import, restore, load and export them', async () => {
  const flags = ['--instance', 'c5n.18xlarge', '--served-from', 's3', '--files', '1M', '--file-size', '100kB'];
  const { out } = await run(...ONE_CLIENT, ...flags);
  expect(out).toMatch(/import metadata +8.333 min \(4.762 min to 14.25 min\) +2000 +the import from S3/);
  expect(out).toMatch(/lfs hsm_restore +2.315 h .* 120 +12 +lfs hsm_restore/);
  expect(out).toContain('while files are exported, the clients keep 76% of their throughput');
});
