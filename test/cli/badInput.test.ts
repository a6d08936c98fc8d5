import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fsxbenchIn } from './support';

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-bad-'));
writeFileSync(join(folder, 'one'), 'x'.repeat(5000));
afterAll(() => rmSync(folder, { recursive: true }));

/** A command with one wrong value: what is said of what is allowed, and the next step where it is not part of that. */
type Case = readonly [command: string, value: string, allowed: string];

const P1 = 'predict --deployment PERSISTENT_1 --per-unit 200 --capacity 14400';
const P2 = 'predict --deployment PERSISTENT_2 --per-unit 250 --capacity 2400';
const HDD = 'predict --deployment PERSISTENT_1 --storage-type HDD';
const TIERING = 'predict --deployment PERSISTENT_2 --storage-type INTELLIGENT_TIERING';
const EFS = 'predict --storage efs --set efsThroughputMode=provisioned --set efsProvisionedThroughput=256';
const IOPS = 'one of 1500, 3000, 6000, or a multiple of 12000 up to 192000';
const GIB = "'--capacity' must be a whole number of GiB from 1200 to 2147483647, or a size such as 12TiB (of 1000 GiB)";
const RATIO = "'--ratio' must be a ratio of uncompressed to compressed size, from 1 to 255";
const RATE = 'must be a rate in GB/s such as 3, or with its unit such as 800MB/s (at most 10000 GB/s)';
const TB = "'--capacity' must be a size in TB such as 40, or with its unit such as 500GB (at most 20000 TB)";
const REGION = "'--region' must be the name of a Region such as us-east-1";
const KEYS = 'repeats, seconds, compressibilities, tool';
const NONSENSE = ['-1', 'NaN', '1e99', 'Infinity', "''", '0', '0x10', '1,5', '5GiB/s', '١٢'];

const all = (before: string, allowed: string, values: readonly string[] = NONSENSE): Case[] =>
  values.map((value) => [`${before}=${value}`, value.replaceAll("'", ''), allowed]);

const PREDICT: readonly Case[] = [
  ['predict --deployment SCRATCH_1 --capacity 1200', 'SCRATCH_1', 'one of SCRATCH_2, PERSISTENT_1, PERSISTENT_2'],
  ['predict --deployment PERSISTENT_1', 'nothing', "'--per-unit' must be 50, 100 or 200"],
  ...all('predict --deployment PERSISTENT_1 --per-unit 200 --capacity', GIB),
  ...all('predict --deployment PERSISTENT_1 --per-unit 200 --capacity', GIB, [
    '14400GB',
    '14.4TB',
    '14TB',
    '1.5',
    '2147483648',
  ]),
  ['predict --deployment PERSISTENT_1 --per-unit 200 --capacity 1300', '1300', '1200 or a multiple of 2400 with'],
  ['predict --deployment PERSISTENT_1 --per-unit 200', 'nothing', "'--capacity' must be"],
  ['predict --deployment PERSISTENT_2 --per-unit 300 --capacity 2400', '300', '125, 250, 500 or 1000 MB/s/TiB'],
  ...all('predict --deployment PERSISTENT_1 --capacity 2400 --per-unit', 'must be a whole number of MB/s per TiB'),
  ['predict --deployment SCRATCH_2 --capacity 1200 --per-unit 200', '200', "'--per-unit' (200) cannot be combined"],
  [`${P1} --metadata-iops 12000`, '12000', "'--metadata-iops' (12000) cannot be combined with PERSISTENT_1"],
  [`${P1} --metadata-iops automatic`, 'automatic', "'--metadata-iops' (automatic) cannot be combined with PERSIST"],
  [`${P2} --metadata-iops 5000`, '5000', IOPS],
  ...all(`${P2} --metadata-iops`, `'automatic', ${IOPS}`),
  [`${P1} --read-cache 100`, '100', 'cannot be combined with PERSISTENT_1 SSD: only INTELLIGENT_TIERING has it'],
  [`${P1} --storage-type TAPE`, 'TAPE', 'one of SSD, HDD, INTELLIGENT_TIERING'],
  [`${P1} --drive-cache READ`, 'READ', 'cannot be combined with PERSISTENT_1 SSD: only storage type HDD has it'],
  [`${HDD} --per-unit 12 --capacity 6000`, 'nothing', "'--drive-cache' must be NONE or READ"],
  [`${HDD} --per-unit 12 --capacity 7000 --drive-cache NONE`, '7000', 'a multiple of 6000'],
  [`${HDD} --per-unit 40 --capacity 6000 --drive-cache NONE`, '6000', 'a multiple of 1800'],
  [`${HDD} --per-unit 40 --capacity 1800 --drive-cache SOME`, 'SOME', 'NONE or READ'],
  [
    `${TIERING} --throughput-capacity 4000 --metadata-iops 6000`,
    '--read-cache',
    "'--read-cache' must be none, proportional or a size such as 5000 with INTELLIGENT_TIERING, got nothing. A proportional one has",
  ],
  [
    `${TIERING} --throughput-capacity 4000 --metadata-iops 5000 --read-cache none`,
    '5000',
    'one of 1500, 3000, 6000, or a multiple of 12000 up to 192000',
  ],
  [
    'predict --deployment PERSISTENT_2 --per-unit 1000 --capacity 4800 --metadata-iops 6000 --efa --clients 2 --instance c5n.9xlarge',
    'c5n.9xlarge',
    "'--instance' must be a type that supports FSx over EFA",
  ],
  [
    'advise --read 1 --efa --clients 2 --instance c5.2xlarge',
    'c5.2xlarge',
    "'--instance' must be a type that supports",
  ],
  [`${TIERING} --throughput-capacity 5000 --metadata-iops 6000 --read-cache none`, '5000', 'a multiple of 4000'],
  [`${TIERING} --throughput-capacity 4000 --metadata-iops 6000 --read-cache 5`, '5', 'a whole number of GiB from 8'],
  [`${TIERING} --throughput-capacity 4000 --metadata-iops 6000 --read-cache much`, 'much', "'none', 'proportional' or"],
  [`${TIERING} --throughput-capacity 4000 --metadata-iops 6000 --read-cache none --capacity 1200`, '1200', 'elastic'],
  [`${P2} --metadata-iops 3000 --efa`, '2400', 'a multiple of 19200'],
  [`${P1} --efa`, 'true', "'--efa' must be false except for PERSISTENT_2"],
  ...all(`${P1} --ratio`, RATIO),
  ...all(`${P1} --ratio`, RATIO, ['0.5', '256', '2:1']),
  [`${P1} --compression ZSTD`, 'ZSTD', 'NONE or LZ4'],
  [`${P1} --compression NONE --ratio 2`, '2', 'cannot be combined with a file system whose compression is off'],
  ...all(`${P1} --instance c5n.9xlarge --clients`, "'--clients' must be a whole number from 1 to 10000"),
  [`${P1} --clients 4`, '--clients', 'needs --instance'],
  [`${P1} --instance c5n.9xlarg`, 'c5n.9xlarg', 'did you mean c5n.9xlarge?'],
  [`${P1} --instance quantum.9000xlarge`, 'quantum.9000xlarge', 'use one such as c5n.9xlarge'],
  [`${P1} --instance ''`, "''", 'an instance type with known network data'],
  [`${P1} --mode append`, 'append', 'write or read'],
  [`${P1} --mode read --read-share 20%`, '20%', 'cannot be combined with --mode read'],
  ...all(`${P1} --read-share`, 'must be a percentage from 0% to 100%', ['-1%', '101%', 'NaN', '1e99', '0.5', "''"]),
  ...all(`${P1} --working-set`, 'must be a size with its unit such as 500GB, 20TB or 400GiB'),
  [`${P1} --region us-moon-1`, 'us-moon-1', REGION],
  [`${P1} --region us-esat-1`, 'us-esat-1', 'did you mean us-east-1?'],
  [`${P1} --region ''`, "''", REGION],
  [`${P1} --set efsThroughputMode=elastic`, '--set', 'cannot be combined with --storage lustre: use its own options'],
  [`${P1} --instance c5n.18xlarge --in-flight 32`, '--in-flight', 'requires --processes'],
  [`${P1} --instance c5n.18xlarge --served-from s3`, '--served-from s3', 'requires --files and --file-size'],
  [`${P1} --instance c5n.18xlarge --served-from memory`, 'memory', 'must be disk for writes, which end on the disks'],
  [`${P1} --instance c5n.18xlarge --processes 0`, '0', 'must be a whole number from 1 to 100000'],
  [`${P1} --instance c5n.18xlarge --processes 1 --transfer 1`, '1', 'such as 64KiB, 1MiB or 150kB'],
  ['predict --storage zfs', 'zfs', "'--storage' must be one of lustre, "],
  ['predict --storage efs', 'efs', "'--set' must describe a file system of EFS with efsThroughputMode, "],
  ['predict --storage openzfs', 'openzfsStorageCapacity is missing', 'openzfsThroughput is missing'],
  [`${EFS} --per-unit 200`, "'--per-unit'", 'cannot be combined with --storage efs: it describes lustre; use --set'],
  [`${EFS} --ratio 2`, "'--ratio' (2)", 'cannot be combined with EFS: it does not compress'],
  [`${EFS} --set efsTroughputMode=elastic`, 'efsTroughputMode', 'did you mean efsThroughputMode?'],
  [`${EFS} --set efsThroughputMode=fast`, 'fast', 'must be one of bursting, elastic, provisioned'],
  [`${EFS} --set efsThroughputMode=elastic`, "'efsProvisionedThroughput' (256)", 'cannot be combined with elastic'],
  [`${EFS} --efa --clients 1 --instance c6in.32xlarge`, '--efa', 'must be false with a file system without EFA'],
];

const ADVISE: readonly Case[] = [
  ['advise', '--read', 'at least one requirement is needed'],
  ...['--read', '--write'].flatMap((flag) => all(`advise ${flag}`, `'${flag}' ${RATE}`)),
  ...all('advise --read', RATE, ['5GB', '5TB', '5MiB/s', '20000']),
  ...all('advise --capacity', TB),
  ...all('advise --capacity', TB, ['10GB/s', '10XB', '30PB']),
  ...all(
    'advise --metadata',
    'must be file creates per second in plain digits, without exponent or commas, such as 20000 (at most 1 billion)',
  ),
  ...all('advise --read 5 --max-monthly', 'must be USD per month in plain digits such as 5000 (at most 1 billion)'),
  ['advise --read 5 --max-monthly 100EUR', '100EUR', 'must be USD per month'],
  ...all('advise --read 5 --ratio', RATIO),
  ['advise --storage zfs --write 1', 'zfs', "'--storage' must be one of lustre, "],
  ['advise --scan 2', '--scan', "'--capacity' must be given with"],
  ['advise --read 5 --ratio 2 --data /', '--ratio', 'cannot be combined with --data'],
  ['advise --read 5 --data /no/such', '/no/such', 'name one that exists, or s3://bucket/prefix'],
  ["advise --read 5 --data ''", "''", 'name one that exists'],
  ['advise --read 5 --data s3://x', 's3://x', 'must be s3://bucket/prefix'],
  ['advise --read 5 --together', '--together', 'needs both --read and --write'],
  ['advise --read 5 --clients 4', '--clients', 'needs --instance'],
  ...all('advise --read 5 --instance c5n.9xlarge --clients', 'must be a whole number from 1 to 10000'),
  ['advise --read 5 --instance quantum.9000xlarge', 'quantum.9000xlarge', 'use one such as c5n.9xlarge'],
  ['advise --read 5 --efa', '--efa', 'needs --instance'],
  ['advise --read 5 --instance c5n.9xlarge --efa', 'c5n.9xlarge', 'Use one such as c6in.32xlarge'],
  ...all('advise --read 5 --working-set', 'must be a size with its unit such as 500GB'),
  ['advise --read 5 --capacity 1 --working-set 2TB', '2TB', 'must be at most --capacity'],
  ['advise --read 5 --region us-moon-1', 'us-moon-1', REGION],
  ...all('advise --capacity 5 --scan', RATE),
  ...all('advise --read 5 --instance c5n.9xlarge --processes', 'must be a whole number from 1 to 100000'),
  ...all('advise --burst', 'such as 2TB/60s/30min', ['2TB', '2TB/60s', '2TB/60s/30min/1', '2/1m/x']),
  ['advise --burst 2TB/60s/30s', '30', 'must be at least the 60 s that each burst takes'],
  ...all('advise --capacity 5 --load-within', 'must be a time from 1min to 30d', ['soon', '0', '40d']),
];

const COST: readonly Case[] = [
  ['cost NoBench', 'NoBench', 'benchmarks: CompressionBench, MetadataBench'],
  ['cost compressionbench', 'compressionbench', 'did you mean CompressionBench?'],
  ["cost ''", "''", 'benchmarks: CompressionBench, MetadataBench'],
  ['cost CompressionBench -c scale=huge', 'huge', 'published or smoke'],
  ['cost CompressionBench --region us-moon-1', 'us-moon-1', REGION],
  ["cost CompressionBench --region ''", "''", REGION],
];

const PLAN: readonly Case[] = [
  ['plan NoBench', 'NoBench', 'benchmarks: CompressionBench, MetadataBench'],
  ['plan CompressionBench --plan none', 'none', 'one of paired, published'],
  ['plan CompressionBench --scale huge', 'huge', 'one of published, smoke, lab'],
  ['plan CompressionBench --set foo=1', 'foo', KEYS],
  ['plan CompressionBench --set repeats', 'repeats', KEYS],
  ["plan CompressionBench --set ''", "''", KEYS],
  ...all('plan CompressionBench --set repeats', 'must be a whole number from 1 to 1000'),
  ...all('plan CompressionBench --set seconds', 'must be a whole number from 1 to 172800'),
  ['plan CompressionBench --set seconds=5weeks', '5weeks', 'must be a whole number from 1 to 172800, or a duration'],
  ...all('plan CompressionBench --set maxMiBPerArm', 'must be a whole number from 1 to'),
  ['plan CompressionBench --set maxMiBPerArm=10GB', '10GB', 'must be a whole number from 1 to'],
  ...all('plan CompressionBench --set compressibilities', 'compression ratios from 1 to 8, separated by commas', [
    '0',
    '0.5',
    '99',
    'NaN',
    "''",
    '1,2.6,1',
  ]),
  ['plan MetadataBench --set fileBytes=4XB', '4XB', 'sizes in bytes from 0 to 1048576'],
  ['plan MetadataBench --set fileBytes=0,0', '0,0', 'separated by commas, each once'],
  ['plan MetadataBench --set operations=dirs', 'dirs', 'one of files, directories, both'],
  ['plan MetadataBench --set tool=iozone', 'iozone', 'mdtest or fio'],
  ['plan MetadataBench --set spread=maybe', 'maybe', 'must be true or false'],
  ...all('plan MetadataBench --set filesPerRank', 'must be a whole number from 1 to 10000000'),
  ...all('plan MetadataBench --set roundSeconds', 'must be a whole number from 1 to 3600'),
  ...all('plan MetadataBench --plan published --set iterations', 'must be a whole number from 1 to 100000'),
];

const ESTIMATE: readonly Case[] = [
  ['estimate compression /no/such', '/no/such', 'name one that exists, or s3://bucket/prefix'],
  ["estimate compression ''", "''", 'name one that exists'],
  ['estimate compression s3://', 's3://', 'must be s3://bucket/prefix'],
  ['estimate compression s3://A', 's3://A', 'must be s3://bucket/prefix'],
  ...all(
    `estimate compression ${folder} --record`,
    'must be a power of two from 512 to 16M, such as 128K',
    NONSENSE.filter((value) => value !== '1,5'),
  ),
  [`estimate compression ${folder} --record 128K,5`, "'5'", 'must be a power of two from 512 to 16M'],
  ...all(`estimate compression ${folder} --record`, 'must be a power of two from 512 to 16M', ['100K', '128GB', '32M']),
  ...all(`estimate compression ${folder} --sector`, 'must be a power of two from 512 to 16K, such as 4K'),
  ...all(`estimate compression ${folder} --raidz`, 'must be disks,parity', ['x', '1,5', '5', '5,4', "''", '-5,1']),
  [`estimate compression ${folder} --sector 4kB`, '4kB', 'such as 4K'],
  [`estimate compression ${folder} --raidz raidz2`, 'raidz2', 'must be disks,parity'],
  [`estimate compression ${folder} --raidz 3,3`, '3,3', 'up to 255'],
  [`estimate compression ${folder} --on btrfs`, 'btrfs', 'must be lustre or zfs'],
  [`estimate compression ${folder} --stripe-count 0`, '0', 'must be a whole number from 1 to 2000'],
  [`estimate compression ${folder} --on zfs --stripe-count 2`, '--stripe-count', 'leave it out, or --on zfs'],
  [`estimate compression ${folder} --sample --files`, '--files', 'leave out --sample, or --files'],
];

/** Input that commander refuses itself. */
const SHAPE: readonly Case[] = [
  ['predict', '--deployment', 'choose one of SCRATCH_2, PERSISTENT_1, PERSISTENT_2, such as --deployment PERSISTENT_2'],
  [`${P1} --foo`, '--foo', 'fsxbench predict --help names the options'],
  [`${P1} --capacit 1200`, '--capacit', 'Did you mean --capacity?'],
  ['predict CompressionBench', "unexpected argument 'CompressionBench'", 'use npx fsxbench plan CompressionBench'],
  ['advise --read', '--read', 'argument missing'],
  [`list --results ${folder}/one`, `the file '${folder}/one'`, "'--results' must be a folder"],
  [`run CompressionBench --results ${folder}/one`, `the file '${folder}/one'`, "'--results' must be a folder"],
  ['plan', 'benchmark', 'missing required argument'],
  ['watch', "missing required argument 'run'", 'as npx fsxbench list shows it'],
  ['extend CompressionBench', '--hours', 'such as 24 or 2d'],
  ['leftovers --region eu-west-1', '--region', 'set AWS_REGION instead'],
  ['estimate nonsense', 'nonsense', 'unknown command'],
  ['predikt', 'predikt', 'Did you mean predict?'],
];

const words = (command: string): string[] => command.split(' ').map((word) => word.replaceAll("'", ''));

describe.each([
  ['predict', PREDICT],
  ['advise', ADVISE],
  ['cost', COST],
  ['plan', PLAN],
  ['estimate', ESTIMATE],
  ['their shape', SHAPE],
])('bad input for %s', (_, cases) => {
  test.each(cases)(
    '%s gets one line that has the value, what is allowed and the next step',
    async (command, value, allowed) => {
      const { status, out, err } = await fsxbenchIn({}, words(command));
      expect(err.trim().split('\n')).toHaveLength(1);
      expect(err).toContain('fsxbench: ');
      expect(err).toContain(allowed);
      expect(err).toContain(value);
      expect([status, out]).toEqual([2, '']);
      // Never what only a programmer reads.
      expect(err).not.toMatch(/\bat .+:\d+:\d+|undefined|\[object|\{"/);
    },
  );
});
