import type { RunSummary } from '../../../analysis/summary';
import { listed, sentenceCase } from '../../../common/format/strings';
import { counted, NO_VALUE, percent, plain, precise, ratio } from '../../../common/format/units';
import { keyOf } from '../../../common/keyOf';
import type { Sentence } from '../../../common/page/arms';
import { limitSustains, limitWords } from '../../../storage/limitNames';
import { type Block, columns, numbers, quantity, table, text } from '../../blocks';
import { nounOf, past } from '../../phrases';
import type { Section } from '../../sections/section';
import { endOfGrowth, type Scaling, type ScalingPoint, scalingOf } from './scaling';
import { range, speedUpChart } from './speedUpChart';

/** Rates as a function of the number of nodes: a sentence and a picture for data, and for files. */
export const scalingSection: Section = {
  id: 'scaling',
  title: 'Scaling',
  isResult: true,
  after: null,
  headline: (run) => alike(scalingOf(run), endsOf).flatMap((own) => sentence(run, own)),
  blocks(run) {
    const scalings = scalingOf(run);
    if (scalings.length === 0) return [];
    return [
      text(
        'Each node brings its own processes and its own data. The speed-up is what more nodes reached as a multiple of the fewest, repeat by repeat; the efficiency is the speed-up over that of the nodes, 100 % if each node brings as much as the first. Below each figure is its 95 % interval.',
      ),
      { kind: 'charts', charts: alike(scalings).map((own, index) => speedUpChart(run, own, `scaling-${index}`)) },
      ...scalings.map(scalingTable),
    ];
  },
};

/** Operations of an arm on data, and on files: those with the same unit. */
const alike = (scalings: readonly Scaling[], as: (scaling: Scaling) => string = () => ''): Scaling[][] => [
  ...Map.groupBy(scalings, (one) => keyOf(one.arm, one.unit, as(one))).values(),
];

/** The fewest and the most nodes: where a run was stopped, operations differ in them. */
const endsOf = ({ points }: Scaling): string => `${points[0].nodes} ${points.at(-1)?.nodes}`;

/** `8 nodes wrote 3.6 (3.4–3.8) times as fast as 1 node on scratch: an efficiency of 45 %. It stops growing at 4 nodes, and is limited by the disks.` */
function sentence(run: RunSummary, own: readonly Scaling[]): Sentence[] {
  const grown = own.flatMap((scaling) => {
    const { points, operation: id } = scaling;
    const { nodes, speedUp, efficiency } = points.at(-1) as ScalingPoint;
    if (points.length < 2 || speedUp === null || efficiency === null) return [];
    const interval = range(speedUp.interval, ratio);
    const times = `${past({ id })} ${ratio(speedUp.value)}${interval === null ? '' : ` (${interval})`}`;
    return [{ scaling, nodes, times, efficiency: percent(efficiency.value) }];
  });
  const [first] = grown;
  if (first === undefined) return [];
  const efficiencies = listed(grown.map(({ efficiency }) => efficiency));
  return [
    [
      `${counted(first.nodes, 'node')} ${listed(grown.map(({ times }) => times))} times as fast as ${counted(first.scaling.points[0].nodes, 'node')} on `,
      { arm: first.scaling.arm },
      `: ${grown.length === 1 ? 'an efficiency' : 'efficiencies'} of ${efficiencies}. `,
      growthWords(
        run,
        grown.map(({ scaling }) => scaling),
      ),
    ],
  ];
}

/** The end of growth of each operation, those with the same end together. */
function growthWords(run: RunSummary, scalings: readonly Scaling[]): string {
  const [only, ...others] = scalings as [Scaling, ...Scaling[]];
  if (others.length === 0) return `It ${growthOf(run, only, ['still grows', 'stops growing', 'is'])}.`;
  const ends = Map.groupBy(scalings, (one) => growthOf(run, one, ['still grow', 'stop growing', 'are']));
  const clauses = [...ends].map(([words, own]) => `${listed(own.map(({ operation }) => nounOf(operation)))} ${words}`);
  return `${sentenceCase(clauses.join('; '))}.`;
}

type Verbs = readonly [grows: string, stops: string, is: string];

/** The end of growth with the nodes, and the limit there. */
function growthOf({ analysis }: RunSummary, scaling: Scaling, [grows, stops, is]: Verbs): string {
  const { arm, operation, points } = scaling;
  const most = (points.at(-1) as ScalingPoint).nodes;
  const end = endOfGrowth(scaling);
  const growth = end === null ? `${grows} at ${counted(most, 'node')}` : `${stops} at ${counted(end.nodes, 'node')}`;
  const onFiles = analysis.operations?.find((one) => one.arm === arm && one.operation === operation);
  const found = analysis.limits.find(
    ({ arm: other, kind }) => other === arm && kind.id === operation && kind.nodes === most,
  );
  const limitedBy = onFiles?.limitedBy ?? found?.limitedBy ?? null;
  if (limitedBy !== null) return `${growth}, and ${is} limited by ${limitWords(limitedBy)}`;
  if (onFiles?.share != null)
    return `${growth}, at ${percent(onFiles.share)} of what ${limitSustains('metadata_servers')}`;
  const lowest = found?.limits.find(({ name }) => name === found.binding?.baseline);
  return lowest?.efficiency == null
    ? growth
    : `${growth}, at ${percent(lowest.efficiency)} of the lowest limit that is known (${limitWords(lowest.name)})`;
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

const multiple = (found: ScalingPoint['speedUp'], words: (value: number) => string) =>
  found === null
    ? NO_VALUE
    : quantity(found.value, (value) => (value === null ? NO_VALUE : words(value)), {
        below: range(found.interval, words),
      });
