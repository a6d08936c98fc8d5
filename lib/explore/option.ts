import type { Option } from '../advise';
import { costLines, requestOf } from '../advise/assess';
import { maxFillOf, type Requirement, takenOf } from '../advise/requirement';
import { bytesWords, dollars, gigabytes, optionWords } from '../advise/wording';
import { plain } from '../kit/format/units';
import { type Drawing, valueAxis } from '../kit/page/drawing';
import { details, figure, json, table } from '../kit/page/layout';
import { html, type Markup } from '../kit/page/markup';
import { type Prediction, predict } from '../predict';
import { HOURS_PER_MONTH, PUBLISHED } from '../price/prices';
import { storageOf } from '../storage/lookup';

/** One option in depth: its limits, what compression does to it, its bill. */
export function optionSections(option: Option, rank: number, requirement: Requirement, drawing: Drawing): Markup {
  const { configuration } = option;
  const demand = option.demands.reduce((low, one) =>
    one.throughputMBps.baseline < low.throughputMBps.baseline ? one : low,
  );
  const predicted = predict(requestOf(configuration, requirement, demand));
  return html`<section aria-labelledby="chosen"><h2 id="chosen">${rank} · ${optionWords(configuration)}</h2>
<p>Ranked here as ${option.why}.</p>
${ladder(predicted, demand.mode)}
${knee(option, requirement, drawing)}
${bill(option, requirement)}
${details('Settings to prove it: cdk.json', json(option.cdkJson))}</section>`;
}

/** The limits, the lowest first: where the one that binds is raised, the next does. */
function ladder({ limits, binding }: Prediction, mode: string): Markup {
  const rising = [...limits].sort((a, b) => a.baselineMBps - b.baselineMBps);
  return html`<h3 id="ladder">Limits, ${mode === 'mixed' ? 'reads and writes together' : `${mode}s`}</h3>
${table({
  caption: 'Limits, the lowest first',
  captionHidden: true,
  columns: [
    { label: 'limit' },
    { label: 'MB/s', numeric: true },
    { label: 'burst MB/s', numeric: true },
    { label: 'source' },
  ],
  rows: rising.map(({ name, baselineMBps, burstMBps, source }) => [
    name === binding.baseline ? html`<strong>${name}</strong>, which binds` : name,
    plain(baselineMBps),
    plain(burstMBps),
    source,
  ]),
})}`;
}

/** Ratios at which the curve is computed. */
const RATIOS = Array.from({ length: 31 }, (_, index) => 1 + index / 5);

/** Sustained writes with LZ4 by compression ratio, as `predict` has them; nothing for storage that does not compress. */
function knee({ configuration }: Option, requirement: Requirement, drawing: Drawing): Markup | null {
  const compressed = storageOf(configuration).documented.performance?.impliedCompression?.(2);
  if (compressed === undefined) return null;
  const { ratio = 1 } = requirement;
  const withLz4 = { ...configuration, ...compressed };
  const of = (each: number) => predict(requestOf(withLz4, { ...requirement, ratio: each }, { readShare: 0 }));
  const end = Math.max(...RATIOS, ratio * 1.1);
  const curve = [...RATIOS, end].map((x) => ({ x, y: of(x).throughputMBps.baseline }));
  const yours = { x: ratio, y: of(ratio).throughputMBps.baseline };
  const { knee: at } = of(2);
  const words = `${plain(yours.y)} MB/s at your ratio of ${plain(ratio)}:1${at === null ? '' : `; beyond ${plain(at)}:1 the servers' network is the limit, and more compression does not help`}`;
  const { plot } = drawing;
  const chart = drawing.draw(
    {
      x: { domain: [1, end], ...valueAxis('compression ratio (x:1)', 6) },
      y: { zero: true, nice: true, ...valueAxis('MB/s', 5) },
      marks: [
        plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1 }),
        plot.ruleY([0], { stroke: 'var(--axis)' }),
        plot.line(curve, { x: 'x', y: 'y', stroke: 'var(--arm-0)', strokeWidth: 1.8 }),
        plot.dot([yours], { x: 'x', y: 'y', fill: 'var(--arm-0)', r: 5 }),
      ],
    },
    { id: 'knee-chart', title: 'Sustained writes with LZ4 by compression ratio', description: words },
  );
  return html`<h3 id="knee">What compression does</h3>
${figure(chart, `Sustained writes with LZ4: ${words}.`)}`;
}

/** The bill of a month, by its parts. */
function bill({ configuration, monthlyUsd }: Option, requirement: Requirement): Markup {
  const hours = requirement.hoursPerMonth ?? HOURS_PER_MONTH;
  const lines = costLines(configuration, requirement, PUBLISHED);
  return html`<h3 id="bill">Cost of a month</h3>
${table({
  caption: 'Cost of a month by its parts',
  captionHidden: true,
  columns: [
    { label: 'part' },
    { label: 'quantity', numeric: true },
    { label: 'USD', numeric: true },
    { label: 'source' },
  ],
  rows: [
    ...lines.map(({ item, quantity, unit, hourly, onceUsd, source, reason }) => [
      item,
      quantity === null ? '–' : `${plain(quantity)} ${unit}`,
      hourly === null ? (reason ?? 'unknown') : dollars(hourly * hours + (onceUsd ?? 0)),
      source,
    ]),
    ['total', '', monthlyUsd === null ? 'unknown' : dollars(monthlyUsd), `${Math.round(hours)} hours`],
  ],
})}`;
}

/** The option as text for a ticket. */
export function ticketOf(option: Option, requirement: Requirement, requirementText: string, command: string): string {
  const { configuration, monthlyUsd, throughputMBps, binding, why } = option;
  const { capacityTB } = requirement;
  const { compressed } = takenOf(requirement);
  return [
    `File system: ${optionWords(configuration)}`,
    `Requirement: ${requirementText}`,
    `Cost: ${monthlyUsd === null ? 'price unknown' : `${dollars(monthlyUsd)} USD per month at list prices`}, without clients`,
    `Sustained: ${gigabytes(throughputMBps.baseline)} GB/s, limited by ${binding.baseline}; documented, not measured`,
    ...(capacityTB === undefined
      ? []
      : [
          `Data: ${bytesWords(capacityTB * 1e12)}, at most ${Math.round(maxFillOf(requirement) * 100)} % full; with LZ4 they take ${bytesWords(capacityTB * 1e12 * compressed)}`,
        ]),
    `Why: ${why}`,
    `Check: ${command}`,
  ].join('\n');
}
