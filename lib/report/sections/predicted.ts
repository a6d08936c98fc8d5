import { table } from '../../kit/page/layout';
import { html } from '../../kit/page/markup';
import { predictedSentences, predictedTables } from '../predicted';
import type { PageSection } from './section';

/** What was said before the run, with `fsxbench predict` and by the patterns of the data, against what the run measured. */
export const predicted: PageSection = {
  id: 'predicted',
  title: 'Predicted against measured',
  isResult: true,
  render({ summary, look }) {
    const { predicted: results } = summary.analysis;
    const tables = predictedTables(results);
    if (tables.length === 0) return null;
    return html`<p>${predictedSentences(results).join(' ')}</p>
${tables.map(({ caption, columns, rows }) =>
  table({
    caption,
    columns,
    rows: rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : look.label(cell.arm)))),
  }),
)}`;
  },
};
