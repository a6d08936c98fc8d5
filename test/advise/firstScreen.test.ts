import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { advise } from '../../lib/advise';
import { caveatsOf } from '../../lib/advise/search';
import { fsxbenchIn } from '../cli/support';

const GENOMICS = ['--capacity', '50', '--read', '4', '--ratio', '2.2', '--clients', '16', '--instance', 'c5n.9xlarge'];
const screen = async (...argv: string[]) => (await fsxbenchIn({}, ['advise', ...argv])).out.trimEnd().split('\n');

/** Lines of a terminal; docs/advise.md promises that an answer fits. */
const SCREEN = 24;

test.each([
  ['genomics', GENOMICS, SCREEN],
  ['a budget', ['--max-monthly', '5000'], SCREEN],
  ['creates', ['--metadata', '20000'], SCREEN],
  ['many files', ['--capacity', '200', '--read', '40', '--files', '300M'], SCREEN],
  ['all options', [...GENOMICS, '--all'], 200],
])('%s fits its screen: the answer first, with a reason for each option', async (_, argv, most) => {
  const lines = await screen(...argv);
  expect(lines[0]).toMatch(/^Meets (the requirement|both requirements|all \d requirements): /);
  expect(lines.length).toBeLessThanOrEqual(most);
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  const ranked = lines.filter((line) => /^(\d+|–) /.test(line));
  expect(ranked.length).toBeGreaterThan(0);
  const reasons = lines
    .join(' ')
    .replaceAll(/ +/g, ' ')
    .match(
      /the cheapest( of known price)?|the fastest that the|(dearer|cheaper) than option 1|same price as option 1|its price is not fully known/g,
    );
  expect(reasons).toHaveLength(ranked.length);
});

test('twenty thousand small files fit a screen, with what they take', async () => {
  const root = mkdtempSync(join(tmpdir(), 'fsxbench-small-'));
  try {
    for (const part of Array.from({ length: 20 }, (_, index) => join(root, `${index}`))) {
      mkdirSync(part);
      for (let file = 0; file < 1000; file += 1)
        writeFileSync(join(part, `${file}.json`), `{"id":${file},"v":"${'x'.repeat(file % 130)}"}`);
    }
    for (const more of [[], ['--capacity', '5TB']]) {
      const all = await screen('--data', root, ...more);
      expect(all.length).toBeLessThanOrEqual(SCREEN);
      expect(all.filter((line) => line.length > 100)).toEqual([]);
      expect(all.join('\n')).toContain('to prove option 1');
    }
    const lines = await screen('--data', root);
    expect(lines.join(' ')).toMatch(
      /1\.592 MB of data in 20,000 files, which take 256 MB on Lustre.* are 99 % overhead on Lustre/,
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('the first screen has the best of each kind, and --all the rest', async () => {
  const lines = await screen(...GENOMICS);
  const ranked = lines.filter((line) => /^\d+ /.test(line));
  expect(ranked.map((line) => line.split(/ +/).slice(1, 3).join(' ')).slice(0, 2)).toEqual([
    'PERSISTENT_2 SSD',
    'PERSISTENT_1 HDD',
  ]);
  expect((await screen(...GENOMICS, '--all')).filter((line) => /^(\d+|–) /.test(line)).length).toBeGreaterThan(20);
});

test('a budget alone has a single answer', async () => {
  expect((await screen('--max-monthly', '5000')).filter((line) => /^(\d+|–) /.test(line))).toHaveLength(1);
});

test('no option with a warning stands above one without, and each keeps a fifth in reserve', () => {
  const requirement = { capacityTB: 50, readMBps: 4000, ratio: 2.2 };
  const { options } = advise(requirement);
  const priced = options.filter(({ monthlyUsd }) => monthlyUsd !== null);
  const warned = priced.map(({ configuration }) => caveatsOf(configuration).length > 0);
  expect(warned.indexOf(true)).toBeGreaterThan(warned.lastIndexOf(false));
  for (const { headroom } of options) expect(headroom).toBeGreaterThanOrEqual(0.2);
  const less = advise({ ...requirement, headroom: 0 }).options.map(({ headroom }) => headroom ?? 0);
  expect(Math.min(...less)).toBeLessThan(0.2);
  expect(advise({ createsPerSecond: 20_000 }).options[0]?.configuration).toMatchObject({ metadata: { iops: 12_000 } });
});

/** Shortcomings of cheaper configurations. */
const missesOf = (requirement: Parameters<typeof advise>[0]): string[] =>
  advise(requirement).options.flatMap(({ cheaper }) => cheaper.flatMap(({ misses }) => misses));

test('a capacity that is missed is not printed as one that is met', () => {
  const [option] = advise({ capacityTB: 200, writeMBps: 10, maxFill: 1 }).options;
  const misses = missesOf({ capacityTB: (option?.capacityTB ?? 0) * 1.00001, writeMBps: 10, maxFill: 1 });
  const held = misses.filter((miss) => miss.startsWith('it holds '));
  expect(held.length).toBeGreaterThan(0);
  for (const miss of held) expect(miss).not.toMatch(/holds (\S+) of \1 TB/);
});

test('a rate that lacks only the head-room says so', () => {
  const ofReads = (requirement: object) =>
    missesOf({ capacityTB: 50, readMBps: 4000, ratio: 2.2, ...requirement }).filter((miss) =>
      /^reads reach/.test(miss),
    );
  const lacking = ofReads({}).filter((miss) => miss.includes(' of 4.8 GB/s'));
  expect(lacking.length).toBeGreaterThan(0);
  for (const miss of lacking) expect(miss).toMatch(/ GB\/s with 20 % head-room$/);
  for (const miss of ofReads({ headroom: 0 })) expect(miss).not.toContain('head-room');
});

test('head-room of reads next to a rate of writes says so', async () => {
  const asked = ['--capacity', '300', '--read', '20', '--write', '5', '--ratio', '1.3', '--all'];
  const text = (await screen(...asked)).join(' ').replaceAll(/ +/g, ' ');
  // SCRATCH_2 reads 53.8 GB/s of 20, and writes 34.9 of 5.
  expect(text).toContain('34.9 GB/s of writes (disk_compressed), 169 % head-room of reads');
  expect(text).toContain('34.9 GB/s, 83.9 in a burst (disk_compressed), 75 % head-room, ');
});
