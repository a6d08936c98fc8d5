import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientLoads, loadBetween } from '../../../lib/run/clients/clientLoad';
import { execute } from '../../../lib/run/clients/process';
import { Shell } from '../../../lib/run/shell';
import type { LoadReading } from '../../../lib/schema/environment';
import type { Step, Task } from '../../../lib/schema/plan';
import { RunFolder } from '../../../lib/store/folder';
import { fakeExecute, localClients, smallPlan, temporaryFolder } from '../bench';

const READING: LoadReading = {
  schema: 'fsxbench.load/1',
  uptime: 100,
  processors: 4,
  busySeconds: 50,
  stealSeconds: 1,
  loadAverage: 0.5,
  cpuStallSeconds: 2,
  memoryStallSeconds: 1,
  device: { read: 100, written: 1000 },
  kernelSeconds: 5,
  processSeconds: { '1 7 init': 3, '70 900 sh': 10 },
  others: [],
  othersProcessors: 0,
};

test('two answers of a client say what it did between them, and who took part in it', () => {
  const load = loadBetween('10.0.0.1', READING, {
    ...READING,
    uptime: 110,
    busySeconds: 80,
    stealSeconds: 3,
    loadAverage: 4.1,
    cpuStallSeconds: 9,
    memoryStallSeconds: 2,
    device: { read: 400, written: 6000 },
    kernelSeconds: 7,
    // The loop was there before and works on; the tool came and went; somebody else came and stayed.
    processSeconds: { '1 7 init': 3, '70 900 sh': 20, '99 9000 backup': 4 },
    others: [{ name: 'sh', processors: 0.8 }],
    othersProcessors: 0.8,
  });
  expect(load).toEqual({
    client: '10.0.0.1',
    seconds: 10,
    processors: 4,
    busy: 30 / 40,
    lasting: 10 / 40,
    tool: 18 / 40,
    others: 0.2,
    names: ['sh'],
    steal: 2 / 40,
    loadAverage: 4.1,
    cpuStall: 0.7,
    memoryStall: 0.1,
    device: { read: 300, written: 5000 },
  });
});

// 4 processors for 10 s: 40 s of work. What the kernel and lasting processes did is not the tool's.
test.each<[string, Partial<LoadReading>, object]>([
  ['busy for 20 s', { busySeconds: 70 }, { busy: 0.5, tool: 0.5, lasting: 0 }],
  ['busy for 20 s, 0.4 s of them in the kernel', { busySeconds: 70, kernelSeconds: 5.4 }, { busy: 0.5, tool: 0.49 }],
  ['busy in the kernel for longer than in all', { busySeconds: 51, kernelSeconds: 9 }, { busy: 0.025, tool: 0 }],
  // A counter that was reset says nothing of the time between.
  ['less busy than before', { busySeconds: 1, kernelSeconds: 1, stealSeconds: 0 }, { busy: 0, tool: 0, steal: 0 }],
  [
    'with two processes that were there before',
    { busySeconds: 70, processSeconds: { '1 7 init': 5, '70 900 sh': 12, '80 1 new': 9 } },
    { lasting: 0.1, tool: 0.4 },
  ],
  ['with others on more processors than it has', { othersProcessors: 9 }, { others: 1 }],
  ['with a service on more processors than it has', { serviceProcessors: 9 }, { service: 1 }],
  ['stalled for 5 s', { cpuStallSeconds: 7, memoryStallSeconds: 3.5 }, { cpuStall: 0.5, memoryStall: 0.25 }],
  ['on no device any more', { device: null }, { device: null }],
])('a client that was %s: %j', (_, change, load) => {
  const close = (value: unknown) => (typeof value === 'number' ? expect.closeTo(value, 9) : value);
  const expected = Object.fromEntries(Object.entries(load).map(([name, value]) => [name, close(value)]));
  expect(loadBetween(null, READING, { ...READING, uptime: 110, ...change })).toMatchObject(expected);
});

test('who was at work just before a task counts where the question before it did not watch', () => {
  const unwatched = { ...READING, othersProcessors: null, serviceProcessors: null };
  const busy = { ...READING, others: [{ name: 'tar', processors: 2 }], othersProcessors: 2, serviceProcessors: 1 };
  expect(loadBetween(null, unwatched, READING, busy)).toMatchObject({ others: 0.5, names: ['tar'] });
  expect(loadBetween(null, unwatched, busy, READING)).toMatchObject({ others: 0.5, names: ['tar'], service: 0.25 });
  expect(loadBetween(null, unwatched, READING)).toMatchObject({ others: 0, names: [] });
});

test('a kernel without pressure figures, and an arm on no device of the client, have none', () => {
  const silent = { ...READING, cpuStallSeconds: null, memoryStallSeconds: null, device: null };
  expect(loadBetween(null, silent, { ...silent, uptime: 110 })).toMatchObject({
    cpuStall: null,
    memoryStall: null,
    device: null,
    busy: 0,
  });
});

test('what a client counted is the difference of its counters, and nothing where they were reset or are closed', () => {
  const counting = (value: number) => ({ ...READING, counters: [{ name: 'lustre_opens', unit: '1', value }] });
  const later = { uptime: 110, ioWaitSeconds: 6, ioStallSeconds: 7 };
  const before = { ...counting(40), ioWaitSeconds: 2, ioStallSeconds: 2 };
  expect(loadBetween(null, before, { ...counting(45), ...later })).toMatchObject({
    counters: [{ name: 'lustre_opens', unit: '1', value: 5 }],
    ioWait: 4 / 40,
    ioStall: 0.5,
  });
  expect(loadBetween(null, before, { ...counting(3), ...later })).toMatchObject({
    counters: null,
    countersReason: expect.stringContaining('were reset meanwhile'),
  });
  const reads = (value: number) => ({ name: 'lustre_reads', unit: '1', value });
  const both = (value: number) => ({ ...READING, counters: [...counting(40).counters, reads(value)] });
  expect(loadBetween(null, both(9), both(3)).counters).toBeNull();
  const part = (value: number) => ({ ...counting(value), countersReason: 'only root may read the rest' });
  expect(loadBetween(null, part(40), { ...part(45), ...later })).toMatchObject({
    counters: [{ name: 'lustre_opens', unit: '1', value: 5 }],
    countersReason: 'only root may read the rest',
  });
  const closed = { ...READING, counters: null, countersReason: 'only root may read them' };
  expect(loadBetween(null, closed, closed)).toMatchObject({
    counters: null,
    countersReason: 'only root may read them',
  });
});

/** Asks this computer around some time in which nothing is measured, so often; by a clock on which each task takes so many seconds. */
async function asked(
  home: string,
  times = 1,
  milliseconds = 500,
  taskSeconds = 10,
  before: (folder: string) => void = () => {},
) {
  const folder = new RunFolder(temporaryFolder());
  before(folder.path);
  const clients = localClients(folder.path);
  const [step] = smallPlan().steps;
  const [task] = step?.tasks ?? [];
  if (step === undefined || task === undefined) throw new Error('the plan has no task');
  const write = (name: string, content: string): void => void folder.write(name, content);
  const abort = new AbortController().signal;
  const shell = new Shell({ execute, abort, folder: folder.path, write, attempt: 1 }, step, task, 'raw/x');
  let now = 0;
  const loads = new ClientLoads({ ...clients, config: { ...clients.config, home } }, () => now);
  const around = (time: number) =>
    loads.around(
      { group: 'all', mountPoint: folder.path },
      (suffix) => shell.named(`${time}-${suffix}`),
      async () => {
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        now += 1000 * taskSeconds;
        return 'done';
      },
    );
  for (let time = 1; time < times; time += 1) await around(time);
  return { ...(await around(times)), raw: folder.path };
}

const HOME = join(__dirname, '../../../assets/client');

/** The questions in which the client watched who works, of so many tasks that take so long each. */
async function watchesOf(times: number, taskSeconds: number): Promise<string[]> {
  const { load, raw } = await asked(HOME, times, 20, taskSeconds);
  expect(load).toHaveLength(1);
  const files = readdirSync(join(raw, 'raw'));
  // One file of each task, however many clients were asked how often.
  expect(files.sort()).toEqual(Array.from({ length: times }, (_, index) => `x.${index + 1}-load.jsonl`).sort());
  const questions = files.flatMap((name) =>
    readFileSync(join(raw, 'raw', name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => ({ task: /\d+/.exec(name)?.[0], ...JSON.parse(line) })),
  );
  // One before and one after each task, and the one that watches before the first.
  expect(questions).toHaveLength(2 * times + 1);
  return questions
    .filter(({ othersProcessors }) => othersProcessors !== null)
    .map(({ task, time }) => `${task}-load-${time}`)
    .sort();
}

test('an answer that a killed driver left behind is not taken for one of now', async () => {
  const { load, raw } = await asked(HOME, 1, 20, 10, (folder) => {
    mkdirSync(join(folder, 'raw'));
    writeFileSync(join(folder, 'raw', 'x.1-load-before.new.out'), `${JSON.stringify({ ...READING, uptime: 1 })}\n`);
  });
  expect(load[0]?.seconds).toBeLessThan(60);
  expect(readdirSync(join(raw, 'raw'))).toEqual(['x.1-load.jsonl']);
});

test('a client that does not answer stands in the raw file with what it said instead', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'client-load'), '#!/bin/sh\necho no node here\nexit 3\n', { mode: 0o755 });
  const { load, raw } = await asked(home, 1, 20);
  expect(load).toEqual([]);
  const [first = ''] = readFileSync(join(raw, 'raw', 'x.1-load.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(first)).toEqual({
    client: null,
    time: 'watched',
    reason: 'exit status 3',
    output: 'no node here\n',
  });
});

test('a client watches once between two tasks, and before the first', async () => {
  expect(await watchesOf(2, 10)).toEqual(['1-load-after', '1-load-watched', '2-load-after']);
});

test('a client watches every few seconds between short tasks, so that they do not take twice as long for it', async () => {
  expect(await watchesOf(4, 2)).toEqual(['1-load-watched', '3-load-after']);
});

test('busy loops on this computer are seen, and named, a program of Node.js by its file', async () => {
  const loops: ChildProcess[] = [1, 2, 3].map(() => spawn('/bin/sh', ['-c', 'while :; do :; done']));
  loops.push(spawn(process.execPath, ['-e', 'for (;;);']));
  try {
    // Among twenty others a loop may wait longer than the half second in which it is looked for.
    const names = new Set<string>();
    for (let time = 0; time < 8 && !(names.has('sh') && names.has('node')); time += 1) {
      const { result, load } = await asked(HOME);
      expect([result, load.length]).toEqual(['done', 1]);
      expect(load[0]?.others).toBeGreaterThan(0.1);
      for (const name of load[0]?.names ?? []) names.add(name);
    }
    expect([...names]).toEqual(expect.arrayContaining(['sh', 'node']));
    expect([...names]).not.toContain('MainThread');
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
}, 60_000);

test('others are servers of another lab and a tool left behind, not those of its own lab or a question for its neighbour', async () => {
  const folder = temporaryFolder();
  const loop = (name: string, marks: Record<string, string>, ...more: string[]): ChildProcess => {
    // The kernel names a process after its program's file.
    copyFileSync('/bin/sh', join(folder, name));
    return spawn(join(folder, name), ['-c', 'while :; do :; done', ...more], { env: marks });
  };
  const loops = [
    loop('server', { FSXBENCH_LAB: '/own' }),
    loop('foreign', { FSXBENCH_LAB: '/another' }),
    loop('left', { FSXBENCH_LAB: '/own', FSXBENCH_RUN_FOLDER: '/run' }),
    loop('question', { FSXBENCH_RUN_FOLDER: '/run' }, join(HOME, 'lib', 'client-load.mjs')),
  ];
  const before = process.env.FSXBENCH_LAB;
  process.env.FSXBENCH_LAB = '/own';
  try {
    const names = new Set<string>();
    let service = 0;
    for (let time = 0; time < 8 && !(service > 0 && names.has('foreign') && names.has('left')); time += 1) {
      const { load } = await asked(HOME);
      service = Math.max(service, load[0]?.service ?? 0);
      for (const name of load[0]?.names ?? []) names.add(name);
    }
    expect(service).toBeGreaterThan(0);
    expect([...names]).toEqual(expect.arrayContaining(['foreign', 'left']));
    expect([...names]).not.toContain('server');
    expect([...names]).not.toContain('question');
  } finally {
    for (const one of loops) one.kill('SIGKILL');
    if (before === undefined) delete process.env.FSXBENCH_LAB;
    else process.env.FSXBENCH_LAB = before;
  }
}, 60_000);

/** A client that answers with one boot id after the other. */
function clientOfBoots(...ids: readonly string[]): string {
  const home = temporaryFolder();
  mkdirSync(join(home, 'bin'));
  const answers = ids.map((bootId) => JSON.stringify({ ...READING, bootId })).join('\n');
  writeFileSync(join(home, 'answers'), `${answers}\n`);
  const script = `#!/bin/sh\nhead -n 1 ${home}/answers; sed -i 1d ${home}/answers\n`;
  writeFileSync(join(home, 'bin', 'client-load'), script, { mode: 0o755 });
  return home;
}

test('a client whose boot id changes within a task is named, and has no load there', async () => {
  // It watches, then it is asked before and after.
  expect(await asked(clientOfBoots('a', 'a', 'b'), 1, 20)).toMatchObject({ rebooted: ['this computer'], load: [] });
  expect(await asked(clientOfBoots('a', 'a', 'a'), 1, 20)).toMatchObject({ rebooted: [], load: [{ client: null }] });
});

test('this computer says which boot it is in', async () => {
  const { raw } = await asked(HOME, 1, 20);
  const [first = ''] = readFileSync(join(raw, 'raw', 'x.1-load.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(first).bootId).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
});

test('clients whose scripts are older than the question are not asked', async () => {
  expect(await asked('/nowhere')).toMatchObject({ result: 'done', load: [] });
});

test('clients that are one computer on one mount say so, and those on another mount or machine do not', async () => {
  const machines: Readonly<Record<string, Partial<LoadReading>>> = {
    a: { bootId: 'x', mount: '0:35' },
    b: { bootId: 'x', mount: '0:35' },
    c: { bootId: 'x', mount: '0:36' },
    d: { bootId: 'y', mount: '0:35' },
    e: { bootId: 'x' },
  };
  const names = Object.keys(machines);
  const { execute: answering } = fakeExecute(({ argv }) => ({
    output: JSON.stringify({ ...READING, ...machines[names.find((name) => argv.includes(name)) ?? ''] }),
  }));
  const folder = new RunFolder(temporaryFolder());
  const { config } = localClients(folder.path);
  const [step] = smallPlan().steps as [Step];
  const [task] = step.tasks as [Task];
  const write = (name: string, content: string): void => void folder.write(name, content);
  const abort = new AbortController().signal;
  const shell = new Shell({ execute: answering, abort, folder: folder.path, write, attempt: 1 }, step, task, 'raw/x');
  const fleet = { config: { ...config, launch: 'ssh', home: HOME }, addresses: names, groups: 1 };
  const { load } = await new ClientLoads(fleet).around(
    { group: 'all', mountPoint: folder.path },
    (suffix) => shell.named(suffix),
    async () => 'done',
  );
  expect(load.map(({ client, sameAs }) => [client, sameAs])).toEqual([
    ...[['a'], ['b', 'a'], ['c'], ['d'], ['e']].map(([client, sameAs]) => [client, sameAs]),
  ]);
});
