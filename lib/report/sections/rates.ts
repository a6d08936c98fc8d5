import type { Cell } from '../../analysis/figures/cells';
import { mainRates } from '../../analysis/figures/rates';
import { groupBy, keyOf } from '../../analysis/figures/statistics';
import { targetLabel } from '../../kit/format/targets';
import { bytes, counted, NO_VALUE, plain } from '../../kit/format/units';
import { type CellContent, details, figure, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import { rateChart } from '../charts';
import { ratesTitle, unitWords } from '../words';
import type { Context, PageSection } from './section';

export const rates: PageSection = {
  id: 'throughput',
  title: ({ cells }) => ratesTitle(mainRates(cells)),
  isResult: true,
  render(context) {
    const measured = mainRates(context.summary.cells);
    if (measured.length === 0) return null;
    const groups = [...groupBy(measured, ({ operation, metric }) => keyOf(operation, metric)).values()];
    return html`<p>Each mark is one sample and each bar the median of an arm; “varies by” is the standard deviation over the mean. ${conversion(measured)}
${mixedTools(measured)}</p>
<div class="charts">
${groups.map((cells, index) => figure(rateChart(context, cells, `rate-${index}`), caption(cells, context)))}</div>
${groups.map((cells) => details(`Figures: ${name(cells)}`, cellTable(cells, context), { print: true }))}
${moved(context)}`;
  },
};

function name(cells: readonly Cell[]): string {
  const { operation, metric } = cells[0] as Cell;
  return metric === 'throughput' ? operation : `${operation} ${metric}`;
}

function caption(cells: readonly Cell[], { summary, look }: Context): Markup {
  const missing = cells.some(({ samples }) => samples.some(({ value }) => value === null));
  const crosses = missing ? ' A cross at zero is a sample without a value; its reason is in the table.' : '';
  return html`<strong>${name(cells)}</strong>, ${unitWords(cells[0] as Cell)}. ${summary.arms.map((arm) => html`${look.label(arm.name)} `)}${crosses}`;
}

function conversion(cells: readonly Cell[]): string {
  if (!cells.some(({ unit }) => unit === 'MB/s')) return '';
  return 'MB is 10⁶ bytes: a rate that a tool prints in MiB/s is shown times 1.048576, and stands as printed in the raw files.';
}

/** Rates of different tools are not comparable with each other, so the reader must know where the tool changes. */
function mixedTools(cells: readonly Cell[]): string {
  const tool = (text: string): string => text.split(' ')[0] ?? text;
  const byTarget = groupBy(cells, ({ target }) => targetLabel(target));
  const used = [...byTarget].map(([target, own]) => ({
    target,
    tools: [...new Set(own.flatMap(({ tools }) => tools.map(tool)))].join(' and '),
  }));
  if (new Set(used.map(({ tools }) => tools)).size < 2) return '';
  const list = used.map(({ target, tools }) => `${target} by ${tools || 'an unnamed tool'}`).join(', ');
  return `Data were moved by different tools (${list}): compare the arms at one compressibility rather than one compressibility with another.`;
}

function cellTable(cells: readonly Cell[], { look }: Context): Markup {
  const unit = cells[0]?.unit ?? '';
  return table({
    caption: `${name(cells)}, ${unit}: every sample that counts`,
    captionHidden: true,
    columns: [
      { label: 'Data' },
      { label: 'Arm' },
      { label: `Median`, numeric: true },
      { label: 'Least', numeric: true },
      { label: 'Most', numeric: true },
      { label: 'Varies by', numeric: true },
      { label: 'Samples, in order' },
      { label: 'Tool (pattern)' },
    ],
    rows: cells.map(
      ({ target, arm, median, min, max, coefficientOfVariation, outliers, samples, tools }): CellContent[] => [
        targetLabel(target),
        look.label(arm),
        plain(median),
        plain(min),
        plain(max),
        coefficientOfVariation === null ? NO_VALUE : `${plain(coefficientOfVariation * 100)} %`,
        html`${sampleList(samples)}${outliers.length > 0 && html` <span class="soft">Apart, and counted: ${outliers.map(({ value, repeat }) => `${plain(value)} in repeat ${repeat}`).join(', ')}.</span>`}`,
        tools.join(', '),
      ],
    ),
  });
}

/** More than so many values are looked up in the table of samples. */
const LISTED = 40;

function sampleList(samples: Cell['samples']): Markup {
  if (samples.length > LISTED) return html`${counted(samples.length, 'sample')}, under “Every sample”`;
  return html`${samples.map(({ value, reason }, index) => html`${index > 0 && ' · '}${value === null ? `${NO_VALUE} (${reason})` : plain(value)}`)}`;
}

function moved({ summary, look }: Context): Markup | null {
  if (summary.moved.length === 0) return null;
  const operations = [...new Set(summary.moved.map(({ operation }) => operation))];
  const amount = (arm: string, operation: string): CellContent => {
    const found = summary.moved.find((one) => one.arm === arm && one.operation === operation);
    if (found === undefined) return '';
    return found.bytes === null ? html`${NO_VALUE} <span class="soft">${found.reason}</span>` : bytes(found.bytes);
  };
  return table({
    caption: 'Bytes moved in the measured phases, by the clients’ own count',
    columns: [
      { label: 'Operation' },
      ...summary.arms.map(({ name: arm }) => ({ label: look.label(arm), numeric: true })),
    ],
    rows: operations.map((operation) => [operation, ...summary.arms.map(({ name: arm }) => amount(arm, operation))]),
  });
}
