import type { RunSummary } from '../../../analysis/summary';
import { listed } from '../../../common/format/strings';
import { counted, plain, ratio } from '../../../common/format/units';
import { ArmLook } from '../../../common/page/arms';
import { gridLines, valueAxis } from '../../../common/page/drawing';
import type { Interval } from '../../../common/statistics';
import { bindingOf } from '../../../storage/common/binding';
import { limitSustains, limitWords } from '../../../storage/limitNames';
import type { Chart, Text } from '../../blocks';
import { nounOf } from '../../phrases';
import type { Scaling } from './scaling';

/** Ceiling of a line: a documented limit of the servers, as a multiple of what the fewest nodes reached. */
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
        const between = range(interval, ratio);
        const what = single ? '' : `${nounOf(operation)}, `;
        return `${what}${counted(nodes, 'node')}: ${ratio(value)}${between === null ? '' : `, ${between}`}.`;
      }),
      ...ceilings.map(
        ({ operation, limit, value }) => `Limit of ${nounOf(operation)}, ${limitWords(limit)}: ${plain(value)}.`,
      ),
    ].join(' '),
    caption: [
      'Dots are the speed-up, bars its 95 % interval; on the dashed line each node brings as much as the first.',
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
