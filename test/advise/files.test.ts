import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkRequirement } from '../../lib/advise/requirement';
import { describeRequirement } from '../../lib/advise/wording';
import { estimateCompression } from '../../lib/estimate';
import { takenBySize } from '../../lib/estimate/measure/geometry';
import { fsxbenchIn } from '../cli/support';
import { advise } from './requirements';

const root = mkdtempSync(join(tmpdir(), 'advise-files-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Bytes that no codec shrinks, the same in every run. */
const noise = (bytes: number): Buffer => createHash('shake256', { outputLength: bytes }).update('noise').digest();

test.each([75, 5000, 131_072, 300_000])(
  '%d bytes take the same whether files are estimated or only their size is known',
  async (bytes) => {
    const file = join(root, String(bytes));
    writeFileSync(file, noise(bytes));
    const { allocatedBytes, uncompressedBytes } = await estimateCompression({ paths: [file], workers: 0 });
    const { compressed, uncompressed } = takenBySize(bytes);
    expect([compressed * bytes, uncompressed * bytes]).toEqual([
      expect.closeTo(allocatedBytes ?? 0, 3),
      expect.closeTo(uncompressedBytes, 3),
    ]);
  },
);

describe('two thousand small files', () => {
  const folder = join(root, 'json');
  beforeAll(() => {
    mkdirSync(folder);
    for (let id = 0; id < 2_000; id += 1)
      writeFileSync(
        join(folder, `${id}.json`),
        `{"id":${id},"name":"item ${id}","value":${(id * 7919) % 10007},"ok":true}`,
      );
  });
  const adviceOn = async (...argv: string[]) => {
    const { out } = await fsxbenchIn({}, ['advise', '--data', folder, ...argv]);
    return out;
  };

  test('5 TB of them get the hundreds of TB that they take', async () => {
    const { requirement, options, notes } = JSON.parse(await adviceOn('--capacity', '5', '--json'));
    expect(requirement.files).toBeGreaterThan(5e10);
    const [{ configuration, fill }] = options;
    const takenTB = requirement.taken.compressed * 5;
    expect(takenTB).toBeGreaterThan(500);
    expect((configuration.storageCapacityGiB * 2 ** 30) / 1e12).toBeGreaterThan(takenTB / 0.8 - 1);
    expect(fill).toBeLessThanOrEqual(0.8);
    expect(notes.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining(['fsxbench:mostly-overhead', 'fsxbench:inodes-unpublished']),
    );
  });

  test('their number is rough where it is extrapolated, and says from what', async () => {
    const out = (await adviceOn('--capacity', '5')).replaceAll(/\n */g, ' ');
    expect(out).toContain(`5 TB of data in about 97 billion files, as in ${folder}, which take`);
  });

  test('alone they are a requirement, and the ratio shown is never below one', async () => {
    const out = await adviceOn();
    expect(out).toMatch(
      /required: 1\d\d\.\d+ kB of data in 2,000 files, which take 25\.6 MB on Lustre, 17\.\d+ MB with LZ4/,
    );
    expect(out).toMatch(/LZ4 saves \d+ % of that/);
    expect(out).not.toMatch(/0\.\d+:1|1:1/);
    expect(out).toMatch(/are 99.* % overhead on Lustre.* archives/);
  });
});

test('metadata IOPS are chosen with the head-room of creates', () => {
  const iops = (headroom: number) => {
    const [first] = advise({ createsPerSecond: 22_000, capacityTB: 1, headroom }).options;
    return first?.configuration.metadata;
  };
  // 2 creates per second for each: 12,000 make 24,000, and 26,400 are wanted.
  expect([iops(0), iops(0.2)]).toMatchObject([{ iops: 12_000 }, { iops: 24_000 }]);
});

test('a number of files is as good as their size', async () => {
  const of = async (...argv: string[]) =>
    JSON.parse((await fsxbenchIn({}, ['advise', ...argv, '--json'])).out).options[0].configuration;
  const byCount = await of('--capacity', '10', '--files', '1G');
  expect(await of('--capacity', '10', '--file-size', '10kB')).toEqual(byCount);
  expect(await of('--files', '1G', '--file-size', '10kB')).toEqual(byCount);
  expect(byCount.storageCapacityGiB).toBeGreaterThan((await of('--capacity', '10')).storageCapacityGiB);
});

test.each([
  // XFS: 4 KiB and 512 bytes; EFS: 4 KiB and 2 KiB; MooseFS: 64 KiB and 5 KiB; OpenZFS: 4 KiB and 512 bytes; S3: nothing more.
  ['ebs', 4608],
  ['efs', 6144],
  ['moosefs', 70_656],
  ['openzfs', 4608],
  ['mountpoint-s3', 75],
])('on %s files of 75 bytes take %d each, in its price and its size', (kind, bytes) => {
  const of = (more: object) => advise({ storages: [kind], maxFill: 0.5, ...more }).options;
  const small = of({ capacityTB: 0.0225, files: 3e8 });
  // As much as large files of as many bytes as that.
  const large = of({ capacityTB: (3e8 * bytes) / 1e12 });
  expect(small.map(({ configuration }) => configuration)).toEqual(large.map(({ configuration }) => configuration));
  // Requests of a bucket are for each file.
  if (kind !== 'mountpoint-s3')
    expect(small.map(({ knownUsd }) => knownUsd)).toEqual(large.map(({ knownUsd }) => knownUsd));
  for (const { fill } of small) if (fill !== null) expect(fill).toBeLessThanOrEqual(0.5);
});

test('large files take their size everywhere', () => {
  const capacityOf = (more: object) => advise({ capacityTB: 50, ...more }).options[0]?.capacityTB ?? 0;
  expect(capacityOf({ files: 50 })).toBeCloseTo(capacityOf({}), -1);
  const usd = (more: object) =>
    advise({ capacityTB: 5, storages: ['ebs', 'efs', 'moosefs'], ...more }).options.map(({ knownUsd }) =>
      Math.round(knownUsd / 10),
    );
  expect(usd({ files: 50 })).toEqual(usd({}));
  expect(describeRequirement({ capacityTB: 200, files: 3e8 })).toContain(
    '200 TB of data in 300,000,000 files, which take',
  );
});

test.each([
  [['--files', '300M'], "'--files' needs --capacity, or both --files and --file-size"],
  [['--files', '0', '--capacity', '1'], "'--files' must be a number of files"],
  [['--files', '1,000', '--capacity', '1'], 'such as 300M or 120000000'],
  [['--file-size', '1 byte', '--capacity', '1'], 'such as 75B, 110kB or 4KiB'],
  [['--file-size', '1KiB', '--data', '/tmp'], "'--file-size' cannot be combined with --data"],
  [['--capacity', '1', '--files', '5', '--file-size', '5B'], 'give two of them'],
])('%p is refused', async (argv, message) => {
  const { status, err } = await fsxbenchIn({}, ['advise', ...argv]);
  expect([status, err]).toEqual([2, expect.stringContaining(message)]);
});

test('files without a capacity are refused by the library, too', () => {
  expect(checkRequirement({ readMBps: 1, files: 5 })).toEqual([
    expect.objectContaining({ property: 'capacityTB', got: undefined }),
  ]);
});
