import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { keepStart, recordsHere, startedHere } from '../../lib/run/started';
import type { StartRecord } from '../../lib/schema/client';
import { temporaryFolder } from './bench';

const RECORD: StartRecord = {
  schema: 'fsxbench.start/1',
  benchmark: 'MountBench',
  run: 'r-1',
  planSha256: '0'.repeat(64),
  stack: null,
  client: null,
};

test('a home that cannot be written, as on nodes of some clusters, is said with what helps', async () => {
  const HOME = temporaryFolder();
  // Root may write to what is read-only for others.
  writeFileSync(join(HOME, '.local'), '');
  await expect(keepStart({ HOME }, RECORD)).rejects.toThrow(
    /^the run cannot be recorded: .*\/\.local\/.*; set XDG_STATE_HOME to a directory that you may write, and keep it for --resume$/,
  );
  const XDG_STATE_HOME = temporaryFolder();
  await keepStart({ HOME, XDG_STATE_HOME }, RECORD);
  expect(startedHere({ HOME, XDG_STATE_HOME }, RECORD)).toEqual(RECORD);
});

test('a user without a home, as in containers, is told the same', () => {
  const homedir = jest.spyOn(os, 'homedir').mockImplementation(() => {
    throw new Error('A system error occurred: uv_os_homedir returned ENOENT');
  });
  try {
    expect(() => recordsHere({})).toThrow(
      /^user \d+ has no home directory, in which runs are recorded: set XDG_STATE_HOME/,
    );
  } finally {
    homedir.mockRestore();
  }
});
