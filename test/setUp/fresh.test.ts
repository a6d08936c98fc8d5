import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

test('a quick start installs no package that only checks use, and leaves an installation with all of them as it is', () => {
  const clone = mkdtempSync(join(tmpdir(), 'fsxbench-fresh-'));
  try {
    for (const part of ['scripts', 'package.json', 'package-lock.json'])
      cpSync(join(ROOT, part), join(clone, part), { recursive: true });
    // Up to date, so nothing is built.
    for (const folder of ['bin', 'lib', 'dist', 'programs']) mkdirSync(join(clone, folder));
    writeFileSync(join(clone, 'dist/fsxbench.js'), '');
    const npm = join(clone, 'programs/npm');
    writeFileSync(
      npm,
      `#!/bin/sh\necho "$PWD $*" >>${clone}/npm.log\nmkdir -p node_modules\ncp package.json node_modules/.package-lock.json\n`,
    );
    chmodSync(npm, 0o755);
    const ensureBuilt = (options: string) =>
      execFileSync(
        process.execPath,
        ['--input-type=module', '-e', `(await import('${clone}/scripts/lib/project.mjs')).ensureBuilt(${options})`],
        { env: { ...process.env, PATH: `${clone}/programs:${process.env.PATH}` }, stdio: 'pipe' },
      );
    const calls = () => readFileSync(join(clone, 'npm.log'), 'utf8').trim().split('\n');
    const installed = () =>
      Object.keys(JSON.parse(readFileSync(join(clone, 'node_modules/.package-lock.json'), 'utf8')).devDependencies);

    for (const _ of ['first', 'again']) ensureBuilt('{ checks: false }');
    expect(calls()).toEqual([expect.stringMatching(`^${clone}/.lab/npm ci .*--ignore-scripts$`)]);
    expect(installed()).toEqual(['aws-cdk', 'aws-cdk-lib', 'constructs', 'esbuild']);
    for (const options of ['', '{ checks: false }']) ensureBuilt(options);
    expect(calls().slice(1)).toEqual([expect.stringMatching(`^${clone} ci `)]);
    expect(installed()).toContain('jest');
  } finally {
    rmSync(clone, { recursive: true });
  }
});
