import { advise } from '../../lib/advise';
import { caveatsOf } from '../../lib/advise/caveats';
import { fsxbenchIn } from '../cli/support';

const GENOMICS = ['--capacity', '50', '--read', '4', '--ratio', '2.2', '--clients', '16', '--instance', 'c5n.9xlarge'];
const screen = async (...argv: string[]) => (await fsxbenchIn({}, ['advise', ...argv])).out.trimEnd().split('\n');

test.each([
  ['genomics', GENOMICS, 25],
  ['a budget', ['--max-monthly', '5000'], 24],
  ['creations', ['--metadata', '20000'], 26],
  ['many files', ['--capacity', '200', '--read', '40', '--files', '300M'], 36],
  ['all options', [...GENOMICS, '--all'], 200],
])('%s fits its screen', async (_, argv, most) => {
  const lines = await screen(...argv);
  expect(lines.length).toBeLessThanOrEqual(most);
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
});

test('the first screen has the best of each kind with a reason for each, and --all the rest', async () => {
  const lines = await screen(...GENOMICS);
  const ranked = lines.filter((line) => /^\d+ /.test(line));
  expect(ranked.map((line) => line.split(/ +/).slice(1, 3).join(' '))).toEqual([
    'PERSISTENT_2 SSD',
    'PERSISTENT_1 SSD',
    'PERSISTENT_1 HDD',
    'SCRATCH_2 SSD',
  ]);
  expect(lines.join(' ')).toContain('the cheapest that meets it');
  expect(lines.join(' ')).toMatch(/31 % dearer than 1, 0.8 times the +throughput of 1/);
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
  for (const { headrooms } of options) expect(headrooms.read).toBeGreaterThanOrEqual(0.2);
  const less = advise({ ...requirement, headroom: 0 }).options.map(({ headrooms }) => headrooms.read ?? 0);
  expect(Math.min(...less)).toBeLessThan(0.2);
  expect(advise({ createsPerSecond: 20_000 }).options[0]?.configuration).toMatchObject({ metadata: { iops: 12_000 } });
  expect(() => advise({ ...requirement, headroom: -1 })).toThrow("'headroom' must be a share from 0 to 10, got -1");
});

test('clients that reach the rate are not refused for the head-room of the storage', () => {
  const clients = { count: 1, instanceType: 'c5n.9xlarge' };
  expect(advise({ readMBps: 6000, clients }).options.length).toBeGreaterThan(0);
});

test('a capacity that is missed is not printed as one that is met', () => {
  const misses = advise({ capacityTB: 200.001, writeMBps: 10, maxFill: 1 }).options.flatMap(({ cheaper }) =>
    cheaper.flatMap((one) => one.misses),
  );
  for (const miss of misses) expect(miss).not.toMatch(/holds (\S+) of \1 TB/);
});
