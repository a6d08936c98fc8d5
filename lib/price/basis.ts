import { counted } from '../common/format/units';
import type { CostLine } from '../schema/cost';

export type PriceBasis = ReturnType<typeof basisOf>;

export function basisOf(lines: readonly CostLine[], region: string) {
  const priced = lines.filter(({ unitPrice }) => unitPrice !== null);
  const dates = priced.flatMap(({ asOf }) => asOf ?? []).sort();
  const count = (holds: (line: CostLine) => boolean): number => priced.filter(holds).length;
  return {
    region,
    /** Day, month or year; `null` if no price is dated. */
    oldest: dates[0] ?? null,
    newest: dates.at(-1) ?? null,
    /** Lines with a price, and how many of these are not from AWS's own pages and lists, or lack a date. */
    priced: priced.length,
    thirdParty: count(({ confidence }) => confidence === 'third-party'),
    assumed: count(({ confidence }) => confidence === 'assumed'),
    /** Ranges from other Regions. */
    estimated: count(({ confidence }) => confidence === 'estimated'),
    undated: count(({ asOf }) => asOf === null),
  };
}

/** Words for a basis: `list prices of us-east-1, 2020 to 2026-10-09; of 9 prices 5 are third-party, 2 assumed, 1 without a date`. */
export function describeBasis(basis: PriceBasis): string {
  const { region, oldest, newest, priced, thirdParty, assumed, estimated, undated } = basis;
  const dates = oldest === null ? 'without a date' : oldest === newest ? oldest : `${oldest} to ${newest}`;
  const doubts = (
    [
      [thirdParty, 'third-party'],
      [assumed, 'assumed'],
      [estimated, 'estimated from other Regions'],
      [oldest === null ? 0 : undated, 'without a date'],
    ] as const
  ).filter(([count]) => count > 0);
  return `${estimated < priced ? 'list ' : ''}prices of ${region}, ${dates}; ${describeDoubt(doubts, priced)}`;
}

function describeDoubt(doubts: readonly (readonly [count: number, words: string])[], priced: number): string {
  const [[count, words] = []] = doubts;
  if (count === undefined) return "all AWS's own";
  if (count === priced && doubts.length === 1) return `${priced > 1 ? 'all ' : ''}${words}`;
  return `of ${counted(priced, 'price')} ${doubts.map((doubt) => doubt.join(' ')).join(', ')}`;
}

/** Unknown prices and the next step; `null` if all are known. */
export function missingPrices(lines: readonly CostLine[], region: string): string | null {
  const items = [...new Set(lines.flatMap(({ missingPrice }) => missingPrice ?? []))];
  return items.length === 0 ? null : `the price of ${items.join(', ')} in ${region} is unknown. ${refreshStep(region)}`;
}

const refreshStep = (region: string): string =>
  `Fetch AWS's price lists, if they can be reached: npx fsxbench cost --refresh --region ${region}; or write prices.json yourself (docs/cost.md)`;
