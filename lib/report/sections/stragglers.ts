import type { Stragglers } from '../../analysis';
import { groupBy } from '../../analysis/figures/statistics';
import { targetLabel } from '../../kit/format/targets';
import { duration, ratio } from '../../kit/format/units';
import { type CellContent, table } from '../../kit/page/layout';
import { html } from '../../kit/page/markup';
import type { Section } from './section';

/** When the first and when the last one was done: of no interest to a manager, and the first thing that an engineer asks. */
export const stragglers: Section = {
  id: 'stragglers',
  title: 'First and last done',
  render({ summary, look }) {
    const all = summary.analysis.stragglers;
    if (all.length === 0) return null;
    const known = all.filter(({ readings }) => readings.length > 0);
    const reasons = [...groupBy(all, ({ reason }) => reason ?? '')].filter(([reason]) => reason !== '');
    const unknown = reasons.map(
      ([reason, own]) => html`<p class="soft">Not known of ${operations(own)}: ${reason}.</p>\n`,
    );
    if (known.length === 0) return html`${unknown}`;
    return html`<p>A rate is over the time of the last one that was done. The wait is from the first to the last, over all measurements of a row; “fastest ÷ slowest” is what they had moved when the time was up, in the worst of them.</p>
${table({
  caption: 'First and last done',
  captionHidden: true,
  columns: [
    { label: 'Operation' },
    { label: 'Data' },
    { label: 'Arm' },
    { label: 'Of' },
    { label: 'Wait, median', numeric: true },
    { label: 'Longest wait', numeric: true },
    { label: 'Last ÷ first', numeric: true },
    { label: 'Fastest ÷ slowest', numeric: true },
  ],
  rows: known.map((one): CellContent[] => [
    one.operation,
    targetLabel(one.target),
    look.label(one.arm),
    one.of ?? '',
    duration(one.waited.median),
    duration(one.waited.most),
    ratio(one.ratio),
    ratio(one.bytesRatio),
  ]),
})}
${unknown}`;
  },
};

/** `write and read` */
export function operations(own: readonly Stragglers[]): string {
  return [...new Set(own.map(({ operation }) => operation.replaceAll('_', ' ')))].join(' and ');
}
