/**
 * Finds the cheapest file systems that meet a requirement, by documented limits and list prices. Offline and pure: the same requirement
 * gives the same answer.
 */

import { breachMessage } from '../common/breach';
import { DEFAULT_REGION, type PriceBook, PUBLISHED } from '../price/prices';
import type { AnyConfiguration } from '../schema/storage';
import type { Warning } from '../storage/slices/configuration';
import { notesOf } from './notes';
import type { Option, Ranked, Rejected } from './option';
import { checkRequirement, isBudget, neededSpace, type Requirement, storagesOf } from './requirement';
import { cheapestOf, largestFor, refused, unaffordable } from './sizes';
import { isWarned, whyRanked } from './wording';

export type { Option } from './option';
export type { Requirement } from './requirement';

/** `fsxbench.advise/1`. Configurations are of the kinds among which the requirement chooses. */
export interface Advice<C extends AnyConfiguration = AnyConfiguration> {
  readonly schema: 'fsxbench.advise/1';
  readonly requirement: Requirement;
  readonly region: string;
  readonly currency: 'USD';
  readonly pricesAsOf: string;
  /** Points that the requirement leaves open and that may change the answer. */
  readonly notes: readonly Warning[];
  /** Options with warnings stand after those without. For a budget alone the fastest first; otherwise cheapest first; options with unknown prices last, by the total of the known ones. */
  readonly options: readonly Option<C>[];
  readonly rejected: readonly Rejected<C>[];
}

/**
 * Finds the options.
 *
 * @param book the prices. @default the built-in prices
 * @throws Error with one line per problem of the requirement
 */
export function advise(requirement: Requirement, book: PriceBook = PUBLISHED): Advice {
  const errors = checkRequirement(requirement);
  if (errors.length > 0) throw new Error(errors.map((breach) => breachMessage(breach)).join('\n'));
  const { region = DEFAULT_REGION, maxMonthlyUsd = Number.POSITIVE_INFINITY } = requirement;
  const options: Ranked[] = [];
  const rejected: Rejected[] = [];
  const budget = isBudget(requirement);
  const families = storagesOf(requirement).flatMap(
    ({ price: { candidates } }) => candidates?.families(neededSpace(requirement, candidates)) ?? [],
  );
  for (const family of families) {
    const found = budget ? largestFor(family, requirement, book) : cheapestOf(family, requirement, book);
    if (found === null) {
      rejected.push(budget ? unaffordable(family, requirement, book) : refused(family, requirement, book));
      continue;
    }
    const { configuration, monthlyUsd, atLeastUsd } = found;
    if (atLeastUsd <= maxMonthlyUsd) options.push(found);
    else {
      const costs = `${monthlyUsd === null ? 'at least ' : ''}${atLeastUsd}`;
      rejected.push({
        configuration,
        monthlyUsd,
        reason: `it costs ${costs} USD per month, over the limit of ${maxMonthlyUsd}`,
      });
    }
  }
  options.sort(budget ? bySpeed : byPrice);
  return {
    schema: 'fsxbench.advise/1',
    requirement,
    region,
    currency: 'USD',
    pricesAsOf: book.asOf,
    notes: notesOf(requirement),
    options: options.map((option) => ({
      ...option,
      pareto: isPareto(option, options),
      why: whyRanked(option, options, budget),
    })),
    rejected: rejected.sort((a, b) => price(a) - price(b)),
  };
}

function isPareto(option: Ranked, others: readonly Ranked[]): boolean | null {
  if (option.monthlyUsd === null) return null;
  const [usd, rate] = [option.monthlyUsd, option.throughputMBps.baseline];
  return !others.some(({ monthlyUsd, throughputMBps: { baseline } }) => {
    const better = (monthlyUsd ?? usd) < usd || baseline > rate;
    return monthlyUsd !== null && monthlyUsd <= usd && baseline >= rate && better;
  });
}

const price = ({ monthlyUsd }: { readonly monthlyUsd: number | null }): number => monthlyUsd ?? Number.MAX_VALUE;

/** For a budget: those without warnings first, then the fastest, ties by capacity, then by price. */
const bySpeed = (a: Ranked, b: Ranked): number =>
  Number(isWarned(a)) - Number(isWarned(b)) ||
  b.throughputMBps.baseline - a.throughputMBps.baseline ||
  (b.capacityTB ?? 0) - (a.capacityTB ?? 0) ||
  price(a) - price(b);

/** Known prices first, those without warnings before those with, then the cheapest by the known part; ties by more headroom, then without compression before with it. */
const byPrice = (a: Ranked, b: Ranked): number =>
  Number(a.monthlyUsd === null) - Number(b.monthlyUsd === null) ||
  Number(isWarned(a)) - Number(isWarned(b)) ||
  price(a) - price(b) ||
  a.atLeastUsd - b.atLeastUsd ||
  (b.headroom ?? 0) - (a.headroom ?? 0) ||
  b.throughputMBps.baseline - a.throughputMBps.baseline;
