import { keyOf } from '../../common/keyOf';
import { evidenceOf, geometricMean, type Lag1Evidence, leavesOutEquality, stepDown } from '../../common/statistics';
import type { Validity } from '../../schema/issue';
import type { Condition, Figure, RunFigures } from '../../schema/summary';
import { systematicErrorOf } from '../../store/place';
import { ratioInterval, type TwoSampleInterval } from './welch';

/** Platform and size: runs of different settings never share a trend. */
export interface TrendSetting {
  readonly platform: string;
  readonly plan: string | null;
  readonly scale: string | null;
}

/** A figure against the same figure of the last valid run before it under the same conditions. */
export interface TrendChange {
  readonly against: string;
  /** This run ÷ that one: geometric means over the repeats. */
  readonly ratio: number;
  /** The geometric means that the ratio is the quotient of: of that run, and of this one. */
  readonly means: readonly [number, number];
  /** Confidence interval of the ratio, as `fsxbench compare` gives it; `null` with fewer than two repeats on a side. */
  readonly interval: TwoSampleInterval | null;
  /** True if the interval excludes equality, and what the systematic error of scale models makes of it; `null` without an interval. */
  readonly real: boolean | null;
}

/** One arm of one run in a trend. */
export interface TrendPoint {
  readonly run: string;
  readonly startedAt: string | null;
  /** A figure of an INVALID run is no result: nothing is compared with it. */
  readonly validity: Validity;
  readonly arm: string;
  readonly value: number | null;
  /** Why there is no value. */
  readonly reason: string | null;
  readonly least: number | null;
  readonly most: number | null;
  readonly repeats: number;
  /** Key into the trend's conditions. */
  readonly conditions: string;
  readonly change: TrendChange | null;
  /** Why there is no change. */
  readonly changeReason: string | null;
}

/** Results of one benchmark and setting in one operation, over time. */
export interface Trend {
  readonly benchmark: string;
  readonly setting: TrendSetting;
  readonly operation: string;
  readonly compressibility: number | null;
  readonly metric: string;
  readonly unit: string;
  /** `A` are those of the first run; each further one says how it differs from `A`. */
  readonly conditions: readonly { readonly id: string; readonly differs: readonly string[] }[];
  readonly points: readonly TrendPoint[];
}

/** Returns the setting that a run belongs to. */
export const settingOf = ({ platform, plan, scale }: RunFigures): TrendSetting => ({ platform, plan, scale });

/** The trends of runs in order of time: by benchmark, setting and figure, in order of appearance. Pure. */
export function trendsOf(runs: readonly RunFigures[]): Trend[] {
  const groups = Map.groupBy(runs, (run) => keyOf(run.benchmark, ...Object.values(settingOf(run))));
  return [...groups.values()].flatMap((group) => {
    const all = group.flatMap((run) => run.figures.map((figure) => ({ run, figure })));
    const kinds = Map.groupBy(all, ({ figure: { operation, compressibility, metric, unit } }) =>
      keyOf(operation, compressibility, metric, unit),
    );
    return withChanges(inOrder([...kinds.values()].map(trendOf)));
  });
}

interface Entry {
  readonly run: RunFigures;
  readonly figure: Figure;
}

/** A point that has not been compared yet. */
interface Placed extends Omit<TrendPoint, 'change' | 'changeReason'> {
  readonly values: readonly number[];
  /** Largest systematic error of its ratio to another run, as a share. */
  readonly systematic: number;
}

type Draft = Omit<Trend, 'points'> & { readonly points: readonly Placed[] };

function trendOf(entries: readonly Entry[]): Draft {
  const [{ run: first, figure }] = entries as [Entry];
  const { operation, compressibility, metric, unit } = figure;
  const byRun = Map.groupBy(entries, ({ run }) => run.run);
  const known: { id: string; key: string; conditions: readonly Condition[] }[] = [];
  const points = [...byRun.values()].flatMap((own) => {
    const [{ run }] = own as [Entry];
    const conditions = [...run.conditions, ...toolsOf(own)];
    const key = conditions
      .map(({ name, value }) => keyOf(name, value))
      .sort()
      .join();
    let found = known.find((one) => one.key === key);
    if (!found) {
      found = { id: letters(known.length), key, conditions };
      known.push(found);
    }
    const { id } = found;
    return own.map(({ figure: { arm, median, reason, least, most, repeats } }): Placed => {
      const { startedAt, validity } = run;
      const shown = { value: median, reason, least, most, repeats: repeats.length };
      const systematic = systematicErrorOf(run);
      return { run: run.run, startedAt, validity, arm, ...shown, conditions: id, values: repeats, systematic };
    });
  });
  const conditions = known.map((one, index) => ({
    id: one.id,
    differs: index === 0 ? [] : differences(known[0]?.conditions ?? [], one.conditions),
  }));
  return {
    benchmark: first.benchmark,
    setting: settingOf(first),
    operation,
    compressibility,
    metric,
    unit,
    conditions,
    points,
  };
}

function toolsOf(entries: readonly Entry[]): Condition[] {
  const tools = [...new Set(entries.flatMap(({ figure }) => figure.tools))].sort();
  return tools.length === 0 ? [] : [{ name: 'tool used', value: tools.join(', ') }];
}

/** `kernel: 6.1 → 6.12`, one for each condition that is not the same. */
function differences(a: readonly Condition[], b: readonly Condition[]): string[] {
  const names = [...new Set([...a, ...b].map(({ name }) => name))];
  const of = (conditions: readonly Condition[], wanted: string): string =>
    conditions.find(({ name }) => name === wanted)?.value ?? 'not known';
  return names.flatMap((name) => (of(a, name) === of(b, name) ? [] : [`${name}: ${of(a, name)} → ${of(b, name)}`]));
}

/** A, B, … Z, AA, AB … */
function letters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${letters(Math.floor(index / 26) - 1)}${last}`;
}

/** Operations in order of appearance, what was read back of the space after them; targets ascending. */
function inOrder(drafts: readonly Draft[]): Draft[] {
  const operations = [...new Set(drafts.map(({ operation, metric }) => keyOf(operation, metric)))];
  const rank = ({ operation, metric, compressibility }: Draft): [number, number, number] => [
    operation === 'space' ? 1 : 0,
    operations.indexOf(keyOf(operation, metric)),
    compressibility ?? Number.MAX_VALUE,
  ];
  const order = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((found, value, index) => found || value - (b[index] ?? 0), 0);
  return [...drafts].sort((a, b) => order(rank(a), rank(b)));
}

/** Two points of one trend: the later one is compared with the earlier. */
interface Pair {
  readonly before: Placed;
  readonly point: Placed;
  /** True for a measurement of space, which is not a rate and forms trends of its own. */
  readonly ofSpace: boolean;
}

function withChanges(drafts: readonly Draft[]): Trend[] {
  const changes = changesOf(drafts.flatMap(pairsOf));
  return drafts.map(({ points, ...trend }) => ({
    ...trend,
    points: points.map((point) => {
      const { values: _, systematic: __, ...shown } = point;
      const change = changes.get(point);
      if (change === undefined) return { ...shown, change: null, changeReason: whyNoChange(point) };
      return { ...shown, change, changeReason: change === null ? 'one of the two has a repeat of zero' : null };
    }),
  }));
}

/** Each valid value with the last one before it, of the same arm under the same conditions. */
function pairsOf({ operation, points }: Draft): Pair[] {
  const last = new Map<string, Placed>();
  return points.flatMap((point) => {
    if (point.validity === 'INVALID' || point.value === null) return [];
    const key = keyOf(point.arm, point.conditions);
    const before = last.get(key);
    last.set(key, point);
    return before === undefined ? [] : [{ before, point, ofSpace: operation === 'space' }];
  });
}

/** All changes of one run against another are tested as one family, as `compare` does it. */
function changesOf(pairs: readonly Pair[]): Map<Placed, TrendChange | null> {
  const changes = new Map<Placed, TrendChange | null>();
  for (const family of Map.groupBy(pairs, ({ before, point, ofSpace }) =>
    keyOf(before.run, point.run, `${ofSpace}`),
  ).values()) {
    const tested = family.filter(({ before, point }) => positive(before).length > 1 && positive(point).length > 1);
    const evidence = evidenceOf(tested.flatMap(({ before, point }) => [before, point].map(logarithms)));
    const found = stepDown(
      tested.length,
      (member, comparisons) => changeOf(tested[member] as Pair, comparisons, evidence),
      (change) => change?.interval != null && leavesOutEquality(change.interval),
    );
    for (const pair of family) changes.set(pair.point, found[tested.indexOf(pair)] ?? changeOf(pair, 1, evidence));
  }
  return changes;
}

const positive = ({ values }: Placed): number[] => values.filter((value) => value > 0);

const logarithms = (point: Placed): number[] => positive(point).map(Math.log);

function whyNoChange({ validity, value }: Placed): string {
  if (value === null) return 'there is no value';
  return validity === 'INVALID' ? 'the run is INVALID' : 'no earlier run under the same conditions';
}

function changeOf({ before, point }: Pair, comparisons: number, evidence: Lag1Evidence): TrendChange | null {
  const [a, b] = [positive(before), positive(point)];
  const means = [geometricMean(a), geometricMean(b)] as const;
  // A repeat in which nothing moved has no logarithm, and the others alone do not represent the run.
  const isZero = a.length < before.values.length || b.length < point.values.length;
  if (isZero || means[0] === null || means[1] === null) return null;
  const interval = ratioInterval(a, b, { comparisons, evidence });
  return {
    against: before.run,
    ratio: means[1] / means[0],
    means: [means[0], means[1]],
    interval,
    real: interval && leavesOutEquality(interval, Math.max(before.systematic, point.systematic)),
  };
}
