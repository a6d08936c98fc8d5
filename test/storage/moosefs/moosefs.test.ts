import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { violationMessage } from '../../../lib/common/violation';
import { predict } from '../../../lib/predict';
import { storageNamed } from '../../../lib/storage/lookup';
import { ENGINES, type MooseFsStorage } from '../../../lib/storage/moosefs/configuration';
import { TWO_SERVERS } from './bench';

const moosefs = storageNamed('moosefs');
const limit = (name: string, ...args: Parameters<typeof moosefs.documented.limits>) =>
  moosefs.documented.limits(...args).find((one) => one.name === name);

describe('a configuration', () => {
  test.each<[Partial<MooseFsStorage>, string]>([
    [{ copies: 3 }, "'moosefsCopies' must be at most the number of chunkservers, 2, got 3"],
    [{ instanceType: 'mac2.metal' }, "'moosefsInstanceType' must be a type that Amazon Linux 2023 boots on"],
    [{ instanceType: 'z9.huge' }, "'moosefsInstanceType' must be an instance type whose network and EBS bandwidth"],
    [{ volumeGiB: 10 }, "'moosefsVolumeIops' must be at most 5000 on a gp3 volume of 10 GiB, got 6000"],
    [
      { volumeIops: 3000, volumeThroughputMiBps: 1000 },
      "'moosefsVolumeThroughput' must be at most 750 MiB/s with 3000 IOPS, got 1000. Take less, or set 'moosefsVolumeIops' to 4000.",
    ],
  ])('that could not be made is refused: %j', (wrong, message) => {
    const { errors } = moosefs.configuration.check({ ...TWO_SERVERS, ...wrong } as MooseFsStorage);
    expect(errors.map((error) => violationMessage(error, moosefs.configuration.words))).toEqual([
      expect.stringContaining(message),
    ]);
  });

  test('warns of what makes a comparison doubtful', () => {
    const ids = (configuration: MooseFsStorage) =>
      moosefs.configuration.check(configuration).warnings.map(({ id }) => id);
    expect(ids({ ...TWO_SERVERS, chunkservers: 1 })).toEqual([
      'fsxbench:moosefs-one-chunkserver',
      'fsxbench:moosefs-one-copy',
      'fsxbench:moosefs-burst',
    ]);
    expect(ids({ ...TWO_SERVERS, copies: 2, instanceType: 'c5.4xlarge' })).toEqual(['fsxbench:moosefs-burst']);
    expect(ids({ ...TWO_SERVERS, copies: 2, instanceType: 'c5n.9xlarge' })).toEqual([]);
  });

  test('is one release of MooseFS for all arms of a deployment', () => {
    const older = { ...TWO_SERVERS, engine: ENGINES[1] };
    const { checkTogether, words } = moosefs.configuration;
    expect(checkTogether?.([TWO_SERVERS, older]).map((error) => violationMessage(error, words))).toEqual([
      expect.stringContaining(
        "'moosefsEngine' must be the same for all arms of one deployment, got moosefs-4.57.5 and moosefs-3.0.117",
      ),
    ]);
    expect(checkTogether?.([older, older])).toEqual([]);
  });

  test('says in words what it is', () => {
    expect(moosefs.configuration.describe(TWO_SERVERS)).toBe(
      'MooseFS 4.57.5, 2 × c5.2xlarge with 2 × gp3 500 GiB 6000 IOPS 500 MiB/s, 1 copy',
    );
  });

  test('takes settings, and a smaller number of copies holds more', () => {
    const changed = moosefs.configuration.withSettings(TWO_SERVERS, { moosefsEngine: ENGINES[1], moosefsCopies: 2 });
    expect(changed).toMatchObject({ engine: 'moosefs-3.0.117', copies: 2, chunkservers: 2 });
    expect(moosefs.documented.capacityBytes?.(TWO_SERVERS)).toBe(4 * 500 * 2 ** 30);
    expect(moosefs.documented.capacityBytes?.(changed)).toBe(2 * 500 * 2 ** 30);
  });
});

describe('limits', () => {
  test('are those of EC2 and EBS, of all chunkservers together', () => {
    // c5.2xlarge: 2.5 to 10 Gbit/s, and 287.5 to 593.75 MB/s to EBS.
    expect(limit('server_network', TWO_SERVERS)).toMatchObject({ baselineMBps: 625, burstMBps: 2500 });
    expect(limit('server_ebs', TWO_SERVERS)).toMatchObject({ baselineMBps: 575, burstMBps: 1187.5 });
    expect(limit('disk', TWO_SERVERS)?.baselineMBps).toBeCloseTo(4 * 524.288, 3);
  });
});

test('what fits into the memory of all chunkservers is read from it', () => {
  // Two c5.2xlarge of 16 GiB.
  const read = (workingSetGiB: number) => predict({ configuration: TWO_SERVERS, readShare: 1, workingSetGiB }).cache;
  expect(read(32)).toEqual({ memoryGiB: 32, readCacheGiB: 0, hitShare: 1, hitsFrom: 'memory' });
  expect(read(33)).toMatchObject({ hitShare: 0, hitsFrom: null });
});

test('every engine has a pinned archive, and the scripts know no other', () => {
  const table = readFileSync(join(__dirname, '../../../assets/storage/moosefs/engines.tsv'), 'utf8');
  const rows = table.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(rows.map((row) => row.split('\t')[0])).toEqual([...ENGINES]);
  for (const row of rows)
    expect(row).toMatch(/^moosefs-([\d.]+)\t[0-9a-f]{64}\thttps:\/\/\S+moosefs_\1\.orig\.tar\.xz$/);
});
