/** A thread of `fsxbench estimate`: measures the pieces that it is sent. Answers come in the order of the questions. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Piece } from '../lib/estimate/measure/measure';
import type { WorkerStart } from '../lib/estimate/measure/pool';
import { Work } from '../lib/estimate/measure/work';

const work = new Work((workerData as WorkerStart).target);
let last: Promise<void> = Promise.resolve();
parentPort?.on('message', (pieces: readonly Piece[]) => {
  last = last.then(async () => parentPort?.postMessage(await work.measure(pieces)));
});
