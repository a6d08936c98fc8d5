import type { MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { type AskedMetric, ROLL_UP } from '../../lib/observe/draw/source';
import { ofType, type Resource } from './cdk';
import { metricData } from './metricMath';

/**
 * CloudWatch's alarms, as its user guide documents them: alarm evaluation
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html), missing data
 * (…/alarms-and-missing-data.html), composite alarms (…/Create_Composite_Alarm.html), metric math (…/using-metric-math.html).
 *
 * Simplified: an alarm is evaluated at the end of each of its periods, where CloudWatch also does so within longer ones.
 */
export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

type Treatment = 'missing' | 'ignore' | 'breaching' | 'notBreaching';

/** A point of the evaluation range, or `null` if it is missing. */
type Breach = boolean | null;

/**
 * The state that follows from the points of an evaluation range, the oldest first.
 *
 * @param of evaluation periods, N
 * @param needed datapoints to alarm, M
 */
export function stateAfter(
  range: readonly Breach[],
  { of, needed, missing }: { readonly of: number; readonly needed: number; readonly missing: Treatment },
  before: AlarmState,
): AlarmState {
  const real = range.filter((point) => point !== null);
  const breaching = (points: readonly boolean[]): number => points.filter((point) => point).length;
  const verdict = (count: number): AlarmState => (count >= needed ? 'ALARM' : 'OK');
  // "evaluates the alarm state based on the most recent existing data points"
  if (real.length >= of) return verdict(breaching(real.slice(-of)));
  // "any real data points in the evaluation range, no matter when they were reported, are included"
  const found = breaching(real);
  if (missing === 'breaching') return verdict(found + of - real.length);
  if (missing === 'notBreaching' || found >= needed) return verdict(found);
  if (found < real.length) return 'OK';
  if (missing === 'ignore') return before;
  // "the oldest evaluated data point is breaching and there aren't any non-breaching data points"
  return range[0] === true ? 'ALARM' : 'INSUFFICIENT_DATA';
}

/** Events while alarms watch. */
export interface World {
  /** The values of a metric in a minute, one for each of its parts: a server, a target. None if nothing is published. */
  readonly at: (metric: Omit<AskedMetric, 'stat'>, minute: number) => readonly number[];
}

/** One transition of an alarm. */
export interface Transition {
  readonly minute: number;
  /** Logical id without the hash. */
  readonly alarm: string;
  readonly to: AlarmState;
  /** Actions are invoked on transitions only, and never again while the state lasts. */
  readonly notified: boolean;
}

export interface SimulationOptions {
  readonly minutes: number;
  /** Extra periods of CloudWatch beyond the evaluation periods: documented by examples only, which have 2. @default 2 */
  readonly morePeriods?: number;
  /** Minutes until values exist. @default 0 */
  readonly lateMinutes?: number;
  /** Hour of the day, in UTC, at which the alarms are made. @default 0 */
  readonly startHour?: number;
}

/** Runs the alarms of a template. */
export function simulate(
  resources: Readonly<Record<string, Resource>>,
  world: World,
  { minutes, morePeriods = 2, lateMinutes = 0, startHour = 0 }: SimulationOptions,
): Transition[] {
  const start = Date.UTC(2026, 10, 21, startHour);
  const metricAlarms = ofType(resources, 'AWS::CloudWatch::Alarm');
  const compositeAlarms = ofType(resources, 'AWS::CloudWatch::CompositeAlarm');
  const states = new Map<string, AlarmState>();
  const transitions: Transition[] = [];
  const enter = (id: string, { AlarmActions, OKActions }: Resource['Properties'], to: AlarmState, minute: number) => {
    if ((states.get(id) ?? 'INSUFFICIENT_DATA') === to) return;
    states.set(id, to);
    const actions = to === 'ALARM' ? AlarmActions : to === 'OK' ? OKActions : undefined;
    transitions.push({ minute, alarm: bare(id), to, notified: (actions ?? []).length > 0 });
  };
  for (let minute = 1; minute <= minutes; minute += 1) {
    for (const [id, { Properties }] of metricAlarms) {
      const period = periodOf(Properties) / 60;
      if ((startHour * 60 + minute) % period !== 0) continue;
      const of: number = Properties.EvaluationPeriods;
      const from = minute - (of + morePeriods) * period;
      const seen = (asked: Omit<AskedMetric, 'stat'>, at: number) =>
        at < 0 || at >= minute - lateMinutes ? [] : world.at(asked, at);
      const points = pointsOf(Properties, seen, { start, from, to: minute });
      const range = Array.from({ length: of + morePeriods }, (_, index): Breach => {
        const value = points.get(start + (from + index * period) * 60_000);
        return value === undefined ? null : breaches(Properties, value);
      });
      const needed: number = Properties.DatapointsToAlarm ?? of;
      const missing: Treatment = Properties.TreatMissingData ?? 'missing';
      enter(id, Properties, stateAfter(range, { of, needed, missing }, states.get(id) ?? 'INSUFFICIENT_DATA'), minute);
    }
    for (const [id, { Properties }] of compositeAlarms) {
      enter(id, Properties, holds(Properties.AlarmRule, states) ? 'ALARM' : 'OK', minute);
    }
  }
  return transitions;
}

/** An alarm with those that its rule names, and so on: what the others do changes nothing of it. @throws Error without such an alarm */
export function alarmWithNamed(resources: Readonly<Record<string, Resource>>, alarm: string): Record<string, Resource> {
  const kept = new Map<string, Resource>();
  const keep = (id: string): void => {
    const resource = resources[id];
    if (resource === undefined || kept.has(id)) return;
    kept.set(id, resource);
    for (const [, named = ''] of textOf(resource.Properties.AlarmRule ?? '').matchAll(STATE_OF)) keep(named);
  };
  for (const id of Object.keys(resources).filter((one) => bare(one) === alarm)) keep(id);
  if (kept.size === 0) throw new Error(`no alarm ${alarm}`);
  // In the template's order, in which composite alarms are evaluated.
  return Object.fromEntries(Object.entries(resources).filter(([id]) => kept.has(id)));
}

/** Logical ids are the path's letters and digits with a hash behind them. */
export const bare = (logicalId: string): string => logicalId.replace(/^Alarms/, '').replace(/[0-9A-F]{8}$/, '');

/** A text of a template, what only a deployment knows as its logical id. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = value as Record<string, unknown>;
  if (joined !== undefined) {
    const [between, parts] = joined as [string, unknown[]];
    return parts.map(textOf).join(between);
  }
  return (Ref as string | undefined) ?? (attribute as string[])[0] ?? '';
}

/** An alarm in a rule, and in which state. */
const STATE_OF = /\b(?:ALARM|OK|INSUFFICIENT_DATA)\("([^"]+)"\)/g;

/** Rules are states of alarms, some of them negated, which must all hold. */
function holds(rule: unknown, states: ReadonlyMap<string, AlarmState>): boolean {
  return textOf(rule)
    .split(' AND ')
    .every((part) => {
      const [, not, state, id = ''] = /^\(*(NOT \(*)?(ALARM|OK|INSUFFICIENT_DATA)\("([^"]+)"\)+$/.exec(part) ?? [];
      if (state === undefined) throw new Error(`the rule ${part} is not understood`);
      return ((states.get(id) ?? 'INSUFFICIENT_DATA') === state) === (not === undefined);
    });
}

function periodOf({ Period, Metrics }: Resource['Properties']): number {
  const all: readonly { readonly Period?: number; readonly MetricStat?: { readonly Period: number } }[] = Metrics ?? [
    { Period },
  ];
  // An expression over metrics has the period of these.
  const periods = all.flatMap((one) => one.MetricStat?.Period ?? one.Period ?? []);
  const [period] = periods;
  // "Each metric must be using the same period" (alarms on math expressions).
  if (period === undefined || periods.some((one) => one !== period)) throw new Error(`periods differ: ${periods}`);
  return period;
}

const COMPARISONS: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

function breaches({ ComparisonOperator, Threshold }: Resource['Properties'], value: number): boolean {
  const compare = COMPARISONS[ComparisonOperator];
  if (compare === undefined) throw new Error(`the comparison ${ComparisonOperator}`);
  return compare(value, Threshold);
}

interface Dimension {
  readonly Name: string;
  readonly Value: unknown;
}

interface MetricInTemplate {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly Dimension[];
}

interface QueryInTemplate {
  readonly Expression?: unknown;
  readonly MetricStat?: { readonly Metric: MetricInTemplate; readonly Stat: string };
}

/** Values that an alarm watches, in each of its periods from one minute to another. */
function pointsOf(
  properties: Resource['Properties'],
  seen: World['at'],
  { start, from, to }: { readonly start: number; readonly from: number; readonly to: number },
): ReadonlyMap<number, number> {
  const period = periodOf(properties);
  const seriesOf = ({ stat: statistic, ...asked }: AskedMetric) => {
    const points = Array.from({ length: to - from }, (_, index) => from + index).flatMap((minute) =>
      seen(asked, minute).map((value) => [start + minute * 60_000, value] as const),
    );
    return { ...asked, statistic, points };
  };
  const named = ({ Namespace, MetricName, Dimensions = [] }: MetricInTemplate, stat: string): AskedMetric => ({
    namespace: Namespace,
    metric: MetricName,
    dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, textOf(Value)])),
    stat,
  });
  const metrics: readonly QueryInTemplate[] = properties.Metrics ?? [];
  const [query] = metrics.flatMap(({ Expression }) => queryOf(textOf(Expression ?? { Ref: '' })) ?? []);
  const only = query ?? (metrics.length === 0 ? named(properties, properties.Statistic) : undefined);
  if (only !== undefined) {
    const { statistic, points } = seriesOf(only);
    const length = period * 1000;
    const periods = Map.groupBy(points, ([at]) => at - (at % length));
    const values = (list: typeof points) => list.map(([, value]) => value);
    return new Map([...periods].map(([at, list]) => [at, ROLL_UP[statistic]?.(values(list)) ?? Number.NaN]));
  }
  const published = metrics.flatMap(({ MetricStat }) =>
    MetricStat === undefined ? [] : [named(MetricStat.Metric, MetricStat.Stat)],
  );
  const window = { from: start + from * 60_000, to: start + to * 60_000 };
  const found = metricData(published.map(seriesOf), window, resolved(metrics) as MetricDataQuery[]);
  if (found.length !== 1) throw new Error(`an alarm watches one series, not ${found.length}`);
  return found[0]?.points ?? new Map();
}

/** A part of a template with the texts that only a deployment has. */
const resolved = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(resolved);
  if (typeof part !== 'object' || part === null) return part;
  if (Object.keys(part).some((key) => key === 'Ref' || key.startsWith('Fn::'))) return textOf(part);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value)]));
};

/** A query of Metrics Insights over all servers or targets of a file system. */
function queryOf(text: string): AskedMetric | null {
  const match = /^SELECT MAX\((\w+)\) FROM SCHEMA\("([^"]+)", [\w, ]+\) WHERE FileSystemId = '([^']+)'$/.exec(text);
  if (match === null) return null;
  const [, metric = '', namespace = '', FileSystemId = ''] = match;
  return { namespace, metric, dimensions: { FileSystemId }, stat: 'Maximum' };
}
