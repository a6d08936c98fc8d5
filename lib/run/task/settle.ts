import { setTimeout as sleep } from 'node:timers/promises';
import type { Settling } from '../../storage/filesystem';

/** Bytes by which two readings of an idle file system may differ, because of its own logs and metadata. */
const LEAST_DIFFERENCE = 4 * 2 ** 20;
/** Share by which they may differ on very large file systems: 10 MB of 100 TB. */
const SHARE = 1e-7;

/** One reading of a file system, in bytes. */
export interface Reading {
  readonly size: number;
  readonly used: number;
}

/** A reading, and the seconds waited until it was available. */
interface TimedReading {
  readonly reading: Reading;
  readonly at: number;
}

/** Options for watching a file system. */
export interface SettleOptions {
  /** @returns a reading, or why there is none */
  readonly look: () => Promise<Reading | string>;
  /** Interval and timeout. */
  readonly settling: Settling;
  /** Number of consecutive readings that must agree. */
  readonly alike: number;
  readonly abort: AbortSignal;
  /** @default real time */
  readonly pause?: Pause;
}

/** Waits a number of seconds, or until the abort. */
export type Pause = (seconds: number, abort: AbortSignal) => Promise<void>;

/** The outcome and the time it took. `failed`: it could not be read, or was interrupted. */
export type Settled =
  | { readonly state: 'settled'; readonly seconds: number }
  | { readonly state: 'changing' | 'failed'; readonly seconds: number; readonly reason: string };

export const pauseForReal: Pause = async (seconds, abort) => {
  // Ended by the abort, which the caller checks.
  await sleep(seconds * 1000, undefined, { signal: abort }).catch(() => {});
};

/** Polls a file system until its used space is stable. Never throws; limited by its timeout. */
export async function settle({ look, settling, alike, abort, pause = pauseForReal }: SettleOptions): Promise<Settled> {
  let last: TimedReading | null = null;
  let same = 0;
  // Count the time of the readings as well: with a slow file system, fifteen minutes of pauses would become hours.
  let waited = 0;
  const ended = (state: 'changing' | 'failed', reason: string): Settled => ({
    state,
    seconds: Math.round(waited),
    reason,
  });
  for (;;) {
    if (abort.aborted) return ended('failed', 'interrupted');
    const lookedAt = performance.now();
    const reading = await look();
    waited += (performance.now() - lookedAt) / 1000;
    if (typeof reading === 'string') return ended('failed', reading);
    same = last !== null && isAlike(last.reading, reading) ? same + 1 : 1;
    if (same >= alike) return { state: 'settled', seconds: Math.round(waited) };
    if (waited >= settling.mostSeconds) return ended('changing', stillChanging(last, { reading, at: waited }));
    last = { reading, at: waited };
    await pause(settling.everySeconds, abort);
    waited += settling.everySeconds;
  }
}

const isAlike = (a: Reading, b: Reading): boolean =>
  Math.abs(a.used - b.used) <= Math.max(LEAST_DIFFERENCE, SHARE * a.size);

function stillChanging(before: TimedReading | null, now: TimedReading): string {
  const after = `after ${Math.round(now.at)} s`;
  const why = 'removed data are still being freed, or there are other writers';
  if (before === null) return `used space was read only once ${after}: the file system answers too slowly`;
  const change = Math.round((now.reading.used - before.reading.used) / 2 ** 20);
  return `used space was still changing ${after}, by ${change} MiB in the last ${Math.round(now.at - before.at)} s: ${why}`;
}
