import { type Drawing, loadDrawing } from '../report/drawing';
import { framed } from '../report/frame';
import { details, figure, json, table } from '../report/layout';
import { html, type Markup } from '../report/markup';
import { kindOf, type LustreKind } from '../storage/documented';
import type { Advice, Option } from './index';
import { optionWords, requirementWords } from './words';

/** Every kind has a colour of the Okabe–Ito palette and a shape, so that neither colour blindness nor grey paper hides which is which. */
const LOOKS: Readonly<Record<LustreKind, { readonly name: string; readonly symbol: string; readonly arm: number }>> = {
  SCRATCH_2: { name: 'SCRATCH_2', symbol: 'circle', arm: 0 },
  PERSISTENT_1_SSD: { name: 'PERSISTENT_1 SSD', symbol: 'square', arm: 1 },
  PERSISTENT_1_HDD: { name: 'PERSISTENT_1 HDD', symbol: 'triangle', arm: 2 },
  PERSISTENT_2_SSD: { name: 'PERSISTENT_2 SSD', symbol: 'diamond', arm: 3 },
  PERSISTENT_2_INTELLIGENT_TIERING: { name: 'Intelligent-Tiering', symbol: 'star', arm: 4 },
};

interface Point {
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
  const title = 'File systems that meet a requirement, by what they cost';
  const body = html`<main>
<header><h1>${title}</h1>
<p class="meta">${requirementWords(advice.requirement)}. List prices of ${advice.region} as of ${advice.pricesAsOf}, a month taken as 730 hours, without clients.</p></header>
<section aria-labelledby="pareto"><h2 id="pareto">Cost against throughput</h2>
${points.length === 0 ? html`<p>Nothing with a known price meets the requirement.</p>` : figure(chart(points, drawing), legend(points))}
</section>
<section aria-labelledby="options"><h2 id="options">Options</h2>
${optionTable(advice.options)}
</section>
<section aria-labelledby="rejected"><h2 id="rejected">Rejected</h2>
${table({
  caption: 'What does not meet the requirement',
  captionHidden: true,
  columns: [{ label: 'configuration' }, { label: 'why' }],
  rows: advice.rejected.map(({ configuration, reason }) => [optionWords(configuration), reason]),
})}
</section>
</main>
<footer><p>Made by fsxbench from documented limits and list prices; nothing here was measured.</p></footer>`;
  return framed({ title, body });
}

function pointOf({ configuration, monthlyUsd, throughputMBps, pareto }: Option): Point[] {
  const kind = kindOf(configuration);
  if (monthlyUsd === null || kind === null) return [];
  const rate = throughputMBps.baseline / 1000;
  const title = `${optionWords(configuration)}: ${dollars(monthlyUsd)} USD a month, ${gigabytes(throughputMBps.baseline)} GB/s`;
  return [
    { usd: monthlyUsd, rate, kind, lz4: configuration.dataCompressionType === 'LZ4', pareto: pareto === true, title },
  ];
}

/** Filled with LZ4, hollow without; the line joins those than which nothing is both cheaper and faster. */
function chart(points: readonly Point[], { plot, draw }: Drawing): Markup {
  const colour = ({ kind }: Point): string => `var(--arm-${LOOKS[kind].arm})`;
  const symbol = ({ kind }: Point): string => LOOKS[kind].symbol;
  const front = points.filter(({ pareto }) => pareto).sort((a, b) => a.usd - b.usd);
  const axis = { grid: false, zero: true, nice: true, labelArrow: 'none', ticks: 5, tickSize: 0 } as const;
  return draw(
    {
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
  const marks = kinds.map((kind) => {
    const { name, symbol, arm } = LOOKS[kind];
    return html`<span class="swatch" style="background: var(--arm-${arm})"></span>${name} (${symbol})`;
  });
  return html`${marks}. Filled: with LZ4; hollow: without. Nothing is cheaper and at least as fast as what is on the line.`;
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
    rows: options.map(({ configuration, monthlyUsd, atLeastUsd, throughputMBps, headroom, binding }) => [
      optionWords(configuration),
      monthlyUsd !== null ? dollars(monthlyUsd) : atLeastUsd > 0 ? `over ${dollars(atLeastUsd)}` : 'not known',
      gigabytes(throughputMBps.baseline),
      gigabytes(throughputMBps.burst),
      percent(headroom),
      binding.baseline,
    ]),
  })}
${options.map(({ configuration, cdkJson }) => details(html`cdk.json to prove ${optionWords(configuration)}`, json(cdkJson)))}`;
}

const dollars = (usd: number): string => Math.round(usd).toLocaleString('en-US');
const gigabytes = (MBps: number): string => String(Number((MBps / 1000).toPrecision(3)));
const percent = (share: number | null): string => (share === null ? '–' : `${Math.round(share * 100)} %`);
