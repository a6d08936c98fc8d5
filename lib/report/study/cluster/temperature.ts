import type { RunSummary } from '../../../analysis/summary';
import { countedSamples } from '../../../benchmark/common/counted';
import { type Interval, meanInterval, meanOf, studentQuantile } from '../../../common/statistics';
import { reasonsOf, type Sample } from '../../../schema/sample';

const CONFIDENCE = 0.95;

/** The trend of yearly means, kelvin per decade. */
export interface YearlyTrend {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
  /** Trend that the data were generated with; `null` for the user's own data. */
  readonly known: number | null;
}

/** Results and durations of an arm's analyses, by number of nodes. */
export interface Temperature {
  readonly arm: string;
  /** Kelvin, over all steps. */
  readonly mean: number | null;
  readonly years: readonly { readonly year: number; readonly mean: number }[];
  /** `null` with fewer than three whole years. */
  readonly trend: YearlyTrend | null;
  /** True if every analysis of the arm found the same. */
  readonly agree: boolean;
  readonly times: readonly {
    readonly nodes: number;
    readonly workers: number | null;
    readonly seconds: number | null;
    readonly interval: Interval | null;
    /** Means over the repeats. */
    readonly parts: { readonly start: number | null; readonly open: number | null; readonly compute: number | null };
    readonly readBytes: number | null;
    readonly reasons: readonly string[];
  }[];
}

/** The temperatures that Dask found on each arm; none where the run has no such analysis. */
export function temperaturesOf(run: RunSummary): Temperature[] {
  const own = countedSamples(run).filter(({ operation }) => operation === 'analyse');
  const { trend: known = null, source } = run.record.plan?.parameters ?? {};
  return [...Map.groupBy(own, ({ arm }) => arm).values()].map((samples): Temperature => {
    const analyses = [...Map.groupBy(samples, ({ step }) => step).values()];
    const [first = []] = analyses.filter((one) => figure(one, 'mean') !== null);
    const years = yearsOf(first);
    const [slope, error] = [figure(first, 'trend'), figure(first, 'trend_error')];
    const half = error === null || years.length < 3 ? null : studentQuantile(CONFIDENCE, years.length - 2) * error;
    const means = analyses.flatMap((one) => figure(one, 'mean') ?? []);
    return {
      arm: (samples[0] as Sample).arm,
      mean: figure(first, 'mean'),
      years,
      trend:
        slope === null || half === null
          ? null
          : {
              slope,
              low: slope - half,
              high: slope + half,
              known: source === '' && typeof known === 'number' ? known : null,
            },
      // Sums in another order differ in their last digits.
      agree: means.every((mean) => Math.abs(mean - (means[0] as number)) < 1e-6),
      times: [...Map.groupBy(samples, ({ plannedNodes }) => String(plannedNodes ?? 1))]
        .map(([nodes, some]) => timesOf(Number(nodes), some))
        .sort((a, b) => a.nodes - b.nodes),
    };
  });
}

const figure = (samples: readonly Sample[], wanted: string): number | null =>
  samples.find(({ metric }) => metric === wanted)?.value ?? null;

function yearsOf(samples: readonly Sample[]): Temperature['years'] {
  const means = new Map(
    samples.flatMap(({ metric, iteration, value }) => (metric === 'year_mean' ? [[iteration, value] as const] : [])),
  );
  return samples.flatMap(({ metric, iteration, value: year }) => {
    const mean = means.get(iteration);
    return metric === 'year' && year !== null && mean != null ? [{ year, mean }] : [];
  });
}

function timesOf(nodes: number, samples: readonly Sample[]): Temperature['times'][number] {
  const of = (wanted: string): number[] =>
    samples.flatMap(({ metric, value }) => (metric === wanted && value !== null ? [value] : []));
  const seconds = of('seconds');
  return {
    nodes,
    workers: of('workers')[0] ?? null,
    seconds: meanOf(seconds),
    interval: meanInterval(seconds),
    parts: {
      start: meanOf(of('start_seconds')),
      open: meanOf(of('open_seconds')),
      compute: meanOf(of('compute_seconds')),
    },
    readBytes: meanOf(of('bytes')),
    reasons: reasonsOf(samples),
  };
}
