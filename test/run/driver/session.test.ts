import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { metadataBench } from '../../../lib/benchmark/metadata';
import { writeWhole } from '../../../lib/common/writeWhole';
import { acquireLock } from '../../../lib/run/driver/lock';
import { runSession } from '../../../lib/run/driver/session';
import type { Manifest } from '../../../lib/schema/run';
import type { ResultsStore } from '../../../lib/store/bucket';
import { manifestOf } from '../../support/records';
import {
  allAnswer,
  type Behaviour,
  fakeExecute,
  healthy,
  localClients,
  memoryFolder,
  smallPlan,
  temporaryFolder,
} from '../bench';

/** A store in memory that can be made to fail. */
function memoryStore(): ResultsStore & { objects: Map<string, string>; broken: boolean } {
  const objects = new Map<string, string>();
  return {
    objects,
    broken: false,
    describe: 's3://memory',
    async put(key, body) {
      if (this.broken) throw new Error('NoSuchBucket');
      objects.set(key, Buffer.from(body as string | Uint8Array).toString('utf8'));
    },
    async get(key) {
      const found = objects.get(key);
      return found === undefined ? null : Buffer.from(found);
    },
    async download(key, path) {
      const found = objects.get(key);
      if (found !== undefined) writeWhole(path, found);
      return found !== undefined;
    },
    async list(prefix) {
      return [...objects.keys()]
        .filter((key) => key.startsWith(prefix))
        .sort()
        .map((key) => ({ key, size: objects.get(key)?.length ?? 0 }));
    },
  };
}

const manifest = (change: Partial<Manifest> = {}): Manifest =>
  manifestOf({ run: 'r-1', lab: true, bucket: 'results', metricsPeriodSeconds: 5, ...change });

function prepared(folder = memoryFolder(), change: Partial<Manifest> = {}): string {
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(smallPlan()));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest(change)));
  return folder;
}

const sessionWith = (folder: string, store: ResultsStore, behaviour: Behaviour = healthy, change = {}) =>
  runSession({
    folder,
    client: { ...localClients('/mnt').config, ...change },
    results: { store, prefix: 'runs/CompressionBench/r-1', flush: { patience: 0.2, pause: 0.05 } },
    abort: new AbortController().signal,
    execute: fakeExecute(behaviour).execute,
    answering: allAnswer,
  });

test('brings everything to the store as it is here, but for the driver’s own affairs', async () => {
  const [folder, store] = [prepared(), memoryStore()];
  writeFileSync(join(folder, 'driver.pid'), '1');
  const { status, uploadError } = await sessionWith(folder, store);
  expect([status.state, uploadError]).toEqual(['done', null]);
  for (const name of ['samples.jsonl', 'status.json', 'plan.json', 'environment/local.json']) {
    expect(store.objects.get(`runs/CompressionBench/r-1/${name}`)).toBe(readFileSync(join(folder, name), 'utf8'));
  }
  expect([...store.objects.keys()].filter((key) => /driver\.(pid|lock)|\.new$|hosts-/.test(key))).toEqual([]);
  expect([...store.objects.keys()].some((key) => key.endsWith('measure/1-c1-write-none.out'))).toBe(true);
});

test('a leader that took another’s place goes on behind what the store knows', async () => {
  const [first, store] = [prepared(), memoryStore()];
  await sessionWith(first, store, (invocation) =>
    invocation.argv.includes('--rw=read') ? { exitStatus: 1 } : healthy(invocation),
  );
  rmSync(first, { recursive: true });
  const kept = store.objects.get('runs/CompressionBench/r-1/status.json');
  const { execute, commands } = fakeExecute(healthy);
  const second = prepared();
  const { status } = await runSession({
    folder: second,
    client: localClients('/mnt').config,
    results: { store, prefix: 'runs/CompressionBench/r-1' },
    abort: new AbortController().signal,
    execute,
    answering: allAnswer,
  });
  expect(status.state).toBe('done');
  // And the time that it took there.
  expect(status.sessions).toHaveLength(2);
  expect(status.startedAt).toBe(JSON.parse(kept ?? '{}').startedAt);
  const samples = readFileSync(join(second, 'samples.jsonl'), 'utf8');
  expect(samples).toContain('"attempt":2');
  expect(commands.some((argv) => argv.includes('--rw=read'))).toBe(true);
});

test('a node that does not describe itself is recorded as such and stops nothing', async () => {
  const folder = prepared();
  const { status } = await sessionWith(folder, memoryStore(), (invocation) =>
    invocation.argv[0]?.endsWith('describe-node') ? { exitStatus: 127 } : healthy(invocation),
  );
  expect(status.state).toBe('done');
  expect(JSON.parse(readFileSync(join(folder, 'environment/local.json'), 'utf8'))).toEqual({
    node: 'local',
    reason: 'exit status 127',
  });
});

test('a fleet smaller than the plan is refused before anything starts', async () => {
  const folder = prepared(undefined, {
    fleet: {
      ...manifest().fleet,
      clients: [
        { instanceId: 'i-1', privateIp: '10.0.0.1' },
        { instanceId: 'i-2', privateIp: '10.0.0.2' },
      ],
    },
  });
  await expect(sessionWith(folder, memoryStore(), healthy, { launch: 'ssh' })).rejects.toThrow(
    'the plan needs 1 clients, the fleet has 2: wait until all are in service, then run it with --resume',
  );
  expect(existsSync(join(folder, 'samples.jsonl'))).toBe(false);
});

test.each([
  [{}, 'the plan needs fio, the clients have no tool'],
  [{ ior: '3.3.0' }, 'the plan needs fio, the clients have ior 3.3.0'],
])('a plan for tools that clients with %j lack is refused before anything starts', async (tools, message) => {
  const folder = prepared();
  await expect(sessionWith(folder, memoryStore(), healthy, { tools })).rejects.toThrow(message);
  expect(existsSync(join(folder, 'samples.jsonl'))).toBe(false);
});

test.each([
  [{ ior: '3.3.0' }, 'the plan needs mdtest 3.3.0, the clients have ior 3.3.0'],
  [{ ior: '4.0.0', mdtest: '4.0.0' }, 'the plan needs mdtest 3.3.0, the clients have ior 4.0.0, mdtest 4.0.0'],
])('a plan of metadata asks for mdtest itself, of its version, on clients with %j', async (tools, message) => {
  const folder = prepared();
  const plan = smallPlan({ benchmark: metadataBench, scale: 'smoke', set: ['repeats=1'] });
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  await expect(sessionWith(folder, memoryStore(), healthy, { tools })).rejects.toThrow(message);
});

describe('one driver to a run', () => {
  test('a second one is refused while the first works, and the first is not disturbed', async () => {
    const [folder, store] = [prepared(), memoryStore()];
    let goOn = (): void => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { execute } = fakeExecute(healthy);
    const first = runSession({
      folder,
      client: localClients('/mnt').config,
      abort: new AbortController().signal,
      execute: async (...call) => {
        await gate;
        return execute(...call);
      },
    });
    while (!existsSync(join(folder, 'driver.lock'))) await new Promise(setImmediate);
    await expect(sessionWith(folder, store)).rejects.toThrow(
      `process ${process.pid} is already running this run, in ${folder}: wait until it has ended, or interrupt it with kill ${process.pid}`,
    );
    goOn();
    expect((await first).status.state).toBe('done');
    expect(existsSync(join(folder, 'driver.lock'))).toBe(false);
  });

  // Between two drivers that both look at it, the lock of a killed one is a race.
  test('of many drivers that start at the same moment behind a killed one, one drives and the others say who', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'driver.lock'), JSON.stringify({ host: hostname(), pid: 4_194_304, startTicks: '1' }));
    const tried = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(folder)));
    const held = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = tried.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect([held.length, refused.length]).toEqual([1, 7]);
    for (const reason of refused) expect(reason).toContain(`process ${process.pid} is already running this run`);
    held[0]?.();
    (await acquireLock(folder))();
  });

  /** A process of another user, who may be anybody, that has the name of a folder's lock. */
  async function blocker(folder: string) {
    const name = `fsxbench-run-${createHash('sha256').update(realpathSync(folder)).digest('hex')}`;
    const program = `require('net').createServer().listen('\\0${name}', () => console.log('held'))`;
    const [command = '', ...words] = [...asUser(65_534), process.execPath, '-e', program];
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return child;
  }
  const asUser = (id: number): string[] =>
    process.getuid?.() === 0 ? ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups'] : [];

  test('whose name somebody else has taken says how root finds that process', async () => {
    const folder = temporaryFolder();
    const child = await blocker(folder);
    try {
      await expect(acquireLock(folder)).rejects.toThrow(
        /the lock of this run, in \S+, is held by another process: sudo ss -xlp \| grep fsxbench-run-\w{11} names it/,
      );
    } finally {
      child.kill();
    }
  });

  // Its run has no status yet while it waits for clients.
  test('of a driver on another machine, which has the folder, too, keeps others out until that one falls silent', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'driver.lock');
    writeFileSync(file, JSON.stringify({ host: 'login2', pid: 7, startTicks: '1' }));
    let second = 1e9;
    const beat = setInterval(() => utimesSync(file, ++second, second), 50);
    const tried = await acquireLock(folder)
      .finally(() => clearInterval(beat))
      .then(
        (release) => release(),
        (error: Error) => error.message,
      );
    expect(tried).toBe(
      `process 7 on login2 is already running this run, in ${folder}: wait until it has ended, or interrupt it with kill 7`,
    );
    (await acquireLock(folder, 0.5))();
    // One that takes its lock away has ended.
    writeFileSync(file, JSON.stringify({ host: 'login2', pid: 7, startTicks: '1' }));
    setTimeout(() => rmSync(file), 300);
    (await acquireLock(folder))();
  });

  test('is touched by who holds it, whatever the run is at, and no longer once it is given up', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const folder = temporaryFolder();
      const release = await acquireLock(folder);
      const file = join(folder, 'driver.lock');
      utimesSync(file, 1, 1);
      jest.advanceTimersByTime(5000);
      expect(statSync(file).mtimeMs).toBeGreaterThan(1000);
      release();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test('that cannot be removed does not hide why the run ended', async () => {
    const folder = temporaryFolder();
    const release = await acquireLock(folder);
    rmSync(join(folder, 'driver.lock'));
    mkdirSync(join(folder, 'driver.lock'));
    expect(release).not.toThrow();
  });

  test.each([
    ['a killed driver', async () => JSON.stringify({ host: hostname(), pid: await endedProcess(), startTicks: '1' })],
    [
      'a driver whose number another process has now',
      () => JSON.stringify({ host: hostname(), pid: 1, startTicks: '-' }),
    ],
    ['a full disk', () => ''],
  ])('%s leaves the run to the next', async (_, left) => {
    const folder = prepared();
    writeFileSync(join(folder, 'driver.lock'), await left());
    expect((await sessionWith(folder, memoryStore())).status.state).toBe('done');
  });
});

async function endedProcess(): Promise<number> {
  const child = spawn('true');
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid as number;
}

describe('clients that are in service, but have not booted', () => {
  const NOT_BOOTED =
    'check-ready: error: its first boot has not come to its end: the log group of the stack says how far it is';
  const addresses = ['10.0.0.4', '10.0.0.5'];
  const asFleet = { launch: 'ssh', user: 'fsxbench' } as const;

  function fleetRun(): string {
    const folder = prepared(undefined, {
      fleet: {
        ...manifest().fleet,
        clients: addresses.map((privateIp, index) => ({ instanceId: `i-${index}`, privateIp })),
      },
    });
    const plan = smallPlan({ fleet: { clients: 2, instanceType: 'c5n.9xlarge', ranksPerClient: 2 } });
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
    return folder;
  }

  /** The second client is ready when it was asked so many times, and reboots in a write, if it is to. */
  async function sitOnFleet(folder: string, readyAfter: number, reboots = false) {
    let rebooted = !reboots;
    const waits: number[] = [];
    const messages: string[] = [];
    let asked = 0;
    const { execute, commands } = fakeExecute((invocation) => {
      const words = invocation.argv.join(' ');
      if (words.endsWith('check-ready') && words.includes('10.0.0.5') && asked++ < readyAfter)
        return { output: `2026-11-21T09:00:00Z ${NOT_BOOTED}\n`, exitStatus: 1 };
      if (words.includes('describe-node')) return { output: '{"schema":"fsxbench.environment/1"}\n' };
      if (words.includes(' fio ') && words.includes('=write') && !rebooted) {
        [rebooted, asked] = [true, readyAfter - 2];
        return { output: 'client_loop: send disconnect: Broken pipe\n', exitStatus: 255 };
      }
      if (words.includes(' fio ')) return healthy({ ...invocation, argv: ['fio', words] });
      return healthy(invocation);
    });
    const { status } = await runSession({
      folder,
      client: { ...localClients('/mnt').config, ...asFleet },
      abort: new AbortController().signal,
      execute,
      answering: allAnswer,
      onStatus: ({ message }) => void messages.push(message),
      pause: async (seconds) => void waits.push(seconds),
    });
    return { status, waits, messages, lines: commands.map((argv) => argv.join(' ')) };
  }

  test('are waited for: nothing is described or measured before the last is ready', async () => {
    const { waits, messages, lines } = await sitOnFleet(fleetRun(), 3);
    expect(waits).toEqual([15, 15, 15]);
    expect(messages).toContainEqual(expect.stringContaining(`waiting: 1 of 2 clients are not ready; 10.0.0.5: `));
    const before = lines.slice(
      0,
      lines.findIndex((line) => !line.endsWith('check-ready')),
    );
    // The one that was ready is not asked again.
    expect(addresses.map((address) => before.filter((line) => line.includes(address)).length)).toEqual([1, 4]);
  });

  test('are waited for again after a step that failed, since one of them may have rebooted', async () => {
    const { lines, waits } = await sitOnFleet(fleetRun(), 3, true);
    const writes = lines.flatMap((line, index) => (line.includes(' fio ') ? [index] : []));
    const questions = lines.flatMap((line, index) => (line.endsWith('check-ready') ? [index] : []));
    const [first = 0] = writes;
    const next = writes.find((index) => index > (questions.find((asked) => asked > first) ?? Number.POSITIVE_INFINITY));
    expect(waits).toEqual([15, 15, 15, 15, 15]);
    expect(questions.filter((index) => index > first && index < (next ?? 0))).toHaveLength(4);
  });

  test('for twenty minutes; then the run ends with who and why, and has measured nothing', async () => {
    const folder = fleetRun();
    const { status, waits } = await sitOnFleet(folder, Number.POSITIVE_INFINITY);
    const waited = waits.reduce((sum, each) => sum + each, 0);
    expect([waited > 1150, waited <= 1200]).toEqual([true, true]);
    expect(status.failedSteps).toEqual([]);
    expect(status.state).toBe('failed');
    expect(status.endedAt).not.toBeNull();
    expect(status.message).toContain('1 of 2 clients are not ready; 10.0.0.5:');
    expect(status.message).toContain(NOT_BOOTED);
    expect(status.message).toContain('--resume');
    expect(existsSync(join(folder, 'samples.jsonl'))).toBe(false);
  });

  test('are described as root, which alone finds all parameters', async () => {
    const { lines } = await sitOnFleet(fleetRun(), 0);
    const describes = lines.filter((line) => line.includes('describe-node'));
    expect(describes).toHaveLength(2);
    expect(describes.every((line) => line.includes('sudo -n /opt/fsxbench/bin/describe-node'))).toBe(true);
  });
});
