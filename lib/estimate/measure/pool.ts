import { Worker } from 'node:worker_threads';
import type { Piece } from './measure';
import { type PieceOutcome, type Target, Work } from './work';

export interface Pool {
  readonly slots: number;
  measure(pieces: readonly Piece[]): Promise<readonly PieceOutcome[]>;
  close(): Promise<void>;
}

/** Batches queued per worker, to keep it busy. */
const AHEAD = 2;

/** Milliseconds that a stopped estimate waits for reads in progress: S3 may take minutes, or never answer. */
const GRACE = 1000;

/** @param workers 0 measures in this thread */
export function makePool(target: Target, workers: number, workerFile: string | undefined, signal?: AbortSignal): Pool {
  const pool = workers === 0 || workerFile === undefined ? inlinePool(target) : workerPool(target, workers, workerFile);
  return signal === undefined ? pool : stoppable(pool, signal);
}

function stoppable(pool: Pool, signal: AbortSignal): Pool {
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => {
      for (const giveUp of waiting) giveUp();
    }, GRACE);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    slots: pool.slots,
    measure(pieces) {
      return new Promise((resolve, reject) => {
        const giveUp = (): void => resolve(pieces.map(() => 'was still being read when the scan was stopped'));
        waiting.add(giveUp);
        pool
          .measure(pieces)
          .then(resolve, reject)
          .finally(() => waiting.delete(giveUp));
      });
    },
    async close() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      await pool.close();
    },
  };
}

function inlinePool(target: Target): Pool {
  const work = new Work(target);
  return {
    slots: 1,
    async measure(pieces) {
      await new Promise((resolve) => setImmediate(resolve));
      return work.measure(pieces);
    },
    async close() {},
  };
}

interface Crew {
  readonly worker: Worker;
  readonly waiting: { resolve(outcomes: readonly PieceOutcome[]): void; reject(error: Error): void }[];
}

/** Starts a thread when those that run have enough to do: each takes about 50 ms, and a small folder needs one. */
function workerPool(target: Target, workers: number, workerFile: string): Pool {
  const crews: Crew[] = [];
  const started = (): Crew => {
    // The data are in WebAssembly memory, so little heap is needed.
    const worker = new Worker(workerFile, { workerData: target, resourceLimits: { maxYoungGenerationSizeMb: 4 } });
    const crew: Crew = { worker, waiting: [] };
    worker.on('message', (outcomes: readonly PieceOutcome[]) => crew.waiting.shift()?.resolve(outcomes));
    worker.on('error', (error) => {
      for (const { reject } of crew.waiting.splice(0)) reject(error as Error);
    });
    crews.push(crew);
    return crew;
  };
  return {
    slots: workers * AHEAD,
    measure(pieces) {
      const [idlest] = crews.toSorted((a, b) => a.waiting.length - b.waiting.length);
      const isIdle = idlest && (idlest.waiting.length < AHEAD || crews.length === workers);
      const { worker, waiting } = isIdle ? idlest : started();
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage(pieces);
      });
    },
    async close() {
      await Promise.all(crews.map(({ worker }) => worker.terminate()));
    },
  };
}
