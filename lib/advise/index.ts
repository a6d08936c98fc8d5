/**
 * Finds the cheapest file systems that meet a requirement, by documented limits and list prices. Offline and pure: the same requirement
 * gives the same answer.
 */

import { breachMessage } from '../kit/breach';
import type { Prediction, Rate } from '../predict';
import { DEFAULT_REGION, type PriceBook, PUBLISHED } from '../price/prices';
import type { Family } from '../storage/candidates';
import { type AnyConfiguration, storageOf, withKind } from '../storage/lookup';
import type { Warning } from '../storage/slices/configuration';
import { type Assessment, assess, warningsOf } from './assess';
import { type Fragment, fragmentOf } from './fragment';
import { type MonthlyCost, monthlyCost } from './monthly';
import { notesOf } from './notes';
import { checkRequirement, isBudget, neededSpace, type Requirement, storagesOf } from './requirement';
import { isWarned, whyRanked } from './wording';

export type { Requirement } from './requirement';

/** A cheaper configuration and what it would miss. */
export interface Cheaper<C extends AnyConfiguration = AnyConfiguration> {
  readonly configuration: C;
  readonly monthlyUsd: number | null;
  /** Why a price is unknown; `null` if all are known. */
  readonly reason: string | null;
  /** {@link Option.lowUsd}. */
  readonly lowUsd: number;
  readonly misses: readonly string[];
}

/** A configuration that meets the requirement, the cheapest of its kind. */
export interface Option<C extends AnyConfiguration = AnyConfiguration> extends Omit<Assessment, 'misses'>, MonthlyCost {
  readonly configuration: C;
  /** List price of the file system, without clients; `null` with a reason if a price is unknown. */
  readonly monthlyUsd: number | null;
  /** The lowest of the requested rates: reads, writes or both together. */
  readonly throughputMBps: Rate;
  /** Its limits. */
  readonly binding: Prediction['binding'];
  /**
   * Throughput beyond the requirement: 0.25 is a quarter more. Where none is required, that of the creations, else of the capacity, each of
   * which stands in {@link Option.headrooms}.
   */
  readonly headroom: number | null;
  /** Shortcomings of the next cheaper sizes; empty for the smallest size that AWS sells. */
  readonly cheaper: readonly Cheaper<C>[];
  /** True if no other option is both cheaper and at least as fast. `null` without a price. */
  readonly pareto: boolean | null;
  /** Reasons against it, and points that need care. */
  readonly warnings: readonly Warning[];
  /** The reason for its rank, in a sentence. */
  readonly why: string;
  readonly cdkJson: Fragment;
}

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
  readonly rejected: readonly {
    readonly configuration: C;
    readonly monthlyUsd: number | null;
    readonly reason: string;
  }[];
}

type Ranked = Omit<Option, 'pareto' | 'why'>;

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
  const rejected: Advice['rejected'][number][] = [];
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

/** The cheapest size that meets the requirement; `null` if none does. */
export function cheapestOf(family: Family, requirement: Requirement, book: PriceBook): Ranked | null {
  const smallest = smallestThat((size) => assess(family.at(size), requirement).misses.length === 0, family.sizes);
  if (smallest === null) return null;
  const cost = (size: number) => monthlyCost(family.at(size), requirement, book).usd ?? Number.POSITIVE_INFINITY;
  const best = (family.better?.(smallest) ?? []).reduce((low, size) => (cost(size) < cost(low) ? size : low), smallest);
  return ranked(family.at(best), requirement, book, smallest === 0 ? null : family.at(smallest - 1));
}

/** The largest size that a budget buys; `null` where the smallest costs more, or its price depends on more than its size. */
function largestFor(family: Family, requirement: Requirement, book: PriceBook): Ranked | null {
  const { maxMonthlyUsd = 0 } = requirement;
  const isOver = (size: number): boolean => {
    const { usd } = monthlyCost(family.at(size), requirement, book);
    return usd === null || usd > maxMonthlyUsd;
  };
  if (family.sizes === 1 || isOver(0)) return null;
  const over = smallestThat(isOver, family.sizes);
  return ranked(family.at((over ?? family.sizes) - 1), requirement, book, null);
}

function unaffordable(family: Family, requirement: Requirement, book: PriceBook): Advice['rejected'][number] {
  const configuration = family.at(0);
  const { usd, reason } = monthlyCost(configuration, requirement, book);
  const because =
    family.sizes === 1
      ? 'its price depends on what is stored and moved: give --capacity or a rate'
      : (reason ?? `its smallest size costs more than ${requirement.maxMonthlyUsd} USD per month`);
  return { configuration, monthlyUsd: usd, reason: because };
}

/** A configuration with what there is to say of it. */
function ranked(
  configuration: AnyConfiguration,
  requirement: Requirement,
  book: PriceBook,
  smaller: AnyConfiguration | null,
): Ranked {
  const { usd: monthlyUsd, ...cost } = monthlyCost(configuration, requirement, book);
  const { misses: _, ...assessment } = assess(configuration, requirement);
  const lowest = assessment.demands.reduce((low, demand) =>
    demand.throughputMBps.baseline < low.throughputMBps.baseline ? demand : low,
  );
  return {
    configuration,
    monthlyUsd,
    ...cost,
    throughputMBps: lowest.throughputMBps,
    binding: lowest.binding,
    headroom: headroomOf(assessment.headrooms),
    ...assessment,
    cheaper: isBudget(requirement) ? [] : cheaperThan(configuration, monthlyUsd, smaller, { requirement, book }),
    warnings: warningsOf(configuration, requirement),
    cdkJson: fragmentOf(configuration, requirement, assessment),
  };
}

function headroomOf({ read, write, mixed, metadata, capacity }: Assessment['headrooms']): number | null {
  const rates = [read, write, mixed].filter((room) => room !== null);
  return rates.length > 0 ? Math.min(...rates) : (metadata ?? capacity);
}

/** The smallest acceptable size, assuming every larger one is acceptable, too; `null` if none is. */
function smallestThat(good: (size: number) => boolean, sizes: number): number | null {
  // Double first, since most answers are small.
  let bad = -1;
  let high = 0;
  while (!good(high)) {
    if (high === sizes - 1) return null;
    bad = high;
    high = Math.min(sizes - 1, high * 2 + 1);
  }
  while (high - bad > 1) {
    const middle = Math.floor((bad + high) / 2);
    if (good(middle)) high = middle;
    else bad = middle;
  }
  return high;
}

/** The demands that no size can meet, and the smallest size that meets the rest. */
function refused(family: Family, requirement: Requirement, book: PriceBook): Advice['rejected'][number] {
  const { misses } = assess(family.at(family.sizes - 1), requirement);
  const size = smallestThat((at) => assess(family.at(at), requirement).misses.length <= misses.length, family.sizes);
  const configuration = family.at(size ?? 0);
  const { usd } = monthlyCost(configuration, requirement, book);
  return { configuration, monthlyUsd: usd, reason: `at any size: ${misses.join('; ')}` };
}

function cheaperThan(
  configuration: AnyConfiguration,
  usd: number | null,
  smaller: AnyConfiguration | null,
  { requirement, book }: { readonly requirement: Requirement; readonly book: PriceBook },
): Cheaper[] {
  const less = storageOf(configuration).price.candidates?.lesser?.(withKind(configuration)) ?? null;
  const candidates = [smaller, less === null ? null : { ...configuration, ...less }].filter(
    (candidate) => candidate !== null,
  );
  return candidates.flatMap((candidate): Cheaper[] => {
    const { usd: monthlyUsd, reason, lowUsd } = monthlyCost(candidate, requirement, book);
    const { misses } = assess(candidate, requirement);
    const cheaper = usd === null || monthlyUsd === null || monthlyUsd < usd;
    return cheaper && misses.length > 0 ? [{ configuration: candidate, monthlyUsd, reason, lowUsd, misses }] : [];
  });
}

function isPareto(option: Ranked, others: readonly Ranked[]): boolean | null {
  if (option.monthlyUsd === null) return null;
  const [usd, rate] = [option.monthlyUsd, option.throughputMBps.baseline];
  return !others.some(({ monthlyUsd, throughputMBps: { baseline } }) => {
    const better = (monthlyUsd ?? usd) < usd || baseline > rate;
    return monthlyUsd !== null && monthlyUsd <= usd && baseline >= rate && better;
  });
}

function price({ monthlyUsd }: { readonly monthlyUsd: number | null }): number {
  return monthlyUsd ?? Number.MAX_VALUE;
}

/** For a budget: those without warnings first, then the fastest, ties by capacity, then by price. */
function bySpeed(a: Ranked, b: Ranked): number {
  return (
    Number(isWarned(a)) - Number(isWarned(b)) ||
    b.throughputMBps.baseline - a.throughputMBps.baseline ||
    (b.capacityTB ?? 0) - (a.capacityTB ?? 0) ||
    price(a) - price(b)
  );
}

/** Known prices first, those without warnings before those with, then the cheapest by the known part; ties by more headroom, then without compression before with it. */
function byPrice(a: Ranked, b: Ranked): number {
  return (
    Number(a.monthlyUsd === null) - Number(b.monthlyUsd === null) ||
    Number(isWarned(a)) - Number(isWarned(b)) ||
    price(a) - price(b) ||
    a.atLeastUsd - b.atLeastUsd ||
    (b.headroom ?? 0) - (a.headroom ?? 0) ||
    b.throughputMBps.baseline - a.throughputMBps.baseline
  );
}
