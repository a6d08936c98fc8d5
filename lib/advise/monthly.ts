import { basisOf, missingPrices, type PriceBasis } from '../price/basis';
import { knownUsd, lowUsd, sumOf } from '../price/cost';
import { DEFAULT_REGION, HOURS_PER_MONTH, type PriceBook } from '../price/prices';
import type { CostLine } from '../schema/cost';
import type { AnyConfiguration } from '../schema/storage';
import { dataGiB } from '../storage/candidates';
import { storageOf, withKind } from '../storage/lookup';
import { type Requirement, takenOn } from './requirement';

/** Cost of a month beside its list price. */
export interface MonthlyCost {
  /** Why a price is unknown; `null` if all are known. */
  readonly reason: string | null;
  /** Total of the known prices in USD; equals the list price if all are known. */
  readonly atLeastUsd: number;
  /** Total at the lower ends of estimated prices; `atLeastUsd` adds up the upper ends, and equals it if none is a range. */
  readonly lowUsd: number;
  /** Unknown prices and how to get them; `null` if all are known. */
  readonly missing: string | null;
  /** Date and source of its prices. */
  readonly basis: PriceBasis;
}

/** List price of a month; `null` with a reason if a price is unknown. */
export function monthlyCost(
  configuration: AnyConfiguration,
  requirement: Requirement,
  book: PriceBook,
): MonthlyCost & { readonly usd: number | null } {
  const { region = DEFAULT_REGION } = requirement;
  const lines = costLines(configuration, requirement, book);
  const { hourlyUsd, reason } = sumOf(lines);
  const hours = requirement.hoursPerMonth ?? HOURS_PER_MONTH;
  const atLeastUsd = monthly(knownUsd(lines), hours);
  const rest = {
    atLeastUsd,
    lowUsd: monthly(lowUsd(lines), hours),
    missing: missingPrices(lines, region),
    basis: basisOf(lines, region),
  };
  return hourlyUsd === null
    ? { usd: null, reason: reason ?? 'a price is unknown', ...rest }
    : { usd: atLeastUsd, reason: null, ...rest };
}

/** The bill of an hour, by its parts. */
export function costLines(
  configuration: AnyConfiguration,
  requirement: Requirement,
  book: PriceBook,
): readonly CostLine[] {
  const { region = DEFAULT_REGION } = requirement;
  const storedGiB = dataGiB(requirement) * takenOn(configuration, requirement);
  return storageOf(configuration).price.cost(withKind(configuration), { region, storedGiB, book });
}

const monthly = (hourlyUsd: number, hours: number): number => Math.round(hourlyUsd * hours * 100) / 100;
