import type { Judgement } from '../../claims';
import { type CellContent, details, table } from '../layout';
import { html, type Markup } from '../markup';
import { counted, NO_VALUE, plain } from '../units';
import type { Section } from './section';

export const claims: Section = {
  id: 'claims',
  title: 'Published figures',
  render({ summary }) {
    const { verdicts } = summary.analysis;
    const [first] = verdicts;
    if (first === undefined || summary.cells.length === 0) return null;
    const compared = verdicts.filter(({ verdict }) => verdict !== 'not comparable');
    const others = verdicts.filter(({ verdict }) => verdict === 'not comparable');
    const { title, publisher } = first.claim.source;
    return html`<p>Figures of “${title}”, ${publisher}, against this run. A figure is reproduced when it meets the run’s interval widened by 5 % at both ends, and it is compared only where the run was made under the same conditions.</p>
${compared.length > 0 && verdictTable(compared)}
${others.length > 0 && details(html`${counted(others.length, 'figure')} that cannot be compared, and why`, otherTable(others))}`;
  },
};

function verdictTable(verdicts: readonly Judgement[]): Markup {
  return table({
    caption: 'Verdicts',
    captionHidden: true,
    columns: [
      { label: 'Figure' },
      { label: 'Published', numeric: true },
      { label: 'This run', numeric: true },
      { label: 'Off by', numeric: true },
      { label: 'Verdict' },
    ],
    rows: verdicts.map(
      ({ claim, verdict, because, measured, interval, deviation, errata, corrected }): CellContent[] => [
        html`${claim.quantity}${errata.map((erratum) => html`<br><span class="soft">Erratum: ${erratum}</span>`)}`,
        html`${claim.quoted} ${claim.unit ?? ''}`,
        html`${plain(measured)}${interval && plain(interval.low) !== plain(interval.high) && html`<br><span class="soft">${plain(interval.low)}–${plain(interval.high)}</span>`}`,
        deviation === null ? NO_VALUE : `${deviation > 0 ? '+' : ''}${plain(deviation * 100)} %`,
        html`<strong>${verdict}</strong><br><span class="soft">${because}${corrected && `; without the erratum (${plain(corrected.value)} ${corrected.unit}): ${corrected.verdict}`}</span>`,
      ],
    ),
  });
}

function otherTable(verdicts: readonly Judgement[]): Markup {
  return table({
    caption: 'Figures that cannot be compared',
    captionHidden: true,
    columns: [{ label: 'Figure' }, { label: 'Published', numeric: true }, { label: 'Not comparable because' }],
    rows: verdicts.map(({ claim, errata, because }): CellContent[] => [
      html`${claim.quantity}${errata.map((erratum) => html`<br><span class="soft">Erratum: ${erratum}</span>`)}`,
      claim.value === null && claim.range === undefined ? NO_VALUE : `${claim.quoted} ${claim.unit ?? ''}`,
      because,
    ]),
  });
}
