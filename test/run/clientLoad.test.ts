import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { loadBetween, withClientLoad } from '../../lib/run/clientLoad';
import { execute } from '../../lib/run/process';
import { Shell } from '../../lib/run/shell';
import type { LoadReading } from '../../lib/schema/load';
import { RunFolder } from '../../lib/store/folder';
import { localClients, smallPlan, temporaryFolder } from './bench';

const READING: LoadReading = {
  ...{ schema: 'fsxbench.load/1', uptime: 100, processors: 4, busySeconds: 50, stealSeconds: 1, loadAverage: 0.5 },
  ...{ cpuStallSeconds: 2, memoryStallSeconds: 1, device: { read: 100, written: 1000 }, kernelSeconds: 5 },
  ...{ processSeconds: { '1 7 init': 3, '70 900 sh': 10 }, others: [], othersProcessors: 0 },
};

test('two answers of a client say what it did between them, and who took part in it', () => {
  const load = loadBetween('10.0.0.1', READING, {
    ...READING,
    ...{ uptime: 110, busySeconds: 80, stealSeconds: 3, loadAverage: 4.1, cpuStallSeconds: 9, memoryStallSeconds: 2 },
    ...{ device: { read: 400, written: 6000 }, kernelSeconds: 7 },
    // The loop was there before and works on; the tool came and went; somebody else came and stayed.
    processSeconds: { '1 7 init': 3, '70 900 sh': 20, '99 9000 backup': 4 },
    ...{ others: [{ name: 'sh', processors: 0.8 }], othersProcessors: 0.8 },
  });
  expect(load).toEqual({
    ...{ client: '10.0.0.1', seconds: 10, processors: 4, busy: 30 / 40, lasting: 10 / 40, tool: 18 / 40 },
    ...{ others: 0.2, names: ['sh'], steal: 2 / 40, loadAverage: 4.1, cpuStall: 0.7, memoryStall: 0.1 },
    device: { read: 300, written: 5000 },
  });
});

test('a kernel without pressure figures, and an arm on no device of the client, have none', () => {
  const silent = { ...READING, cpuStallSeconds: null, memoryStallSeconds: null, device: null };
  expect(loadBetween(null, silent, { ...silent, uptime: 110 })).toMatchObject({
    ...{ cpuStall: null, memoryStall: null, device: null, busy: 0 },
  });
});

/** Asks this machine around half a second in which nothing is measured. */
async function asked(home: string) {
  const folder = new RunFolder(temporaryFolder());
  const clients = localClients(folder.path);
  const [step] = smallPlan().steps;
  const [task] = step?.tasks ?? [];
  if (step === undefined || task === undefined) throw new Error('the plan has no task');
  const write = (name: string, content: string): void => void folder.write(name, content);
  const abort = new AbortController().signal;
  const shell = new Shell({ execute, abort, folder: folder.path, write, attempt: 1 }, step, task, 'raw/x');
  return withClientLoad(
    { ...clients, config: { ...clients.config, home } },
    ...(['all', folder.path, (suffix: string) => shell.named(suffix)] as const),
    () => new Promise<string>((resolve) => setTimeout(() => resolve('done'), 500)),
  );
}

const HOME = join(__dirname, '../../assets/client');

test('four busy loops on this machine are seen, and named', async () => {
  const loops: ChildProcess[] = [1, 2, 3, 4].map(() => spawn('/bin/sh', ['-c', 'while :; do :; done']));
  try {
    // Among twenty others a loop may wait longer than the half second in which it is looked for.
    const names = new Set<string>();
    for (let time = 0; time < 8 && !names.has('sh'); time += 1) {
      const { result, load } = await asked(HOME);
      expect([result, load.length]).toEqual(['done', 1]);
      expect(load[0]?.others).toBeGreaterThan(0.1);
      for (const name of load[0]?.names ?? []) names.add(name);
    }
    expect([...names]).toContain('sh');
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
}, 60_000);

test('clients whose scripts are older than the question are not asked', async () => {
  expect(await asked('/nowhere')).toEqual({ result: 'done', load: [] });
});
