import { ArmLook } from '../common/page/arms';
import type { Drawing } from '../common/page/drawing';
import type { Markup } from '../common/page/markup';
import type { Advice } from '.';
import { BEYOND, type ChartLayout, RADIUS, type Spot } from './chartLayout';
import { storagesOf } from './requirement';

/** A colour for each storage and a shape for each of its series; among the series of one storage, both differ. */
export function lookOf({ requirement }: Pick<Advice, 'requirement'>): ArmLook {
  const storages = storagesOf(requirement);
  return new ArmLook({
    arms: storages.flatMap(({ kind, price: { candidates } }) =>
      (candidates?.series ?? []).map((name) => ({ name, group: storages.length > 1 ? kind : undefined })),
    ),
  });
}

/** Filled with LZ4, hollow without, faint where rejected; the line connects the Pareto-optimal options. */
export function drawChart(layout: ChartLayout, look: ArmLook, { plot, draw }: Drawing): Markup {
  const { frame, size, x, y, spots, labels, notes, neededY, budgetX, unpricedX, across, up } = layout;
  const end = unpricedX === null ? frame.right : unpricedX + BEYOND;
  const front = spots.filter(({ pareto }) => pareto).sort((a, b) => a.x - b.x || b.y - a.y);
  const [vertical, horizontal] = [
    { y1: frame.top, y2: frame.bottom },
    { x1: frame.left, x2: end },
  ];
  const grid = { stroke: 'var(--grid)', strokeOpacity: 1 };
  const fine = { ...grid, strokeOpacity: 0.45 };
  const requirement = { stroke: 'var(--ink)', strokeWidth: 1.2 };
  const dots = (some: readonly Spot[], opacity: number) =>
    plot.dot(some, {
      x: 'x',
      y: 'y',
      stroke: ({ series }: Spot) => look.colour(series),
      strokeWidth: 1.6,
      fill: ({ compressed, series }: Spot) => (compressed ? look.colour(series) : 'var(--paper)'),
      symbol: (({ series }: Spot) => look.symbol(series)) as never,
      r: RADIUS,
      opacity,
      title: 'title',
    });
  return draw(
    {
      ...size,
      marginLeft: 0,
      marginRight: 0,
      marginTop: 0,
      marginBottom: 0,
      x: { type: 'identity', axis: null },
      y: { type: 'identity', axis: null },
      marks: [
        plot.ruleX(x.minor.map(across), { ...vertical, ...fine }),
        plot.ruleY(y.minor.map(up), { ...horizontal, ...fine }),
        plot.ruleX(x.ticks.map(across), { ...vertical, ...grid }),
        plot.ruleY(y.ticks.map(up), { ...horizontal, ...grid }),
        plot.ruleY([frame.bottom], { ...horizontal, stroke: 'var(--axis)' }),
        plot.ruleX([frame.left, ...(unpricedX === null ? [] : [frame.right])], { ...vertical, stroke: 'var(--axis)' }),
        plot.ruleY(neededY === null ? [] : [neededY], { ...horizontal, ...requirement }),
        plot.ruleX(budgetX === null ? [] : [budgetX], { ...vertical, ...requirement }),
        plot.line(front, { x: 'x', y: 'y', stroke: 'var(--axis)', strokeDasharray: '4 3', curve: 'step-after' }),
        plot.link(
          labels.filter(({ far }) => far),
          {
            x1: ({ label }) => label.x,
            y1: ({ label }) => label.y,
            x2: 'x',
            y2: 'y',
            stroke: 'var(--axis)',
            strokeWidth: 0.7,
          },
        ),
        dots(
          spots.filter(({ rank, measured }) => rank === null && !measured),
          0.4,
        ),
        plot.dot(
          spots.filter(({ measured }) => measured),
          {
            x: 'x',
            y: 'y',
            stroke: ({ series }: Spot) => look.colour(series),
            strokeWidth: 2,
            symbol: 'times',
            r: RADIUS,
            title: 'title',
          },
        ),
        dots(
          spots.filter(({ rank }) => rank !== null),
          1,
        ),
        ...[true, false].map((bold) =>
          plot.text(
            labels.filter(({ label }) => label.required === bold),
            {
              x: 'x',
              y: 'y',
              text: ({ label }) => label.text,
              fill: bold ? 'var(--ink)' : 'var(--soft)',
              fontWeight: bold ? 700 : undefined,
              stroke: 'var(--paper)',
              strokeWidth: 3,
            },
          ),
        ),
        plot.text(notes, { x: 'x', y: 'y', text: 'text' }),
      ],
    },
    {
      id: 'cost-throughput',
      title: 'Monthly cost against throughput, both logarithmic',
      description: `On the line, with nothing both cheaper and as fast: ${front.map(({ title }) => title).join('; ')}.`,
    },
  );
}
