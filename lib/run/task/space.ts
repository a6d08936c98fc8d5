import { setTimeout as sleep } from 'node:timers/promises';
import { capacityOf } from '../../storage/common/space';
import { NO_CAPACITY, type Readout, SETTLING, type SpaceReader, type Workplace } from '../../storage/filesystem';
import type { Measured } from '../../workload/common/measured';
import type { ActiveTask, TaskContext } from './activeTask';
import type { TaskResult } from './outcome';

/** Bytes by which two readings of an idle file system may differ, because of its logs and metadata. */
const LEAST_DIFFERENCE = 4 * 2 ** 20;
/** Share by which they may differ on very large file systems: 10 MB of 100 TB. */
const SHARE = 1e-7;

interface Reading {
  readonly size: number;
  readonly used: number;
}

/** A reading, and the seconds waited until it was available. */
type TimedReading = Reading & { readonly at: number };

interface SettleOptions {
  readonly look: () => Promise<Reading | string>;
  readonly alike: number;
  readonly abort: AbortSignal;
  readonly pause?: Pause;
}

export type Pause = (seconds: number, abort: AbortSignal) => Promise<void>;

/** The outcome, and the time to it. `failed`: the space could not be read, or the wait was interrupted. */
type Settled =
  | { readonly state: 'settled'; readonly seconds: number }
  | { readonly state: 'changing' | 'failed'; readonly seconds: number; readonly reason: string };

export const pauseForReal: Pause = async (seconds, abort) => {
  // Ended by the abort, which the caller checks.
  await sleep(seconds * 1000, undefined, { signal: abort }).catch(() => {});
};

/** Polls a file system until its used space is stable. Never throws; limited by its timeout. */
export async function settle({ look, alike, abort, pause = pauseForReal }: SettleOptions): Promise<Settled> {
  let last: TimedReading | null = null;
  let same = 0;
  // Count the time of the readings as well: with a slow file system, fifteen minutes of pauses would become hours.
  let waited = 0;
  for (;;) {
    if (abort.aborted) return { state: 'failed', seconds: Math.round(waited), reason: 'interrupted' };
    const lookedAt = performance.now();
    const reading = await look();
    waited += (performance.now() - lookedAt) / 1000;
    const seconds = Math.round(waited);
    if (typeof reading === 'string') return { state: 'failed', seconds, reason: reading };
    same = last !== null && isAlike(last, reading) ? same + 1 : 1;
    if (same >= alike) return { state: 'settled', seconds };
    const now: TimedReading = { ...reading, at: waited };
    if (waited >= SETTLING.maxSeconds) return { state: 'changing', seconds, reason: stillChanging(last, now) };
    last = now;
    await pause(SETTLING.everySeconds, abort);
    waited += SETTLING.everySeconds;
  }
}

const isAlike = (a: Reading, b: Reading): boolean =>
  Math.abs(a.used - b.used) <= Math.max(LEAST_DIFFERENCE, SHARE * a.size);

function stillChanging(before: TimedReading | null, now: TimedReading): string {
  const after = `after ${Math.round(now.at)} s`;
  const why = 'removed data are still being freed, or there are other writers';
  if (before === null) return `used space was read only once ${after}: the file system answers too slowly`;
  const change = Math.round((now.used - before.used) / 2 ** 20);
  return `used space was still changing ${after}, by ${change} MiB in the last ${Math.round(now.at - before.at)} s: ${why}`;
}

/** The operation of the sample that records how long removed data took to be freed; `null` if longer than the timeout. */
export const FREEING_OPERATION = 'freeing';

export async function measureCapacity(active: ActiveTask): Promise<TaskResult> {
  const { context, place } = active;
  const { capacity, settles } = active.filesystem;
  // There will be none in the next session either.
  if (capacity.source === NO_CAPACITY) return active.done((await capacity.read(place)).measured);
  if (!settles) return active.fromReading(await capacity.read(place));
  const { last, settled } = await watchSpace(context, capacity, place, 'measure-capacity');
  const waited: Measured = { operation: 'capacity', metric: 'settle_seconds', value: settled.seconds, unit: 's' };
  // `lfs df` of a file system with a target that is away: a value without a failure is final, and the run continues.
  if (settled.state === 'failed' && last.failure === null && !context.abort.aborted) return active.done(last.measured);
  if (settled.state !== 'changing')
    return active.fromReading({
      measured: [...last.measured, waited],
      failure: settled.state === 'failed' ? settled.reason : null,
    });
  // A value that is unavailable now will not become available later, so the task is done, with the reason. Data do not change the size.
  const { reason } = settled;
  const without = (each: Measured) => (each.metric === 'size_bytes' ? each : { ...each, value: null, reason });
  return active.done([...last.measured.map(without), waited]);
}

/** Removes the data of a unit, and waits until their space is free if it is read next. */
export async function removeData(active: ActiveTask): Promise<TaskResult> {
  const { context, place, shell } = active;
  const { capacity, settles } = active.filesystem;
  const failure = await active.data.remove();
  if (failure !== null || !settles || context.isSpaceReadNext !== true) return active.done([], failure);
  const beside = { ...place, commands: shell.named('space') };
  const { settled } = await watchSpace(context, capacity, beside, 'remove-data');
  const found = settled.state === 'settled' ? { value: settled.seconds } : { value: null, reason: settled.reason };
  const freed = { operation: FREEING_OPERATION, metric: 'seconds', unit: 's', ...found };
  // The removal itself succeeded, whatever the readings say; only an interrupted wait is repeated in the next session.
  return active.done([freed], context.abort.aborted && settled.state === 'failed' ? settled.reason : null);
}

/** Reads the used space of a file system until it is stable. */
async function watchSpace(
  { abort, pause }: TaskContext,
  capacity: SpaceReader,
  place: Workplace,
  kind: keyof (typeof SETTLING)['alike'],
): Promise<{ last: Readout; settled: Settled }> {
  let last: Readout = { measured: capacityOf([], 'interrupted'), failure: null };
  const look = async (): Promise<Reading | string> => {
    last = await capacity.read(place);
    const [size, used] = last.measured;
    if (last.failure !== null) return last.failure;
    if (size?.value == null || used?.value == null) return used?.reason ?? 'the used space was not read';
    return { size: size.value, used: used.value };
  };
  const settled = await settle({ look, alike: SETTLING.alike[kind], abort, pause });
  return { last, settled };
}
