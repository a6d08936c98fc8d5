import { parentPort, workerData } from 'node:worker_threads';
import type { Piece } from '../lib/estimate/measure/measure';
import { type Target, Work } from '../lib/estimate/measure/work';

/** A thread of `fsxbench estimate`: measures the pieces that it is sent. Answers come in the order of the questions. */

const work = new Work(workerData as Target);
let last: Promise<void> = Promise.resolve();
parentPort?.on('message', (pieces: readonly Piece[]) => {
  last = last.then(async () => parentPort?.postMessage(await work.measure(pieces)));
});
