import { counted } from '../../common/format/units';
import {
  type Change,
  type Ends,
  findChanges,
  firstAgainstLast,
  type Levels,
  valuesToFind,
} from '../../common/statistics';
import type { Sample } from '../../schema/sample';
import type { RunArm } from '../arm';
import type { CellKey } from '../figures/operationKind';
import type { MeasuredTask } from '../task';
import { FEWEST_VALUES, type ThroughputSeries, throughputSeries } from './throughputSeries';

/** A lasting change of an arm's throughput. */
export interface LevelChange {
  /** When the second level began. */
  readonly at: string;
  /** The earliest and the latest moment at which it may have begun, with 95 % confidence. */
  readonly between: readonly [string, string];
  /** Hours from the beginning of the first value to the change. */
  readonly hours: number;
  /** MB/s, or multiples of the median where repeats on several compressibilities are in one series. */
  readonly before: number;
  readonly after: number;
  /** after ÷ before − 1 */
  readonly relative: number;
  readonly probability: number;
}

/** Stability of one operation's throughput on an arm. */
export interface Level extends CellKey, Pick<ThroughputSeries, 'source' | 'unit'> {
  readonly values: number;
  /** Empty where the level was kept. `null` with a reason where too few values tell. */
  readonly changes: readonly LevelChange[] | null;
  readonly reason?: string;
  /** A slow change without a step, from its beginning to its end; the largest, where there are several. `null` where there is none. */
  readonly drift: { readonly from: number; readonly to: number; readonly relative: number } | null;
  /** Mean of the first level and of the last one, when there are two. */
  readonly burst: number | null;
  readonly baseline: number | null;
  /** The last third of the values against the first; `null` where too few tell their spread. */
  readonly ends: Omit<Ends, 'spread'> | null;
  /** Values needed to find a fall of {@link SMALLEST_FALL}; `null` if more than a thousand would be needed. */
  readonly valuesNeeded: number | null;
}

/** A run that cannot find a fall of this size cannot say that the level was kept. */
export const SMALLEST_FALL = 0.1;
/** The spread that repeats are taken to have where too few were made to tell: a few per cent, as that of most published runs. */
const USUAL_SPREAD = 0.05;

/** More say nothing more: neighbouring values are averaged. */
const MOST_VALUES = 1440;
/** Changes smaller than this are of no consequence, however certain. */
const SMALLEST_CHANGE = 0.03;

/** Levels of the throughput of each arm. */
export function levelsOf(
  arms: readonly RunArm[],
  measured: readonly MeasuredTask[],
  counted: readonly Sample[],
): Level[] {
  const all = throughputSeries(arms, measured, counted);
  return all.map((series) => levelOf(series, all.length));
}

function levelOf(series: ThroughputSeries, comparisons: number): Level {
  const { values, times } = thinned(series);
  const base = {
    arm: series.task.arm,
    operation: series.task.name,
    compressibility: series.compressibility,
    source: series.source,
    unit: series.unit,
    values: series.values.length,
    ...comparedEnds(values, series.kinds ?? [], comparisons),
  };
  if (values.length < FEWEST_VALUES) {
    const reason = `${counted(values.length, 'value')} ${values.length === 1 ? 'is' : 'are'} too few to show a lasting change: ${FEWEST_VALUES} are needed`;
    return { ...base, changes: null, reason, drift: null, burst: null, baseline: null };
  }
  const found = findChanges(values);
  const changes = found.changes.flatMap((change) => changeOf(change, times) ?? []);
  const [first, last] = [found.segments[0], found.segments.at(-1)];
  const fell = changes.length > 0 && first && last && last.mean < first.mean;
  return {
    ...base,
    changes,
    drift: driftOf(found.segments),
    burst: fell ? first.mean : null,
    baseline: fell ? last.mean : null,
  };
}

/** The last values against the first, and how many values a comparison needs. */
function comparedEnds(
  values: readonly number[],
  kinds: readonly string[],
  comparisons: number,
): Pick<Level, 'ends' | 'valuesNeeded'> {
  // A standstill has no logarithm: it counts as a hundredth of the largest value.
  const least = values.reduce((most, value) => Math.max(most, value), 0) / 100;
  const compared = values.map((value, at) => ({ value: Math.max(value, least), kind: kinds[at] ?? '' }));
  const ends = least > 0 ? firstAgainstLast(compared, { comparisons }) : null;
  const kindCount = Math.max(1, new Set(kinds).size);
  return {
    ends: ends && {
      relative: ends.relative,
      changed: ends.changed && Math.abs(ends.relative) >= SMALLEST_CHANGE,
      detectable: ends.detectable,
    },
    valuesNeeded: valuesToFind(SMALLEST_FALL, ends?.spread ?? USUAL_SPREAD, kindCount, { comparisons }),
  };
}

/** The largest drift within a level, where it is of consequence. */
function driftOf(segments: Levels['segments']): Level['drift'] {
  const drifts = segments.flatMap(({ line }) => {
    if (line === null || line[0] <= 0) return [];
    const [from, to] = line;
    const relative = to / from - 1;
    return Math.abs(relative) < SMALLEST_CHANGE ? [] : [{ from, to, relative }];
  });
  return drifts.sort((a, b) => Math.abs(b.relative) - Math.abs(a.relative))[0] ?? null;
}

/** A change with its time; `null` if it is of no consequence. */
function changeOf(
  { index, interval, before, after, relative, probability }: Change,
  times: readonly number[],
): LevelChange | null {
  if (relative === null || Math.abs(relative) < SMALLEST_CHANGE) return null;
  const timeAt = (at: number): number => times[Math.min(at, times.length - 1)] as number;
  const iso = (at: number): string => new Date(timeAt(at)).toISOString();
  return {
    at: iso(index),
    between: [iso(interval.from), iso(interval.to)],
    hours: (timeAt(index) - timeAt(0)) / 3_600_000,
    before,
    after,
    relative,
    probability,
  };
}

/** Means of neighbouring values, where there are more than {@link MOST_VALUES}. */
function thinned({ values, times }: Pick<ThroughputSeries, 'values' | 'times'>): { values: number[]; times: number[] } {
  const size = Math.ceil(values.length / MOST_VALUES);
  if (size < 2) return { values: [...values], times: [...times] };
  const starts = Array.from({ length: Math.ceil(values.length / size) }, (_, index) => index * size);
  const mean = (part: readonly number[]): number => part.reduce((sum, value) => sum + value, 0) / part.length;
  return {
    values: starts.map((at) => mean(values.slice(at, at + size))),
    times: starts.map((at) => times[at] as number),
  };
}
