import type { IopsScalingModel, MetadataResults } from '../../analysis/metadata';
import { counted, grouped, NO_VALUE, plain, precise, ratio, usd } from '../../common/format/units';
import { armColumn, type Block, column, line, number, printed, type Text, tableOf, text } from '../blocks';
import type { Section } from '../sections/section';
import { describeSized } from '../title';

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
        `${results.nodes === undefined ? '' : `Figures are those of ${counted(results.nodes, 'node')}. `}Efficiency is the measured rate ÷ the rate that AWS documents for the provisioned metadata IOPS; at 1 they are equal. The reasons for missing figures are below the tables.`,
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

/** A share of 1 as per cent: `93 %`. */
const percent = (value: number | null): string =>
  value === null ? NO_VALUE : `${grouped(100 * value, value < 0.0995 ? 1 : 0)} %`;

function efficiency({ rates }: MetadataResults): Block {
  const caption = 'Metadata efficiency: operations per second of all clients against the documented rate';
  return tableOf(rates, { caption }, [
    column('Operation', describeSized),
    armColumn(),
    number('Median, op/s', ({ rate }) => rate.value, precise),
    number('Min', ({ min }) => min, plain),
    number('Max', ({ max }) => max, plain),
    number('Values', ({ count }) => count, String),
    number('Documented, op/s', ({ documented }) => documented.value, precise),
    number('Efficiency', (one) => one.efficiency.value, ratio),
  ]);
}

const PROPORTION: Readonly<Record<IopsScalingModel['verdict'], string>> = {
  reproduced: 'in proportion',
  'not reproduced': 'not in proportion',
  inconclusive: 'inconclusive',
};

const whole = (value: number | null): string => (value === null ? NO_VALUE : grouped(value));

function scalingModel({ scalingModels = [] }: MetadataResults): Block | null {
  if (scalingModels.length === 0) return null;
  const caption = 'Operations per second for each thousand metadata IOPS, on arms that differ in these alone';
  const points = scalingModels.flatMap(({ points: own, verdict, reason, ...work }) =>
    own.map((point, index) => {
      const rises = reason === null ? PROPORTION[verdict] : `${PROPORTION[verdict]}: ${reason}`;
      return { ...work, ...point, rises: index === 0 ? rises : '' };
    }),
  );
  return tableOf(points, { caption }, [
    column('Operation', describeSized),
    armColumn(),
    number('IOPS', ({ iops }) => iops, whole),
    number('op/s', ({ perSecond }) => perSecond, precise),
    number('op/s per 1,000 IOPS', ({ perSecond, iops }) => (1000 * perSecond) / iops, plain),
    column('Rates rise', ({ rises }) => rises),
  ]);
}

function prices({ prices: list }: MetadataResults): Block | null {
  if (list.every((one) => one.perMillion.value === null && one.perThousandMonthly.value === null)) return null;
  const caption = 'Cost of operations at list prices of file system and clients; per month: of the file system alone';
  return tableOf(list, { caption }, [
    column('Operation', describeSized),
    armColumn(),
    number('Operations for $1', ({ perDollar }) => perDollar.value, plain),
    number('Per million', ({ perMillion }) => perMillion.value, usd),
    number('Each 1,000 op/s, per month', ({ perThousandMonthly }) => perThousandMonthly.value, usd),
    number('Each extra 1,000 op/s, per month', ({ perExtraThousandMonthly }) => perExtraThousandMonthly.value, usd),
  ]);
}

function need({ needs }: MetadataResults): Block | null {
  if (needs.every(({ iops }) => iops.value === null)) return null;
  const caption =
    'Metadata IOPS that this workload needs: for the fastest measured rate, by the documented rates, in the steps that AWS provisions';
  return tableOf(needs, { caption }, [
    column('Operation', describeSized),
    column('Fastest arm', ({ arm }) => (arm === null ? NO_VALUE : { arm })),
    number('op/s', ({ rate }) => rate, plain),
    number('Metadata IOPS', ({ iops }) => iops.value, whole),
    column('Would more help?', ({ enough }) => {
      if (enough === null) return 'not known';
      return enough ? 'no, the clients were the bottleneck' : 'perhaps, the clients were not the bottleneck';
    }),
  ]);
}

function bound({ bounds }: MetadataResults): Block | null {
  if (bounds.every(({ cpu, iops }) => cpu.value === null && iops.value === null)) return null;
  const names = { server: 'the metadata servers', client: 'the clients', neither: 'inconclusive' } as const;
  const caption = 'Bottleneck, by the service’s own counters in whole periods within the phase';
  return tableOf(bounds, { caption }, [
    column('Operation', describeSized),
    armColumn(),
    column('Bottleneck', ({ by }) => (by === null ? NO_VALUE : names[by])),
    number('CPU of the busiest server', ({ cpu }) => cpu.value, percent),
    number('IOPS of the busiest target', ({ iops }) => iops.value, percent),
  ]);
}

function balance({ balance: list }: MetadataResults): Block[] {
  if (list.every(({ targets }) => targets.length === 0)) return [];
  const caption = 'Balance over the metadata targets: mean ÷ busiest, by the service’s own count; 1 is even';
  const evenness = tableOf(list, { caption }, [
    column('Operation', describeSized),
    armColumn(),
    number('Targets', ({ targets }) => targets.length || null, whole),
    number('Evenness', (one) => one.evenness.value, ratio),
  ]);
  const all = list.flatMap(({ targets, ...one }) => targets.map((target) => ({ ...one, ...target })));
  const targets = tableOf(all, { caption: 'Operations of each metadata target', captionHidden: true }, [
    column('Operation', (one) => `${describeSized(one)} (${one.metric})`),
    armColumn(),
    column('Target', ({ target }) => target),
    number('Operations', ({ operations }) => operations, plain),
    number('Share', ({ share }) => share, percent),
  ]);
  return [evenness, printed('Figures: each metadata target', targets)];
}

interface Entry {
  readonly arm: string | null;
  readonly operation: string;
  readonly fileBytes: number | null;
}

/** `file stat`, or `file stat on p250-12000` where it is so on some arms only. */
function placesOf(without: readonly Entry[], all: readonly Entry[]): string[] {
  const everywhere = Map.groupBy(all, describeSized);
  return [...Map.groupBy(without, describeSized)].map(([name, entries]) => {
    const arms = entries.flatMap(({ arm }) => arm ?? []);
    const all = entries.length === everywhere.get(name)?.length || arms.length === 0;
    return all ? name : `${name} on ${arms.join(', ')}`;
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
  const forAll = needs.map((one) => ({ ...one, arm: null }));
  const items = [
    ...of('rate', rates, ({ rate }) => rate),
    ...of('efficiency', rates, ({ efficiency }) => efficiency),
    ...of('price of an operation', prices, ({ perMillion }) => perMillion),
    ...of('price per month', prices, ({ perThousandMonthly }) => perThousandMonthly),
    ...of('price of the extra rate', prices, ({ perExtraThousandMonthly }) => perExtraThousandMonthly),
    ...of('metadata IOPS needed', forAll, ({ iops }) => iops),
    ...of('bottleneck', bounds, (bound) => bound),
    ...of('balance', balance, ({ evenness }) => evenness),
  ];
  return items.length === 0 ? [] : [text('Without a figure:'), { kind: 'list', items }];
}
