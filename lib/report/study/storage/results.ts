import type { RunSummary } from '../../../analysis/summary';
import { countedSamples } from '../../../benchmark/common/counted';
import { keyOf } from '../../../common/keyOf';
import { comparePairs, type Interval, isNegligible, meanInterval, meanOf, medianOf } from '../../../common/statistics';
import { HOURS_PER_MONTH } from '../../../price/prices';
import { smallestDifferenceIn } from '../../../schema/plan';
import { reasonsOf } from '../../../schema/sample';
import { systematicErrorOf } from '../../../store/place';

/** A unit of work: its data, direction and number of threads. */
export interface StorageWork {
  readonly operation: string;
  readonly fileBytes: number;
  readonly threads: number;
}

/** Results of an arm for some work; its values by repeat. */
export interface Done extends StorageWork {
  readonly arm: string;
  /** Seconds of a loop; MB/s of a corrected workload. */
  readonly values: ReadonlyMap<number, number>;
  readonly mean: number | null;
  /** Of the mean. */
  readonly interval: Interval | null;
  readonly median: number | null;
  /** Why values are missing. */
  readonly reasons: readonly string[];
}

/** Everything of one metric that a plan did by files and threads. */
export function doneOf(run: RunSummary, metric: string): Done[] {
  const own = countedSamples(run).filter((sample) => sample.metric === metric && sample.fileBytes && sample.threads);
  const groups = Map.groupBy(own, ({ arm, operation, fileBytes, threads }) =>
    keyOf(arm, operation, fileBytes ?? null, threads ?? null),
  );
  return [...groups.values()].flatMap((samples): Done[] => {
    const [first] = samples;
    if (first?.fileBytes === undefined || first.threads === undefined) return [];
    const { arm, operation, fileBytes, threads } = first;
    const values = new Map(samples.flatMap(({ repeat, value }) => (value === null ? [] : [[repeat, value] as const])));
    const all = [...values.values()];
    return [
      {
        arm,
        operation,
        fileBytes,
        threads,
        values,
        mean: meanOf(all),
        interval: meanInterval(all),
        median: medianOf(all),
        reasons: reasonsOf(samples),
      },
    ];
  });
}

export const sameWork = (one: StorageWork, other: StorageWork): boolean =>
  one.operation === other.operation && one.fileBytes === other.fileBytes && one.threads === other.threads;

/** Each piece of work once: large files first, then by direction and threads. */
export function worksOf(done: readonly Done[]): StorageWork[] {
  const works = [
    ...Map.groupBy(done, ({ operation, fileBytes, threads }) => keyOf(operation, fileBytes, threads)).values(),
  ]
    .flatMap(([first]) => first ?? [])
    .map(({ operation, fileBytes, threads }) => ({ operation, fileBytes, threads }));
  const rank = ({ operation }: StorageWork): number => Number(/read/.test(operation));
  return works.sort((a, b) => b.fileBytes - a.fileBytes || rank(a) - rank(b) || a.threads - b.threads);
}

/** The best of some work, and those that its repeats do not tell from it. */
export interface Best {
  readonly arm: string;
  readonly alike: readonly string[];
}

/** Bounds within which two arms are taken as alike. */
export interface Alike {
  /** The smallest difference that matters, as a share. @default - any may matter */
  readonly smallest?: number | null;
  /** Largest systematic error of a ratio between two arms, as a share. @default 0 */
  readonly systematic?: number;
}

export const alikeIn = (run: RunSummary): Alike => ({
  smallest: smallestDifferenceIn(run.record.plan),
  systematic: systematicErrorOf(run),
});

/** True unless the pairs of two arms show a difference, and one that may matter. Fewer than two pairs tell nothing. */
function isAlike(best: Done, other: Done, comparisons: number, { smallest = null, systematic }: Alike): boolean {
  const pairs = [...best.values].flatMap(([repeat, baseline]) => {
    const value = other.values.get(repeat);
    return value !== undefined && value > 0 && baseline > 0 ? [{ baseline, value }] : [];
  });
  if (pairs.length < 2) return true;
  const { different, ratioInterval } = comparePairs(pairs, { comparisons, systematic });
  return different !== true || (ratioInterval !== null && smallest !== null && isNegligible(ratioInterval, smallest));
}

/** The arm with the highest mean in some work; `null` where nothing was measured. */
export function bestOf(done: readonly Done[], alike: Alike = {}): Best | null {
  const known = done.filter((one) => one.mean !== null).sort((a, b) => (b.mean ?? 0) - (a.mean ?? 0));
  const [best, ...others] = known;
  if (best === undefined) return null;
  return {
    arm: best.arm,
    alike: others.filter((other) => isAlike(best, other, others.length, alike)).map(({ arm }) => arm),
  };
}

/** List price of an arm with all of the clients. */
export interface ArmPrice {
  readonly arm: string;
  /** Price of the storage alone; `null` with a reason. */
  readonly monthlyUsd: number | null;
  /** Price with the clients, which are paid while data are moved. */
  readonly hourlyUsd: number | null;
  readonly reason: string | null;
}

/** Prices of today, as the manifest recorded them. */
export const pricesOf = ({ record: { manifest }, arms }: RunSummary): ArmPrice[] =>
  arms.map(({ name: arm, deployed }): ArmPrice => {
    const storage = deployed?.hourlyUsd ?? null;
    const clients = manifest?.fleet.hourlyUsd ?? null;
    return {
      arm,
      monthlyUsd: storage === null ? null : storage * HOURS_PER_MONTH,
      hourlyUsd: storage === null || clients === null ? null : storage + clients,
      reason: storage === null ? (deployed?.hourlyReason ?? 'no list price is known') : null,
    };
  });

/** Cost of a rate while it lasts: USD for a TB, and for a million files of a size. */
export function unitCosts(
  hourlyUsd: number,
  rateMBps: number,
  fileBytes: number,
): { perTb: number; perMillion: number } {
  const perByte = hourlyUsd / 3600 / (rateMBps * 1e6);
  return { perTb: perByte * 1e12, perMillion: perByte * fileBytes * 1e6 };
}
