import { type Option, sustaining } from '../advise';
import { FLOW_WORDS, type RatedFlow, requestOf } from '../advise/checks';
import type { Experiment } from '../advise/proof';
import { type Requirement, type ResolvedRequirement, resolve } from '../advise/requirement';
import { type Candidate, costLines } from '../advise/search';
import { describeOption, describePrice, describeRequirement, dollars, gigabytes, priceRange } from '../advise/wording';
import { decimalBytes, plain } from '../common/format/units';
import { type Drawing, gridFromZero, valueAxis } from '../common/page/drawing';
import { details, figure, json, table } from '../common/page/layout';
import { html, type Markup } from '../common/page/markup';
import { type Prediction, predict } from '../predict';
import { describeBasis } from '../price/cost';
import type { PriceBook } from '../price/prices';
import { effective, gainEnd } from '../storage/common/limits';
import { describeLimit, limitLabel } from '../storage/limitNames';
import { codecOf, storageOf } from '../storage/lookup';
import type { MeasuredRate } from './measured';

/** One option in depth: its limits, what compression does to it, its bill. */
export function optionSections(
  option: Option,
  rank: number,
  requirement: Requirement,
  {
    drawing,
    measured,
    book,
  }: { readonly drawing: Drawing; readonly measured: readonly MeasuredRate[]; readonly book: PriceBook },
): Markup {
  const { configuration, flows } = option;
  const need = resolve(requirement);
  const flow = flows.reduce((low, one) => (one.throughputMBps.baseline < low.throughputMBps.baseline ? one : low));
  const predicted = predict({ ...requestOf(configuration, need), readShare: flow.readShare });
  return html`<section aria-labelledby="chosen"><h2 id="chosen">${rank} · ${describeOption(configuration)}</h2>
${ladder(predicted, flow, (MBps) => describeMore(option, sustaining(option, need, flow, MBps, book)))}
${knee(option, need, drawing, measured)}
${bill(option, need, book)}
${proof(option)}</section>`;
}

/** Beyond the limit that binds, by as little as shows in no figure. */
const MORE = 1.001;

/** The limits in ascending order, each with the cost of reaching it: once the binding one is raised, the next binds. */
function ladder({ limits, binding }: Prediction, { demand }: RatedFlow, reach: (MBps: number) => string): Markup {
  const rising = [...limits].sort((a, b) => a.baselineMBps - b.baselineMBps);
  const reached = rising.find(({ name }) => name === binding.baseline)?.baselineMBps ?? 0;
  const able = effective(limits);
  const ofClients = rising.find(({ name }) => name.startsWith('client_'))?.baselineMBps ?? Number.POSITIVE_INFINITY;
  const price = (MBps: number) => (MBps > ofClients ? 'more takes more or faster clients' : reach(MBps));
  return html`<h3 id="ladder">Limits, ${FLOW_WORDS[demand]}</h3>
${table({
  caption: 'Limits, the lowest first',
  captionHidden: true,
  columns: [
    { label: 'limit, and what it takes to raise it' },
    { label: 'MB/s', numeric: true },
    { label: 'burst MB/s', numeric: true },
  ],
  rows: rising.map((limit) => {
    const { name, baselineMBps, burstMBps, source } = limit;
    // Several may be the lowest.
    const binds = baselineMBps === reached && able.includes(limit);
    const words = binds
      ? `More: ${price(baselineMBps * MORE)}`
      : baselineMBps > reached
        ? `This much: ${price(baselineMBps)}`
        : 'Not a limit: data are compressed before they reach it';
    return [
      html`${binds ? html`<strong>${limitLabel(name)}</strong>, the lowest limit` : limitLabel(name)}<br><span class="soft">${words}<br>${sourced(source)}</span>`,
      plain(baselineMBps),
      plain(burstMBps),
    ];
  }),
})}`;
}

/** A source with its address as a link, whose text is as short as the name of the page. */
function sourced(source: string): Markup {
  const parts = source.split(/\(?(https:\/\/[^\s()]+)\)?/);
  const nameOf = (address: string): string =>
    address
      .split('/')
      .at(-1)
      ?.replace(/\.html$/, '') || address;
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<a href="${part}">${nameOf(part)}</a>`))}`;
}

/** A faster configuration with what it costs more, as a clause. */
function describeMore({ monthlyUsd }: Option, faster: Candidate | null): string {
  if (faster === null || faster.monthlyUsd === null) return 'no size of this kind, or none with a known price';
  const more = monthlyUsd === null ? null : faster.monthlyUsd - monthlyUsd;
  const difference = more === null || more < 1 ? '' : `, ${dollars(more)} more`;
  return `${priceRange(faster.monthlyUsd, faster)} USD per month${difference}: ${describeOption(faster.configuration)}`;
}

const RATIOS = Array.from({ length: 31 }, (_, index) => 1 + index / 5);

/** Sustained writes with LZ4 by compression ratio, as `predict` has them; nothing for storage that does not compress. */
function knee(
  { configuration }: Option,
  need: ResolvedRequirement,
  drawing: Drawing,
  measured: readonly MeasuredRate[],
): Markup | null {
  const compressed = storageOf(configuration).documented.performance?.impliedCompression?.(2);
  if (compressed === undefined) return null;
  const { ratio = 1 } = need.asked;
  const withLz4 = { ...configuration, ...compressed };
  const of = (each: number) => predict({ ...requestOf(withLz4, need), ratio: each });
  const points = measured
    .filter(({ mode }) => mode === 'write')
    .map(({ ratio: x, measuredMBps: y, predictedMBps: of }) => ({ x: x ?? 1, y, low: of?.baseline, high: of?.burst }));
  const end = Math.max(...RATIOS, ratio * 1.1, ...points.map(({ x }) => x * 1.05));
  const curve = [...RATIOS, end].map((x) => ({ x, y: of(x).throughputMBps.baseline }));
  const yours = { x: ratio, y: of(ratio).throughputMBps.baseline };
  const at = need.asked.ratio === undefined ? '1:1, since none is given' : `your ratio of ${plain(ratio)}:1`;
  const words = `${plain(yours.y)} MB/s at ${at}${describeGain(gainEnd(of(2).limits))}`;
  const { plot } = drawing;
  const beneath = { stroke: 'var(--axis)', strokeWidth: 5, strokeOpacity: 0.6 };
  const chart = drawing.draw(
    {
      x: { domain: [1, end], ...valueAxis('compression ratio (x:1)', 6) },
      y: { zero: true, nice: true, ...valueAxis('MB/s', 5) },
      marks: [
        ...gridFromZero(drawing),
        plot.line(curve, { x: 'x', y: 'y', stroke: 'var(--arm-0)', strokeWidth: 1.8 }),
        plot.ruleX(points, { x: 'x', y1: 'low', y2: 'high', ...beneath }),
        plot.dot(points, { x: 'x', y: 'y', stroke: 'var(--ink)', strokeWidth: 1.6, symbol: 'times', r: 3.5 }),
        plot.dot([yours], { x: 'x', y: 'y', fill: 'var(--arm-0)', r: 5 }),
      ],
    },
    { id: 'knee-chart', title: 'Sustained writes with LZ4 by compression ratio', description: words },
  );
  return html`<h3 id="knee">What compression does</h3>
${figure(chart, `Sustained writes with LZ4: ${words}.${points.length === 0 ? '' : ' Crosses: measured; the bars beneath are predicted for the arms that were measured, from sustained to burst.'}`)}`;
}

function describeGain(gain: ReturnType<typeof gainEnd>): string {
  if (gain === null) return '';
  const limit = `the limit is ${describeLimit(gain.limit)}`;
  return gain.ratio > 1
    ? `; beyond ${plain(gain.ratio)}:1 ${limit}, and more compression does not help`
    : `; ${limit}, whatever the ratio`;
}

function bill({ configuration, monthlyUsd, lowUsd }: Option, need: ResolvedRequirement, book: PriceBook): Markup {
  const { hoursPerMonth: hours } = need;
  const lines = costLines(configuration, need, book);
  return html`<h3 id="bill">Cost of a month</h3>
${table({
  caption: 'Cost of a month by its parts',
  captionHidden: true,
  columns: [{ label: 'part' }, { label: 'quantity', numeric: true }, { label: 'USD', numeric: true }],
  rows: [
    ...lines.map(({ item, quantity, unit, hourly, hourlyLow = hourly ?? 0, source, reason }) => [
      html`${item}<br><span class="soft">${sourced(source)}</span>`,
      quantity === null ? '–' : `${plain(quantity)} ${unit}`,
      hourly === null ? (reason ?? 'unknown') : priceRange(hourly * hours, { lowUsd: hourlyLow * hours }),
    ]),
    [
      html`<strong>total</strong>`,
      `${Math.round(hours)} hours`,
      html`<strong>${monthlyUsd === null ? 'unknown' : priceRange(monthlyUsd, { lowUsd })}</strong>`,
    ],
  ],
})}`;
}

function proof({ cdkJson, proof: { experiments, cheaper } }: Option): Markup {
  const words = ({ benchmark, clients, instanceType, hourlyUsd }: Experiment): string =>
    `${benchmark}: ${clients} × ${instanceType}, ${hourlyUsd === null ? 'at an unknown price' : `${dollars(hourlyUsd)} USD per hour`}`;
  return html`<h3 id="proof">Prove it</h3>
${experiments.length === 0 ? html`<p>No benchmark measures file systems of this kind yet.</p>` : html`<ul>${experiments.map((one) => html`<li>${words(one)}</li>`)}${cheaper === undefined ? null : html`<li>Cheaper, ${words(cheaper)}: shows that ${cheaper.shows}, but not ${cheaper.cannotShow}</li>`}</ul>`}
${details('Settings: cdk.json', json(cdkJson))}`;
}

export function ticketOf(option: Option, requirement: Requirement, command: string): string {
  const { configuration, throughputMBps, binding, basis, why } = option;
  const { capacityTB, maxFill, taken } = resolve(requirement);
  const bytes = (capacityTB ?? 0) * 1e12;
  const withLz4 =
    codecOf(configuration) === null ? '' : `; with LZ4 they take ${decimalBytes(bytes * taken.compressed)}`;
  return [
    `File system: ${describeOption(configuration)}`,
    `Requirement: ${describeRequirement(requirement)}`,
    `Cost: ${describePrice(option)} (${describeBasis(basis)}), without clients`,
    `Sustained: ${gigabytes(throughputMBps.baseline)} GB/s, limited by ${describeLimit(binding.baseline)}; documented, not measured`,
    capacityTB !== null && `Data: ${decimalBytes(bytes)}, at most ${Math.round(maxFill * 100)} % full${withLz4}`,
    `Why: ${why}`,
    `Check: ${command}`,
  ]
    .filter((part) => part !== false)
    .join('\n');
}
