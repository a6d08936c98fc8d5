import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isRunning, statOf } from '../../lib/common/processIdentity';
import { until } from '../support/patience';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const { pid } of started.splice(0)) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
});

/** Starts a shell in a separate process group; returns the number that it prints. */
async function numberFrom(script: string): Promise<number> {
  const child = spawn('bash', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  return Number(await new Promise<Buffer>((resolve) => child.stdout.once('data', resolve)));
}

test('a process that ended is dead although nobody has waited for it', async () => {
  const pid = await numberFrom('sleep 600 & echo $!; exec sleep 600');
  const before = await until('its program', () => (statOf(pid)?.name === 'sleep' && statOf(pid)) || undefined);
  // As long as its parent is a shell, that asks for its end.
  await until('its parent', () => statOf(started[0]?.pid as number)?.name === 'sleep');
  process.kill(pid, 'SIGKILL');
  // There it is for ever: its parent never asks.
  await until('the zombie', () => /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
  process.kill(pid, 0);
  expect(statOf(pid)).toBeNull();
  expect(isRunning(before)).toBe(false);
});

test('a process is known by what it is called, its parent, its group and its state, whatever its name holds', async () => {
  const pid = await numberFrom(
    'd=$(mktemp -d); cp "$(command -v sleep)" "$d/a) Z 1 ("; "$d/a) Z 1 (" 600 & echo $!; sleep 600; rm -r "$d"',
  );
  await until('the program', () => statOf(pid)?.name === 'a) Z 1 (');
  expect(statOf(pid)).toMatchObject({ pid, parent: started[0]?.pid, group: started[0]?.pid });
  await until('its sleep', () => statOf(pid)?.state === 'S');
  process.kill(pid, 'SIGSTOP');
  await until('its stop', () => statOf(pid)?.state === 'T');
});

test('a number that no process has is nothing', () => {
  expect(statOf(2 ** 30)).toBeNull();
  expect(isRunning({ pid: process.pid, startTicks: '1' })).toBe(false);
});
