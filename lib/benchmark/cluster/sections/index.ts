import type { RunSummary } from '../../../analysis/summary';
import { counted, NO_VALUE, percent, plain, precise, ratio } from '../../../kit/format/units';
import { valueAxis } from '../../../kit/page/drawing';
import type { Interval } from '../../../kit/statistics';
import { type Block, type Chart, columns, numbers, quantity, table, text } from '../../../report/blocks';
import type { Section } from '../../../report/sections/section';
import { limitWords } from '../../../storage/limitNames';
import { endOfGrowth, type Scaling, type ScalingPoint, scalingOf } from './scaling';

type Words = (value: number) => string;

const range = (interval: Interval | null, words: Words): string | null =>
  interval === null ? null : `${words(Math.max(0, interval.low))}–${words(interval.high)}`;

/** Throughput as a function of the number of nodes. */
export const scalingSection: Section = {
  id: 'scaling',
  title: 'Scaling',
  isResult: true,
  after: null,
  headline: (run) => scalingOf(run).flatMap((scaling) => sentence(run, scaling)),
  blocks(run) {
    const scalings = scalingOf(run);
    if (scalings.length === 0) return [];
    return [
      text(
        'Each node brings its own processes and its own data. The speed-up is what more nodes reached as a multiple of the fewest, repeat by repeat; the efficiency is the speed-up over that of the nodes, 100 % if each node brings as much as the first. Below each figure is its 95 % interval.',
      ),
      { kind: 'charts', charts: scalings.map((scaling, index) => speedUpChart(scaling, index)) },
      ...scalings.map(scalingTable),
    ];
  },
};

/** `8 nodes wrote 3.6 (3.4–3.8) times as fast as 1 on scratch: an efficiency of 45 %. It stops growing at 4 nodes, and is limited by the disks.` */
function sentence(run: RunSummary, scaling: Scaling) {
  const { arm, operation, points } = scaling;
  const most = points.at(-1) as ScalingPoint;
  const { speedUp, efficiency, nodes } = most;
  if (points.length < 2 || speedUp === null || efficiency === null) return [];
  const interval = range(speedUp.interval, ratio);
  const verb = operation === 'read' ? 'read' : 'wrote';
  return [
    [
      `${counted(nodes, 'node')} ${verb} ${ratio(speedUp.value)}${interval === null ? '' : ` (${interval})`} times as fast as ${counted(points[0].nodes, 'node')} on `,
      { arm },
      `: an efficiency of ${percent(efficiency.value)}. ${growthWords(run, scaling)}`,
    ],
  ];
}

/** The end of growth with the nodes, and the limit there, in a sentence. */
function growthWords({ analysis }: RunSummary, scaling: Scaling): string {
  const { arm, operation, points } = scaling;
  const most = (points.at(-1) as ScalingPoint).nodes;
  const end = endOfGrowth(scaling);
  const growth =
    end === null ? `It still grows at ${counted(most, 'node')}` : `It stops growing at ${counted(end.nodes, 'node')}`;
  const found = analysis.limits.find(
    ({ arm: other, kind }) => other === arm && kind.id === operation && kind.nodes === most,
  );
  if (found === undefined || found.limits.length === 0) return `${growth}.`;
  const { limitedBy, binding, limits } = found;
  if (limitedBy !== null) return `${growth}, and is limited by ${limitWords(limitedBy)}.`;
  const lowest = limits.find(({ name }) => name === binding?.baseline);
  return lowest?.efficiency == null
    ? `${growth}.`
    : `${growth}, at ${percent(lowest.efficiency)} of the lowest limit that is known (${limitWords(lowest.name)}).`;
}

function scalingTable({ arm, operation, unit, points }: Scaling): Block {
  return table({
    caption: `${operation} on ${arm} by nodes`,
    columns: [...columns('Nodes'), ...numbers(unit, 'Speed-up', 'Efficiency', 'Repeats')],
    rows: points.map(({ nodes, mean, interval, speedUp, efficiency, values, reasons }) => [
      String(nodes),
      quantity(mean, precise, { reason: reasons[0] ?? null, below: range(interval, plain) ?? reasons[0] ?? null }),
      multiple(speedUp, ratio),
      multiple(efficiency, percent),
      quantity(values.length, String),
    ]),
  });
}

const multiple = (found: ScalingPoint['speedUp'], words: Words) =>
  found === null
    ? NO_VALUE
    : quantity(found.value, (value) => (value === null ? NO_VALUE : words(value)), {
        below: range(found.interval, words),
      });

/** Speed-up against nodes, with intervals, beside the line on which each node brings as much as the first. */
function speedUpChart({ arm, operation, points }: Scaling, index: number): Chart {
  const fewest = points[0].nodes;
  const drawn = points.flatMap(({ nodes, speedUp }) => (speedUp === null ? [] : [{ nodes, ...speedUp }]));
  const ideal = points.map(({ nodes }) => ({ nodes, value: nodes / fewest }));
  return {
    id: `scaling-${index}`,
    title: `${operation} on ${arm}: speed-up by nodes`,
    description: drawn
      .map(({ nodes, value, interval }) => {
        const between = range(interval, ratio);
        return `${counted(nodes, 'node')}: ${ratio(value)}${between === null ? '' : `, ${between}`}.`;
      })
      .join(' '),
    caption: 'Dots are the speed-up, bars its 95 % interval; on the dashed line each node brings as much as the first.',
    options: ({ plot, look }) => ({
      x: {
        ticks: points.map(({ nodes }) => nodes),
        tickFormat: String,
        tickSize: 0,
        label: 'nodes',
        labelArrow: 'none',
      },
      y: {
        ...valueAxis('speed-up', 5),
        domain: [0, Math.max(...ideal.map(({ value }) => value), ...drawn.map(({ value }) => value)) * 1.05],
      },
      symbol: { type: 'identity' },
      marks: [
        plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1 }),
        plot.line(ideal, { x: 'nodes', y: 'value', stroke: 'var(--axis)', strokeDasharray: '4 3' }),
        plot.line(drawn, { x: 'nodes', y: 'value', stroke: look.colour(arm), strokeOpacity: 0.6 }),
        plot.ruleX(
          drawn.flatMap(({ nodes, interval }) => (interval === null ? [] : [{ nodes, ...interval }])),
          { x: 'nodes', y1: 'low', y2: 'high', stroke: look.colour(arm), strokeWidth: 1.6 },
        ),
        plot.dot(drawn, {
          ...{ x: 'nodes', y: 'value', fill: look.colour(arm), r: 3.5 },
          symbol: () => look.symbol(arm),
          title: ({ nodes, value }: (typeof drawn)[number]) => `${counted(nodes, 'node')}: ${ratio(value)}`,
        }),
      ],
    }),
  };
}
