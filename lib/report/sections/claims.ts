import { benchmarkOrNone } from '../../benchmark/lookup';
import { incomparableByReason, type Judgement } from '../../claims';
import { counted, NO_VALUE, percentChange, plain, precise } from '../../common/format/units';
import {
  type Block,
  column,
  details,
  joined,
  line,
  method,
  number,
  quantity,
  type Text,
  tableOf,
  text,
} from '../blocks';
import type { Section } from './section';

export const claims: Section = {
  id: 'claims',
  title: 'Published figures',
  isResult: true,
  blocks({ analysis: { verdicts }, cells, benchmark }) {
    if (verdicts.length === 0 || cells.length === 0) return [];
    const compared = verdicts.filter(({ verdict }) => verdict !== 'not comparable');
    if (compared.length === 0) return [nothingCompared(verdicts)];
    const reproduces = benchmarkOrNone(benchmark)?.study;
    const own = verdicts.filter(({ claim }) => claim.study === reproduces);
    const others = verdicts.filter(({ claim }) => claim.study !== reproduces);
    const [first] = own;
    const whose =
      first === undefined
        ? 'the '
        : `“${first.claim.source.title}”, ${first.claim.source.publisher}, and of the other `;
    return [
      text(`Figures of ${whose}studies that fsxbench knows, against this run.`),
      method(
        'A figure is reproduced if it meets the run’s interval widened by 5 % at both ends. It is compared only with a run under the same conditions.',
      ),
      verdictTable(compared),
      incomparable('of this study', own),
      incomparable(first === undefined ? 'of studies' : 'of the other studies', others),
    ];
  },
};

/** A line that says why nothing can be compared; the page opens it to the figures. */
function nothingCompared(verdicts: readonly Judgement[]): Block {
  const groups = incomparableByReason(verdicts);
  const [first] = groups;
  const max = groups.length > 1 ? `, for ${first?.judgements.length} of them` : '';
  const summary = `None of ${counted(verdicts.length, 'published figure')} can be compared${max} since ${first?.because}.`;
  return { ...details(summary, reasons(groups)), everyFormat: true };
}

function incomparable(whose: string, verdicts: readonly Judgement[]): Block | null {
  const groups = incomparableByReason(verdicts);
  const count = groups.reduce((sum, { judgements }) => sum + judgements.length, 0);
  if (count === 0) return null;
  const summary = `${counted(count, 'figure')} ${whose} that cannot be compared, and why`;
  return { ...details(summary, reasons(groups)), everyFormat: true };
}

function reasons(groups: ReturnType<typeof incomparableByReason>): Block {
  const items = groups.map(({ because, studies, judgements }): Text => {
    const names = { soft: [joined(judgements.map(figureOf), '; '), '.'] };
    return line`${because}: ${counted(judgements.length, 'figure')} of the ${studies.join(', the ')}.${{ onPage: [' ', names] }}`;
  });
  return { kind: 'list', style: 'reasons', items };
}

function figureOf({ claim: { quantity: name, quoted, unit, value, range }, errata }: Judgement): Text {
  const published = value === null && range === undefined ? NO_VALUE : `${quoted} ${unit ?? ''}`.trim();
  return line`${name} (${published})${errata.map((erratum) => ` Erratum: ${erratum.replace(/\.$/, '')}`)}`;
}

function verdictTable(verdicts: readonly Judgement[]): Block {
  return tableOf(verdicts, { caption: 'Verdicts', captionHidden: true }, [
    column('Figure', ({ claim, errata }) => [
      claim.quantity,
      claim.study !== verdicts[0]?.claim.study && { below: claim.study },
      errata.map((erratum) => ({ below: `Erratum: ${erratum}` })),
    ]),
    number('Published', ({ claim }) => `${claim.quoted} ${claim.unit ?? ''}`),
    number('This run', ({ measured, interval }) => {
      const [low, high] = [plain(interval?.low ?? null), plain(interval?.high ?? null)];
      return quantity(measured, precise, { below: interval && low !== high && `${low}–${high}` });
    }),
    number(
      'Off by',
      ({ deviation }) => deviation,
      (value) => percentChange(value === null ? null : value * 100),
    ),
    column('Verdict', ({ verdict, because, corrected }) => {
      const without =
        corrected && `; without the erratum (${plain(corrected.value)} ${corrected.unit}): ${corrected.verdict}`;
      return [{ strong: verdict }, { below: [because, without] }];
    }),
  ]);
}
