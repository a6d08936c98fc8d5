import type { RunSummary } from '../../../analysis/summary';
import { countedSamples } from '../../../benchmark/common/counted';
import type { Range } from '../../../common/collections';
import { bytes, counted, duration, plain } from '../../../common/format/units';
import type { Sentence } from '../../../common/page/arms';
import { gridLines } from '../../../common/page/drawing';
import { meanInterval, meanOf, studentQuantile } from '../../../common/statistics';
import { reasonsOf, type Sample } from '../../../schema/sample';
import { armColumn, type Chart, column, number, quantity, tableOf, text } from '../../blocks';
import type { Section } from '../../sections/section';

const CONFIDENCE = 0.95;

/** The trend of yearly means, kelvin per decade. */
interface YearlyTrend extends Range<number> {
  readonly slope: number;
  /** Trend that the data were generated with; `null` for the user's own data. */
  readonly known: number | null;
}

/** Results and durations of an arm's analyses, by number of nodes. */
type Temperature = ReturnType<typeof temperaturesOf>[number];

/** The temperatures that Dask found on each arm; empty if the run has no such analysis. */
export function temperaturesOf(run: RunSummary) {
  const own = countedSamples(run).filter(({ operation }) => operation === 'analyse');
  const { trend: known = null, source } = run.record.plan?.parameters ?? {};
  return [...Map.groupBy(own, ({ arm }) => arm).values()].map((samples) => {
    const analyses = [...Map.groupBy(samples, ({ step }) => step).values()];
    const [first = []] = analyses.filter((one) => figure(one, 'mean') !== null);
    const years = yearsOf(first);
    const [slope, error] = [figure(first, 'trend'), figure(first, 'trend_error')];
    const half = error === null || years.length < 3 ? null : studentQuantile(CONFIDENCE, years.length - 2) * error;
    const means = analyses.flatMap((one) => figure(one, 'mean') ?? []);
    const made = source === '' && typeof known === 'number' ? known : null;
    return {
      arm: (samples[0] as Sample).arm,
      /** Kelvin, over all steps. */
      mean: figure(first, 'mean'),
      years,
      /** `null` with fewer than three whole years. */
      trend: slope === null || half === null ? null : { slope, low: slope - half, high: slope + half, known: made },
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

function yearsOf(samples: readonly Sample[]) {
  const pairs = samples
    .filter(({ metric }) => metric === 'year_mean')
    .map(({ iteration, value }) => [iteration, value] as const);
  const means = new Map(pairs);
  return samples.flatMap(({ metric, iteration, value: year }) => {
    const mean = means.get(iteration);
    return metric === 'year' && year !== null && mean != null ? [{ year, mean }] : [];
  });
}

function timesOf(nodes: number, samples: readonly Sample[]) {
  const of = (wanted: string): number[] =>
    samples.flatMap(({ metric, value }) => (metric === wanted && value !== null ? value : []));
  const mean = (wanted: string): number | null => meanOf(of(wanted));
  return {
    nodes,
    workers: of('workers')[0] ?? null,
    seconds: mean('seconds'),
    interval: meanInterval(of('seconds')),
    parts: { start: mean('start_seconds'), open: mean('open_seconds'), compute: mean('compute_seconds') },
    readBytes: mean('bytes'),
    reasons: reasonsOf(samples),
  };
}

const kelvin = (value: number | null): string => (value === null ? '–' : `${value.toFixed(2)} K`);
const perDecade = (value: number): string => value.toFixed(3);

/** `0.225 K per decade (95 %: 0.110–0.340); the data were made with 0.200, which the interval holds` */
function describeTrend({ slope, low, high, known }: YearlyTrend): string {
  const found = `${perDecade(slope)} K per decade (95 % interval ${perDecade(low)} to ${perDecade(high)})`;
  if (known === null) return found;
  const holds = low <= known && known <= high;
  return `${found}; the data were made with ${perDecade(known)}, which the interval ${holds ? 'holds' : 'does not hold'}`;
}

/** The analyses of the run, or else of the first run next to it that has some which count. */
function analysisOf(run: RunSummary): { readonly of: RunSummary; readonly found: readonly Temperature[] } {
  const others = (run.beside ?? []).filter(({ validity }) => validity !== 'INVALID');
  const all = [run, ...others].map((of) => ({ of, found: temperaturesOf(of) }));
  return all.find(({ found }) => found.length > 0) ?? { of: run, found: [] };
}

/** Results of the Dask analysis of years of temperatures, with its duration. */
export const temperatureSection: Section = {
  id: 'temperature',
  title: 'Sea-surface temperature by Dask',
  isResult: true,
  after: 'scaling',
  headline: (run) =>
    analysisOf(run).found.flatMap(({ arm, trend, times }): Sentence[] => {
      const [fewest, max] = [times[0], times.at(-1)];
      const took = (at: Temperature['times'][number]): string =>
        `${duration(at.seconds)} with ${counted(at.nodes, 'node')}`;
      const faster =
        fewest?.seconds && max?.seconds && max !== fewest
          ? [['Dask’s analysis on ', { arm }, ` took ${took(fewest)} and ${took(max)}.`]]
          : [];
      return [...(trend === null ? [] : [[`The trend on `, { arm }, ` is ${describeTrend(trend)}.`]]), ...faster];
    }),
  blocks(run) {
    const { of, found } = analysisOf(run);
    if (found.length === 0) return [];
    return [
      of !== run && text(`From the run ${of.run}, which was given in addition to this one and is ${of.validity}.`),
      text(
        'Mean over the sea, each cell weighted by the cosine of its latitude, and the trend of whole years by least squares. The time is that of opening all files and of the computation, as the study took it; workers are started before.',
      ),
      ...found.map((one) =>
        text([
          { arm: one.arm },
          `: mean ${kelvin(one.mean)}; `,
          one.trend === null ? 'no trend, since that needs three whole years' : `trend ${describeTrend(one.trend)}`,
          one.agree ? '.' : '. The analyses of this arm do not agree: look at their raw output.',
        ]),
      ),
      { kind: 'charts', charts: found.filter(({ years }) => years.length > 1).map(yearsChart) },
      tableOf(
        found.flatMap(({ arm, times }) => times.map((time) => ({ arm, ...time }))),
        { caption: 'Time of the analysis by nodes' },
        [
          armColumn(),
          column('Nodes', ({ nodes }) => String(nodes)),
          number('Workers', ({ workers }) => workers, plain),
          number('Time', ({ seconds, interval, reasons: [reason = null] }) => {
            const range = interval && `${plain(Math.max(0, interval.low))}–${plain(interval.high)} s`;
            return quantity(seconds, duration, { reason, below: range ?? reason });
          }),
          number('Start', ({ parts }) => parts.start, duration),
          number('Opening', ({ parts }) => parts.open, duration),
          number('Computation', ({ parts }) => parts.compute, duration),
          number('Read by workers', ({ readBytes }) => readBytes, bytes),
        ],
      ),
    ];
  },
};

/** Yearly means, with the line of the trend and the band of its interval, both through the mean of the years. */
function yearsChart({ arm, years, trend }: Temperature, index: number): Chart {
  const centre = meanOf(years.map(({ year }) => year)) ?? 0;
  const level = meanOf(years.map(({ mean }) => mean)) ?? 0;
  const at = (slope: number, year: number): number => level + (slope / 10) * (year - centre);
  const line = years.flatMap(({ year }) => {
    if (trend === null) return [];
    const ends = [at(trend.low, year), at(trend.high, year)];
    return { year, value: at(trend.slope, year), low: Math.min(...ends), high: Math.max(...ends) };
  });
  const lowest = Math.min(...years.map(({ mean }) => mean), ...line.map(({ low }) => low));
  const highest = Math.max(...years.map(({ mean }) => mean), ...line.map(({ high }) => high));
  const room = (highest - lowest) * 0.08 || 0.1;
  return {
    id: `temperature-${index}`,
    title: `Yearly mean sea-surface temperature, read from ${arm}`,
    description: `${years.map(({ year, mean }) => `${year}: ${kelvin(mean)}.`).join(' ')}${trend === null ? '' : ` Trend ${describeTrend(trend)}.`}`,
    caption:
      trend === null
        ? 'Dots are the means of whole years.'
        : 'Dots are the means of whole years, the line is their trend; the band holds the slopes of its 95 % interval.',
    options: ({ plot, look }) => ({
      x: { tickFormat: String, ticks: Math.min(6, years.length), tickSize: 0, label: 'year', labelArrow: 'none' },
      y: { domain: [lowest - room, highest + room], label: 'K', labelArrow: 'none', ticks: 5, tickSize: 0 },
      marks: [
        gridLines({ plot }),
        plot.areaY(line, { x: 'year', y1: 'low', y2: 'high', fill: look.colour(arm), fillOpacity: 0.15 }),
        plot.line(line, { x: 'year', y: 'value', stroke: look.colour(arm), strokeWidth: 1.6 }),
        plot.dot(years, {
          x: 'year',
          y: 'mean',
          fill: look.colour(arm),
          r: 3.5,
          symbol: () => look.symbol(arm),
          title: ({ year, mean }: (typeof years)[number]) => `${year}: ${kelvin(mean)}`,
        }),
      ],
    }),
  };
}
