import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../lib/lab/processes';
import { until } from '../support/patience';
import { alive } from '../support/processes';

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-command-'));

test('a command that takes too long is ended with all that it started, in sessions of their own as well', async () => {
  const script = `cd ${folder}; setsid bash -c 'echo $$ >far; exec sleep 600' & echo $$ >near; echo halfway >&2; wait`;
  const { code, stderr } = await runCommand('bash', ['-c', script], { seconds: 2 });
  expect([code, stderr]).toEqual([null, 'halfway\n\nbash was ended after 2 s']);
  for (const name of ['near', 'far'])
    await until(`the end of ${name}`, () => !alive(Number(readFileSync(join(folder, name), 'utf8'))));
});

test('what a command leaves running when it ends in time goes on', async () => {
  const { code, stdout } = await runCommand('bash', ['-c', 'sleep 600 >/dev/null 2>&1 & echo $!'], { seconds: 600 });
  expect(code).toBe(0);
  expect(alive(Number(stdout))).toBe(true);
  process.kill(Number(stdout), 'SIGKILL');
});
