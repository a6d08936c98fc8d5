import { basisWords } from '../cost/basis';
import { ArmLook } from '../kit/page/arms';
import { type Drawing, loadDrawing } from '../kit/page/drawing';
import { framed } from '../kit/page/frame';
import { details, figure, json, table } from '../kit/page/layout';
import { html, type Markup } from '../kit/page/markup';
import { kindOf, type LustreKind } from '../storage/lustre/documented';
import type { Advice, Option } from '.';
import { optionWords, requirementWords } from './words';

/** The kinds with their names on the page, in the order of the report's colours and shapes. */
const NAMES: Readonly<Record<LustreKind, string>> = {
  SCRATCH_2: 'SCRATCH_2',
  PERSISTENT_1_SSD: 'PERSISTENT_1 SSD',
  PERSISTENT_1_HDD: 'PERSISTENT_1 HDD',
  PERSISTENT_2_SSD: 'PERSISTENT_2 SSD',
  PERSISTENT_2_INTELLIGENT_TIERING: 'Intelligent-Tiering',
};
const LOOK = new ArmLook({
  arms: Object.values(NAMES).map((name) => ({ name, description: name, actually: null, fileSystemId: null })),
});

interface Point {
  /** Of the option in the table, from 1. */
  readonly rank: number;
  readonly usd: number;
  readonly rate: number;
  readonly kind: LustreKind;
  readonly lz4: boolean;
  readonly pareto: boolean;
  readonly title: string;
}

/** Advice as a page of its own: what it costs against how fast it is. It asks nothing of a network, and the same advice gives the same bytes. */
export async function renderAdvicePage(advice: Advice): Promise<string> {
  const points = advice.options.flatMap(pointOf);
  const drawing = await loadDrawing();
  const [best] = advice.options;
  const title = 'File systems that meet a requirement, by what they cost';
  const body = html`<main>
<header><h1>${title}</h1>
<p class="meta">${requirementWords(advice.requirement)}. ${best === undefined ? '' : `Of the first option: ${basisWords(best.basis)}. `}A month is taken as 730 hours, clients are left out.</p></header>
<section aria-labelledby="pareto"><h2 id="pareto">Cost against throughput</h2>
${points.length === 0 ? html`<p>Nothing with a known price meets the requirement.</p>` : html`<div class="wide">${figure(chart(points, drawing), legend(points))}</div>`}
${unpriced(advice.options)}</section>
<section aria-labelledby="options"><h2 id="options">Options</h2>
${optionTable(advice.options)}
</section>
<section aria-labelledby="rejected"><h2 id="rejected">Rejected</h2>
${
  advice.rejected.length === 0
    ? html`<p>Nothing: every kind that AWS sells can meet it.</p>`
    : table({
        caption: 'What does not meet the requirement',
        captionHidden: true,
        columns: [{ label: 'configuration' }, { label: 'why' }],
        rows: advice.rejected.map(({ configuration, reason }) => [optionWords(configuration), reason]),
      })
}
</section>
</main>
<footer><p>Made by fsxbench from documented limits and list prices; nothing here was measured.</p></footer>`;
  return framed({ title, body });
}

function pointOf({ configuration, monthlyUsd, throughputMBps, pareto }: Option, index: number): Point[] {
  const kind = kindOf(configuration);
  if (monthlyUsd === null || kind === null) return [];
  const rate = throughputMBps.baseline / 1000;
  const title = `${optionWords(configuration)}: ${dollars(monthlyUsd)} USD a month, ${gigabytes(throughputMBps.baseline)} GB/s`;
  const lz4 = configuration.dataCompressionType === 'LZ4';
  return [{ rank: index + 1, usd: monthlyUsd, rate, kind, lz4, pareto: pareto === true, title }];
}

/** Filled with LZ4, hollow without; the line joins those than which nothing is both cheaper and faster. */
function chart(points: readonly Point[], { plot, draw }: Drawing): Markup {
  const colour = ({ kind }: Point): string => LOOK.colour(NAMES[kind]);
  const symbol = ({ kind }: Point): string => LOOK.symbol(NAMES[kind]);
  const front = points.filter(({ pareto }) => pareto).sort((a, b) => a.usd - b.usd);
  const axis = { grid: false, zero: true, nice: true, labelArrow: 'none', ticks: 5, tickSize: 0 } as const;
  return draw(
    {
      width: 460,
      height: 270,
      x: { ...axis, label: 'USD a month', labelAnchor: 'center' },
      y: { ...axis, label: 'GB/s for good' },
      symbol: { type: 'identity' },
      marks: [
        plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1 }),
        plot.ruleY([0], { stroke: 'var(--axis)' }),
        plot.line(front, { x: 'usd', y: 'rate', stroke: 'var(--axis)', strokeDasharray: '4 3', curve: 'step-after' }),
        plot.dot(points, {
          x: 'usd',
          y: 'rate',
          stroke: colour,
          strokeWidth: 1.6,
          fill: (point: Point) => (point.lz4 ? colour(point) : 'var(--paper)'),
          symbol: symbol as never,
          r: 4.5,
          title: 'title',
        }),
        plot.text(front, {
          x: 'usd',
          y: 'rate',
          text: ({ rank }: Point) => `${rank}`,
          dx: -9,
          dy: -9,
          fontWeight: 600,
        }),
      ],
    },
    {
      id: 'cost-throughput',
      title: 'Cost a month against throughput',
      description: `On the line, than which nothing is both cheaper and as fast: ${front.map(({ title }) => title).join('; ')}.`,
    },
  );
}

function legend(points: readonly Point[]): Markup {
  const kinds = [...new Set(points.map(({ kind }) => kind))];
  return html`${kinds.map((kind) => html`${LOOK.label(NAMES[kind])} `)}Filled: with LZ4; hollow: without. Nothing is cheaper and at least as fast as what is on the line; its numbers are those of the table.`;
}

/** What the chart has no place for. */
function unpriced(options: readonly Option[]): Markup {
  const reasons = [...new Set(options.flatMap(({ reason }) => reason ?? []))];
  return html`${reasons.map((reason) => html`<p class="soft">Not in the chart, for want of a price: ${reason}.</p>\n`)}`;
}

function optionTable(options: readonly Option[]): Markup {
  return html`${table({
    caption: 'What meets the requirement, cheapest first',
    captionHidden: true,
    columns: [
      { label: 'configuration' },
      { label: 'USD a month', numeric: true },
      { label: 'GB/s', numeric: true },
      { label: 'in a burst', numeric: true },
      { label: 'head-room', numeric: true },
      { label: 'limited by' },
    ],
    rows: options.map(({ configuration, monthlyUsd, atLeastUsd, throughputMBps, headroom, binding, pareto }, index) => [
      html`${index + 1} · ${pareto ? html`<strong>${optionWords(configuration)}</strong>` : optionWords(configuration)}`,
      monthlyUsd !== null ? dollars(monthlyUsd) : atLeastUsd > 0 ? `over ${dollars(atLeastUsd)}` : 'not known',
      gigabytes(throughputMBps.baseline),
      gigabytes(throughputMBps.burst),
      percent(headroom),
      binding.baseline,
    ]),
  })}
${options.map((option, index) => details(`${index + 1} · ${optionWords(option.configuration)}: what a cheaper one would miss, and its cdk.json`, proof(option)))}`;
}

/** What the next cheaper sizes would miss, what is unwise, and what to deploy. */
function proof({ cheaper, warnings, cdkJson }: Option): Markup {
  const items = [
    ...cheaper.map(
      (one) =>
        `${optionWords(one.configuration)}${one.monthlyUsd === null ? '' : ` for ${dollars(one.monthlyUsd)} USD`}: ${one.misses.join('; ')}`,
    ),
    ...(cheaper.length === 0 ? ['Nothing smaller of this kind is sold, or it costs no less.'] : []),
    ...warnings.map(({ message }) => `Note: ${message}`),
  ];
  return html`<ul>${items.map((item) => html`<li>${item}</li>\n`)}</ul>
${json(cdkJson)}`;
}

const dollars = (usd: number): string => Math.round(usd).toLocaleString('en-US');
const gigabytes = (MBps: number): string => String(Number((MBps / 1000).toPrecision(3)));
const percent = (share: number | null): string => (share === null ? '–' : `${Math.round(share * 100)} %`);
