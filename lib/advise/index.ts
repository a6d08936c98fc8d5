/**
 * The cheapest file systems that do what is required, by documented limits and list prices. Offline and pure: the same requirement
 * gives the same answer.
 */
import type { PriceBasis } from '../cost/basis';
import { DEFAULT_REGION, type PriceBook, PUBLISHED } from '../cost/prices';
import type { Prediction, Rate } from '../predict';
import type { LustreConfiguration } from '../storage/lustre/configuration';
import { automaticMetadataIops, METADATA_IOPS } from '../storage/lustre/documented';
import { type Assessment, assess, type DemandResult, monthlyCost } from './assess';
import { type Family, familiesOf } from './families';
import { type Fragment, fragmentOf } from './fragment';
import { type Requirement, requirementProblems } from './requirement';

export type { Requirement } from './requirement';

/** A configuration that costs less, and what it would fail to do. */
export interface Cheaper {
  readonly configuration: LustreConfiguration;
  readonly monthlyUsd: number | null;
  readonly misses: readonly string[];
}

/** A configuration that meets the requirement, the cheapest of its kind. */
export interface Option {
  readonly configuration: LustreConfiguration;
  /** List price of the file system, without clients; `null` with a reason where a price is not known. */
  readonly monthlyUsd: number | null;
  readonly reason: string | null;
  /** What the known prices come to, in USD a month: `monthlyUsd` where all are known. */
  readonly atLeastUsd: number;
  /** Prices that are not known, and how to get them; `null` where all are. */
  readonly missing: string | null;
  /** Of what day and whose its prices are. */
  readonly basis: PriceBasis;
  /** The lowest of what was asked for: reads, writes or both together. */
  readonly throughputMBps: Rate;
  /** The limits of that. */
  readonly binding: Prediction['binding'];
  /** The smallest of {@link headrooms}: 0.25 is a quarter more than is required. */
  readonly headroom: number | null;
  readonly headrooms: Assessment['headrooms'];
  readonly demands: readonly DemandResult[];
  readonly capacityTB: number;
  readonly createsPerSecond: number | null;
  /** Why no rate of creations is known; `null` where one is. */
  readonly createsReason: string | null;
  /** What the next cheaper sizes would miss; empty for the smallest that AWS sells. */
  readonly cheaper: readonly Cheaper[];
  /** No other option is both cheaper and at least as fast. `null` without a price. */
  readonly pareto: boolean | null;
  readonly warnings: Assessment['warnings'];
  readonly cdkJson: Fragment;
}

/** `fsxbench.advise/1`. */
export interface Advice {
  readonly schema: 'fsxbench.advise/1';
  readonly requirement: Requirement;
  readonly region: string;
  readonly currency: 'USD';
  readonly pricesAsOf: string;
  /** Cheapest first; those without a price after all others, by what is known of it. */
  readonly options: readonly Option[];
  readonly rejected: readonly {
    readonly configuration: LustreConfiguration;
    readonly monthlyUsd: number | null;
    readonly reason: string;
  }[];
}

type Ranked = Omit<Option, 'pareto'>;

/**
 * Finds them.
 *
 * @param book the prices. @default those that came with fsxbench
 * @throws Error that lists, a line each, what is wrong with the requirement
 */
export function advise(requirement: Requirement, book: PriceBook = PUBLISHED): Advice {
  const problems = requirementProblems(requirement);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const { region = DEFAULT_REGION, maxMonthlyUsd = Number.POSITIVE_INFINITY } = requirement;
  const options: Ranked[] = [];
  const rejected: Advice['rejected'][number][] = [];
  for (const family of familiesOf(requirement)) {
    const found = cheapestOf(family, requirement, book);
    if (found === null) {
      rejected.push(refused(family, requirement, book));
      continue;
    }
    const { configuration, monthlyUsd, atLeastUsd } = found;
    if (atLeastUsd <= maxMonthlyUsd) options.push(found);
    else {
      const costs = `${monthlyUsd === null ? 'at least ' : ''}${atLeastUsd}`;
      rejected.push({
        configuration,
        monthlyUsd,
        reason: `it costs ${costs} USD a month, and ${maxMonthlyUsd} is the most`,
      });
    }
  }
  options.sort(byPrice);
  return {
    schema: 'fsxbench.advise/1',
    requirement,
    region,
    currency: 'USD',
    pricesAsOf: book.asOf,
    options: options.map((option) => ({ ...option, pareto: isPareto(option, options) })),
    rejected: rejected.sort((a, b) => price(a) - price(b)),
  };
}

/** The cheapest size that meets the requirement; `null` when none does. */
function cheapestOf(family: Family, requirement: Requirement, book: PriceBook): Ranked | null {
  const smallest = smallestThat((size) => assess(family.at(size), requirement).misses.length === 0, family.sizes);
  if (smallest === null) return null;
  const cost = (size: number) => monthlyCost(family.at(size), requirement, book).usd ?? Number.POSITIVE_INFINITY;
  const best = family.better(smallest).reduce((low, size) => (cost(size) < cost(low) ? size : low), smallest);
  const configuration = family.at(best);
  const { usd, atLeastUsd, reason, missing, basis } = monthlyCost(configuration, requirement, book);
  const { demands, capacityTB, createsPerSecond, createsReason, headrooms, warnings } = assess(
    configuration,
    requirement,
  );
  const lowest = demands.reduce((low, demand) =>
    demand.throughputMBps.baseline < low.throughputMBps.baseline ? demand : low,
  );
  const rooms = Object.values(headrooms).filter((room) => room !== null);
  return {
    configuration,
    monthlyUsd: usd,
    reason,
    atLeastUsd,
    missing,
    basis,
    throughputMBps: lowest.throughputMBps,
    binding: lowest.binding,
    headroom: rooms.length === 0 ? null : Math.min(...rooms),
    headrooms,
    demands,
    capacityTB,
    createsPerSecond,
    createsReason,
    cheaper: cheaperThan(configuration, usd, smallest === 0 ? null : family.at(smallest - 1), { requirement, book }),
    warnings,
    cdkJson: fragmentOf(configuration, requirement, demands),
  };
}

/** The smallest size that is good, where every larger one is good, too; `null` when none is. */
function smallestThat(good: (size: number) => boolean, sizes: number): number | null {
  // Doubling first: most answers are small.
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

/** What no size can do, and the smallest that does the rest. */
function refused(family: Family, requirement: Requirement, book: PriceBook): Advice['rejected'][number] {
  const { misses } = assess(family.at(family.sizes - 1), requirement);
  const size = smallestThat((at) => assess(family.at(at), requirement).misses.length <= misses.length, family.sizes);
  const configuration = family.at(size ?? 0);
  const { usd } = monthlyCost(configuration, requirement, book);
  return { configuration, monthlyUsd: usd, reason: `at any size: ${misses.join('; ')}` };
}

function cheaperThan(
  configuration: LustreConfiguration,
  usd: number | null,
  smaller: LustreConfiguration | null,
  { requirement, book }: { readonly requirement: Requirement; readonly book: PriceBook },
): Cheaper[] {
  const candidates = [smaller, withFewerIops(configuration)].filter((candidate) => candidate !== null);
  return candidates.flatMap((candidate): Cheaper[] => {
    const monthlyUsd = monthlyCost(candidate, requirement, book).usd;
    const { misses } = assess(candidate, requirement);
    const cheaper = usd === null || monthlyUsd === null || monthlyUsd < usd;
    return cheaper && misses.length > 0 ? [{ configuration: candidate, monthlyUsd, misses }] : [];
  });
}

/** The next lower level of metadata IOPS, where that is one that costs extra. */
function withFewerIops(configuration: LustreConfiguration): LustreConfiguration | null {
  const { metadata, storageCapacityGiB, storageType } = configuration;
  if (metadata?.mode !== 'USER_PROVISIONED') return null;
  const { small, step, tiering } = METADATA_IOPS;
  const levels =
    storageType === 'INTELLIGENT_TIERING'
      ? tiering
      : [...small, ...Array.from({ length: METADATA_IOPS.max / step }, (_, index) => (index + 1) * step)];
  const iops = levels.filter((level) => level < metadata.iops).at(-1);
  const included = storageCapacityGiB === undefined ? 0 : automaticMetadataIops(storageCapacityGiB);
  return iops === undefined || iops < included
    ? null
    : { ...configuration, metadata: { mode: 'USER_PROVISIONED', iops } };
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

/** Cheapest first, those of unknown price last by what is known of it; of the same price the one with more room, then without compression before with it. */
function byPrice(a: Ranked, b: Ranked): number {
  return (
    price(a) - price(b) ||
    a.atLeastUsd - b.atLeastUsd ||
    (b.headroom ?? 0) - (a.headroom ?? 0) ||
    b.throughputMBps.baseline - a.throughputMBps.baseline
  );
}
