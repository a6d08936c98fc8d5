import { setTimeout as sleep } from 'node:timers/promises';
import { SETTLE } from '../schema/settling';

/** Bytes by which two readings of a quiet file system may differ: its own logs and metadata. */
const LEAST_DIFFERENCE = 4 * 2 ** 20;
/** The same as a share of a very large file system: 10 MB of 100 TB. */
const SHARE = 1e-7;

/** One look at a file system, in bytes. */
export interface Reading {
  readonly size: number;
  readonly used: number;
}

/** How a file system is watched. */
export interface SettleOptions {
  /** @returns a reading, or why there is none */
  readonly look: () => Promise<Reading | string>;
  /** Readings in a row that must be alike. */
  readonly alike: number;
  readonly abort: AbortSignal;
  /** @default real time */
  readonly pause?: Pause;
}

/** Waits so many seconds, or until the abort. */
export type Pause = (seconds: number, abort: AbortSignal) => Promise<void>;

/** How it ended, and after how long. `failed`: it could not be read, or was interrupted. */
export type Settled =
  | { readonly state: 'settled'; readonly seconds: number }
  | { readonly state: 'changing' | 'failed'; readonly seconds: number; readonly reason: string };

export const pauseForReal: Pause = async (seconds, abort) => {
  // Ended by the abort, which the caller looks at.
  await sleep(seconds * 1000, undefined, { signal: abort }).catch(() => {});
};

/** Looks at a file system until its used space stands still. Never throws; bounded by {@link SETTLE}. */
export async function settle({ look, alike, abort, pause = pauseForReal }: SettleOptions): Promise<Settled> {
  let last: Reading | null = null;
  let same = 0;
  for (let seconds = 0; ; seconds += SETTLE.everySeconds) {
    if (abort.aborted) return { state: 'failed', seconds, reason: 'interrupted' };
    const reading = await look();
    if (typeof reading === 'string') return { state: 'failed', seconds, reason: reading };
    same = last !== null && isAlike(last, reading) ? same + 1 : 1;
    if (same >= alike) return { state: 'settled', seconds };
    if (seconds >= SETTLE.mostSeconds)
      return { state: 'changing', seconds, reason: stillChanging(last ?? reading, reading) };
    last = reading;
    await pause(SETTLE.everySeconds, abort);
  }
}

function isAlike(a: Reading, b: Reading): boolean {
  return Math.abs(a.used - b.used) <= Math.max(LEAST_DIFFERENCE, SHARE * a.size);
}

function stillChanging(before: Reading, now: Reading): string {
  const change = Math.round((now.used - before.used) / 2 ** 20);
  return `used space was still changing after ${SETTLE.mostSeconds} s, by ${change} MiB in the last ${SETTLE.everySeconds} s: removed data are being freed, or somebody else writes`;
}
