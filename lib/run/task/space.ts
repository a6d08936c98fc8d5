import { setTimeout as sleep } from 'node:timers/promises';
import { capacityOf } from '../../storage/common/space';
import { type Filesystem, NO_CAPACITY, type Readout, type Settling, type Workplace } from '../../storage/filesystem';
import type { Measured } from '../../workload/common/measured';
import type { ActiveTask, TaskContext } from './activeTask';
import type { TaskResult } from './outcome';

/** Bytes by which two readings of an idle file system may differ, because of its logs and metadata. */
const LEAST_DIFFERENCE = 4 * 2 ** 20;
/** Share by which they may differ on very large file systems: 10 MB of 100 TB. */
const SHARE = 1e-7;

/** One reading of a file system, in bytes. */
interface Reading {
  readonly size: number;
  readonly used: number;
}

/** A reading, and the seconds waited until it was available. */
interface TimedReading {
  readonly reading: Reading;
  readonly at: number;
}

/** Options for watching a file system. */
interface SettleOptions {
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

/** The outcome, and the time to it. `failed`: the space could not be read, or the wait was interrupted. */
type Settled =
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
    if (waited >= settling.maxSeconds) return ended('changing', stillChanging(last, { reading, at: waited }));
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

/** The operation of the sample that records how long removed data took to be freed; `null` if longer than the timeout. */
export const FREEING_OPERATION = 'freeing';

/** Reads size and used space of the file system, once it is stable. */
export async function measureCapacity(active: ActiveTask): Promise<TaskResult> {
  const { context, place } = active;
  const { capacity, settling } = active.filesystem;
  // There will be none in the next session either.
  if (capacity.source === NO_CAPACITY) return active.done((await capacity.read(place)).measured);
  if (settling === undefined) return active.fromReading(await capacity.read(place));
  const { last, settled } = await watchSpace(context, { capacity, settling }, place, 'measure-capacity');
  const waited: Measured = { operation: 'capacity', metric: 'settle_seconds', value: settled.seconds, unit: 's' };
  const measured = [...last.measured, waited];
  // `lfs df` of a file system with a target that is away: a value without a failure is final, and the run continues.
  if (settled.state === 'failed' && last.failure === null && !context.abort.aborted) return active.done(last.measured);
  if (settled.state !== 'changing')
    return active.fromReading({ measured, failure: settled.state === 'failed' ? settled.reason : null });
  // A value that is unavailable now will not become available later, so the task is done, with the reason.
  const { reason } = settled;
  return active.done(
    measured.map((each) => (isSize(each) || each === waited ? each : { ...each, value: null, reason })),
  );
}

/** True for the size of a file system, which neither data nor their removal change. */
const isSize = ({ metric }: Measured): boolean => metric === 'size_bytes';

/** Removes the data of a unit, and waits until their space is free if it is read next. */
export async function removeData(active: ActiveTask): Promise<TaskResult> {
  const { context, place, shell } = active;
  const { capacity, settling } = active.filesystem;
  const failure = await active.data.remove();
  if (failure !== null || settling === undefined || context.isSpaceReadNext !== true) return active.done([], failure);
  const beside = { ...place, commands: shell.named('space') };
  const { settled } = await watchSpace(context, { capacity, settling }, beside, 'remove-data');
  // The removal itself succeeded, whatever the readings say; only an interrupted wait is repeated in the next session.
  return active.done([freed(settled)], context.abort.aborted && settled.state === 'failed' ? settled.reason : null);
}

function freed(settled: Settled): Measured {
  const sample = { operation: FREEING_OPERATION, metric: 'seconds', unit: 's' };
  if (settled.state === 'settled') return { ...sample, value: settled.seconds };
  return { ...sample, value: null, reason: settled.reason };
}

/** Reads the used space of a file system until it is stable. */
async function watchSpace(
  { abort, pause }: TaskContext,
  { capacity, settling }: Required<Pick<Filesystem, 'capacity' | 'settling'>>,
  place: Workplace,
  kind: keyof Settling['alike'],
): Promise<{ last: Readout; settled: Settled }> {
  let last: Readout = { measured: capacityOf([], 'interrupted'), failure: null };
  const look = async (): Promise<Reading | string> => {
    last = await capacity.read(place);
    const [size, used] = last.measured;
    if (last.failure !== null) return last.failure;
    if (size?.value == null || used?.value == null) return used?.reason ?? 'the used space was not read';
    return { size: size.value, used: used.value };
  };
  const settled = await settle({ look, settling, alike: settling.alike[kind], abort, pause });
  return { last, settled };
}
