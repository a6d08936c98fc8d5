import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { byProcess } from './answering';

/** Longest time that a file system may take to store 4 KiB. A busy one stores them after the data in its queues. */
export const WRITE_SECONDS = 120;

/** Seconds between two questions to the file system of a task that is late. */
const PAUSE_SECONDS = 30;

/** A task takes about as long as its plan expects; its deadline leaves room for a slow file system. */
const overdueAfter = (expectedSeconds: number): number => 2 * expectedSeconds + 30;

/** Writes a small file: a file system may serve metadata and store nothing, as MooseFS without a chunkserver. A refusal is also an answer. */
export const byWrite = byProcess((directory) => {
  const script = 'dd if=/dev/zero of="$0" bs=4096 count=1 conv=fsync; rm -f "$0"';
  return ['sh', '-c', script, join(directory, '.answer')];
});

/** When a task is late, and how often its file system is asked then. */
export interface Patience {
  readonly overdueSeconds: number;
  readonly pauseSeconds: number;
}

export interface Watched {
  readonly abort: AbortSignal;
  readonly expectedSeconds: number;
  /** Why the file system stores nothing now; `null` where it does. */
  readonly problem: () => Promise<string | null>;
  /** @default - by what is expected */
  readonly patience?: Patience | undefined;
}

/** Does a work, and ends it if it is late and its file system stores nothing any more. @returns the problem, if it ended the work */
export async function endedWhenStuck<T>(
  work: (abort: AbortSignal) => Promise<T>,
  { abort, expectedSeconds, problem, patience }: Watched,
): Promise<{ readonly result: T; readonly problem: string | null }> {
  const { overdueSeconds = overdueAfter(expectedSeconds), pauseSeconds = PAUSE_SECONDS } = patience ?? {};
  const [over, stuck] = [new AbortController(), new AbortController()];
  const pause = (seconds: number) =>
    sleep(seconds * 1000, undefined, { signal: AbortSignal.any([over.signal, abort]) });
  let found: string | null = null;
  const watch = async (): Promise<void> => {
    await pause(overdueSeconds);
    while (found === null) {
      const fault = await problem();
      if (over.signal.aborted || abort.aborted) return;
      found = fault;
      if (fault !== null) stuck.abort();
      else await pause(pauseSeconds);
    }
  };
  // Its pauses reject once the work is over; a question that is still open is not awaited.
  watch().catch(() => {});
  try {
    const result = await work(AbortSignal.any([abort, stuck.signal]));
    return { result, problem: found };
  } finally {
    over.abort();
  }
}
