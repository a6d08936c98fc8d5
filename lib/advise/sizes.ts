import { leastThat } from '../common/leastThat';
import type { PriceBook } from '../price/prices';
import type { AnyConfiguration } from '../schema/storage';
import type { Family } from '../storage/candidates';
import { storageOf, withKind } from '../storage/lookup';
import { type Assessment, assess, warningsOf } from './assess';
import { fragmentOf } from './fragment';
import { monthlyCost } from './monthly';
import type { Cheaper, Ranked, Rejected } from './option';
import { optionNotes } from './optionNotes';
import type { Requirement } from './requirement';

/** The cheapest size that meets the requirement; `null` if none does. */
export function cheapestOf(family: Family, requirement: Requirement, book: PriceBook): Ranked | null {
  const smallest = smallestThat((size) => assess(family.at(size), requirement).misses.length === 0, family.sizes);
  if (smallest === null) return null;
  const cost = (size: number) => monthlyCost(family.at(size), requirement, book).usd ?? Number.POSITIVE_INFINITY;
  const best = (family.better?.(smallest) ?? []).reduce((low, size) => (cost(size) < cost(low) ? size : low), smallest);
  return ranked(family.at(best), requirement, book, smallest === 0 ? null : family.at(smallest - 1));
}

/** The largest size that a budget buys; `null` where {@link unaffordable} says why none is. */
export function largestFor(family: Family, requirement: Requirement, book: PriceBook): Ranked | null {
  const { maxMonthlyUsd = 0 } = requirement;
  const isOver = (size: number): boolean => {
    const { usd } = monthlyCost(family.at(size), requirement, book);
    return usd === null || usd > maxMonthlyUsd;
  };
  if (family.sizes === 1 || isOver(0) || assess(family.at(0), requirement).misses.length > 0) return null;
  const over = smallestThat(isOver, family.sizes);
  return ranked(family.at((over ?? family.sizes) - 1), requirement, book, null);
}

/** The smallest size, and why a budget does not buy it: more clients than can mount any, its price, or one that depends on more than its size. */
export function unaffordable(family: Family, requirement: Requirement, book: PriceBook): Rejected {
  const configuration = family.at(0);
  if (assess(configuration, requirement).misses.length > 0) return refused(family, requirement, book);
  const { usd, reason } = monthlyCost(configuration, requirement, book);
  const because =
    family.sizes === 1
      ? 'its price depends on what is stored and moved: give --capacity or a rate'
      : (reason ?? `its smallest size costs more than ${requirement.maxMonthlyUsd} USD per month`);
  return { configuration, monthlyUsd: usd, reason: because };
}

/** A configuration with its cost, rates, headroom and warnings. */
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
    cheaper: cheaperThan(configuration, monthlyUsd, smaller, { requirement, book }),
    warnings: [...warningsOf(configuration, requirement), ...optionNotes(configuration, requirement, assessment)],
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
  return leastThat(good, bad, high);
}

/** The demands that no size can meet, and the smallest size that meets the rest. */
export function refused(family: Family, requirement: Requirement, book: PriceBook): Rejected {
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
