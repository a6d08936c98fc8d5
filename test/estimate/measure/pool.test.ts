import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Piece } from '../../../lib/estimate/measure/measure';
import { makePool } from '../../../lib/estimate/measure/pool';

const PIECE: Piece = { path: 'data', fileBytes: 4096, offset: 0, length: 4096 };
const TARGET = { btrfs: { codec: 'lzo' } } as const;

/** Outcomes of batches that are handed out at once: names of the threads that measured them. */
async function measured(batches: number, workers: number): Promise<string[]> {
  const workerFile = join(mkdtempSync(join(tmpdir(), 'pool-')), 'worker.js');
  writeFileSync(
    workerFile,
    "const { parentPort, threadId } = require('node:worker_threads');" +
      "parentPort.on('message', (pieces) => parentPort.postMessage(pieces.map(() => 'thread ' + threadId)));",
  );
  const pool = makePool(TARGET, workers, workerFile);
  const outcomes = await Promise.all(Array.from({ length: batches }, () => pool.measure([PIECE])));
  await pool.close();
  return outcomes.flat() as string[];
}

test('a little is measured by one thread, however many there may be', async () => {
  const threads = await measured(2, 16);
  expect(threads).toHaveLength(2);
  expect(new Set(threads).size).toBe(1);
});

test('another thread starts for what those that run have no time for, up to the number asked for', async () => {
  expect(new Set(await measured(5, 16)).size).toBe(3);
  const threads = await measured(40, 4);
  expect(threads).toHaveLength(40);
  expect(new Set(threads).size).toBe(4);
});

test('a thread that ends with an error fails what it was to measure', async () => {
  const workerFile = join(mkdtempSync(join(tmpdir(), 'pool-')), 'worker.js');
  writeFileSync(workerFile, "throw new Error('no memory for a record');");
  const pool = makePool(TARGET, 2, workerFile);
  await expect(pool.measure([PIECE])).rejects.toThrow('no memory for a record');
  await pool.close();
});
