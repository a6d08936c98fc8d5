import { binarySearch, entryOf } from '../common/collections';
import type { Warning } from '../common/violation';
import type { Prediction, Rate } from '../predict';
import { checkedRequest } from '../predict/request';
import * as cost from '../price/cost';
import type { PriceBook } from '../price/prices';
import type { CostLine } from '../schema/cost';
import type { StorageConfiguration } from '../schema/deployment';
import type { Family } from '../storage/candidates';
import { storageOf } from '../storage/lookup';
import { type Assessment, above, assess, budgetCheck, type DemandCheck, ENOUGH, requestOf, shortfall } from './checks';
import { optionNotes } from './notes';
import { type ResolvedRequirement, storageNeed, takenOn } from './requirement';

export interface Candidate<C extends StorageConfiguration = StorageConfiguration> extends Assessment, MonthlyPrice {
  readonly configuration: C;
  /** True if every demand was checked and met; a Region that is not known to have it is named in `unmet`. */
  readonly meets: boolean;
  /** Demands that are missed or unknown. */
  readonly unmet: readonly DemandCheck[];
  /** The lowest of the requested rates. */
  readonly throughputMBps: Rate;
  readonly binding: Prediction['binding'];
  /** Head-room of the requested rates, the least of them; without any that of a burst, of files per second, else of the capacity. `null` without any. */
  readonly headroom: number | null;
  /** Reasons against it, and points that need care. */
  readonly warnings: readonly Warning[];
}

export interface Cheaper<C extends StorageConfiguration = StorageConfiguration> extends MonthlyPrice {
  readonly configuration: C;
  readonly misses: readonly string[];
}

/** Sizes of a family of configurations, as far as they meet a need. */
export interface FamilyResult {
  /** The cheapest size that meets every demand. */
  readonly meets: Candidate | null;
  /** The cheapest size that misses none, if that is another: of some demands nothing is documented. */
  readonly perhaps: Candidate | null;
  /** If neither exists: the smallest of the sizes that come closest. */
  readonly closest: Candidate | null;
  /** The size below the one that meets every demand. */
  readonly smaller: StorageConfiguration | null;
}

/** Reasons not to keep data on a file system: it is ranked below those without any. */
export const caveatsOf = (configuration: StorageConfiguration): readonly Warning[] =>
  storageOf(configuration).price.candidates?.caveats?.(configuration) ?? [];

export const familiesOf = (need: ResolvedRequirement): readonly Family[] =>
  need.storages.flatMap(({ price: { candidates } }) => candidates?.families(storageNeed(need, candidates)) ?? []);

export function searchFamily(family: Family, need: ResolvedRequirement, book: PriceBook): FamilyResult {
  const known = new Map<number, readonly DemandCheck[]>();
  const checksAt = (size: number) => entryOf(known, size, () => assess(family.at(size), need).checks);
  const of = (size: number) => shortfall(checksAt(size));
  const smallest = (good: (size: number) => boolean) => smallestThat(good, family.sizes);
  const at = (size: number) => candidateOf(family.at(cheapestFrom(size, family, need, book)), need, book);
  const largest = checksAt(family.sizes - 1);
  const { missed, unknown } = shortfall(largest);
  if (missed > 0) {
    const closest = smallest((size) => isAsClose(checksAt(size), largest)) ?? family.sizes - 1;
    return { meets: null, perhaps: null, closest: candidateOf(family.at(closest), need, book), smaller: null };
  }
  const met = unknown > 0 ? null : smallest((size) => isZero(of(size)));
  const unmissed = smallest((size) => of(size).missed === 0) ?? 0;
  return {
    meets: met === null ? null : at(met),
    perhaps: met === unmissed ? null : at(unmissed),
    closest: null,
    smaller: met === null || met === 0 ? null : family.at(met - 1),
  };
}

/** True if a size misses no more than the largest one, and offers as much of what that misses. */
const isAsClose = (checks: readonly DemandCheck[], largest: readonly DemandCheck[]): boolean =>
  checks.every(({ met, demand, offered }) => {
    const limit = largest.find((one) => one.demand === demand);
    if (met !== false || limit === undefined) return true;
    if (limit.met !== false) return false;
    const [there, max] = [Number(offered), Number(limit.offered)];
    return demand === 'load' ? there * ENOUGH <= max : there >= max * ENOUGH;
  });

const isZero = ({ missed, unknown }: ReturnType<typeof shortfall>): boolean => missed + unknown === 0;

/** The largest size that a budget buys; if it buys none, the smallest size and why. */
export function largestFor(
  family: Family,
  need: ResolvedRequirement,
  book: PriceBook,
): { readonly bought: Candidate | null; readonly smallest: Candidate } {
  const { maxMonthlyUsd = 0 } = need.asked;
  const isOver = (size: number): boolean => {
    const { monthlyUsd } = priceOf(family.at(size), need, book);
    return monthlyUsd === null || monthlyUsd > maxMonthlyUsd;
  };
  const smallest = candidateOf(family.at(0), need, book);
  // A price that follows from what is stored has no largest size.
  if (family.sizes === 1 || !smallest.meets) return { bought: null, smallest };
  const over = smallestThat(isOver, family.sizes);
  return { bought: candidateOf(family.at((over ?? family.sizes) - 1), need, book), smallest };
}

export function candidateOf(configuration: StorageConfiguration, need: ResolvedRequirement, book: PriceBook) {
  const assessment = assess(configuration, need);
  const price = priceOf(configuration, need, book);
  const checks = [...assessment.checks, ...budgetCheck(price.monthlyUsd, price, need)];
  const lowest = assessment.flows.reduce((low, flow) =>
    flow.throughputMBps.baseline < low.throughputMBps.baseline ? flow : low,
  );
  const rates = assessment.flows.filter(({ MBps }) => MBps > 0);
  return {
    configuration,
    ...price,
    meets: isZero(shortfall(checks)),
    unmet: checks.filter(({ met }) => met !== true),
    throughputMBps: lowest.throughputMBps,
    binding: lowest.binding,
    headroom: rates.length === 0 ? headroomOf(checks) : Math.min(...rates.map(({ headroom }) => headroom)),
    ...assessment,
    checks,
    warnings: warningsOf(configuration, need, assessment),
  };
}

/** The check whose head-room counts if no rate is requested: of a burst, of files per second, else of the capacity. */
export const tightestOf = (checks: readonly DemandCheck[]): DemandCheck | undefined =>
  (['MB/s', '/s', 'TB'] as const).flatMap((unit) => checks.find((check) => check.unit === unit) ?? [])[0];

function headroomOf(checks: readonly DemandCheck[]): number | null {
  const one = tightestOf(checks);
  return typeof one?.asked === 'number' && typeof one.offered === 'number' ? above(one.offered, one.asked) : null;
}

/** Notes on a configuration that is proposed for a need. @throws Error for one that AWS refuses */
function warningsOf(configuration: StorageConfiguration, need: ResolvedRequirement, assessment: Assessment) {
  const { warnings } = checkedRequest(requestOf(configuration, need));
  const caveats = caveatsOf(configuration).filter(({ id }) => warnings.every((known) => known.id !== id));
  return [...warnings, ...caveats, ...optionNotes(configuration, need, assessment)];
}

/** The cheapest of a size and of the larger ones whose price includes more. */
function cheapestFrom(smallest: number, family: Family, need: ResolvedRequirement, book: PriceBook): number {
  const cost = (size: number) => priceOf(family.at(size), need, book).monthlyUsd ?? Number.POSITIVE_INFINITY;
  return (family.better?.(smallest) ?? []).reduce((low, size) => (cost(size) < cost(low) ? size : low), smallest);
}

/** The smallest acceptable size, assuming every larger one is acceptable as well; `null` if none is. */
function smallestThat(good: (size: number) => boolean, sizes: number): number | null {
  // Double first, since most answers are small.
  let bad = -1;
  let high = 0;
  while (!good(high)) {
    if (high === sizes - 1) return null;
    bad = high;
    high = Math.min(sizes - 1, high * 2 + 1);
  }
  return binarySearch(good, bad, high);
}

/** The next smaller size and the next lower metadata IOPS, with what they miss. */
export function cheaperThan(
  { configuration, monthlyUsd }: Candidate,
  smaller: StorageConfiguration | null,
  need: ResolvedRequirement,
  book: PriceBook,
): Cheaper[] {
  const less = storageOf(configuration).price.candidates?.lesser?.(configuration) ?? null;
  const others = [smaller, less === null ? null : { ...configuration, ...less }].filter((one) => one !== null);
  return others.flatMap((other): Cheaper[] => {
    const price = priceOf(other, need, book);
    const misses = assess(other, need).checks.flatMap(({ met, reason }) => (met === true ? [] : [reason]));
    const isCheaper = monthlyUsd === null || price.monthlyUsd === null || price.monthlyUsd < monthlyUsd;
    return isCheaper && misses.length > 0 ? [{ configuration: other, ...price, misses }] : [];
  });
}

export interface MonthlyPrice {
  /** List price of the file system, without clients; `null` with a reason if a price is unknown. */
  readonly monthlyUsd: number | null;
  /** Why a price is unknown; `null` if all are known. */
  readonly reason: string | null;
  /** Total of the known prices in USD, at the upper ends of ranges; equals the list price if all are known. */
  readonly knownUsd: number;
  /** The same at the lower ends: of Intelligent-Tiering, that of data that nobody reads. */
  readonly lowUsd: number;
  /** Parts whose price is unknown, such as `metadata IOPS`; empty if all are known. */
  readonly unpriced: readonly string[];
  /** Unknown prices and how to get them; `null` if all are known. */
  readonly missing: string | null;
  /** Date and source of its prices. */
  readonly basis: cost.PriceBasis;
}

/** List price of a month, or of the hours of it that are asked for. */
export function priceOf(configuration: StorageConfiguration, need: ResolvedRequirement, book: PriceBook): MonthlyPrice {
  const lines = costLines(configuration, need, book);
  const unknown = lines.filter(({ hourly }) => hourly === null);
  const ofHours = (hourly: number): number => Math.round(hourly * need.hoursPerMonth * 100) / 100;
  const knownUsd = ofHours(cost.knownUsd(lines));
  return {
    monthlyUsd: unknown.length > 0 ? null : knownUsd,
    reason: unknown.length > 0 ? unknown.map(describeUnknown).join('; ') : null,
    knownUsd,
    unpriced: unknown.map(({ item }) => item.replace(/^.*: /, '')),
    lowUsd: ofHours(cost.lowUsd(lines)),
    missing: cost.missingPrices(lines, need.region),
    basis: cost.basisOf(lines, need.region),
  };
}

const describeUnknown = ({ item, reason, missingPrice }: CostLine): string =>
  missingPrice === undefined ? `${item}: ${reason}` : `no price is known of ${item}`;

export function costLines(configuration: StorageConfiguration, need: ResolvedRequirement, book: PriceBook) {
  const { region, dataGiB, asked } = need;
  const storedGiB = dataGiB * takenOn(configuration, need);
  return storageOf(configuration).price.cost(configuration, { region, storedGiB, files: asked.files, book });
}
