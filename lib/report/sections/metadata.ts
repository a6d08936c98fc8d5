import type { MetadataResults } from '../../benchmark/metadata/analysis';
import { grouped, NO_VALUE, plain, ratio, usd } from '../../kit/format/units';
import { type CellContent, details, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import { type MissingFigures, missingFigures, sizedName } from '../metadata';
import type { Context, PageSection } from './section';

export const metadata: PageSection = {
  id: 'metadata',
  title: 'Metadata',
  isResult: true,
  render(context) {
    const { metadata: results } = context.summary;
    if (results === null) return null;
    return html`<p>Efficiency is what was reached ÷ what AWS documents for the provisioned metadata IOPS: 1 is what was promised. Why a figure is missing stands below the tables.</p>
${efficiency(results, context)}
${prices(results, context)}
${need(results, context)}
${bound(results, context)}
${balance(results, context)}
${missing(results)}`;
  },
};

interface Figure {
  readonly value: number | null;
}

/** A figure, or a dash: its reason stands in the list below the tables, once for all that it is true of. */
function shown({ value }: Figure, text: (value: number) => string): CellContent {
  return value === null ? NO_VALUE : text(value);
}

/** Tables without any figure are left out: why stands in the list. */
function has({ value }: Figure): boolean {
  return value !== null;
}

function missing(results: MetadataResults): Markup | null {
  const list = missingFigures(results);
  if (list.length === 0) return null;
  const item = ({ what, reason, where }: MissingFigures): Markup =>
    html`<li><strong>${what}</strong>: ${reason}${where.length > 0 && html` <span class="soft">(${where.join(', ')})</span>`}</li>\n`;
  return html`<p>Without a figure:</p>\n<ul>${list.map(item)}</ul>\n`;
}

/** A share of 1 as per cent: `93 %`. */
function percent(value: number): string {
  return `${grouped(100 * value, value < 0.0995 ? 1 : 0)} %`;
}

function efficiency({ rates }: MetadataResults, { look }: Context): Markup {
  return table({
    caption: 'Metadata efficiency: operations a second of all clients against the documented rate',
    columns: [
      { label: 'Operation' },
      { label: 'Arm' },
      { label: 'Median, op/s', numeric: true },
      { label: 'Least', numeric: true },
      { label: 'Most', numeric: true },
      { label: 'Values', numeric: true },
      { label: 'Documented, op/s', numeric: true },
      { label: 'Efficiency', numeric: true },
    ],
    rows: rates.map((one): CellContent[] => [
      sizedName(one.operation, one.fileBytes),
      look.label(one.arm),
      shown(one.rate, plain),
      plain(one.least),
      plain(one.most),
      String(one.count),
      one.documented.value === null ? NO_VALUE : plain(one.documented.value),
      shown(one.efficiency, ratio),
    ]),
  });
}

function prices({ prices: list }: MetadataResults, { look }: Context): Markup | null {
  if (list.every(({ perMillion, perThousandMonthly }) => !has(perMillion) && !has(perThousandMonthly))) return null;
  return table({
    caption: 'What operations cost, at list prices of file system and clients; by the month, of the file system alone',
    columns: [
      { label: 'Operation' },
      { label: 'Arm' },
      { label: 'Operations for $1', numeric: true },
      { label: 'A million', numeric: true },
      { label: 'Each 1,000 op/s, a month', numeric: true },
      { label: 'Each extra 1,000 op/s, a month', numeric: true },
    ],
    rows: list.map((one): CellContent[] => [
      sizedName(one.operation, one.fileBytes),
      look.label(one.arm),
      shown(one.perDollar, plain),
      shown(one.perMillion, usd),
      shown(one.perThousandMonthly, usd),
      shown(one.perExtraThousandMonthly, usd),
    ]),
  });
}

function need({ needs }: MetadataResults, { look }: Context): Markup | null {
  if (!needs.some(({ iops }) => has(iops))) return null;
  const answer = (enough: boolean | null): string =>
    enough === null
      ? 'not known'
      : enough
        ? 'no: the clients set the pace'
        : 'perhaps: the clients did not set the pace';
  return table({
    caption:
      'How many metadata IOPS this workload needs: what the fastest rate takes by the documented rates, as AWS provisions them',
    columns: [
      { label: 'Operation' },
      { label: 'Fastest arm' },
      { label: 'op/s', numeric: true },
      { label: 'Metadata IOPS', numeric: true },
      { label: 'Would more help?' },
    ],
    rows: needs.map((one): CellContent[] => [
      sizedName(one.operation, one.fileBytes),
      one.arm === null ? NO_VALUE : look.label(one.arm),
      plain(one.rate),
      shown(one.iops, (value) => grouped(value)),
      answer(one.enough),
    ]),
  });
}

function bound({ bounds }: MetadataResults, { look }: Context): Markup | null {
  if (!bounds.some(({ cpu, iops }) => has(cpu) || has(iops))) return null;
  const names = { server: 'the metadata servers', client: 'the clients', neither: 'neither clearly' } as const;
  return table({
    caption: 'What set the pace, by the service’s own counters in whole periods within the phase',
    columns: [
      { label: 'Operation' },
      { label: 'Arm' },
      { label: 'Bound by' },
      { label: 'CPU of the busiest server', numeric: true },
      { label: 'IOPS of the busiest target', numeric: true },
    ],
    rows: bounds.map((one): CellContent[] => [
      sizedName(one.operation, one.fileBytes),
      look.label(one.arm),
      one.by === null ? NO_VALUE : names[one.by],
      one.cpu.value === null ? NO_VALUE : percent(one.cpu.value),
      one.iops.value === null ? NO_VALUE : percent(one.iops.value),
    ]),
  });
}

function balance({ balance: list }: MetadataResults, { look }: Context): Markup | null {
  if (list.every(({ targets }) => targets.length === 0)) return null;
  const rows = list.map((one): CellContent[] => [
    sizedName(one.operation, one.fileBytes),
    look.label(one.arm),
    String(one.targets.length || NO_VALUE),
    shown(one.evenness, ratio),
  ]);
  const parts = list.flatMap((one) =>
    one.targets.map((target): CellContent[] => [
      `${sizedName(one.operation, one.fileBytes)} (${one.metric})`,
      look.label(one.arm),
      target.target,
      plain(target.operations),
      percent(target.share),
    ]),
  );
  return html`${table({
    caption: 'Balance over the metadata targets: mean ÷ busiest, by the service’s own count; 1 is even',
    columns: [
      { label: 'Operation' },
      { label: 'Arm' },
      { label: 'Targets', numeric: true },
      { label: 'Evenness', numeric: true },
    ],
    rows,
  })}${
    parts.length > 0 &&
    details(
      'Figures: each metadata target',
      table({
        caption: 'Operations of each metadata target',
        captionHidden: true,
        columns: [
          { label: 'Operation' },
          { label: 'Arm' },
          { label: 'Target' },
          { label: 'Operations', numeric: true },
          { label: 'Share', numeric: true },
        ],
        rows: parts,
      }),
      { print: true },
    )
  }`;
}
