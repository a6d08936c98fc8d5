import { spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MOST_BYTES, readWhole } from '../../lib/common/files';
import { readPriceFile } from '../../lib/cost/priceFile';
import { startedPlan } from '../../lib/run/started';
import { findText } from '../../lib/store/documents';
import { temporaryFolder } from '../run/bench';
import { ROOT } from '../support/sources';

/** A sparse file of so many bytes. */
function sparse(bytes: number): { readonly folder: string; readonly path: string } {
  const folder = temporaryFolder();
  const path = join(folder, 'plan.json');
  writeFileSync(path, '');
  truncateSync(path, bytes);
  return { folder, path };
}

const REFUSED = 'it has 3000 MB, and at most 64 MB are read as a whole';

test('a document that no machine could hold is refused by its size, with what is allowed', () => {
  const { folder, path } = sparse(3e9);
  expect(() => readWhole(path)).toThrow(REFUSED);
  expect(findText(folder, 'plan.json')).toEqual({ fault: `cannot be read (${REFUSED})` });
  expect(() => readPriceFile(path)).toThrow(REFUSED);
  expect(() => startedPlan(folder, {} as never)).toThrow(REFUSED);
  expect(readWhole(sparse(1000).path)).toHaveLength(1000);
  expect(MOST_BYTES).toBe(64e6);
});

/** `lint --file -` behind a pipe. */
function lintOf(producer: string) {
  return spawnSync('bash', ['-c', `${producer} | "$0" dist/fsxbench.js lint --file -`, process.execPath], {
    cwd: ROOT,
    encoding: 'utf8',
  });
}

test('a pipe without an end is refused when too much has come', () => {
  const { status, stderr } = lintOf('yes');
  expect(stderr).toBe(
    "fsxbench: --file: '-' cannot be read: more than 64 MB have come, and no more are read as a whole\n",
  );
  expect(status).toBe(2);
});

test('a pipe is read to its end, in whichever pieces it comes', () => {
  const { status, stdout, stderr } = lintOf(`(echo '[global]'; sleep 0.2; echo 'size=1g'; sleep 0.2; echo '[a]')`);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).not.toBe('');
});

test('what has no size is read: the files of /proc', () => {
  expect(readWhole('/proc/self/status')).toContain('VmPeak');
});
