import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-node-floor-'));

/** Says that it is another version than it is. */
const old = join(folder, 'old.cjs');
beforeAll(() =>
  writeFileSync(
    old,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } }); delete Map.groupBy;\n",
  ),
);

test.each([
  ['fsxbench.js', ['list'], /^fsxbench: Node\.js must be 22 or newer, this is 20\.20\.2: run `npm run build`/],
  [
    'driver.js',
    ['--run', folder],
    /^driver: Node\.js must be 22 or newer on this client, this is 20\.20\.2 \(\/.*resume/,
  ],
])('%s says in one line that Node.js is too old', (bundle, args, says) => {
  const argv = ['--require', old, join(PROJECT, 'dist', bundle), ...args];
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(says);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test.each(['index', 'constructs', 'schemas'])('the package refuses an old Node.js by name at import: %s', (entry) => {
  for (const how of [`require('./${entry}.js')`, `import('./${entry}.mjs')`]) {
    const argv = ['--require', old, '-e', how];
    const { status, stderr } = spawnSync(process.execPath, argv, { cwd: join(PROJECT, 'dist'), encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(
        'Error: fsxbench needs Node.js 22 or newer, this is 20.20.2: install a newer one',
      ),
    });
  }
});
