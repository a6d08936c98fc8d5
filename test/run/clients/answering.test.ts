import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Answering } from '../../../lib/run/clients/answering';

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
