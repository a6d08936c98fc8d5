import type { Cell } from '../../analysis/figures/cells';
import { mainRates } from '../../analysis/figures/operationKind';
import type { RunSummary } from '../../analysis/summary';
import { keyOf } from '../../common/collections';
import { compressibilityLabel } from '../../common/format/text';
import { bytes, counted, NO_VALUE, plain } from '../../common/format/units';
import { describeOperation } from '../../workload/lookup';
import {
  armColumn,
  type Block,
  column,
  joined,
  line,
  number,
  printed,
  quantity,
  type Text,
  tableOf,
  text,
} from '../blocks';
import { rateChart } from '../charts';
import { describeUnit, ratesTitle } from '../title';
import type { Section } from './section';

/** Throughput of each operation, sample by sample. */
export const rates: Section = {
  id: 'throughput',
  title: ({ cells }) => ratesTitle(mainRates(cells)),
  isResult: true,
  blocks(run) {
    const measured = mainRates(run.cells);
    if (measured.length === 0) return [];
    const groups = [...Map.groupBy(measured, ({ operation, metric }) => keyOf(operation, metric)).values()];
    // A picture for each number of nodes would bury the one that shows how the rate grows with them.
    const drawn = groups.filter(([cell]) => cell?.kind.nodes === undefined);
    return [
      text([
        drawn.length > 0 && { onPage: 'Each mark is one sample and each bar the median of an arm. ' },
        `“Varies by” is the standard deviation over the mean.${conversion(measured)}`,
      ]),
      {
        kind: 'charts',
        charts: drawn.map((cells, index) => rateChart(run, cells, `rate-${index}`, caption(cells, run))),
        figures: groups.map((cells) =>
          printed(`Figures: ${nameOf(cells)}, ${describeUnit(cells[0] as Cell)}`, cellTable(cells)),
        ),
      },
      moved(run),
    ];
  },
};

function nameOf(cells: readonly Cell[]): string {
  const { operation, metric } = cells[0] as Cell;
  const words = describeOperation(operation);
  return ['throughput', 'seconds'].includes(metric) ? words : `${words} ${metric}`;
}

function caption(cells: readonly Cell[], { arms }: RunSummary): Text {
  const missing = cells.some(({ samples }) => samples.some(({ value }) => value === null));
  const crosses = missing && ' A cross at zero is a sample without a value; its reason is in the table.';
  return line`${{ strong: nameOf(cells) }}, ${describeUnit(cells[0] as Cell)}. ${arms.map(({ name }) => [{ arm: name }, ' '])}${crosses}`;
}

function conversion(cells: readonly Cell[]): string {
  if (!cells.some(({ unit }) => unit === 'MB/s')) return '';
  return ' MB is 10⁶ bytes: a rate that a tool prints in MiB/s is multiplied by 1.048576 here, and unchanged in the raw files.';
}

const cellTable = (cells: readonly Cell[]): Block =>
  tableOf(
    cells,
    { caption: `${nameOf(cells)}, ${cells[0]?.unit ?? ''}: every sample that counts`, captionHidden: true },
    [
      column('Data', ({ compressibility }) => compressibilityLabel(compressibility)),
      armColumn(),
      number('Median', ({ median }) => median, plain),
      number('Min', ({ min }) => min, plain),
      number('Max', ({ max }) => max, plain),
      number(
        'Varies by',
        ({ coefficientOfVariation }) => coefficientOfVariation,
        (value) => (value === null ? NO_VALUE : `${plain(value * 100)} %`),
      ),
      column('Samples, in order', ({ samples, outliers }) => [sampleList(samples), describeOutlier(outliers)]),
      column('Tool (pattern)', ({ tools }) => tools.join(', ')),
    ],
  );

function describeOutlier(outliers: Cell['outliers']): Text {
  if (outliers.length === 0) return null;
  const list = outliers.map(({ value, repeat }) => `${plain(value)} in repeat ${repeat}`).join(', ');
  return [' ', { soft: `Outliers, which are counted: ${list}.` }];
}

/** More than so many values are looked up in the table of samples. */
const LISTED = 40;

function sampleList(samples: Cell['samples']): Text {
  if (samples.length > LISTED) return `${counted(samples.length, 'sample')}, under “Every sample”`;
  return joined(
    samples.map(({ value, reason }) => (value === null ? `${NO_VALUE} (${reason})` : plain(value))),
    ' · ',
  );
}

function moved({ moved: all, arms }: RunSummary): Block | null {
  if (all.length === 0) return null;
  const operations = [...new Set(all.map(({ operation }) => operation))];
  const found = (operation: string, arm: string) => all.find((one) => one.arm === arm && one.operation === operation);
  return tableOf(operations, { caption: 'Bytes moved in the measured phases, by the clients’ own count' }, [
    column('Operation', describeOperation),
    ...arms.map(({ name }) =>
      number({ arm: name }, (operation: string) => {
        const own = found(operation, name);
        return own === undefined ? '' : quantity(own.bytes, bytes, { reason: own.reason ?? null });
      }),
    ),
  ]);
}
