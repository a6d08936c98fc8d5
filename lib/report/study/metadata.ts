import { sizedLabel } from '../../analysis/figures/operationKind';
import type { IopsScalingModel, MetadataResults } from '../../analysis/metadata/results';
import { counted, grouped, NO_VALUE, plain, precise, ratio, usd } from '../../common/format/units';
import { type Block, columns, line, numbers, printed, quantity, type Text, table, text } from '../blocks';
import type { Section } from '../sections/section';

/** Operations on files against what the provisioned metadata IOPS promise. */
export const metadata: Section = {
  id: 'metadata',
  title: 'Metadata',
  isResult: true,
  after: 'throughput',
  blocks({ metadata: results }) {
    if (results === null) return [];
    return [
      text(
        `${onNodes(results)}Efficiency is the measured rate ÷ the rate that AWS documents for the provisioned metadata IOPS; at 1 they are equal. The reasons for missing figures are below the tables.`,
      ),
      efficiency(results),
      scalingModel(results),
      prices(results),
      need(results),
      bound(results),
      ...balance(results),
      ...missing(results),
    ];
  },
};

const onNodes = ({ nodes }: MetadataResults): string =>
  nodes === undefined ? '' : `Figures are those of ${counted(nodes, 'node')}. `;

/** A share of 1 as per cent: `93 %`. */
const percent = (value: number | null): string =>
  value === null ? NO_VALUE : `${grouped(100 * value, value < 0.0995 ? 1 : 0)} %`;

function efficiency({ rates }: MetadataResults): Block {
  return table({
    caption: 'Metadata efficiency: operations per second of all clients against the documented rate',
    columns: [
      ...columns('Operation', 'Arm'),
      ...numbers('Median, op/s', 'Min', 'Max', 'Values', 'Documented, op/s', 'Efficiency'),
    ],
    rows: rates.map((one) => [
      sizedLabel(one),
      { arm: one.arm },
      quantity(one.rate.value, precise),
      quantity(one.min, plain),
      quantity(one.max, plain),
      quantity(one.count, String),
      quantity(one.documented.value, precise),
      quantity(one.efficiency.value, ratio),
    ]),
  });
}

const PROPORTION: Readonly<Record<IopsScalingModel['verdict'], string>> = {
  reproduced: 'in proportion',
  'not reproduced': 'not in proportion',
  inconclusive: 'inconclusive',
};

function scalingModel({ scalingModels = [] }: MetadataResults): Block | null {
  if (scalingModels.length === 0) return null;
  return table({
    caption: 'Operations per second for each thousand metadata IOPS, on arms that differ in these alone',
    columns: [
      ...columns('Operation', 'Arm'),
      ...numbers('IOPS', 'op/s', 'op/s per 1,000 IOPS'),
      ...columns('Rates rise'),
    ],
    rows: scalingModels.flatMap((one) =>
      one.points.map(({ arm, iops, perSecond }, index) => [
        sizedLabel(one),
        { arm },
        quantity(iops, (value) => (value === null ? NO_VALUE : grouped(value))),
        quantity(perSecond, precise),
        quantity((1000 * perSecond) / iops, plain),
        index === 0 ? `${PROPORTION[one.verdict]}${one.reason === null ? '' : `: ${one.reason}`}` : '',
      ]),
    ),
  });
}

function prices({ prices: list }: MetadataResults): Block | null {
  if (list.every((one) => one.perMillion.value === null && one.perThousandMonthly.value === null)) return null;
  return table({
    caption: 'Cost of operations at list prices of file system and clients; per month: of the file system alone',
    columns: [
      ...columns('Operation', 'Arm'),
      ...numbers('Operations for $1', 'Per million', 'Each 1,000 op/s, per month', 'Each extra 1,000 op/s, per month'),
    ],
    rows: list.map((one) => [
      sizedLabel(one),
      { arm: one.arm },
      quantity(one.perDollar.value, plain),
      quantity(one.perMillion.value, usd),
      quantity(one.perThousandMonthly.value, usd),
      quantity(one.perExtraThousandMonthly.value, usd),
    ]),
  });
}

function need({ needs }: MetadataResults): Block | null {
  if (needs.every(({ iops }) => iops.value === null)) return null;
  const answer = (enough: boolean | null): string =>
    enough === null
      ? 'not known'
      : enough
        ? 'no, the clients were the bottleneck'
        : 'perhaps, the clients were not the bottleneck';
  return table({
    caption:
      'Metadata IOPS that this workload needs: for the fastest measured rate, by the documented rates, in the steps that AWS provisions',
    columns: [
      ...columns('Operation', 'Fastest arm'),
      ...numbers('op/s', 'Metadata IOPS'),
      ...columns('Would more help?'),
    ],
    rows: needs.map((one) => [
      sizedLabel(one),
      one.arm === null ? NO_VALUE : { arm: one.arm },
      quantity(one.rate, plain),
      quantity(one.iops.value, (value) => (value === null ? NO_VALUE : grouped(value))),
      answer(one.enough),
    ]),
  });
}

function bound({ bounds }: MetadataResults): Block | null {
  if (bounds.every(({ cpu, iops }) => cpu.value === null && iops.value === null)) return null;
  const names = { server: 'the metadata servers', client: 'the clients', neither: 'inconclusive' } as const;
  return table({
    caption: 'Bottleneck, by the service’s own counters in whole periods within the phase',
    columns: [
      ...columns('Operation', 'Arm', 'Bottleneck'),
      ...numbers('CPU of the busiest server', 'IOPS of the busiest target'),
    ],
    rows: bounds.map((one) => [
      sizedLabel(one),
      { arm: one.arm },
      one.by === null ? NO_VALUE : names[one.by],
      quantity(one.cpu.value, percent),
      quantity(one.iops.value, percent),
    ]),
  });
}

function balance({ balance: list }: MetadataResults): Block[] {
  if (list.every(({ targets }) => targets.length === 0)) return [];
  const evenness = table({
    caption: 'Balance over the metadata targets: mean ÷ busiest, by the service’s own count; 1 is even',
    columns: [...columns('Operation', 'Arm'), ...numbers('Targets', 'Evenness')],
    rows: list.map((one) => [
      sizedLabel(one),
      { arm: one.arm },
      quantity(one.targets.length || null, (count) => (count === null ? NO_VALUE : String(count))),
      quantity(one.evenness.value, ratio),
    ]),
  });
  const targets = table({
    caption: 'Operations of each metadata target',
    captionHidden: true,
    columns: [...columns('Operation', 'Arm', 'Target'), ...numbers('Operations', 'Share')],
    rows: list.flatMap((one) =>
      one.targets.map((target) => [
        `${sizedLabel(one)} (${one.metric})`,
        { arm: one.arm },
        target.target,
        quantity(target.operations, plain),
        quantity(target.share, percent),
      ]),
    ),
  });
  return [evenness, printed('Figures: each metadata target', targets)];
}

interface Entry {
  readonly arm: string | null;
  readonly operation: string;
  readonly fileBytes: number | null;
}

/** `file_stat`, or `file_stat on p250-12000` where it is so on some arms only. */
function placesOf(without: readonly Entry[], all: readonly Entry[]): string[] {
  const everywhere = Map.groupBy(all, sizedLabel);
  return [...Map.groupBy(without, sizedLabel)].map(([name, entries]) => {
    const arms = entries.flatMap(({ arm }) => arm ?? []);
    return entries.length === everywhere.get(name)?.length || arms.length === 0
      ? name
      : `${name} on ${arms.join(', ')}`;
  });
}

/** Why figures of the results are `null`, which leaves them out of a table, or the table: each reason once for all that it is true of. */
function missing({ rates, prices, balance, bounds, needs }: MetadataResults): Block[] {
  const of = <E extends Entry>(
    what: string,
    entries: readonly E[],
    figureOf: (entry: E) => { readonly reason: string | null },
  ): Text[] =>
    [...Map.groupBy(entries, (entry) => figureOf(entry).reason)].flatMap(([reason, without]) => {
      if (reason === null) return [];
      const where = without.length < entries.length && [' ', { soft: `(${placesOf(without, entries).join(', ')})` }];
      return [line`${{ strong: what }}: ${reason}${where}`];
    });
  const items = [
    ...of('rate', rates, ({ rate }) => rate),
    ...of('efficiency', rates, ({ efficiency }) => efficiency),
    ...of('price of an operation', prices, ({ perMillion }) => perMillion),
    ...of('price per month', prices, ({ perThousandMonthly }) => perThousandMonthly),
    ...of('price of the extra rate', prices, ({ perExtraThousandMonthly }) => perExtraThousandMonthly),
    ...of(
      'metadata IOPS needed',
      needs.map((one) => ({ ...one, arm: null })),
      ({ iops }) => iops,
    ),
    ...of('bottleneck', bounds, (bound) => bound),
    ...of('balance', balance, ({ evenness }) => evenness),
  ];
  return items.length === 0 ? [] : [text('Without a figure:'), { kind: 'list', items }];
}
