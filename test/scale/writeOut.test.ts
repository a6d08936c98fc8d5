import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { changeCompression, checkCompressionChange, writeOut } from '../../lib/scale/compression';
import type { FsxApi } from '../../lib/scale/fileSystem';
import { type LustreState, Refusal } from '../../lib/storage/lustre/state';

let folder: string;
let log: string;
const path = process.env.PATH;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-write-out-'));
  log = join(folder, 'log');
  writeFileSync(log, '');
  process.env.PATH = `${folder}${delimiter}${path}`;
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true });
});

function program(body: string): string {
  const file = join(folder, 'sync');
  writeFileSync(file, `#!/bin/bash\necho "sync $*" >>${log}\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** FSx, which logs what it is asked to change. */
function service(): FsxApi & { state: LustreState } {
  const state = {
    fileSystemId: 'fs-0a1b2c3d4e5f60718',
    mountName: 'abcdefgh',
    lifecycle: 'AVAILABLE',
    actions: [],
    configuration: { dataCompressionType: 'NONE' as 'NONE' | 'LZ4' },
  };
  return {
    state: state as unknown as LustreState,
    describe: async () => state as unknown as LustreState,
    update: async () => {
      writeFileSync(log, `${readFileSync(log, 'utf8')}update\n`);
      state.configuration.dataCompressionType = 'LZ4';
    },
  } as unknown as FsxApi & { state: LustreState };
}

test('what this computer holds is written out before the compression is switched', async () => {
  program('');
  const api = service();
  await changeCompression(api, checkCompressionChange(api.state, 'LZ4'), { mounted: '/fsx/data' });
  expect(readFileSync(log, 'utf8')).toBe('sync --file-system /fsx/data\nupdate\n');
});

test('without a directory of this computer there is nothing to write out', async () => {
  program('');
  const api = service();
  await changeCompression(api, checkCompressionChange(api.state, 'LZ4'));
  expect(readFileSync(log, 'utf8')).toBe('update\n');
});

test('where that fails, nothing is switched', async () => {
  program('exit 1');
  const api = service();
  await expect(
    changeCompression(api, checkCompressionChange(api.state, 'LZ4'), { mounted: '/fsx/data' }),
  ).rejects.toThrow(
    new Refusal(
      "'--recompress' must write out first what this computer holds of /fsx/data: sync --file-system ended with status 1. Nothing was switched",
    ),
  );
  expect(readFileSync(log, 'utf8')).not.toContain('update');
});

test('one that never ends is given up', async () => {
  await expect(writeOut('/fsx', { sync: program('exec sleep 3600'), seconds: 0.2 })).rejects.toThrow(
    'took more than 0.2 s',
  );
  await expect(writeOut('/fsx', { sync: join(folder, 'none') })).rejects.toThrow('cannot be run (spawn ');
});

test('the real program takes the option', () => expect(writeOut(folder)).resolves.toBeUndefined());
