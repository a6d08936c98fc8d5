import { type CellContent, details, identifier, table } from '../layout';
import { html } from '../markup';
import { targetLabel } from '../targets';
import { counted, grouped, moment, NO_VALUE } from '../units';
import { rawLink } from './raw';
import type { Section } from './section';

export const samples: Section = {
  id: 'samples',
  title: 'Every sample',
  render({ record, summary, look }) {
    if (record.samples.length === 0) return null;
    const superseded = new Set(summary.superseded);
    const files = new Set(record.raw.map(({ path }) => path));
    const rows = record.samples.map((sample): CellContent[] => {
      const {
        step,
        arm,
        target,
        operation,
        metric,
        value,
        reason,
        unit,
        attempt,
        startedAt,
        source,
        problems,
        cautions,
      } = sample;
      const remarks = [
        superseded.has(sample) ? `attempt ${attempt}, superseded` : attempt > 1 ? `attempt ${attempt}` : '',
        sample.phase === 'measure' ? '' : sample.phase,
        ...problems,
        ...cautions,
      ].filter((remark) => remark !== '');
      return [
        identifier(step),
        look.label(arm),
        target === null ? '' : targetLabel(target),
        `${operation} ${metric.replaceAll('_', ' ')}`,
        value === null
          ? html`${NO_VALUE} <span class="soft">${reason ?? 'no reason was given'}</span>`
          : printed(value),
        unit,
        moment(startedAt),
        html`${rawLink(sample.raw, files, source)}`,
        remarks.join(', '),
      ];
    });
    const content = table({
      caption: 'samples.jsonl, line by line',
      columns: [
        { label: 'Step' },
        { label: 'Arm' },
        { label: 'Data' },
        { label: 'What' },
        { label: 'Value', numeric: true },
        { label: 'Unit' },
        { label: 'Started' },
        { label: 'Source' },
        { label: 'Remarks' },
      ],
      rows,
    });
    return html`<p>All that the driver recorded, with warm-up and with attempts that were done again later.</p>
${details(counted(record.samples.length, 'sample'), content)}`;
  },
};

/** Whole numbers in full, others to six digits: enough to find a value again in the file. */
function printed(value: number): string {
  return Number.isInteger(value) ? grouped(value) : String(Number(value.toPrecision(6)));
}
