import type { Advice } from '../advise';
import { resolve } from '../advise/requirement';
import type { Candidate } from '../advise/search';
import {
  describeNothingMeets,
  describeOption,
  describePrice,
  describeVerdict,
  dollars,
  gigabytes,
  headroomDemand,
  priceRange,
  withoutSource,
} from '../advise/wording';
import { counted, grouped } from '../common/format/units';
import { ArmLook } from '../common/page/arms';
import { type Drawing, logTicks, valueAxis } from '../common/page/drawing';
import { details, figure, table } from '../common/page/layout';
import { html, type Markup } from '../common/page/markup';
import { describeLimit, limitLabel } from '../storage/limitNames';
import { codecOf, storageOf } from '../storage/lookup';
import { fieldName } from './page';

/** A configuration in the chart of cost against throughput. */
export interface ChartPoint {
  /** Number of the option in the table, from 1; `null` for what a run measured. */
  readonly rank: number | null;
  readonly usd: number;
  /** GB/s sustained. */
  readonly rate: number;
  readonly series: string;
  readonly compressed: boolean;
  readonly pareto: boolean;
  readonly title: string;
}

/** The answer in a sentence for people who do not know file systems, with what is missed next to the price. */
export function answerSentence(advice: Advice): Markup {
  const [best] = advice.options;
  if (best !== undefined) {
    const { throughputMBps, binding, monthlyUsd } = best;
    const burst =
      throughputMBps.burst > throughputMBps.baseline ? `, ${gigabytes(throughputMBps.burst)} GB/s in a burst` : '';
    return html`<strong>${monthlyUsd === null ? 'Price not fully known' : describePrice(best)}</strong> for ${describeOption(best.configuration)}, which ${describeVerdict(best)}: ${gigabytes(throughputMBps.baseline)} GB/s sustained${burst}, limited by ${describeLimit(binding.baseline)}; ${best.why}.${mayWords(advice)}`;
  }
  const [closest] = advice.nearest;
  const nothing = html`<strong class="unmet">${describeNothingMeets(advice)}.</strong>`;
  return closest === undefined
    ? nothing
    : html`${nothing} Closest: ${describeOption(closest.configuration)} for <strong>${describePrice(closest)}</strong>; ${missed(closest)}`;
}

function mayWords({ nearest }: Advice): string {
  const [first] = nearest;
  if (first === undefined) return '';
  return ` ${counted(nearest.length, 'other')} may cost less, from ${dollars(first.lowUsd)} USD per month; what is unknown about them is listed below.`;
}

/** Requirements that a configuration misses, or may miss, marked. */
const missed = ({ unmet }: Candidate): Markup =>
  html`${unmet.map(({ met, reason }) => html`<span class="unmet">${met === false ? '' : 'unknown: '}${withoutSource(reason)}.</span> `)}`;

/** Words of advice with the names of fields instead of options. */
export const inFields = (words: string): string => words.replaceAll(/--[a-z-]+/g, fieldName);

export const changeList = ({ changes }: Advice): Markup | null =>
  changes.length === 0
    ? null
    : html`<ul>${changes.map(({ words, configuration, monthlyUsd }) => html`<li>Possible change: ${inFields(words)}. Then ${describeOption(configuration)} meets the requirements${monthlyUsd === null ? '' : ` for ${dollars(monthlyUsd)} USD per month`}.</li>`)}</ul>`;

/** Cost against throughput, the options, what comes close and what was rejected. @param measured points of runs on the same axes */
export function answerSections(advice: Advice, drawing: Drawing, measured: readonly ChartPoint[] = []): Markup {
  const { options, nearest, rejected } = advice;
  const points = [...pointsOf(advice), ...measured];
  const reasons = [...new Set(options.flatMap(({ reason }) => reason ?? []))];
  const cost = html`<section aria-labelledby="pareto"><h2 id="pareto">Cost against throughput</h2>
${points.length === 0 ? html`<p>No file system with a known price meets the requirement.</p>` : figure(chart(points, advice, drawing), legend(points, advice))}
${reasons.map((reason) => html`<p class="soft">No total: ${reason}.</p>\n`)}</section>`;
  return html`${options.length === 0 && points.length === 0 ? null : cost}
${nearest.length === 0 ? null : closeSection(options.length === 0 ? 'What comes closest' : 'What may cost less', nearest)}
${options.length === 0 ? null : html`<section aria-labelledby="options"><h2 id="options">Options</h2>\n${optionTable(options)}</section>`}
${rejected.length === 0 ? null : details(counted(rejected.length, 'rejected configuration'), rejectedTable(rejected))}`;
}

const closeSection = (title: string, nearest: readonly Candidate[]): Markup =>
  html`<section aria-labelledby="close"><h2 id="close">${title}</h2>${table({
    caption: `${title}: configurations`,
    captionHidden: true,
    columns: [{ label: 'configuration' }, { label: 'USD per month, and what is missed or not known' }],
    rows: nearest.map((one) => [
      describeOption(one.configuration),
      html`${describePrice(one)}<br>${one.meets ? html`<span class="unmet">${one.reason ?? ''}.</span>` : missed(one)}`,
    ]),
  })}</section>`;

const rejectedTable = (rejected: Advice['rejected']): Markup =>
  table({
    caption: 'Configurations that do not meet the requirement',
    captionHidden: true,
    columns: [{ label: 'configuration' }, { label: 'reason' }],
    rows: rejected.map(({ configuration, reason }) => [describeOption(configuration), withoutSource(reason)]),
  });

const SHOWN = 8;

function optionTable(options: Advice['options']): Markup {
  const rest = options.slice(SHOWN);
  return html`${optionRows(options.slice(0, SHOWN), 0)}
${rest.length === 0 ? null : details(counted(rest.length, 'more option'), optionRows(rest, SHOWN), { print: true })}`;
}

/** @param before options that come before these */
const optionRows = (options: Advice['options'], before: number): Markup =>
  table({
    caption: `Options that meet the requirement, in the order of their ranks, from ${before + 1}`,
    captionHidden: true,
    columns: [
      { label: 'configuration' },
      { label: 'USD per month', numeric: true },
      { label: 'GB/s', numeric: true },
      { label: 'burst GB/s', numeric: true },
      { label: 'head-room', numeric: true },
      { label: 'limited by' },
    ],
    rows: options.map((option, index) => {
      const { configuration, monthlyUsd, knownUsd, throughputMBps, headroom, binding, pareto, why, unmet } = option;
      const usd = priceRange(monthlyUsd ?? knownUsd, option);
      const of = headroomDemand(option);
      return [
        html`${before + index + 1} · ${pareto ? html`<strong>${describeOption(configuration)}</strong>` : describeOption(configuration)}<br><span class="soft">${why}</span>`,
        html`${monthlyUsd !== null ? usd : knownUsd > 0 ? html`${usd}<br>plus ${option.unpriced.join(' and ')}` : 'unknown'}${unmet.length === 0 ? null : html`<br>${missed(option)}`}`,
        gigabytes(throughputMBps.baseline),
        gigabytes(throughputMBps.burst),
        headroom === null ? '–' : `${grouped(headroom * 100)} %${of === null ? '' : ` of ${of}`}`,
        limitLabel(binding.baseline),
      ];
    }),
  });

const pointsOf = ({ options }: Advice): ChartPoint[] =>
  options.flatMap(({ configuration, monthlyUsd, throughputMBps: { baseline }, ...option }, index): ChartPoint | [] => {
    const series = storageOf(configuration).price.candidates?.seriesOf(configuration) ?? null;
    // A logarithmic axis has no 0.
    if (series === null || !monthlyUsd || baseline <= 0) return [];
    const [rank, usd, rate, pareto] = [index + 1, monthlyUsd, baseline / 1000, option.pareto === true];
    const title = `${rank} · ${describeOption(configuration)}: ${dollars(usd)} USD per month, ${gigabytes(baseline)} GB/s`;
    return { rank, usd, rate, series, compressed: codecOf(configuration) !== null, pareto, title };
  });

/** A colour for each storage and a shape for each of its series; among the series of one storage, both differ. */
function lookOf({ requirement }: Advice): ArmLook {
  const { storages } = resolve(requirement);
  return new ArmLook({
    arms: storages.flatMap(({ kind, price: { candidates } }) =>
      (candidates?.series ?? []).map((name) => (storages.length > 1 ? { name, group: kind } : { name })),
    ),
  });
}

/** The lowest rate that is asked for, since each point is at its lowest rate; `null` if none is. */
function neededRate({ requirement }: Advice): number | null {
  const rates = resolve(requirement).flows.map(({ MBps }) => MBps / 1000);
  return rates.length === 0 ? null : Math.min(...rates);
}

function chart(points: readonly ChartPoint[], advice: Advice, drawing: Drawing): Markup {
  const { plot } = drawing;
  const look = lookOf(advice);
  const needed = [neededRate(advice) ?? []].flat();
  const budget = [advice.requirement.maxMonthlyUsd ?? []].flat();
  const around = (values: readonly number[]) => [Math.min(...values) / 1.3, Math.max(...values) * 1.3] as const;
  const x = around([...points.map(({ usd }) => usd), ...budget]);
  const y = around([...points.map(({ rate }) => rate), ...needed]);
  const front = points.filter(({ pareto }) => pareto).sort((a, b) => a.usd - b.usd || a.rate - b.rate);
  const grid = { stroke: 'var(--grid)', strokeOpacity: 1 };
  const line = { stroke: 'var(--ink)', strokeWidth: 1.2 };
  const marks = (measured: boolean) =>
    plot.dot(
      points.filter(({ rank }) => (rank === null) === measured),
      {
        x: 'usd',
        y: 'rate',
        stroke: ({ series }: ChartPoint) => look.colour(series),
        strokeWidth: 1.6,
        fill: ({ compressed, series }: ChartPoint) => (compressed && !measured ? look.colour(series) : 'var(--paper)'),
        symbol: measured ? 'times' : ((({ series }: ChartPoint) => look.symbol(series)) as never),
        r: 4.5,
        title: 'title',
      },
    );
  return drawing.draw(
    {
      width: 520,
      height: 320,
      marginRight: 24,
      x: { type: 'log', domain: x, ...valueAxis('USD per month', 5), ticks: logTicks(x, 6), labelAnchor: 'center' },
      y: { type: 'log', domain: y, ...valueAxis('GB/s sustained', 5), ticks: logTicks(y, 6) },
      marks: [
        plot.gridX(logTicks(x, 6), grid),
        plot.gridY(logTicks(y, 6), grid),
        plot.ruleY(needed, line),
        plot.ruleX(budget, line),
        plot.line(front, { x: 'usd', y: 'rate', stroke: 'var(--axis)', strokeDasharray: '4 3', curve: 'step-after' }),
        marks(true),
        marks(false),
        plot.text(front, {
          x: 'usd',
          y: 'rate',
          text: ({ rank }: ChartPoint) => `${rank}`,
          dy: -11,
          fontWeight: 700,
          stroke: 'var(--paper)',
          strokeWidth: 3,
          fill: 'var(--ink)',
        }),
      ],
    },
    {
      id: 'cost-throughput',
      title: 'Monthly cost against throughput, both logarithmic',
      description: `On the line, with nothing both cheaper and as fast: ${front.map(({ title }) => title).join('; ')}.`,
    },
  );
}

function legend(points: readonly ChartPoint[], advice: Advice): Markup {
  const look = lookOf(advice);
  const names = [...new Set(points.map(({ series }) => series))].sort((a, b) => look.index(a) - look.index(b));
  const sentences = [
    points.some(({ compressed, rank }) => compressed && rank !== null) && 'Filled: with LZ4; hollow: without.',
    points.some(({ rank }) => rank === null) && 'Crosses: measured, at the list price of the arm.',
    neededRate(advice) !== null && 'Solid: the required throughput.',
    'Dashed: nothing is both cheaper and at least as fast; numbers refer to the table.',
  ].filter((sentence) => sentence !== false);
  return html`${names.map((name) => html`${look.label(name)} `)}${sentences.join(' ')}`;
}
