import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-node-floor-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['fsxbench.js', ['list'], /^fsxbench: Node\.js must be 22 or newer, this is 20\.20\.2: run `npm run build`/],
  [
    'driver.js',
    ['--run', folder],
    /^driver: Node\.js must be 22 or newer on this client, this is 20\.20\.2 \(\/.*resume/,
  ],
])('%s says in one line that Node.js is too old', (bundle, args, says) => {
  const old = join(folder, 'old.cjs');
  writeFileSync(
    old,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });\n",
  );
  const argv = ['--require', old, join(PROJECT, 'dist', bundle), ...args];
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(says);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
