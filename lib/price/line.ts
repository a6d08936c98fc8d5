import type { CostLine, Price } from '../schema/cost';
import { HOURS_PER_MONTH, type PriceBook, PUBLISHED } from './prices';

/** Prices and amounts of the lines of a storage. */
export interface CostOptions {
  readonly region: string;
  /** @default those that come with fsxbench */
  readonly book?: PriceBook;
  /** Prefix of the lines: `arm lz4`. @default the storage's own label */
  readonly label?: string;
  /** GiB stored, if that is billed. @default - not known: such lines have no sum */
  readonly storedGiB?: number;
  /** Files that these are, if requests are billed. @default - large files */
  readonly files?: number | undefined;
}

/** A line with its price, or with the reason for a missing one. Items that are paid by use, such as 1,000 requests, are paid once. */
export function costLine(
  item: string,
  quantity: number,
  price: Price | null,
  { missing, reason, unit = 'hour' }: { readonly missing?: string; readonly reason: string; readonly unit?: string },
): CostLine {
  if (price === null) {
    const none = { unitPrice: null, hourly: null, source: 'none', asOf: null, confidence: null, reason };
    return { item, quantity, unit, ...none, ...(missing === undefined ? {} : { missingPrice: missing }) };
  }
  const usd = quantity * price.price;
  const date = price.asOf === null ? '' : ` (${price.asOf})`;
  return {
    item,
    quantity,
    unit: price.unit,
    unitPrice: price.price,
    ...billed(price.unit, usd),
    ...(price.low !== undefined && {
      hourlyLow: billed(price.unit, quantity * price.low).hourly ?? 0,
      range: `${price.confidence === 'estimated' ? 'estimated ' : ''}between ${price.low} and ${price.price}`,
    }),
    source: `${price.source}${date}; ${price.confidence}`,
    asOf: price.asOf,
    confidence: price.confidence,
  };
}

function billed(unit: string, usd: number): Pick<CostLine, 'hourly' | 'onceUsd'> {
  if (unit === 'hour') return { hourly: usd };
  return unit.endsWith('month') ? { hourly: usd / HOURS_PER_MONTH } : { hourly: 0, onceUsd: usd };
}

/** A line of an item of the price list. @param unit unit of a line whose price is not known */
export const itemLine = (
  words: string,
  quantity: number,
  item: string,
  { region, book = PUBLISHED }: CostOptions,
  unit?: string,
): CostLine => costLine(words, quantity, book.priceOf(item, region), { ...noPrice(item, region), unit });

/** A line of instances of a type, on demand. */
export const instanceLine = (
  words: string,
  count: number,
  type: string,
  { region, book = PUBLISHED }: CostOptions,
): CostLine => costLine(words, count, book.instancePriceOf(type, region), noPrice(type, region));

const noPrice = (item: string, region: string) => ({
  missing: item,
  reason: `the price of ${item} in ${region} is unknown`,
});

/** A line of an item that is billed by use and whose quantity is not yet known. */
export function unknownQuantity(
  item: string,
  price: Price | null,
  { unit = 'GB-month', reason = 'storage is elastic: stored data is billed' } = {},
): CostLine {
  const { source = 'none', asOf = null, confidence = null, price: unitPrice = null } = price ?? {};
  return { item, quantity: null, unit, unitPrice, hourly: null, source, asOf, confidence, reason };
}
