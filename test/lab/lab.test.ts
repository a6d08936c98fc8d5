import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../../lib/common/processIdentity';
import { labDown, labStatus, leftovers } from '../../lib/lab/down';
import { type Lab, labUp } from '../../lib/lab/lab';
import { labPaths } from '../../lib/lab/paths';
import { LAB_MARKER } from '../../lib/lab/processes';
import { readState } from '../../lib/lab/state';
import { drawn } from '../support/drawn';
import { until } from '../support/patience';
import { alive } from '../support/processes';
import { ARMS, labProject, PROJECT } from './support';

let root: string;
let remove: () => void;

beforeAll(async () => {
  ({ root, remove } = await labProject());
});
afterAll(() => remove());

const up = (options: { directories?: boolean } = {}) => labUp({ root, arms: ARMS, sizeGiB: 1, ...options });

describe('a lab with file systems', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await up();
  });
  afterAll(() => labDown(root));

  test('is up with an emulator, a storage for each arm and this computer as the client, and is used again', async () => {
    expect(await labStatus(root)).toMatchObject({ state: 'up', endpoint: lab.endpoint, problems: [] });
    expect(lab.storages.map(({ arm }) => arm)).toEqual(['none', 'lz4']);
    for (const { mountPoint } of lab.storages) writeFileSync(join(mountPoint, 'file'), 'data');

    const client = JSON.parse(readFileSync(lab.paths.clientConfig, 'utf8'));
    expect(client).toEqual(lab.client);
    expect(client).toMatchObject({ schema: 'fsxbench.client/1', launch: 'local', user: null, networkCidr: null });
    expect(Object.keys(client.arms)).toEqual(['none', 'lz4']);
    expect(existsSync(join(lab.paths.clientHome, 'bin', 'start-run'))).toBe(true);

    expect((await up()).endpoint).toBe(lab.endpoint);
  });

  test('has a client that can empty its caches with the scripts that it was given', () => {
    const { clientHome } = lab.paths;
    const system = join(root, 'system');
    mkdirSync(join(system, 'proc/sys/vm'), { recursive: true });
    writeFileSync(join(system, 'proc/mounts'), '');
    writeFileSync(join(system, 'proc/sys/vm/drop_caches'), '');
    execFileSync(join(clientHome, 'bin/drop-caches'), {
      env: { ...process.env, FSXBENCH_HOME: clientHome, FSXBENCH_ROOT: system },
    });
    expect(readFileSync(join(system, 'proc/sys/vm/drop_caches'), 'utf8')).toBe('3\n');
  });

  test('removes what an interrupted start left before it starts again', async () => {
    const { endpoint } = lab;
    execFileSync('kill', ['-9', String((await readState(lab.paths))?.emulator?.process?.pid)]);
    await until('the end of the emulator', async () => (await labStatus(root)).state === 'broken');
    lab = await up();
    expect(lab.endpoint).not.toBe(endpoint);
    expect(await labStatus(root)).toMatchObject({ state: 'up' });
  });

  test('names who uses a mount instead of pulling it away, leaves nothing once it is left, and down again does nothing', async () => {
    const emulator = (await readState(lab.paths))?.emulator?.process;
    if (!emulator) throw new Error('no emulator was recorded');
    const [storage] = lab.storages;
    if (storage?.kind === 'btrfs') {
      const user = spawn('sleep', ['600'], { cwd: storage.mountPoint, stdio: 'ignore' });
      await expect(labDown(root)).rejects.toThrow(
        `${storage.mountPoint} is in use by process ${user.pid} (sleep); mount ${storage.mountPoint}`,
      );
      user.kill('SIGKILL');
      await new Promise((resolve) => user.once('close', resolve));
    }
    await labDown(root);
    expect(await leftovers(lab.paths)).toEqual([]);
    expect(isRunning(emulator)).toBe(false);
    expect(existsSync(lab.paths.substitutes)).toBe(false);
    expect(existsSync(lab.paths.mounts)).toBe(false);
    expect(await labStatus(root)).toMatchObject({ state: 'down' });
    await labDown(root);
  });
});

describe('a lab of plain directories', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await up({ directories: true });
  });
  afterAll(() => labDown(root));

  test('says what that means', async () => {
    expect(lab.storages.every(({ kind }) => kind === 'directory')).toBe(true);
    expect(lab.client.arms.lz4).toMatchObject({
      filesystem: 'other',
      actually: expect.stringMatching(/^plain directory on \w+$/),
    });
    expect(lab.notices.join(' ')).toContain('nothing is compressed, so the arms should not differ');
    // A lab that is up is used as it is, or not at all.
    await expect(
      labUp({ root, arms: ARMS, model: { scale: 50, holds: 'servers', arms: ARMS }, insists: true }),
    ).rejects.toThrow(
      /^'--model' and '--scale' must be those of the lab that is up, no scale model, got a 1:50 model of .*LZ4.*: leave them out, or stop it first with npx fsxbench lab down$/,
    );
  });

  describe('that goes down', () => {
    let [detached, child, innocent, answer] = ['', 0, 0, ''];
    beforeAll(async () => {
      [detached, child] = await detachedDriver();
      innocent = await numberedInnocent();
      answer = await lateDriver();
      await phoenix();
      await labDown(root);
    });
    afterAll(() => process.kill(innocent, 'SIGKILL'));

    test('ends detached drivers with their whole process group, found by their pid files', async () => {
      await until('the end of its child', () => !alive(child));
      expect(existsSync(detached)).toBe(true);
    });

    test('ends a driver before what it works with: it writes down how far it came, and the emulator takes it', () => {
      expect(textOf(answer)).toBe('there\n');
    });

    test('ends what starts itself again when it is told to end', async () => {
      expect(await leftovers(lab.paths)).toEqual([]);
    });

    test('never ends a process whose number stands in an old pid file', () => {
      expect(alive(innocent)).toBe(true);
    });
  });

  /** The folder of a run. */
  function folderOf(run: string): string {
    const folder = join(lab.paths.clientState, 'runs', run);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** A driver as start-run starts it, but without the marker, as one has it that systemd started. @returns its folder and the number of its child */
  async function detachedDriver(): Promise<[string, number]> {
    const folder = folderOf('run-1');
    const { [LAB_MARKER]: _, ...environment } = process.env;
    const script = 'sleep 300 & sleep 300 & echo $! >child.pid; wait';
    const driver = spawn('bash', ['-c', script, `${folder}/driver.js`], {
      cwd: folder,
      detached: true,
      stdio: 'ignore',
      env: environment,
    });
    writeFileSync(join(folder, 'driver.pid'), `${driver.pid}\n`);
    await until('the driver and its child', () => /\d\n/.test(textOf(join(folder, 'child.pid'))));
    return [folder, Number(readFileSync(join(folder, 'child.pid'), 'utf8'))];
  }

  /** A process of somebody else's that has the number of a driver that is gone. */
  async function numberedInnocent(): Promise<number> {
    const { pid = 0 } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    writeFileSync(join(folderOf('run-2'), 'driver.pid'), `${pid}\n`);
    return pid;
  }

  /** Starts a driver whose end takes longer than the others may take; it asks the emulator for an answer. @returns the file that shows it */
  async function lateDriver(): Promise<string> {
    const folder = folderOf('run-3');
    const script = `trap 'sleep 4; (exec 3<>/dev/tcp/\${ENDPOINT#*://}) && echo there >answer; exit' TERM; echo >ready; while :; do sleep 0.1; done`;
    const endpoint = lab.endpoint.replace(/:(\d+)$/, '/$1');
    spawn('bash', ['-c', script, `${folder}/driver.js`], {
      cwd: folder,
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, ENDPOINT: endpoint },
    });
    await until('the driver', () => existsSync(join(folder, 'ready')));
    return join(folder, 'answer');
  }

  /** A program of the lab that restarts itself when it is ended. */
  async function phoenix(): Promise<void> {
    const program = join(root, 'phoenix');
    writeFileSync(
      program,
      '#!/bin/bash\ntrap \'FSXBENCH_LAB="$FSXBENCH_LAB" setsid "$0" & exit\' TERM\nwhile :; do sleep 0.1; done\n',
      { mode: 0o755 },
    );
    spawn(program, { detached: true, stdio: 'ignore', env: { ...process.env, [LAB_MARKER]: lab.paths.lab } });
    await until('the process', async () => (await leftovers(lab.paths)).some((one) => one.endsWith('(phoenix)')));
  }
});

const inNamespace = process.getuid?.() === 0 ? test : test.skip;

inNamespace('in a container whose process 1 waits for nobody, what ended counts as ended', async () => {
  const script = `
    const { labUp } = require('./lib/lab/lab');
    const { labDown } = require('./lib/lab/down');
    const { leftovers } = require('./lib/lab/down');
    const { labPaths } = require('./lib/lab/paths');
    const root = ${JSON.stringify(root)};
    labUp({ root, arms: ${JSON.stringify(ARMS)}, sizeGiB: 1 })
      .then(({ paths: { lab } }) => {
        const env = { ...process.env, ${LAB_MARKER}: lab };
        require('node:child_process').execFileSync('setsid', ['--fork', 'sleep', '600'], { env, stdio: 'ignore' });
        return labDown(root);
      })
      .then(() => leftovers(labPaths(root)))
      .then((left) => console.log(JSON.stringify({ left })));`;
  const inside = `("$0" --require ts-node/register/transpile-only --eval "$1"; grep -l '^State:.Z' /proc/[0-9]*/status | wc -l; echo over) & exec sleep infinity`;
  const words = ['--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', inside, process.execPath, script];
  const container = spawn('unshare', words, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  container.stdout.on('data', (text: Buffer) => (said += text.toString()));
  await until('its end', () => said.includes('over'));
  container.kill('SIGKILL');
  const [document = '', zombies] = said.split('\n');
  expect(JSON.parse(document)).toEqual({ left: [] });
  expect(Number(zombies)).toBeGreaterThan(0);
});

// The moments are drawn over the whole of a start, however long it takes here; the seeds make a failure repeatable.
describe('killed while it starts', () => {
  let startMs: number;
  beforeAll(async () => {
    const from = Date.now();
    const starter = startLab();
    expect(await new Promise((resolve) => starter.once('close', resolve))).toBe(0);
    startMs = Date.now() - from;
    await labDown(root);
  });

  describe.each(drawn([1, 2]))('seed %i', (seed) => {
    test.each(['SIGKILL', 'SIGINT'] as const)('by %s, down leaves nothing', async (signal) => {
      const random = mulberry32(seed * 2 + (signal === 'SIGINT' ? 1 : 0));
      const starter = startLab();
      const ended = new Promise((resolve) => starter.once('close', resolve));
      await sleep((0.1 + 0.9 * random()) * startMs);
      starter.kill(signal);
      await ended;
      await labDown(root);
      // A program that outlived its starter must not finish its work after all.
      await sleep(500);
      expect(await leftovers(labPaths(root))).toEqual([]);
      expect(await labStatus(root)).toMatchObject({ state: 'down' });
    });
  });
});

/** `labUp` in a separate process. */
function startLab(): ChildProcess {
  const script = `require('./lib/lab/lab').labUp({ root: ${JSON.stringify(root)}, arms: ${JSON.stringify(ARMS)}, sizeGiB: 1 }).then(() => process.exit(0))`;
  const swc = ['--require', 'ts-node/register/transpile-only', '--eval', script];
  return spawn(process.execPath, swc, { cwd: PROJECT, stdio: 'ignore' });
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** A small generator of uniform numbers from a seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
