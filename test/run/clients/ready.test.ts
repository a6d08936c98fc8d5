import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../../../lib/run/clients/process';
import { awaitReady } from '../../../lib/run/clients/reach';
import type { ClientConfig } from '../../../lib/schema/client';
import { RunFolder } from '../../../lib/store/folder';

const SILENT: Outcome = {
  exitStatus: null,
  signal: 'SIGKILL',
  timedOut: true,
  abandoned: false,
  startError: null,
  startedAt: new Date(0),
  endedAt: new Date(0),
};

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
