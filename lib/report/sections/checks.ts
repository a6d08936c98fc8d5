import { type CellContent, table } from '../../kit/page/layout';
import { html } from '../../kit/page/markup';
import type { Section } from './section';

export const checks: Section = {
  id: 'checks',
  title: 'What was checked',
  render({ summary }) {
    const { checks: outcomes } = summary.analysis;
    if (summary.cells.length === 0) return null;
    const applying = outcomes.filter(({ state }) => state !== 'does not apply');
    const rows = applying.map(({ id, checks: what, state, reason, issues }): CellContent[] => [
      what,
      state === 'found' ? html`<strong>${issues[0]?.severity ?? 'found'}</strong>` : state,
      reason ?? issues.map(({ actual }) => actual).join('; '),
      html`<code>${id}</code>`,
    ]);
    return html`<p>Each row is a check of the finished run; what was found stands at the top of this page, with what was expected. A check that could not be made says why, and counts as neither passed nor failed; what has no object in this run is left out.</p>
${table({
  caption: 'Checks of the finished run',
  captionHidden: true,
  columns: [{ label: 'Checked' }, { label: 'Outcome' }, { label: 'Why, or what was found' }, { label: 'Id' }],
  rows,
})}`;
  },
};
