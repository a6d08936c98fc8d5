import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataDirectory, unmounted } from '../../../lib/run/clients/directory';
import { withQueue } from '../../../lib/run/clients/launch';
import type { Outcome } from '../../../lib/run/clients/process';
import { Answering, awaitReady, byWrite, endedWhenStuck } from '../../../lib/run/clients/reach';
import type { ClientConfig, QueueStatus } from '../../../lib/schema/client';
import type { RunStatus } from '../../../lib/schema/run';
import type { Commands } from '../../../lib/storage/filesystem';
import { filesystemNamed } from '../../../lib/storage/filesystems';
import { RunFolder } from '../../../lib/store/folder';
import { ENDED } from '../../support/records';

const never = new AbortController().signal;

/** A mount that hangs until it is released, and how often it was asked. */
function hangingMount() {
  let release = (): void => {};
  let asked = 0;
  const ask = (): Promise<void> => {
    asked += 1;
    return new Promise((resolve) => {
      release = resolve;
    });
  };
  return { ask, release: () => release(), asked: () => asked };
}

test('a mount that hangs is a problem after the time it may take, and at once from then on', async () => {
  const mount = hangingMount();
  const answering = new Answering(never, mount.ask, 0.05);
  expect(await answering.problem('/mnt/a')).toBe('/mnt/a did not answer within 0.05 s');
  // Timers end in the order in which they are due, however busy the machine is.
  const asLongAgain = sleep(50, 'waited again');
  expect(await Promise.race([answering.problem('/mnt/a'), asLongAgain])).toBe('/mnt/a did not answer within 0.05 s');
  // One request is under way, never a second one that would also hang.
  expect(mount.asked()).toBe(1);
});

test('a mount that answers after all is worked on again', async () => {
  const mount = hangingMount();
  const answering = new Answering(never, mount.ask, 0.05);
  await answering.problem('/mnt/a');
  mount.release();
  expect(await answering.problem('/mnt/a')).toBeNull();
});

test('one mount that hangs is no problem of another', async () => {
  const mount = hangingMount();
  const answering = new Answering(never, (path) => (path === '/mnt/a' ? mount.ask() : Promise.resolve()), 0.05);
  expect(await Promise.all(['/mnt/a', '/mnt/b'].map((path) => answering.problem(path)))).toEqual([
    expect.stringContaining('/mnt/a did not answer'),
    null,
  ]);
});

test('an interruption ends the wait', async () => {
  const abort = new AbortController();
  const waiting = new Answering(abort.signal, hangingMount().ask, 3600).problem('/mnt/a');
  abort.abort();
  expect(await waiting).toContain('did not answer');
});

test('a directory answers, and so does one that is not there: its steps say what is wrong', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-answering-'));
  const answering = new Answering(never);
  expect(await answering.problem(folder)).toBeNull();
  expect(await answering.problem(join(folder, 'gone'))).toBeNull();
  rmSync(folder, { recursive: true });
});

test('a work that ends while the question is open is no failure, and one that throws throws', async () => {
  const watched = { abort: never, expectedSeconds: 1, patience: { overdueSeconds: 0.03, pauseSeconds: 0.01 } };
  const problem = () => new Promise<string>((resolve) => setTimeout(() => resolve('late'), 60));
  const work = async () => {
    await sleep(40);
    return 'done';
  };
  expect(await endedWhenStuck(work, { ...watched, problem })).toEqual({ result: 'done', problem: null });
  await expect(endedWhenStuck(() => Promise.reject(new Error('broken')), { ...watched, problem })).rejects.toThrow(
    'broken',
  );
});

test('a directory that stores answers and keeps nothing; one that refuses has answered, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-overdue-'));
  await byWrite(folder, never);
  expect(readdirSync(folder)).toEqual([]);
  await byWrite(join(folder, 'gone'), never);
  await byWrite('/proc', never);
  rmSync(folder, { recursive: true });
});

type Arm = ClientConfig['arms'][string];
const LUSTRE = { mountPoint: '/fsx/lz4', type: 'lustre', device: '10.0.0.15@tcp:/fsxvol' };
const arm = (mountedAt: Arm['mountedAt']): Arm => ({
  mountPoint: '/fsx/lz4/data',
  filesystem: 'lustre',
  actually: 'Lustre',
  ...(mountedAt ? { mountedAt } : {}),
});
const mount = (mountPoint: string, type: string, device: string) => ({ mountPoint, type, device, options: 'rw' });
const root = mount('/', 'xfs', '/dev/nvme0n1p1');

test('an arm is where it was while its mount is there, and where nobody recorded one', () => {
  const mounts = [root, mount('/fsx/lz4', 'autofs', 'systemd-1'), { ...LUSTRE, options: 'rw' }];
  expect(unmounted(arm(LUSTRE), () => mounts)).toBeNull();
  expect(unmounted(arm(undefined), () => [root])).toBeNull();
});

test.each([
  ['nothing', [root], 'nothing is mounted there'],
  ['an automount', [root, mount('/fsx/lz4', 'autofs', 'systemd-1')], 'systemd-1 (autofs)'],
  [
    'another volume on it',
    [root, { ...LUSTRE, options: 'rw' }, mount('/fsx/lz4', 'lustre', '10.0.0.9@tcp:/other')],
    '10.0.0.9@tcp:/other (lustre)',
  ],
])('an arm whose mount is gone, with %s in its place, is named with the next step', (_, mounts, found) => {
  const problem = unmounted(arm(LUSTRE), () => mounts);
  expect(problem).toContain('10.0.0.15@tcp:/fsxvol (lustre) is no longer mounted at /fsx/lz4');
  expect(problem).toContain(found);
  expect(problem).toContain('mount it again, and continue with --resume');
});

test('a disk that has another number after a reboot is the same arm', () => {
  const disk = { mountPoint: '/data', type: 'xfs', device: '/dev/nvme1n1' };
  expect(unmounted(arm(disk), () => [root, mount('/data', 'xfs', '/dev/nvme2n1')])).toBeNull();
});

test('an arm of which no mount was recorded asks for none: without a table of mounts there is nothing to read', () => {
  const read = jest.fn(() => []);
  expect(unmounted(arm(undefined), read)).toBeNull();
  expect(read).not.toHaveBeenCalled();
});

test.each([
  ['xfs', ['mv -T /mnt/a/u /mnt/a/u.left-1', 'mkdir -p /mnt/a/u']],
  ['fuse', ['remove /mnt/a/u', 'mkdir -p /mnt/a/u']],
])('what an earlier attempt left on %s is out of the way before the next', async (type, expected) => {
  const lines: string[] = [];
  const commands = {
    each: async (all: readonly (readonly string[])[]) => {
      lines.push(...all.map((argv) => argv.join(' ')));
      return null;
    },
  } as unknown as Commands;
  const removal = (paths: readonly string[]) => ['remove', ...paths];
  const place = { mountPoint: '/mnt/a', directory: '/mnt/a/u', commands, seconds: 60, owned: () => [], removal };
  const data = new DataDirectory(filesystemNamed(type), place, () => ['u']);
  await data.make({ kind: 'make-directory', fresh: true });
  expect(lines).toEqual(expected);
});

const SILENT: Outcome = { ...ENDED, exitStatus: null, signal: 'SIGKILL', timedOut: true };

const FLEET = {
  clients: {
    config: { launch: 'ssh', user: 'fsxbench', home: '/opt/fsxbench' } as unknown as ClientConfig,
    addresses: ['10.0.0.4'],
    groups: 1,
  },
  abort: new AbortController().signal,
  say: async () => {},
};

test('a client that waiting does not make ready is refused at once, with its reason', async () => {
  const path = mkdtempSync(join(tmpdir(), 'fsxbench-ready-'));
  const reason = 'check-ready: error: arm lz4: LNet sent no request over EFA';
  const pauses: number[] = [];
  const failure = await awaitReady({
    ...FLEET,
    folder: new RunFolder(path),
    execute: async ({ outputFile }) => {
      writeFileSync(outputFile, `${reason}\n`);
      return { ...SILENT, exitStatus: 3, signal: null, timedOut: false };
    },
    pause: async (seconds) => void pauses.push(seconds),
  });
  rmSync(path, { recursive: true });
  expect(failure).toBe(`10.0.0.4 cannot be measured: ${reason}`);
  expect(pauses).toEqual([]);
});

test('clients that never answer are given up after twenty minutes, the time of their silence included', async () => {
  const path = mkdtempSync(join(tmpdir(), 'fsxbench-ready-'));
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const failure = await awaitReady({
      ...FLEET,
      folder: new RunFolder(path),
      execute: async () => {
        now += 150_000;
        return SILENT;
      },
      pause: async (seconds) => {
        now += seconds * 1000;
      },
    });
    expect(failure).toContain('1 of 1 clients are not ready; 10.0.0.4: ');
    expect(now / 1000).toBeLessThanOrEqual(1200 + 150);
  } finally {
    jest.restoreAllMocks();
    rmSync(path, { recursive: true });
  }
});

const REFERENCE = { benchmark: 'ClusterBench', run: 'r1' };
const at = (second: number): string => `2026-11-22T12:00:${String(second).padStart(2, '0')}.000Z`;

const job = (change: Partial<QueueStatus>): QueueStatus => ({
  schema: 'fsxbench.queue/1',
  job: '12',
  state: 'RUNNING',
  ended: false,
  reason: 'None',
  restarts: 0,
  nodes: 'n[1-2]',
  updatedAt: at(10),
  ...change,
});
const word = (change: Partial<RunStatus>): RunStatus => ({
  schema: 'fsxbench.status/1',
  ...REFERENCE,
  state: 'running',
  step: 's',
  phase: 'measure',
  stepsDone: 3,
  stepsTotal: 9,
  failedSteps: [],
  startedAt: at(0),
  updatedAt: at(5),
  endedAt: null,
  sessions: [],
  message: 'ior write on none',
  ...change,
});
const interrupted = word({ state: 'interrupted', endedAt: at(5), message: 'interrupted with 6 steps to do' });

test('a fleet without a scheduler has the driver’s word and nothing else', () => {
  expect(withQueue(REFERENCE, null, null)).toBeNull();
  expect(withQueue(REFERENCE, interrupted, null)).toBe(interrupted);
});

test.each<[string, RunStatus | null, Partial<QueueStatus>, Partial<RunStatus>]>([
  [
    'a job that waits for its nodes says so, before there is a driver',
    null,
    { state: 'PENDING', reason: 'Resources' },
    { state: 'starting', endedAt: null, message: 'the job 12 waits for its nodes: PENDING (Resources)' },
  ],
  [
    'a driver that was interrupted while its job is still there will be started again',
    interrupted,
    {},
    { state: 'starting', endedAt: null, stepsDone: 3, message: 'the job 12 is RUNNING; waiting for its driver' },
  ],
  [
    'a job that was put back into the queue is no end of the run',
    interrupted,
    { state: 'PENDING', reason: 'BeginTime', restarts: 1 },
    {
      state: 'starting',
      endedAt: null,
      message: 'the job 12 waits for its nodes: PENDING (BeginTime), put back into the queue 1 time',
    },
  ],
  [
    'a driver that was killed without a word is interrupted once its job has left the queue',
    word({}),
    { state: 'NODE_FAIL', ended: true },
    { state: 'interrupted', endedAt: at(10), message: 'the job 12 ended as NODE_FAIL before the run was done' },
  ],
  ['the driver’s own end counts', interrupted, { state: 'CANCELLED', ended: true }, interrupted],
  [
    'a run that is done is done, whatever the queue says',
    word({ state: 'done', endedAt: at(5) }),
    {},
    { state: 'done' },
  ],
  ['a running driver speaks for itself', word({}), {}, word({})],
  [
    'an earlier job that has ended says nothing of a driver that spoke after it',
    word({ updatedAt: at(20) }),
    { state: 'CANCELLED', ended: true },
    { state: 'running', endedAt: null },
  ],
])('%s', (_, status, queue, expected) => {
  expect(withQueue(REFERENCE, status, job(queue))).toMatchObject(expected);
});
