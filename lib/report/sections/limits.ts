import { isBeyond, type LimitResult, limitLabel, limitWords } from '../../analysis';
import { groupBy } from '../../analysis/figures/statistics';
import { targetLabel } from '../../kit/format/targets';
import { moment, NO_VALUE, plain, ratio } from '../../kit/format/units';
import { type CellContent, details, figure, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import { kneeChart } from '../kneeChart';
import type { Context, PageSection } from './section';

export const limits: PageSection = {
  id: 'limits',
  title: 'What limited each arm',
  isResult: true,
  render(context) {
    const { limits: results } = context.summary.analysis;
    const known = results.filter(({ limits: list }) => list.length > 0);
    const reasons = [...new Set(results.flatMap(({ arm, reason }) => (reason === null ? [] : [`${arm}: ${reason}`])))];
    if (known.length === 0) return null;
    const knee = kneeChart(context, 'limits-knee');
    return html`<p>Each figure is the measured rate over a documented ceiling; 100 % is what AWS promises for good. The lowest ceiling binds. It is named as what limited the arm where the service’s utilisation says so (confirmed), or where the rate came to 85 % of it. The share of the lowest ceiling is bold.</p>
${knee !== null && html`<div class="charts aside">${figure(knee.chart, html`<strong>Write throughput</strong> against the ratio read back. ${context.summary.arms.map(({ name }) => html`${context.look.label(name)} `)} The line is what is documented: disk × ratio, up to the network at ${ratio(knee.knee)}:1, where compressing more stops to help; dashed, the same in a burst.`)}</div>`}
${limitTable(known, context)}
${details('Figures: utilisation of the servers', evidenceTable(known, context))}
${details('Sources of the limits', sources(known))}
${reasons.map((reason) => html`<p class="soft">${reason}.</p>\n`)}
${levels(context)}`;
  },
};

function limitTable(results: readonly LimitResult[], { look }: Context): Markup {
  const names = [...new Set(results.flatMap(({ limits: list }) => list.map(({ name }) => name)))];
  return table({
    caption: 'Share of each documented limit that was reached, sustained',
    captionHidden: true,
    columns: [
      { label: 'Work' },
      { label: 'Arm' },
      { label: 'MB/s', numeric: true },
      ...names.map((name) => ({ label: limitLabel(name), numeric: true })),
      { label: 'Limited by' },
    ],
    rows: results.map((one): CellContent[] => {
      const { arm, operation, target, measuredMBps, limits: list, binding, limitedBy, because, aboveBaseline } = one;
      return [
        `${operation} at ${targetLabel(target)}`,
        look.label(arm),
        plain(measuredMBps),
        ...names.map((name) => {
          const limit = list.find((one) => one.name === name);
          if (limit === undefined) return '';
          const share = limit.efficiency === null ? NO_VALUE : `${plain(Math.round(limit.efficiency * 100))} %`;
          return name === binding?.baseline ? html`<strong>${share}</strong>` : share;
        }),
        limitedBy === null
          ? html`<span class="soft">${isBeyond(one) ? 'none: far beyond the lowest' : 'none reached'}</span>`
          : html`${limitLabel(limitedBy)}${aboveBaseline && ', bursting'}${because === 'utilisation' && html` <span class="soft">(confirmed)</span>`}`,
      ];
    }),
  });
}

/** How busy the service says its servers were: evidence for what set the pace, or against it. */
function evidenceTable(results: readonly LimitResult[], { look }: Context): Markup {
  return table({
    caption: 'Busiest server or target over the whole periods of each phase, by the service’s metrics',
    columns: [
      { label: 'Work' },
      { label: 'Arm' },
      ...(results[0]?.evidence ?? []).map(({ metric }) => ({ label: metric, numeric: true })),
    ],
    rows: results.map(({ arm, operation, target, evidence }): CellContent[] => [
      `${operation} at ${targetLabel(target)}`,
      look.label(arm),
      ...evidence.map(({ value, reason }) =>
        value === null ? html`${NO_VALUE} <span class="soft">${reason}</span>` : `${plain(Math.round(value * 100))} %`,
      ),
    ]),
  });
}

function sources(results: readonly LimitResult[]): Markup {
  const all = results.flatMap(({ arm, operation, limits: list }) =>
    list.map((limit) => ({ ...limit, arm, operation, key: `${arm} ${limit.name} ${limit.source}` })),
  );
  const rows = [...groupBy(all, ({ key }) => key).values()].map((group): CellContent[] => {
    const [{ arm, name, baselineMBps, burstMBps, source }] = group as [(typeof all)[number]];
    return [limitWords(name), arm, plain(baselineMBps), plain(burstMBps), source];
  });
  return table({
    caption: 'Documented limits',
    captionHidden: true,
    columns: [
      { label: 'Limit' },
      { label: 'Arm' },
      { label: 'MB/s sustained', numeric: true },
      { label: 'MB/s in a burst', numeric: true },
      { label: 'From' },
    ],
    rows,
  });
}

/** Burst and baseline apart, where throughput changed for good. */
function levels({ summary, look }: Context): Markup | null {
  const changed = summary.analysis.levels.filter(({ changes }) => (changes ?? []).length > 0);
  if (changed.length === 0) return null;
  return html`<h3>Burst and baseline</h3>
${table({
  caption: 'Lasting changes of throughput',
  columns: [
    { label: 'Work' },
    { label: 'Arm' },
    { label: 'When' },
    { label: 'Before', numeric: true },
    { label: 'After', numeric: true },
    { label: 'Change', numeric: true },
    { label: 'Seen in' },
  ],
  rows: changed.flatMap(({ arm, operation, target, unit, source, values, changes }) =>
    (changes ?? []).map(({ at, between, hours, before, after, relative }): CellContent[] => [
      `${operation}${target === null ? '' : ` at ${targetLabel(target)}`}`,
      look.label(arm),
      html`${hours === null ? NO_VALUE : `${plain(hours)} h`}<br><span class="soft">${moment(at)}${between && between[0] !== between[1] && html`, from ${moment(between[0])} to ${moment(between[1])}`}</span>`,
      `${plain(before)} ${unit === 'x' ? '×' : unit}`,
      `${plain(after)} ${unit === 'x' ? '×' : unit}`,
      `${plain(relative * 100)} %`,
      `${values} ${{ service: 'periods of the service’s metric', iterations: 'iterations of the tool', repeats: 'repeats' }[source]}`,
    ]),
  ),
})}`;
}
