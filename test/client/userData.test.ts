import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT_SCRIPT, CLIENT_SCRIPT_PATH, cloudConfig } from '../../lib/constructs/machine/userData';
import { inAll } from '../support/drawn';

const SCRIPT = CLIENT_SCRIPT;
const ARMS = JSON.stringify([{ name: 'none', dnsName: 'fs-0.fsx.us-east-1.amazonaws.com', mountPoint: '/fsx/none' }]);
const TEXT = `#!/bin/bash\nexport FSXBENCH_ARMS='${ARMS}'\nexport ODD='it'\\''s: # {x} %y "z" \\n'\n${SCRIPT}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-user-data-'));
});

/** cloud-init's verdict on user data; `null`, with a notice, if it is not available. */
function cloudInit(action: 'schema' | 'content', userData: string) {
  const file = join(folder, 'user-data');
  writeFileSync(file, userData);
  const done = spawnSync('bash', [join(__dirname, 'lib/cloud-init.sh'), action, file], { encoding: 'utf8' });
  if (done.status !== 75) return done;
  process.stderr.write(`skipped: ${done.stderr}`);
  return null;
}

test('cloud-init schema accepts the user data', () => {
  const done = cloudInit('schema', cloudConfig(TEXT));
  if (done === null) return;
  expect(`${done.stdout}${done.stderr}`).toContain('Valid');
  expect(done.status).toBe(0);
});

inAll(test)('cloud-init writes the very script, byte for byte', () => {
  const done = cloudInit('content', cloudConfig(TEXT));
  if (done === null) return;
  expect(done.stdout).toBe(TEXT);
});

inAll(test)('cloud-init schema refuses what is wrong, so that its yes means something', () => {
  const done = cloudInit('schema', cloudConfig(TEXT).replace(/path: .*/, 'path: 7'));
  if (done === null) return;
  expect(done.status).toBe(1);
  expect(done.stderr).toContain("7 is not of type 'string'");
});

test('the script is that of the repository, without its comments', () => {
  const file = join(folder, 'script');
  writeFileSync(file, SCRIPT);
  const functions = (path: string): string =>
    spawnSync('bash', ['-c', `source ${path}; declare -f`], { encoding: 'utf8' }).stdout;
  expect(functions(file)).toBe(functions(CLIENT_SCRIPT_PATH));
  expect(functions(file)).toContain('fetch_bundle');
  expect(SCRIPT).not.toMatch(/^\s*# /m);
});

test('the script stays small: four arms with long names fit into half of what EC2 takes', () => {
  const arm = { name: 'x'.repeat(20), dnsName: 'd'.repeat(60), mountName: 'm'.repeat(8), mountPoint: 'p'.repeat(30) };
  const text = `#!/bin/bash\nexport FSXBENCH_ARMS='${JSON.stringify([arm, arm, arm, arm])}'\n${SCRIPT}`;
  expect(Buffer.byteLength(cloudConfig(text))).toBeLessThan(16_384 / 2);
});
