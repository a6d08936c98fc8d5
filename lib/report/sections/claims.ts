import { incomparableByReason, type Judgement } from '../../claims';
import { counted, NO_VALUE, plain } from '../../kit/format/units';
import { type CellContent, details, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import type { PageSection } from './section';

export const claims: PageSection = {
  id: 'claims',
  title: 'Published figures',
  isResult: true,
  render({ summary }) {
    const { verdicts } = summary.analysis;
    const [first] = verdicts;
    if (first === undefined || summary.cells.length === 0) return null;
    const compared = verdicts.filter(({ verdict }) => verdict !== 'not comparable');
    const own = verdicts.filter(({ claim }) => claim.study === first.claim.study);
    const others = verdicts.filter(({ claim }) => claim.study !== first.claim.study);
    const { title, publisher } = first.claim.source;
    return html`<p>Figures of “${title}”, ${publisher}, and of the other studies that fsxbench knows, against this run. A figure is reproduced when it meets the run’s interval widened by 5 % at both ends, and it is compared only where the run was made under the same conditions.</p>
${compared.length > 0 && verdictTable(compared)}
${incomparable('of this study', own)}
${incomparable('of the other studies', others)}`;
  },
};

/** What cannot be compared, each reason once. */
function incomparable(whose: string, verdicts: readonly Judgement[]): Markup | null {
  const groups = incomparableByReason(verdicts);
  const count = groups.reduce((sum, { judgements }) => sum + judgements.length, 0);
  if (count === 0) return null;
  return details(
    html`${counted(count, 'figure')} ${whose} that cannot be compared, and why`,
    html`<ul class="reasons">${groups.map(({ because, studies, judgements }) => html`<li>${because}: ${counted(judgements.length, 'figure')} of the ${studies.join(', the ')}. <span class="soft">${judgements.map((one, index) => html`${index > 0 && '; '}${figureOf(one)}`)}.</span></li>\n`)}</ul>`,
  );
}

function figureOf({ claim: { quantity, quoted, unit, value, range }, errata }: Judgement): Markup {
  const published = value === null && range === undefined ? NO_VALUE : `${quoted} ${unit ?? ''}`.trim();
  return html`${quantity} (${published})${errata.map((erratum) => html` Erratum: ${erratum.replace(/\.$/, '')}`)}`;
}

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
        html`${claim.quantity}${claim.study !== verdicts[0]?.claim.study && html`<br><span class="soft">${claim.study}</span>`}${errata.map((erratum) => html`<br><span class="soft">Erratum: ${erratum}</span>`)}`,
        html`${claim.quoted} ${claim.unit ?? ''}`,
        html`${plain(measured)}${interval && plain(interval.low) !== plain(interval.high) && html`<br><span class="soft">${plain(interval.low)}–${plain(interval.high)}</span>`}`,
        deviation === null ? NO_VALUE : `${deviation > 0 ? '+' : ''}${plain(deviation * 100)} %`,
        html`<strong>${verdict}</strong><br><span class="soft">${because}${corrected && `; without the erratum (${plain(corrected.value)} ${corrected.unit}): ${corrected.verdict}`}</span>`,
      ],
    ),
  });
}
