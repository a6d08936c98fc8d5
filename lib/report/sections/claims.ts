import type { Judgement } from '../../claims';
import { type CellContent, details, table } from '../layout';
import { html, type Markup } from '../markup';
import { groupBy } from '../statistics';
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
${[...groupBy(others, ({ because }) => because)].map(([because, group], index) => details(html`${counted(group.length, 'figure')} not comparable: ${because}`, otherTable(group, index + 1)))}`;
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
        html`${plain(measured)}${interval && html`<br><span class="soft">${plain(interval.low)}–${plain(interval.high)}</span>`}`,
        deviation === null ? NO_VALUE : `${deviation > 0 ? '+' : ''}${plain(deviation * 100)} %`,
        html`<strong>${verdict}</strong><br><span class="soft">${because}${corrected && `; without the erratum (${plain(corrected.value)} ${corrected.unit}): ${corrected.verdict}`}</span>`,
      ],
    ),
  });
}

function otherTable(verdicts: readonly Judgement[], index: number): Markup {
  return table({
    caption: `Figures that cannot be compared, for reason ${index}`,
    captionHidden: true,
    columns: [{ label: 'Figure' }, { label: 'Published', numeric: true }, { label: 'Id' }],
    rows: verdicts.map(({ claim, errata }): CellContent[] => [
      html`${claim.quantity}${errata.map((erratum) => html`<br><span class="soft">Erratum: ${erratum}</span>`)}`,
      claim.value === null && claim.range === undefined
        ? (claim.reason ?? claim.quoted)
        : `${claim.quoted} ${claim.unit ?? ''}`,
      html`<code>${claim.id}</code>`,
    ]),
  });
}
