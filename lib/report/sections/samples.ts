import { groupBy, keyOf } from '../../analysis/figures/statistics';
import { targetLabel } from '../../kit/format/targets';
import { counted, grouped, moment, NO_VALUE } from '../../kit/format/units';
import { type CellContent, details, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import type { Sample } from '../../schema/sample';
import { rawLinks } from './raw';
import type { PageSection } from './section';

export const samples: PageSection = {
  id: 'samples',
  title: 'Every sample',
  render({ record, summary }) {
    if (record.samples.length === 0) return null;
    const superseded = new Set(summary.superseded);
    const link = rawLinks(record.raw);
    const occasions = groupBy(record.samples, ({ step, arm, attempt, operation, iteration, source, raw }) =>
      keyOf(step, arm, attempt, operation, iteration, source, raw),
    );
    const rows = [...occasions.values()].map((group): CellContent[] => {
      const { step, arm, target, operation, iteration, attempt, startedAt, source, phase, raw } = group[0] as Sample;
      const again = superseded.has(group[0] as Sample);
      const remarks = [
        again ? `attempt ${attempt}, superseded` : attempt > 1 ? `attempt ${attempt}` : '',
        phase === 'measure' ? '' : phase,
        ...new Set(group.flatMap(({ problems, cautions }) => [...problems, ...cautions])),
      ].filter((remark) => remark !== '');
      return [
        step,
        arm,
        target === null ? '' : targetLabel(target),
        iteration === null ? operation : `${operation} ${iteration}`,
        html`${group.map((sample, index) => html`${index > 0 && ' · '}${figure(sample)}`)}`,
        moment(startedAt),
        link(raw, source),
        remarks.join(', '),
      ];
    });
    const content = table({
      caption: 'samples.jsonl: what was recorded on one occasion stands in one row',
      columns: [
        { label: 'Step' },
        { label: 'Arm' },
        { label: 'Data' },
        { label: 'What' },
        { label: 'Values' },
        { label: 'Started' },
        { label: 'Source' },
        { label: 'Remarks' },
      ],
      rows,
    });
    return html`<p>All that the driver recorded, with warm-up and with attempts that were done again later. A number after what was done is the tool’s own iteration.</p>
${details(counted(record.samples.length, 'sample'), content)}`;
  },
};

/** `throughput 3,560 MB/s` */
function figure({ metric, value, unit, reason }: Sample): Markup {
  const name = metric.replaceAll('_', ' ');
  if (value === null) return html`${name} ${NO_VALUE} <span class="soft">${reason ?? 'no reason was given'}</span>`;
  return html`${name} ${printed(value)}${unit !== '1' && ` ${unit}`}`;
}

/** Whole numbers in full, others to six digits: enough to find a value again in the file. */
function printed(value: number): string {
  return Number.isInteger(value) ? grouped(value) : String(Number(value.toPrecision(6)));
}
