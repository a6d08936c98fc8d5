import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fsxbenchIn } from './support';

const run = (...argv: string[]) => fsxbenchIn({}, ['advise', ...argv]);

const folder = mkdtempSync(join(tmpdir(), 'advise-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('prints one document of the fixed format', async () => {
  const { status, out, err } = await run(...'--read 5 --write 3GB/s --capacity 40 --ratio 2 --json'.split(' '));
  expect([status, err]).toEqual([0, '']);
  const document = JSON.parse(out);
  expect(document).toMatchObject({
    schema: 'fsxbench.advise/1',
    requirement: { readMBps: 5000, writeMBps: 3000, capacityTB: 40, ratio: 2 },
  });
  for (const option of document.options)
    expect(Object.keys(option)).toEqual(
      expect.arrayContaining(['configuration', 'monthlyUsd', 'throughputMBps', 'headroom', 'binding', 'cdkJson']),
    );
  for (const one of document.rejected) expect(one.reason).not.toBe('');
});

test('storages are chosen by name, and ranked together', async () => {
  const argv = ['--storage', 'efs', '--storage', 'lustre', '--write', '0.3', '--capacity', '1', '--headroom', '0%'];
  const { options } = JSON.parse((await run(...argv, '--json')).out);
  const provisioned = options.filter(
    ({ configuration }: { configuration: Record<string, unknown> }) => configuration.throughputMode === 'provisioned',
  );
  // 287 MiB/s are the first to reach 300 MB/s; one zone costs less.
  expect(provisioned.map(({ configuration }: { configuration: object }) => configuration)).toEqual([
    { kind: 'efs', throughputMode: 'provisioned', provisionedThroughputMiBps: 287, availability: 'one-zone' },
    { kind: 'efs', throughputMode: 'provisioned', provisionedThroughputMiBps: 287, availability: 'regional' },
  ]);
  expect(provisioned[0]).toMatchObject({ capacityTB: null, cdkJson: { context: {} } });
  expect(options[0].configuration.deploymentType).toBe('PERSISTENT_2');
  const { status, out, err } = await run('--storage', 'efs', '--metadata', '100');
  expect(out).toMatch(
    /^Nothing that AWS sells is documented to meet these requirements \(considered: EFS\)\. Closest: EFS\s.* no metadata rates/s,
  );
  expect([status, err]).toEqual([3, '']);
});

test('people get a ranking, what a cheaper one would miss, and what to put into cdk.json', async () => {
  const asked = '--read 5 --write 3 --capacity 40 --metadata 20000 --ratio 2 --headroom 0%'.split(' ');
  const out = (await run(...asked, '--all')).out.replaceAll(/\n {2,}/g, ' ');
  expect(out).toMatch(
    /^Meets all 4 requirements: PERSISTENT_2 SSD 24000 GiB, 125 MB\/s\/TiB, 12000 metadata IOPS, LZ4, 3,480 USD/,
  );
  expect(out).toContain('required: 5 GB/s of reads, 3 GB/s of writes, at different times, 40 TB of data');
  expect(out).toMatch(
    /^1 +PERSISTENT_2 SSD 24000 GiB, 125 MB\/s\/TiB, 12000 metadata IOPS, LZ4: 3,480 USD .* 78 % full/m,
  );
  expect(out).toContain('for 3,132 USD per month, but it holds 37.11 of 40 TB when it is 80 % full');
  expect(out).toContain('"CompressionBench": {');
  expect(out).toMatch(/to prove option 1 \(MetadataBench, \d+ USD per hour with \d+ × c5.9xlarge; CompressionBench,/);
  expect(out).toContain(
    'rejected, since at any size: 20,000 file creates per second: AWS publishes metadata rates only',
  );
  expect(out).toContain('INTELLIGENT_TIERING, 4000 MB/s, 12000 metadata IOPS, LZ4, 37253 GiB read cache');
});

test("the user's own files say what LZ4 saves", async () => {
  const zeros = join(folder, 'rows.csv');
  writeFileSync(zeros, '1,2,3,4,5,6,7,8\n'.repeat(100_000));
  const { status, out } = await run('--write', '2', '--data', zeros, '--json');
  expect(status).toBe(0);
  const document = JSON.parse(out);
  expect(document.estimate.ratio).toBeGreaterThan(10);
  expect(document.requirement.ratio).toBe(document.estimate.ratio);
  expect(document.options[0].configuration.dataCompressionType).toBe('LZ4');
});

test('small files, whose ratio is below 1, get an answer by the command that estimate prints', async () => {
  const small = join(folder, 'small files');
  mkdirSync(small);
  for (let file = 0; file < 50; file += 1) writeFileSync(join(small, `${file}.txt`), `${file} `.repeat(200));
  const { out } = await fsxbenchIn({}, ['estimate', 'compression', small]);
  expect(JSON.parse((await fsxbenchIn({}, ['estimate', 'compression', small, '--json'])).out).ratio).toBeLessThan(0.5);
  const command = `npx fsxbench advise --data '${small}'`;
  expect(out.trimEnd().split('\n').at(-1)).toBe(`To see what to buy for these files: ${command}`);
  const { status, out: answer } = await run('--data', small);
  expect([status, answer]).toEqual([0, expect.stringMatching(/^Meets the requirement: /)]);

  // The ratio itself leads to the same command.
  const refused = await run('--capacity', '40', '--ratio', '0.05');
  expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('npx fsxbench advise --data PATH')]);
  expect(refused.err).not.toMatch(/estimate/i);
});

test('where EBS is among the kinds, the same files are estimated for Btrfs on it', async () => {
  const rows = join(folder, 'btrfs.csv');
  writeFileSync(rows, '1,2,3,4,5,6,7,8\n'.repeat(10_000));
  const words = (await run('--write', '1', '--storage', 'ebs', '--data', rows)).out;
  expect(words).toMatch(/on Btrfs with compress-force=lzo: [\d.]+:1/);
  const { onBtrfs } = JSON.parse((await run('--write', '1', '--storage', 'ebs', '--data', rows, '--json')).out);
  expect(onBtrfs.map(({ codec }: { codec: string }) => codec)).toEqual(['lzo', 'zstd:3']);
  // 160 kB: two extents, of which zstd leaves one sector each.
  expect(onBtrfs[1].ratio).toBeCloseTo(160_000 / 8192, 6);
  expect(JSON.parse((await run('--write', '1', '--data', rows, '--json')).out).onBtrfs).toEqual([]);
});

test('a price that is not known is given in a file, which needs no more than that', async () => {
  const asked = ['--storage', 'openzfs', '--write', '1', '--capacity', '5'];
  const unwrapped = (text: string) => text.replaceAll(/\n {2,}/g, ' ');
  const unpriced = unwrapped((await run(...asked)).out);
  expect(unpriced).toContain('take it from https://aws.amazon.com/fsx/openzfs/pricing/, and put it into prices.json');
  expect(unpriced).not.toContain('list prices');
  const all = unwrapped((await run(...asked, '--all')).out);
  expect(all).toContain('640 MB/s at an unknown price, but writes reach');
  const price = (item: string, unit: string, usd: number) => ({
    item: `fsx/openzfs/SINGLE_AZ_2/${item}`,
    region: 'us-east-1',
    unit,
    price: usd,
    source: 'our contract',
    asOf: '2026-11-22',
    confidence: 'aws',
  });
  const root = mkdtempSync(join(folder, 'root-'));
  const prices = [price('storage', 'GB-month', 0.1), price('throughput', 'MBps-month', 0.25)];
  const own = { schema: 'fsxbench.prices/1', currency: 'USD', asOf: '2026-11-22', prices };
  writeFileSync(join(root, 'prices.json'), JSON.stringify(own));
  const { options } = JSON.parse((await fsxbenchIn({ root }, ['advise', ...asked, '--json'])).out);
  expect(options[0].monthlyUsd).toBeCloseTo(5821 * 0.1 + 1280 * 0.25, 2);
});

test('what is read again and again has to be stored', async () => {
  const { out } = await run('--read', '2', '--working-set', '10TB', '--json');
  const { requirement, options } = JSON.parse(out);
  expect(requirement.capacityTB).toBeCloseTo(10, 9);
  for (const { capacityTB } of options) expect(capacityTB).toBeGreaterThanOrEqual(10);
});

test('if nothing meets it, the first line says so, and the status is 3', async () => {
  const { status, out, err } = await run('--metadata', '500000');
  expect([status, err]).toEqual([3, '']);
  expect(out).toMatch(
    /^Nothing that AWS sells meets these requirements\s+\(considered:\s+FSx for Lustre\)\. Closest: .*file creates\s+reach\s+384,000\s+of\s+500,000/s,
  );
  const { options, nearest } = JSON.parse((await run('--metadata', '500000', '--json')).out);
  expect(options).toEqual([]);
  expect(nearest[0].unmet).toEqual([
    expect.objectContaining({ demand: 'creates', asked: 500_000, offered: 384_000, met: false }),
  ]);
});

test('says of which option the source of the prices is told', async () => {
  const { out } = await run('--storage', 'efs', '--capacity', '10', '--read', '1');
  expect(out.replaceAll(/\s+/g, ' ')).toContain('; option 1: list prices of us-east-1, 2026-06; all third-party');
});

test('says where prices of AWS are to be had, if one of those on the screen is estimated', async () => {
  const { out } = await run('--write', '2', '--capacity', '20', '--region', 'us-west-2');
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    "option 1: list prices of us-west-2, 2026-07-14; third-party; for AWS's own list: npx fsxbench cost --refresh --region us-west-2",
  );
});

test.each([
  ['twenty thousand creations a second', '--metadata 20000'],
  ['a budget', '--max-monthly 5000'],
  ['genomics', '--capacity 50TB --read 4GB/s --ratio 2.2 --clients 16 --instance c5n.9xlarge'],
  ['300 million files', '--capacity 200TB --read 40GB/s --files 300000000'],
  ['the same where prices are estimated', '--capacity 200TB --read 40GB/s --files 300000000 --region eu-central-1'],
  ['the Region of the longest name', '--capacity 200TB --read 40GB/s --files 300000000 --region ap-southeast-1'],
])('an answer fits one screen of 24 lines and 100 columns: %s', async (_, asked) => {
  const { status, out } = await run(...asked.split(' '));
  const lines = out.trimEnd().split('\n');
  expect([status, lines.length <= 24, Math.max(...lines.map(({ length }) => length)) <= 100]).toEqual([0, true, true]);
  expect(out).toMatch(/"(Compression|Metadata)Bench"/);
});
