import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metadataBench } from '../../lib/benchmark/metadata';
import { labPaths } from '../../lib/lab/paths';
import { newState } from '../../lib/lab/state';
import type { EbsStorage } from '../../lib/storage/ebs/configuration';
import { PLAIN_DIRECTORY, XFS_ON_LOOP } from '../../lib/storage/kit/standIns';
import { storageNamed } from '../../lib/storage/lookup';
import { fsxbenchIn } from './support';

// A lab that comes up to its deployment: neither an emulator nor its Python is needed for what a client is told.
jest.mock('../../lib/lab/venv', () => ({ ensureVenv: async () => 'python' }));
jest.mock('../../lib/lab/emulator', () => ({
  ...jest.requireActual('../../lib/lab/emulator'),
  startEmulator: async () => ({ port: 1, endpoint: 'http://127.0.0.1:1', process: null }),
}));
jest.mock('../../lib/lab/deploy', () => ({
  deploy: async () => {
    throw new Error('far enough');
  },
}));

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fsxbench-lab-'));
  mkdirSync(join(root, '.lab'));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(root, { recursive: true });
});

test('of a lab that is half there, the status says how it is cleared', async () => {
  writeFileSync(join(root, '.lab', 'state.json'), JSON.stringify(newState()));
  const { status, out } = await fsxbenchIn({ root }, ['lab', 'status']);
  expect(status).toBe(0);
  expect(out).toMatch(/^the lab is broken\n {2}the last start was interrupted\n {2}the emulator is not running\n/);
  expect(out).toContain("'npx fsxbench lab down'");
});

test('of no lab, the status names no next step', async () => {
  expect((await fsxbenchIn({ root }, ['lab', 'status'])).out).toBe('the lab is down\n');
});

test('what stops the lab prints its state as a document, as its status does', async () => {
  const { status, out, err } = await fsxbenchIn({ root }, ['lab', 'down', '--json']);
  expect([status, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({ schema: 'fsxbench.lab-status/1', state: 'down', storages: [] });
  expect((await fsxbenchIn({ root }, ['lab', 'status', '--json'])).out).toBe(out);
});

test('a benchmark without a scale model refuses one, before anything is started', async () => {
  jest.replaceProperty(metadataBench.lab as { modelled?: string | undefined }, 'modelled', undefined);
  const { status, err } = await fsxbenchIn({ root }, ['lab', 'up', '--benchmark', 'MetadataBench', '--model']);
  expect(status).not.toBe(0);
  expect(err).toContain("'model' must be absent with MetadataBench, which has no scale model, got 'its own'");
});

test('an arm that nothing can stand in for gets no storage of another, and those after it keep their own', async () => {
  jest.replaceProperty(process, 'env', { ...process.env });
  jest.spyOn(process, 'getuid').mockReturnValue(1000);
  jest
    .spyOn(storageNamed('ebs').lab, 'standIns')
    .mockImplementation((of) => ((of as EbsStorage).filesystem === 'xfs' ? [XFS_ON_LOOP] : [PLAIN_DIRECTORY]));
  jest.spyOn(storageNamed('moosefs').lab, 'standIns').mockReturnValue([PLAIN_DIRECTORY]);
  const { err } = await fsxbenchIn({ root }, ['lab', 'up', '--benchmark', 'StorageBench']);
  expect(err).toContain('xfs is left out: nothing here can stand in for EBS.');
  expect(err).toContain('far enough');
  const { clientConfig, mounts } = labPaths(root);
  const { arms } = JSON.parse(readFileSync(clientConfig, 'utf8')) as { arms: Record<string, { mountPoint: string }> };
  const own = ['btrfs-lzo', 'btrfs-zstd', 'moosefs'];
  expect(arms).not.toHaveProperty('xfs');
  expect(own.map((arm) => arms[arm]?.mountPoint)).toEqual(own.map((arm) => join(mounts, arm)));
});
