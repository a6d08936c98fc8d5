import type { MetricSeries } from '../schema/metrics';

/** Some time of a run, in milliseconds since 1970. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** One period of a metric: a sum over everything that publishes it, such as all metadata targets. */
export interface Period extends Window {
  readonly value: number;
}

/** The series of a metric of an arm that have points, or why there are none. */
export function seriesOf(
  metrics: readonly MetricSeries[],
  arm: string,
  metric: string,
): { readonly series: readonly MetricSeries[]; readonly reason: string | null } {
  const own = metrics.filter((one) => one.arm === arm && one.metric === metric);
  const series = own.filter(({ points }) => points.length > 0);
  if (series.length > 0) return { series, reason: null };
  const why = own.find(({ reason }) => reason !== undefined)?.reason;
  return { series, reason: `${metric}: ${why ?? 'not collected; run fsxbench collect'}` };
}

/** Of what is counted; CloudWatch leaves the unit out where the publisher did. */
const UNITS = ['Bytes', 'Count', 'None'];

/** A count that the service published, period by period, all servers together; or why it is not known. */
export function countsOf(
  metrics: readonly MetricSeries[],
  arm: string,
  metric: string,
): { readonly periods: readonly Period[]; readonly reason: string | null } {
  const { series: found, reason: none } = seriesOf(metrics, arm, metric);
  // Only sums add up, and only each series once; a file that says another unit is not of this service (fs-metrics).
  const sum = found.filter(({ statistic, unit }) => statistic === 'Sum' && UNITS.includes(unit ?? 'None'));
  const series = [...new Map(sum.map((one) => [JSON.stringify(one.dimensions), one])).values()];
  const other =
    found[0] &&
    `${metric}: collected as ${found[0].statistic} in ${found[0].unit}, not as a sum of bytes or operations`;
  const reason = none ?? (series.length === 0 ? (other ?? null) : null);
  const sums = new Map<number, Period>();
  for (const { points, periodSeconds } of series) {
    for (const [at, value] of points) {
      const from = Date.parse(at);
      const known = sums.get(from);
      sums.set(from, { from, to: from + periodSeconds * 1000, value: (known?.value ?? 0) + value });
    }
  }
  return { periods: [...sums.values()].sort((a, b) => a.from - b.from), reason };
}

export function overlap(a: Window, b: Window): boolean {
  return a.from < b.to && b.from < a.to;
}

/** Whether a period lies wholly within one of the windows: in a minute at its edge something else happened, too. */
export function inside(period: Window, windows: readonly Window[]): boolean {
  return windows.some(({ from, to }) => period.from >= from && period.to <= to);
}

/** Values of the periods that lie wholly within one of the windows. */
export function within(
  { points, periodSeconds }: Pick<MetricSeries, 'points' | 'periodSeconds'>,
  windows: readonly Window[],
): number[] {
  return points.flatMap(([at, value]) => {
    const from = Date.parse(at);
    return inside({ from, to: from + periodSeconds * 1000 }, windows) ? [value] : [];
  });
}

/** Why a phase has no whole period of a metric. */
export function tooShort(metric: string): string {
  return `${metric}: no whole period of it lies within the phase`;
}
