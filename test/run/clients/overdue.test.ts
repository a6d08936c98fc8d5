import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { byWrite, endedWhenStuck } from '../../../lib/run/clients/overdue';

const never = new AbortController().signal;
const patience = { overdueSeconds: 0.03, pauseSeconds: 0.01 };

/** A work that lasts until it is ended. */
const endless = (abort: AbortSignal): Promise<string> =>
  new Promise((resolve) => abort.addEventListener('abort', () => resolve('ended'), { once: true }));

const watched = { abort: never, expectedSeconds: 1, patience };

test('a late work whose file system stores nothing is ended, with the reason', async () => {
  const problem = async () => '/mnt/a did not answer within 120 s';
  expect(await endedWhenStuck(endless, { ...watched, problem })).toEqual({
    result: 'ended',
    problem: '/mnt/a did not answer within 120 s',
  });
});

test('a late work on a slow file system goes on, which is asked again and again', async () => {
  let asked = 0;
  const problem = async () => {
    asked += 1;
    return null;
  };
  const slow = async () => {
    while (asked < 3) await sleep(5);
    return 'done';
  };
  expect(await endedWhenStuck(slow, { ...watched, problem })).toEqual({ result: 'done', problem: null });
});

test('a work in time asks nothing', async () => {
  const problem = async () => 'it was asked';
  expect(await endedWhenStuck(async () => 'done', { ...watched, problem })).toEqual({ result: 'done', problem: null });
});

test('a work that ends while the question is open is no failure', async () => {
  const problem = () => new Promise<string>((resolve) => setTimeout(() => resolve('late'), 60));
  const work = async () => {
    await sleep(40);
    return 'done';
  };
  expect(await endedWhenStuck(work, { ...watched, problem })).toEqual({ result: 'done', problem: null });
});

test('a work that throws throws', async () => {
  const broken = async () => {
    throw new Error('broken');
  };
  await expect(endedWhenStuck(broken, { ...watched, problem: async () => null })).rejects.toThrow('broken');
});

test('a directory that stores answers and keeps nothing; one that refuses has answered, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-overdue-'));
  await byWrite(folder, never);
  expect(readdirSync(folder)).toEqual([]);
  await byWrite(join(folder, 'gone'), never);
  await byWrite('/proc', never);
  rmSync(folder, { recursive: true });
});
