import { type Requirement, resolve } from '../advise/requirement';
import { priceOf } from '../advise/search';
import { describeOption } from '../advise/wording';
import { plain } from '../common/format/units';
import { type Drawing, logTicks, valueAxis } from '../common/page/drawing';
import { figure, table } from '../common/page/layout';
import { html, type Markup } from '../common/page/markup';
import type { Rate } from '../predict';
import type { PriceBook } from '../price/prices';
import type { StorageConfiguration } from '../schema/deployment';
import { limitLabel } from '../storage/limitNames';
import { storageOf } from '../storage/lookup';
import type { ChartPoint } from './answer';

/** A rate that a run measured, next to what was documented for its arm. */
export interface MeasuredRate {
  readonly arm: string;
  readonly configuration: StorageConfiguration | null;
  readonly operation: string;
  readonly mode: string;
  readonly compressibility: number | null;
  readonly ratio: number | null;
  readonly predictedMBps: Rate | null;
  /** Median of the repeats. */
  readonly measuredMBps: number;
  /** Predicted ÷ measured − 1. */
  readonly errorPercent: number | null;
  readonly limitedBy: string | null;
}

/** A run as the page shows it: figures of its report, and no id of a machine. */
export interface MeasuredRun {
  readonly run: string;
  readonly benchmark: string;
  /** Why its rates are not those of AWS; `null` for a run on AWS. */
  readonly elsewhere: string | null;
  /** Why nothing is predicted; `null` if it is. */
  readonly reason: string | null;
  readonly rates: readonly MeasuredRate[];
}

/** Rates at the AWS scale: those of a model are a hundredth. */
export const ratesOnAws = (runs: readonly MeasuredRun[]): readonly (MeasuredRate & { readonly run: string })[] =>
  runs.flatMap(({ run, elsewhere, rates }) => (elsewhere === null ? rates.map((rate) => ({ ...rate, run })) : []));

/** Marks for cost against throughput: of each arm with a known configuration the rates that the requirement asks for. */
export function measuredSpots(runs: readonly MeasuredRun[], requirement: Requirement, book: PriceBook): ChartPoint[] {
  const need = resolve(requirement);
  const modes = need.flows.map(({ demand }) => demand as string);
  return ratesOnAws(runs).flatMap(({ configuration, mode, measuredMBps, arm, operation, ratio, run }) => {
    if (configuration === null || !(modes.length === 0 ? ['write'] : modes).includes(mode)) return [];
    const series = storageOf(configuration).price.candidates?.seriesOf(configuration) ?? null;
    const { monthlyUsd } = priceOf(configuration, need, book);
    if (series === null || need.storages.every(({ kind }) => kind !== configuration.kind) || !monthlyUsd) return [];
    const title = `Measured in ${run}: ${arm}, ${operation}${ratio === null ? '' : ` at ${plain(ratio)}:1`}: ${plain(measuredMBps)} MB/s`;
    const compressed = ratio !== null;
    return [{ rank: null, usd: monthlyUsd, rate: measuredMBps / 1000, series, compressed, pareto: false, title }];
  });
}

const MARGIN_LEFT = 118;

/** Measured rates next to their predictions: a bar from the sustained rate to the burst, a dot at the measured one. */
function chart({ run, rates }: MeasuredRun, drawing: Drawing): Markup {
  const { plot } = drawing;
  const rows = rates.flatMap(({ predictedMBps, ...rate }) =>
    predictedMBps === null ? [] : [{ ...rate, ...predictedMBps, name: rowName(rate) }],
  );
  const values = rows.flatMap(({ baseline, burst, measuredMBps }) => [baseline, burst, measuredMBps]);
  const domain = [Math.min(...values) / 1.15, Math.max(...values) * 1.15] as const;
  return drawing.draw(
    {
      height: 60 + 17 * rows.length,
      marginLeft: MARGIN_LEFT,
      x: { type: 'log', domain, ...valueAxis('MB/s', 5), ticks: logTicks(domain, 5), labelAnchor: 'center' },
      y: { type: 'band', domain: rows.map(({ name }) => name), padding: 0.45, label: null, tickSize: 0 },
      marks: [
        plot.gridX(logTicks(domain, 5), { stroke: 'var(--grid)', strokeOpacity: 1 }),
        plot.barX(rows, { x1: 'baseline', x2: 'burst', y: 'name', fill: 'var(--axis)', fillOpacity: 0.55 }),
        plot.tickX(rows, { x: 'baseline', y: 'name', stroke: 'var(--soft)', strokeWidth: 2 }),
        plot.dot(rows, { x: 'measuredMBps', y: 'name', fill: 'var(--arm-0)', stroke: 'var(--paper)', r: 4.2 }),
      ],
    },
    {
      id: `measured-${run}`,
      title: `Predicted and measured rates of ${run}`,
      description: rows
        .map(({ name, ...row }) => `${name}: ${plain(row.baseline)} predicted, ${plain(row.measuredMBps)} measured`)
        .join('; '),
    },
  );
}

/** Short enough for the margin of a chart; runs of one kind of data need not name it. */
const rowName = ({ arm, operation, compressibility }: Omit<MeasuredRate, 'predictedMBps'>): string =>
  `${arm}, ${operation}${compressibility === null ? '' : `, ${compressibility}:1`}`;

function runSection(run: MeasuredRun, drawing: Drawing): Markup {
  const { elsewhere, reason, rates } = run;
  const configurations = new Map(rates.map(({ arm, configuration }) => [arm, configuration]));
  return html`<h3>${run.benchmark}, ${run.run}</h3>
${elsewhere === null ? null : html`<p class="soft">These rates are not AWS's, and stand in no other chart: ${elsewhere}.</p>`}
${reason === null ? null : html`<p class="soft">${reason}.</p>`}
${rates.some(({ predictedMBps }) => predictedMBps !== null) ? figure(chart(run, drawing), 'Dots: measured, the median of the repeats. Bars: predicted, from the sustained rate (dark edge) to the burst.') : null}
${table({
  caption: `Rates of ${run.run}, predicted and measured`,
  captionHidden: true,
  columns: [
    { label: 'arm, operation, data made for' },
    { label: 'measured ratio', numeric: true },
    { label: 'predicted MB/s', numeric: true },
    { label: 'measured MB/s', numeric: true },
    { label: 'predicted ÷ measured', numeric: true },
    { label: 'limited by' },
  ],
  rows: rates.map((rate) => [
    rowName(rate),
    rate.ratio === null ? '–' : `${plain(rate.ratio)}:1`,
    rate.predictedMBps === null ? '–' : describeRange(rate.predictedMBps),
    plain(rate.measuredMBps),
    rate.errorPercent === null ? '–' : (1 + rate.errorPercent / 100).toFixed(2),
    rate.limitedBy === null ? 'not known' : limitLabel(rate.limitedBy),
  ]),
})}
<p class="soft">${[...configurations].map(([arm, one]) => `${arm}: ${one === null ? 'configuration not known' : describeOption(one)}`).join('. ')}.</p>`;
}

const describeRange = ({ baseline, burst }: Rate): string =>
  burst > baseline ? `${plain(baseline)}–${plain(burst)}` : plain(baseline);

/** The given runs, with measured next to predicted values; nothing without a run. */
export const measuredSections = (runs: readonly MeasuredRun[], drawing: Drawing): Markup | null =>
  runs.length === 0
    ? null
    : html`<section aria-labelledby="measured"><h2 id="measured">Measured</h2>
${runs.map((run) => runSection(run, drawing))}</section>`;
