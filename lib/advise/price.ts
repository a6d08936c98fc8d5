import { basisOf, missingPrices, type PriceBasis } from '../price/basis';
import * as cost from '../price/cost';
import type { PriceBook } from '../price/prices';
import type { CostLine } from '../schema/cost';
import type { StorageConfiguration } from '../schema/deployment';
import { storageOf } from '../storage/lookup';
import { type ResolvedRequirement, takenOn } from './requirement';

/** Cost of a month. */
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
  readonly basis: PriceBasis;
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
    missing: missingPrices(lines, need.region),
    basis: basisOf(lines, need.region),
  };
}

const describeUnknown = ({ item, reason, missingPrice }: CostLine): string =>
  missingPrice === undefined ? `${item}: ${reason}` : `no price is known of ${item}`;

/** The bill of an hour, by its parts. */
export function costLines(
  configuration: StorageConfiguration,
  need: ResolvedRequirement,
  book: PriceBook,
): readonly CostLine[] {
  const { region, dataGiB, asked } = need;
  const storedGiB = dataGiB * takenOn(configuration, need);
  return storageOf(configuration).price.cost(configuration, { region, storedGiB, files: asked.files, book });
}
