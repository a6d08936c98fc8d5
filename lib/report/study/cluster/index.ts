import type { RunSummary } from '../../../analysis/summary';
import { countedSamples } from '../../../benchmark/common/counted';
import { keyOf } from '../../../common/collections';
import { listed, sentenceCase } from '../../../common/format/text';
import { counted, NO_VALUE, percent, plain, precise, ratio } from '../../../common/format/units';
import { ArmLook, type Sentence } from '../../../common/page/arms';
import { gridLines, valueAxis } from '../../../common/page/drawing';
import { comparePairs, geometricMean, type Interval, meanInterval, medianOf } from '../../../common/statistics';
import { reasonsOf, type Sample } from '../../../schema/sample';
import { bindingOf } from '../../../storage/common/limits';
import { describeLimit, limitSustains } from '../../../storage/limitNames';
import { measureOf } from '../../../workload/lookup';
import { type Block, type Chart, column, number, quantity, type Text, tableOf, text } from '../../blocks';
import type { Section } from '../../sections/section';
import { nounOf, past } from '../../title';

/** A multiple of what the fewest nodes reach. */
interface Multiple {
  readonly value: number;
  /** 95 % interval over the repeats; `null` for fewer than two. */
  readonly interval: Interval | null;
}

export type ScalingPoint = ReturnType<typeof pointOf>;

export interface Scaling {
  readonly arm: string;
  readonly operation: string;
  readonly unit: string;
  /** Points by number of nodes; the first is the reference for the others. */
  readonly points: readonly [ScalingPoint, ...ScalingPoint[]];
}

/** Rates by the number of nodes if a plan varies it. */
export function scalingOf(run: RunSummary): Scaling[] {
  // Not of what is measured by its time: an analysis of one data set by more nodes is another question.
  const own = countedSamples(run).filter(
    ({ operation, metric, plannedNodes }) =>
      plannedNodes && ['throughput', 'rate'].includes(measureOf(operation, metric)?.metric ?? ''),
  );
  const works = Map.groupBy(own, ({ arm, operation, unit }) => keyOf(arm, operation, unit));
  return [...works.values()].flatMap((samples): Scaling | [] => {
    const counts = [...Map.groupBy(samples, ({ plannedNodes }) => String(plannedNodes))]
      .map(([count, some]) => [Number(count), some] as const)
      .sort(([a], [b]) => a - b);
    const [fewest, ...more] = counts;
    if (fewest === undefined) return [];
    const base = byRepeat(fewest[1]);
    const [first, ...others] = [fewest, ...more].map(([nodes, some]) => pointOf(nodes, some, fewest[0], base));
    const { arm, operation, unit } = samples[0] as Sample;
    return { arm, operation, unit, points: [first as ScalingPoint, ...others] };
  });
}

/** Share of the highest rate from which more nodes bring nothing worth mentioning. A convention of fsxbench. */
const PLATEAU = 0.9;

/** The fewest nodes that nearly reach the highest rate; `null` if only the most nodes reach it, since more might be faster. */
export function endOfGrowth({ points }: Scaling): { readonly nodes: number; readonly share: number } | null {
  const highest = Math.max(...points.map(({ mean }) => mean ?? 0));
  const first = points.find(({ mean }) => mean !== null && mean >= highest * PLATEAU);
  if (points.length < 2 || first === undefined || first.mean === null || first === points.at(-1)) return null;
  return { nodes: first.nodes, share: first.mean / highest };
}

/** One value of each repeat: the median of its rounds if a phase has several. */
function byRepeat(samples: readonly Sample[]): ReadonlyMap<number, number> {
  const known = samples.flatMap(({ repeat, value }) => (value === null || value <= 0 ? [] : { repeat, value }));
  const repeats = [...Map.groupBy(known, ({ repeat }) => repeat)];
  return new Map(repeats.map(([repeat, own]) => [repeat, medianOf(own.map(({ value }) => value)) as number]));
}

function pointOf(nodes: number, samples: readonly Sample[], fewest: number, base: ReadonlyMap<number, number>) {
  const own = byRepeat(samples);
  const values = [...own.values()];
  const pairs = [...own].flatMap(([repeat, value]) => {
    const baseline = base.get(repeat);
    return baseline === undefined ? [] : [{ baseline, value }];
  });
  const { ratio, ratioInterval } = comparePairs(pairs);
  const scaled = (interval: Interval | null, by: number): Interval | null =>
    interval && { ...interval, low: interval.low * by, high: interval.high * by };
  const times = (by: number): Multiple | null =>
    ratio === null ? null : { value: ratio * by, interval: scaled(ratioInterval, by) };
  const inLogs = meanInterval(values.map(Math.log));
  return {
    nodes,
    values,
    mean: geometricMean(values),
    interval: inLogs && { ...inLogs, low: Math.exp(inLogs.low), high: Math.exp(inLogs.high) },
    /** Against the fewest nodes, repeat by repeat. */
    speedUp: times(1),
    /** The speed-up over that of the nodes: 1 if each further node brings as much as the first. */
    efficiency: times(fewest / nodes),
    reasons: reasonsOf(samples),
  };
}

interface Ceiling {
  readonly operation: string;
  readonly limit: string;
  readonly value: number;
}

function ceilingsOf({ analysis }: RunSummary, scalings: readonly Scaling[]): Ceiling[] {
  return scalings.flatMap(({ arm, operation, points }): Ceiling[] => {
    const [{ mean }] = points;
    if (mean === null) return [];
    const onFiles = analysis.operations?.find((one) => one.arm === arm && one.operation === operation);
    if (onFiles?.perSecond != null) return [{ operation, limit: 'metadata_servers', value: onFiles.perSecond / mean }];
    const found = analysis.limits.find(
      ({ arm: other, kind }) => other === arm && kind.id === operation && kind.nodes === points.at(-1)?.nodes,
    );
    // Limits of the clients, and of the way to the servers, rise with the nodes.
    const lowest = bindingOf((found?.limits ?? []).filter(({ name }) => !name.startsWith('client_')))?.baseline;
    return lowest === undefined ? [] : [{ operation, limit: lowest.name, value: lowest.baselineMBps / mean }];
  });
}

/** Speed-up of some operations against nodes, with intervals, next to the line on which each node brings as much as the first. */
export function speedUpChart(run: RunSummary, scalings: readonly Scaling[], id: string): Chart {
  const [{ arm, points }] = scalings as [Scaling];
  const names = scalings.map(({ operation }) => operation);
  const drawn = scalings.flatMap(({ operation, points: own }) =>
    own.flatMap(({ nodes, speedUp }) => (speedUp === null ? [] : [{ operation, nodes, ...speedUp }])),
  );
  const ideal = points.map(({ nodes }) => ({ nodes, value: nodes / points[0].nodes }));
  const top = Math.max(...ideal.map(({ value }) => value), ...drawn.map(({ value }) => value)) * 1.05;
  const ceilings = ceilingsOf(run, scalings).filter(({ value }) => value <= top);
  const ofOperations = new ArmLook({ arms: names.map((name) => ({ name })) });
  const single = names.length === 1;
  return {
    id,
    title: `${names.map((name) => name.replaceAll('_', ' ')).join(', ')} on ${arm}: speed-up by nodes`,
    description: [
      ...drawn.map(({ operation, nodes, value, interval }) => {
        const between = interval === null ? '' : `, ${range(interval, ratio)}`;
        return `${single ? '' : `${nounOf(operation)}, `}${counted(nodes, 'node')}: ${ratio(value)}${between}.`;
      }),
      ...ceilings.map(
        ({ operation, limit, value }) => `Limit of ${nounOf(operation)}, ${describeLimit(limit)}: ${plain(value)}.`,
      ),
    ].join(' '),
    caption: [
      'Dots are the speed-up, bars its 95 % interval; on the dashed line, each node adds as much as the first.',
      ceilings.length > 0 &&
        ` Dotted is what ${listed([...new Set(ceilings.map(({ limit }) => limitSustains(limit)))])}.`,
      single
        ? null
        : { onPage: names.map((name): Text => [' ', { swatch: nounOf(name), fill: ofOperations.colour(name) }]) },
    ],
    options: ({ plot, look }) => {
      const colour = ({ operation }: { readonly operation: string }): string =>
        single ? look.colour(arm) : ofOperations.colour(operation);
      return {
        x: {
          ticks: points.map(({ nodes }) => nodes),
          tickFormat: String,
          tickSize: 0,
          label: 'nodes',
          labelArrow: 'none',
        },
        y: { ...valueAxis('speed-up', 5), domain: [0, top] },
        marks: [
          gridLines({ plot }),
          plot.line(ideal, { x: 'nodes', y: 'value', stroke: 'var(--axis)', strokeDasharray: '4 3' }),
          plot.ruleY(ceilings, { y: 'value', stroke: colour, strokeDasharray: '1 3', strokeWidth: 1.6 }),
          ...names.map((name) =>
            plot.line(
              drawn.filter(({ operation }) => operation === name),
              { x: 'nodes', y: 'value', stroke: colour({ operation: name }), strokeOpacity: 0.6 },
            ),
          ),
          plot.ruleX(
            drawn.flatMap(({ interval, ...one }) => (interval === null ? [] : [{ ...one, ...interval }])),
            { x: 'nodes', y1: 'low', y2: 'high', stroke: colour, strokeWidth: 1.6 },
          ),
          plot.dot(drawn, {
            x: 'nodes',
            y: 'value',
            fill: colour,
            r: 3.5,
            symbol: ({ operation }: (typeof drawn)[number]) =>
              single ? look.symbol(arm) : ofOperations.symbol(operation),
            title: ({ operation, nodes, value }: (typeof drawn)[number]) =>
              `${single ? '' : `${nounOf(operation)}, `}${counted(nodes, 'node')}: ${ratio(value)}`,
          }),
        ],
      };
    },
  };
}

/** `3.4–3.8`; `null` without an interval. */
export const range = (interval: Interval | null, words: (value: number) => string): string | null =>
  interval === null ? null : `${words(Math.max(0, interval.low))}–${words(interval.high)}`;

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
        'Each node adds its own processes and data. The speed-up is the rate as a multiple of the rate of the fewest nodes, repeat by repeat. The efficiency is the speed-up divided by the increase in nodes: 100 % if each node adds as much as the first. Intervals are 95 %.',
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

/** The fewest and the most nodes, which differ between the operations of a stopped run. */
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
  const [most, fewest] = [first.nodes, first.scaling.points[0].nodes].map((count) => counted(count, 'node'));
  const growth = describeGrowth(
    run,
    grown.map(({ scaling }) => scaling),
  );
  return [
    [
      `${most} ${listed(grown.map(({ times }) => times))} times as fast as ${fewest} on `,
      { arm: first.scaling.arm },
      `: ${grown.length === 1 ? 'an efficiency' : 'efficiencies'} of ${efficiencies}. ${growth}`,
    ],
  ];
}

function describeGrowth(run: RunSummary, scalings: readonly Scaling[]): string {
  const [only, ...others] = scalings as [Scaling, ...Scaling[]];
  if (others.length === 0) return `It ${growthOf(run, only, ['still grows', 'stops growing', 'is'])}.`;
  const ends = Map.groupBy(scalings, (one) => growthOf(run, one, ['still grow', 'stop growing', 'are']));
  const clauses = [...ends].map(([words, own]) => `${listed(own.map(({ operation }) => nounOf(operation)))} ${words}`);
  return `${sentenceCase(clauses.join('; '))}.`;
}

/** The end of growth with the nodes, and the limit there. @param verbs grows, stops, is */
function growthOf({ analysis }: RunSummary, scaling: Scaling, [grows, stops, is]: readonly string[]): string {
  const { arm, operation, points } = scaling;
  const max = (points.at(-1) as ScalingPoint).nodes;
  const end = endOfGrowth(scaling);
  const growth = end === null ? `${grows} at ${counted(max, 'node')}` : `${stops} at ${counted(end.nodes, 'node')}`;
  const onFiles = analysis.operations?.find((one) => one.arm === arm && one.operation === operation);
  const found = analysis.limits.find(
    ({ arm: other, kind }) => other === arm && kind.id === operation && kind.nodes === max,
  );
  const limitedBy = onFiles?.limitedBy ?? found?.limitedBy ?? null;
  if (limitedBy !== null) return `${growth}, and ${is} limited by ${describeLimit(limitedBy)}`;
  if (onFiles?.share != null)
    return `${growth}, at ${percent(onFiles.share)} of what ${limitSustains('metadata_servers')}`;
  const lowest = found?.limits.find(({ name }) => name === found.binding?.baseline);
  return lowest?.efficiency == null
    ? growth
    : `${growth}, at ${percent(lowest.efficiency)} of the lowest known limit (${describeLimit(lowest.name)})`;
}

const scalingTable = ({ arm, operation, unit, points }: Scaling): Block =>
  tableOf(points, { caption: `${operation} on ${arm} by nodes` }, [
    column('Nodes', ({ nodes }) => String(nodes)),
    number(unit, ({ mean, interval, reasons: [reason = null] }) =>
      quantity(mean, precise, { reason, below: range(interval, plain) ?? reason }),
    ),
    number('Speed-up', ({ speedUp }) => multiple(speedUp, ratio)),
    number('Efficiency', ({ efficiency }) => multiple(efficiency, percent)),
    number('Repeats', ({ values }) => values.length, String),
  ]);

const multiple = (found: Multiple | null, words: (value: number) => string) =>
  found === null ? NO_VALUE : quantity(found.value, () => words(found.value), { below: range(found.interval, words) });
