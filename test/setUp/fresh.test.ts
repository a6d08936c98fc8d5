import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sources';

test('npm test begins in a checkout in which no package is installed yet', () => {
  const clone = mkdtempSync(join(tmpdir(), 'fsxbench-fresh-'));
  try {
    for (const part of ['scripts', 'test/support', 'package.json'])
      cpSync(join(ROOT, part), join(clone, part), { recursive: true });
    const listed = execFileSync(process.execPath, ['scripts/test.mjs', '--list'], { cwd: clone, encoding: 'utf8' });
    expect(listed.split('\n')).toEqual(expect.arrayContaining(['types', 'jest', 'bats']));
  } finally {
    rmSync(clone, { recursive: true });
  }
});
