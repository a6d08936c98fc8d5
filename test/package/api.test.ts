import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bin, newFolder } from './project';
import { ROOT } from './tarball';

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

test('the API reference is made without a warning: everything exported is documented, and no link in it is dead', () => {
  // Types of the whole project are what `tsc` is for, in the stage before.
  const argv = ['--skipErrorChecking', '--out', folder, '--logLevel', 'Warn'];
  const { status, stdout, stderr } = spawnSync(bin('typedoc'), argv, { cwd: ROOT, encoding: 'utf8' });
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
  const pages = ['classes/constructs.LustreClients.html', 'functions/index.advise.html'];
  expect(pages.filter((page) => !existsSync(join(folder, page)))).toEqual([]);
});
