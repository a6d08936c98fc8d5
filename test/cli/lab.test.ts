import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopLab } from '../../lib/cli/lab';
import { labPaths } from '../../lib/lab/paths';
import { newState } from '../../lib/lab/state';
import { PLAIN_DIRECTORY, XFS_ON_LOOP } from '../../lib/storage/common/substitutes';
import type { EbsStorage } from '../../lib/storage/ebs/configuration';
import { storageNamed } from '../../lib/storage/lookup';
import { fsxbenchIn } from './support';

// A lab that starts up to its deployment: the client's facts need neither an emulator nor its Python.
jest.mock('../../lib/lab/venv', () => ({ ensureVenv: async () => 'python' }));
jest.mock('../../lib/lab/emulator', () => ({
  ...jest.requireActual('../../lib/lab/emulator'),
  startEmulator: async ({ paths }: { paths: { emulatorKey: string } }) => {
    writeFileSync(paths.emulatorKey, 'LAB');
    return { port: 1, endpoint: 'http://127.0.0.1:1', process: null };
  },
}));
jest.mock('../../lib/lab/deploy', () => ({
  bootstrap: async () => {},
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

test('a shell that took the variables of a lab is told that it still has them', async () => {
  const down = 'the lab is down: no process, mount or loop device is left\n';
  expect((await fsxbenchIn({ root }, ['lab', 'down'])).out).toBe(down);
  const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:44937' };
  expect((await fsxbenchIn({ root, environment }, ['lab', 'down'])).out).toBe(
    `${down}this shell still points at it: take another for AWS\n`,
  );
});

test('what stops the lab prints its state as a document, as its status does', async () => {
  const { status, out, err } = await fsxbenchIn({ root }, ['lab', 'down', '--json']);
  expect([status, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({ schema: 'fsxbench.lab-status/1', state: 'down', storages: [] });
  expect((await fsxbenchIn({ root }, ['lab', 'status', '--json'])).out).toBe(out);
});

describe('what a run had measured that was at work when the lab was stopped', () => {
  const RECORDED = join(__dirname, '../fixtures/runs/lab-compression');
  const { run, benchmark } = JSON.parse(readFileSync(join(RECORDED, 'manifest.json'), 'utf8'));

  /** Stops a lab with a driver, which ends when it is asked to. */
  async function stopped(results: string) {
    const client = join(labPaths(root).clientState, 'runs', run);
    cpSync(RECORDED, client, { recursive: true });
    writeFileSync(join(client, 'driver.js'), 'setInterval(() => {}, 1000)');
    const driver = spawn(process.execPath, [join(client, 'driver.js')], { detached: true });
    let err = '';
    const say = (text: string): void => {
      err += text;
    };
    await stopLab({ root, environment: {}, interactive: false, out: () => {}, err: say }, results);
    expect([driver.exitCode, driver.signalCode]).not.toEqual([null, null]);
    return { client, err };
  }

  test('goes to where it was started, and is told with the command that goes on', async () => {
    const results = join(root, 'my results');
    const here = join(results, 'runs', benchmark, run);
    mkdirSync(here, { recursive: true });
    const { client, err } = await stopped(results);
    expect(readFileSync(join(here, 'samples.jsonl'))).toEqual(readFileSync(join(client, 'samples.jsonl')));
    expect(existsSync(join(here, 'driver.js'))).toBe(false);
    expect(err).toContain(`${run} was running, and is interrupted: what it measured is in ${here}\n`);
    expect(err).toContain(`npx fsxbench run ${benchmark} --resume ${run}\n`);
  });

  test('stays on its client where it was started elsewhere', async () => {
    const { client, err } = await stopped(join(root, 'other'));
    expect(err).toContain(`what it measured is in ${client}\n`);
    expect(existsSync(join(root, 'other'))).toBe(false);
  });
});

test('an arm that nothing can stand in for gets no storage of another, and those after it keep their own', async () => {
  jest.replaceProperty(process, 'env', { ...process.env });
  jest.spyOn(process, 'getuid').mockReturnValue(1000);
  jest
    .spyOn(storageNamed('ebs'), 'substitutes')
    .mockImplementation((of) => ((of as EbsStorage).filesystem === 'xfs' ? [XFS_ON_LOOP] : [PLAIN_DIRECTORY]));
  jest.spyOn(storageNamed('moosefs'), 'substitutes').mockReturnValue([PLAIN_DIRECTORY]);
  const { err } = await fsxbenchIn({ root }, ['lab', 'up', '--benchmark', 'StorageBench']);
  expect(err).toContain('xfs is left out: nothing here can stand in for EBS.');
  expect(err).toContain('far enough');
  const { clientConfig, mounts } = labPaths(root);
  const { arms } = JSON.parse(readFileSync(clientConfig, 'utf8')) as { arms: Record<string, { mountPoint: string }> };
  const own = ['btrfs-lzo', 'btrfs-zstd', 'moosefs'];
  expect(arms).not.toHaveProperty('xfs');
  expect(own.map((arm) => arms[arm]?.mountPoint)).toEqual(own.map((arm) => join(mounts, arm)));
});
