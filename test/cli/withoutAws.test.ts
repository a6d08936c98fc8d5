import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explain, isUnanswered } from '../../lib/common/aws/explain';
import { fsxbenchIn } from './support';

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-alone-'));
const before = { ...process.env };
beforeAll(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  process.env.AWS_CONFIG_FILE = join(folder, 'none');
  process.env.AWS_SHARED_CREDENTIALS_FILE = join(folder, 'none');
  process.env.AWS_EC2_METADATA_DISABLED = 'true';
});
afterAll(() => {
  process.env = before;
  rmSync(folder, { recursive: true });
});

const REGION = 'there is no AWS Region: set AWS_REGION, or use the lab: npm run quickstart';
const ID = 'fs-0123456789abcdef0';
const IOPS = "'--iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000";

test.each([
  [
    ['watch', 'no-such'],
    1,
    `there is no run 'no-such' in results: give the id of a run (npx fsxbench list shows them) or its folder. The results bucket could not be queried: ${REGION}`,
  ],
  [['report', 'no-such', '--results', folder], 1, `there is no run 'no-such' in ${folder}: give the id of a run`],
  [['scale', 'metadata', ID, '--iops', '24000'], 1, REGION],
  [['scale', 'metadata', ID, '--iops', '5000'], 2, `${IOPS}, got 5000: use 6000`],
  [
    ['scale', 'metadata', 'mine', '--iops', '12000'],
    2,
    'the file system must be an id such as fs-0a1b2c3d4e5f60718, got mine',
  ],
  [['estimate', 'compression', 's3://some-bucket/x'], 1, REGION],
  [['doctor', '--aws', 'CompressionBench'], 1, 'CompressionBench would not deploy: '],
  [['leftovers'], 1, 'AWS Region: none: choose the Region of the deployment (export AWS_REGION=us-east-1)'],
  [['doctor', '--aws', 'NoBench'], 2, 'NoBench'],
  [['doctor', '--aws', 'CompressionBench', '-c', 'clients=3'], 2, "'clients' must be a multiple of the 2 arms"],
  [['doctor', '-c', 'clients=4'], 2, '-c needs --aws: it sets what would be deployed'],
] as const)('%j without an account gives the best possible answer', async (argv, status, message) => {
  const answer = await fsxbenchIn({}, argv);
  expect(answer).toMatchObject({ status, err: expect.stringContaining(message) });
  expect(answer.err).toMatch(/^fsxbench: .*\n$/m);
});

test('the list of this computer says why it is no more', async () => {
  const { status, err } = await fsxbenchIn({}, ['list', '--results', folder]);
  expect({ status, err }).toEqual({ status: 0, err: `listing only this computer's runs: ${REGION}\n` });
});

test('one path that is not there, beside one that is, is named and not fatal', async () => {
  const file = join(folder, 'data');
  writeFileSync(file, 'x'.repeat(5000));
  const gone = join(folder, 'gone');
  const { status, out } = await fsxbenchIn({}, ['estimate', 'compression', file, gone, '--json']);
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ files: 1, unreadable: [{ path: gone }], unreadableFiles: 1 });
});

test('a network that is not there is told from an answer', () => {
  const unreachable = new Error('getaddrinfo ENOTFOUND fsx.us-east-1.amazonaws.com');
  expect(explain(unreachable)).toBe(
    'AWS cannot be reached at fsx.us-east-1.amazonaws.com (ENOTFOUND): check the network and AWS_REGION, or use the lab: npm run quickstart',
  );
  expect(isUnanswered(unreachable)).toBe(true);
  expect(isUnanswered(Object.assign(new Error(''), { name: 'AggregateError' }))).toBe(true);
  const answered = Object.assign(new Error(''), { name: 'AccessDenied' });
  expect([explain(answered), isUnanswered(answered)]).toEqual(['AccessDenied', false]);
});
